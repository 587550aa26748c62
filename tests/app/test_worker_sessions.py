"""What the worker keeps of a chat: a window that rotates, and sessions over restarts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.app.driving import Log
from tests.app.talkers import write_talker

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

QUESTION = "what does a key remember of the tokens that came before it, and for how long? " * 3


def test_a_chat_that_rotates_goes_on_beyond_its_context(log: Log, tmp_path: Path) -> None:
    log.load(write_talker(tmp_path / "short", context=640))
    log.ask("hello", max_tokens=700)
    end = log.end()
    assert (end.finish_reason, end.tokens) == ("length", 700)
    assert 0 < log.latest().context_tokens <= 640


def test_a_chat_that_stops_ends_with_its_context_and_keeps_the_reply(log: Log, terse: Path) -> None:
    log.load(terse)
    log.ask("hello", max_tokens=300, rotates=False)
    end = log.end()
    assert end.finish_reason == "length"
    assert end.prompt_tokens + end.tokens == 96
    assert len(log.text()) > 0


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "sessions"


def asked_in_a_run_of_its_own(qtbot: QtBot, model: Path, folder: Path, chat_id: str) -> int:
    """How many tokens of the question a new start of the worker reuses."""
    log = Log(qtbot, sessions=folder)
    log.load(model)
    log.ask(QUESTION, chat_id=chat_id, max_tokens=3)
    reused = log.end().reused_tokens
    log.close()
    return reused


def test_a_chat_goes_on_after_a_restart_without_a_prefill(
    qtbot: QtBot, talker: Path, folder: Path
) -> None:
    assert asked_in_a_run_of_its_own(qtbot, talker, folder, "chat") == 0
    assert asked_in_a_run_of_its_own(qtbot, talker, folder, "chat") > 200


@pytest.mark.parametrize("loaded", [True, False])
def test_a_deleted_chat_leaves_nothing_on_disk(
    qtbot: QtBot, talker: Path, folder: Path, *, loaded: bool
) -> None:
    asked_in_a_run_of_its_own(qtbot, talker, folder, "chat")
    asked_in_a_run_of_its_own(qtbot, talker, folder, "other")
    assert len(list(folder.iterdir())) == 2
    log = Log(qtbot, sessions=folder)
    if loaded:
        log.load(talker)
    log.worker.forget("chat")
    log.close()
    assert len(list(folder.iterdir())) == 1
    assert asked_in_a_run_of_its_own(qtbot, talker, folder, "other") > 200
