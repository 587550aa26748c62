"""A chat is named by the model while nothing happens, and only where that makes it better."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from app import titles
from app.jobs.title import title_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from app.chats.settings import ChatSettings
    from tests.app.driving import Driver

QUESTION = "how do caches work?"


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(titles, "IDLE_MS", 30)


@pytest.mark.parametrize(
    ("written", "title"),
    [
        ('"How Caches Work"\n\nMore', "How Caches Work"),
        ("Title: **Reisen nach Lissabon**.", "Reisen nach Lissabon"),
        ("标题：缓存的工作原理", "缓存的工作原理"),
        ("caches", "Caches"),
        ("", ""),
        ("  \n ", ""),
        ("<think>Okay, the user", ""),
        (QUESTION, ""),
        ("Sure! Here is a title", ""),
        ("The the the the", ""),
        ("A cache is a place where a program keeps what it has computed before", ""),
        ("1234 5678", ""),
        ("x" * 80, ""),
        ("The answer is:\n```", ""),
        ("What do caches do?", ""),
        ("Hello! Welcome", ""),
    ],
)
def test_what_a_model_writes_is_looked_at(written: str, title: str) -> None:
    assert title_of(written, QUESTION) == title


@pytest.mark.usefixtures("quick")
def test_a_chat_gets_a_title_of_the_model(drive: Callable[..., Driver], talker: Path) -> None:
    app = drive(talker)
    app.until_ready()
    app.app.shown.set_settings(short(app))
    app.ask("Hm?")
    app.until(lambda: bool(app.reply) and not app.busy)
    held = app.app.shown.messages[-1].token_ids
    app.until(lambda: app.titles not in ([], ["Hm?"]))
    assert app.window.header.title == app.titles[0]
    app.ask("And?")
    app.until(lambda: len(app.items) == 4 and not app.busy)
    figures = app.app.shown.messages[-1].figures
    assert figures is not None
    assert figures.reused_tokens > len(held)  # the chat's cache was left alone


@pytest.mark.slow
@pytest.mark.usefixtures("quick")
def test_a_title_of_the_user_stays(drive: Callable[..., Driver], talker: Path) -> None:
    app = drive(talker)
    app.until_ready()
    app.app.shown.set_settings(short(app))
    app.ask("Hm?")
    app.until(lambda: bool(app.reply))
    app.window.chat_renamed.emit(app.app.shown.chat_id, "Mine")
    app.until(lambda: not app.busy)
    app.until(lambda: not app.app.titles._timer.isActive() and not app.app.titles._waiting)
    app.app._store_thread.submit(lambda _: None).result()
    assert app.window.header.title == "Mine"


@pytest.mark.slow
@pytest.mark.usefixtures("quick")
def test_a_question_comes_before_a_title(drive: Callable[..., Driver], talker: Path) -> None:
    app = drive(talker)
    app.until_ready()
    app.app.shown.set_settings(short(app))
    app.ask("Hm?")
    app.until(lambda: app.app.titles._errand.is_running)
    app.ask("And?")
    app.until(lambda: len(app.items) == 4 and not app.busy)
    app.until(lambda: not app.app.titles._errand.is_running)
    assert app.window.header.title  # whichever was first, nothing is lost
    assert not app.errors


def short(app: Driver) -> ChatSettings:
    """The settings of the shown chat with short replies."""
    settings = app.app.shown.settings
    return replace(settings, reply=replace(settings.reply, max_tokens=8))
