"""The log says what happened, never in anybody's words; it is bounded, and on disk."""

from __future__ import annotations

import logging
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import qDebug, qWarning

from app.log import OWN, Journal, Lines, PlainFormatter, told_exception
from app.log_file import CRASH_NAME, NAME, LogFile
from app.report import Facts, gather, lines_of, report, system_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot

ROOT = Path(__file__).parents[2]
SECRET = "my secret diary"


def say_nothing(*_: object) -> None:
    """Stand in for a hook."""


@pytest.fixture
def journal(monkeypatch: pytest.MonkeyPatch) -> Iterator[Journal]:
    """A journal that has begun; what it finds installed before it says nothing."""
    monkeypatch.setattr(sys, "excepthook", say_nothing)
    monkeypatch.setattr(threading, "excepthook", say_nothing)
    journal = Journal()
    journal.begin()
    yield journal
    journal.end()


def shown(journal: Journal) -> str:
    return "\n".join(journal.lines.since(0)[1])


def test_what_the_application_notes_is_kept(journal: Journal) -> None:
    logging.getLogger(f"{OWN}.models").info("Loaded %s in %.1f s.", "starter", 0.5)
    (line,) = journal.lines.since(0)[1]
    assert line.endswith("INFO    cutaway.models: Loaded starter in 0.5 s.")


@pytest.mark.expects_log("Ignoring")
def test_of_other_packages_only_the_template_is_kept(journal: Journal) -> None:
    logging.getLogger("tokenizers").warning("Ignoring %s", SECRET)
    logging.getLogger("other").debug("never")
    assert shown(journal).endswith("WARNING tokenizers: Ignoring %s")


def raise_through(error: Exception) -> Exception:
    def fail() -> None:
        raise error

    try:
        fail()
    except Exception as caught:  # noqa: BLE001 - it has its places now
        return caught
    raise AssertionError


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (KeyError(SECRET), "KeyError"),
        (ValueError(SECRET), "ValueError"),
        (UnicodeDecodeError("utf-8", SECRET.encode(), 0, 1, "bad"), "UnicodeDecodeError"),
        (FileNotFoundError(2, "No such file or directory"), "[Errno 2] No such file or directory"),
        (AttributeError("no attribute x"), "AttributeError: no attribute x"),
    ],
)
def test_exceptions_are_told_without_what_they_quote(error: Exception, told: str) -> None:
    text = told_exception(raise_through(error))
    assert text.endswith(told)
    assert SECRET not in text
    assert "test_log.py:" in text
    assert " in raise_through" in text


def test_a_cause_is_told_by_its_kind() -> None:
    error = RuntimeError("outer")
    error.__cause__ = KeyError(SECRET)
    text = told_exception(error)
    assert text.endswith("RuntimeError: outer\n  from KeyError")
    assert SECRET not in text


@pytest.mark.expects_log("Nobody caught an error")
def test_what_nobody_catches_is_noted(journal: Journal, qtbot: QtBot) -> None:
    crashes: list[bool] = []
    journal.crashed.connect(lambda: crashes.append(True))
    error = raise_through(ValueError(SECRET))
    sys.excepthook(type(error), error, error.__traceback__)
    thread = threading.Thread(target=raise_through_all, name="worker 7")
    thread.start()
    thread.join()
    sys.excepthook(KeyboardInterrupt, KeyboardInterrupt(), None)
    text = shown(journal)
    assert "Nobody caught an error.\n" in text
    assert "Nobody caught an error on the thread worker 7.\n" in text
    assert text.count("Nobody caught") == 2
    qtbot.waitUntil(lambda: len(crashes) == 2)
    assert SECRET not in text


def raise_through_all() -> None:
    raise ValueError(SECRET)


@pytest.mark.expects_log("something of Qt")
@pytest.mark.no_qt_log
def test_what_qt_says_is_noted(journal: Journal, capsys: pytest.CaptureFixture[str]) -> None:
    told: list[str] = []

    def handle(*words: object) -> None:
        told.append(str(words[-1]))

    journal._qt_handler = handle
    qWarning("something of Qt's is odd")
    journal._qt_handler = None  # as where nobody listened before
    qWarning("something of Qt's is odd too")
    qDebug("a detail")
    first, second = journal.lines.since(0)[1]
    assert first.endswith("WARNING cutaway.qt: something of Qt's is odd")
    assert second.endswith("odd too")
    assert told == ["something of Qt's is odd"]
    assert capsys.readouterr().err == "something of Qt's is odd too\n"


def test_everything_is_as_before_when_it_ends() -> None:
    before = sys.excepthook, threading.excepthook, logging.getLogger().handlers[:]
    journal = Journal()
    journal.begin()
    assert sys.excepthook is not before[0]
    journal.end()
    assert (sys.excepthook, threading.excepthook, logging.getLogger().handlers) == before


def test_the_memory_is_bounded_and_read_in_steps() -> None:
    lines = Lines(most=100)
    logger = logging.getLogger("bounded")
    logger.propagate = False
    logger.addHandler(lines)
    logger.warning("first")
    count, new = lines.since(0)
    assert (count, len(new)) == (1, 1)
    for number in range(250):
        logger.warning(f"line {number}")
    count, new = lines.since(count)
    assert (count, len(new)) == (251, 100)
    assert new[-1].endswith("line 249")
    assert lines.since(count) == (251, ())
    logger.warning("x" * 10_000)
    assert len(lines.since(count)[1][0]) < 1100
    logger.removeHandler(lines)


def test_the_home_folder_names_nobody(own_folders: Path) -> None:
    record = logging.makeLogRecord({"name": OWN, "msg": f"read {own_folders}/models/a.gguf"})
    assert PlainFormatter().format(record).endswith("read ~/models/a.gguf")


def test_a_record_that_cannot_be_written_is_no_reason_to_fail(
    capsys: pytest.CaptureFixture[str],
) -> None:
    lines = Lines()
    lines.handle(logging.makeLogRecord({"name": OWN, "msg": "%d", "args": ("x",)}))
    assert "Logging error" in capsys.readouterr().err
    assert lines.since(0) == (0, ())


@pytest.mark.expects_log("later")
def test_the_file_holds_what_was_noted_before_it_too(tmp_path: Path) -> None:
    lines = Lines()
    lines.handle(logging.makeLogRecord({"name": OWN, "msg": "earlier"}))
    folder = tmp_path / "Logs" / "Cutaway"
    file = LogFile(folder, lines)
    logger = logging.getLogger("of a file")
    logger.addHandler(file)
    logger.warning("later")
    logger.removeHandler(file)
    file.close()
    first, second = (folder / NAME).read_text(encoding="utf-8").splitlines()
    assert first.endswith("cutaway: earlier")
    assert second.endswith("of a file: later")
    assert not (folder / CRASH_NAME).exists()


def test_where_nothing_can_be_written_the_program_runs(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    file = LogFile(tmp_path / "file" / "logs", Lines())
    file.handle(logging.makeLogRecord({"name": OWN, "msg": "lost"}))
    file.close()


CRASHING = """
import faulthandler, sys, time
from pathlib import Path
from app.log import Lines
from app.log_file import LogFile
folder = Path(sys.argv[1])
file = LogFile(folder, Lines())
while not faulthandler.is_enabled():
    time.sleep(0.01)
faulthandler._sigsegv()
"""

AFTER = """
import sys
from pathlib import Path
from app.log import Journal
journal = Journal()
journal.begin()
journal.keep(Path(sys.argv[1]))
journal.end()
print("\\n".join(journal.lines.since(0)[1]))
"""


def python(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-c", code, str(folder)]
    return subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)


def test_a_crash_of_native_code_is_told_at_the_next_start(tmp_path: Path) -> None:
    assert python(CRASHING, tmp_path).returncode < 0
    after = python(AFTER, tmp_path)
    assert (
        "The run before ended in a crash:\nFatal Python error: Segmentation fault" in after.stdout
    )
    assert python(AFTER, tmp_path).stdout == "\n"


def test_the_report_says_what_runs_where() -> None:
    facts = Facts("0.1.0", "abc", "macOS 15.1", "arm64, 8 cores", "3.11.9", (("mlx", "0.32.4"),))
    text = report(facts, "Apple M2", [f"line {number}" for number in range(500)])
    head, _, log = text.partition("\n\nLog:\n")
    assert head.splitlines() == [
        "Cutaway 0.1.0 (abc)",
        "System: macOS 15.1",
        "Machine: arm64, 8 cores",
        "Device: Apple M2",
        "Python: 3.11.9",
        "Libraries: mlx 0.32.4",
    ]
    assert log.splitlines()[0] == "line 300"
    assert "Device" not in "".join(lines_of(facts))


def test_the_facts_of_this_machine() -> None:
    facts = gather()
    assert facts.version
    assert {"mlx", "PySide6-Essentials", "numpy"} <= {name for name, _ in facts.libraries}
    assert system_name("darwin", "15.1", "macOS-15.1-arm64") == "macOS 15.1"
    assert system_name("linux", "", "Linux-6.1") == "Linux-6.1"
