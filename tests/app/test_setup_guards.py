"""The guards in tests/conftest.py fail what they should, tried in a pytest run of their own."""

import subprocess
import sys
from pathlib import Path

_CONFTEST = Path(__file__).parents[1] / "conftest.py"

_CASES = """
import logging, os, threading
from pathlib import Path

import pytest

from app.paths import folders

release = threading.Event()

def test_a_thread_is_left():
    threading.Thread(target=release.wait, args=(20,), name="left-over", daemon=True).start()

def test_a_thread_ends_soon():
    release.set()
    threading.Thread(target=release.wait).start()

def test_a_warning_is_logged():
    logging.getLogger("somewhere").warning("stray")

@pytest.mark.expects_log("disk is .* full")
def test_an_expected_warning_is_logged():
    logging.getLogger("somewhere").warning("the disk is almost full")

@pytest.mark.expects_log("disk is full")
def test_an_expected_warning_is_missing():
    pass

def test_folders_are_its_own(own_folders: Path):
    assert Path.home() == own_folders
    assert own_folders in folders().data.parents
    assert os.environ["QT_QPA_PLATFORM"] == "offscreen"

def test_the_starter_is_found(starter_path: Path):
    assert starter_path.stat().st_size > 50_000_000
"""


def test_guards_fail_the_right_tests(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(_CONFTEST.read_text())
    (tmp_path / "test_cases.py").write_text(_CASES)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-rA", "--tb=line", "-p", "no:cacheprovider"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    summary = run.stdout.partition("short test summary")[2]
    outcomes = {line for line in summary.splitlines() if line.startswith(("ERROR", "FAILED"))}
    assert {line.partition("test_cases.py::")[2].partition(" ")[0] for line in outcomes} == {
        "test_a_thread_is_left",
        "test_a_warning_is_logged",
        "test_an_expected_warning_is_missing",
    }, run.stdout
    assert "left threads running: left-over" in run.stdout
    assert "WARNING somewhere: stray" in run.stdout
    assert "7 passed, 3 errors" in run.stdout
