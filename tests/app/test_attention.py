"""Attention and layers in the running application: from a message, in the views, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.attention import Attention, KeptLayers, part_sentence
from app.errands import Errands
from app.jobs.attention_message import MessageTokens
from ui.playground.attention import AttentionView
from ui.playground.attention_values import (
    AttentionAsked,
    CacheView,
    LayerAttention,
    NeighboursAsked,
    ShapeAsked,
)
from ui.playground.lens import LayersView
from ui.playground.page import PlaygroundPage
from ui.playground.state import PlayText, PlayToken

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from app.jobs.workbench import Workbench
    from tests.app.driving import Driver, Log
    from ui.playground.attention_values import Asked


EVERY = CacheView()


def layer(number: int, size: int, *, every: bool = False) -> LayerAttention:
    """Attention of a layer that takes so many bytes."""
    weights = (bytes(size),)
    thumbs = weights if every else ()
    return LayerAttention((1,), number, EVERY, (0,), weights, None, thumbs, 1, (1.0,), 1, EVERY, 0)


def test_what_was_looked_at_lately_is_kept_within_a_budget() -> None:
    kept = KeptLayers(2_200)
    for number in range(3):
        kept.keep(layer(number, 1_000))
    assert kept.held_bytes <= 2_200
    assert kept.find(AttentionAsked((1,), 0, 0)) is None
    assert kept.find(AttentionAsked((1,), 2, 0)) is not None
    assert kept.find(AttentionAsked((1,), 1, 0)) is not None
    kept.keep(layer(3, 1_000))
    assert kept.find(AttentionAsked((1,), 1, 0)) is not None, "the one that was used last stays"
    assert kept.find(AttentionAsked((1,), 2, 0)) is None
    for asked in (
        AttentionAsked((1, 2), 1, 0),
        AttentionAsked((1,), 1, None),
        AttentionAsked((1,), 1, 4),
        AttentionAsked((1,), 1, 0, every=True),
        AttentionAsked((1,), 1, 0, cache=CacheView(4)),
    ):
        assert kept.find(asked) is None
    kept.clear()
    assert kept.held_bytes == 0


class Answers:
    """What answers, on a worker, and all that it says."""

    def __init__(self, log: Log, qtbot: QtBot) -> None:
        self._qtbot = qtbot
        self.attention = Attention(Errands(log.worker, log), None, log)  # pyright: ignore[reportArgumentType]  no chat is looked at
        self.found: list[tuple[Asked, object]] = []
        self.refused: list[tuple[Asked, str]] = []
        self.attention.found.connect(self._on_found)
        self.attention.refused.connect(self._on_refused)

    def _on_found(self, asked: Asked, answer: object) -> None:
        self.found.append((asked, answer))

    def _on_refused(self, asked: Asked, sentence: str) -> None:
        self.refused.append((asked, sentence))

    def until(self, condition: Callable[[], bool]) -> None:
        self._qtbot.waitUntil(condition, timeout=60_000)


def test_the_newest_question_of_a_kind_wins_and_is_kept(
    log: Log, qtbot: QtBot, talker: Path
) -> None:
    log.load(talker)
    answers = Answers(log, qtbot)
    ids = tuple(range(40, 60))
    first, second = AttentionAsked(ids, 0, 0), AttentionAsked(ids, 1, 0)
    answers.attention.on_wanted(first)
    answers.attention.on_wanted(second)
    answers.attention.on_wanted(NeighboursAsked(70))
    answers.until(lambda: len(answers.found) == 2)
    assert [asked for asked, _ in answers.found] == [second, NeighboursAsked(70)]
    answers.attention.on_wanted(AttentionAsked(ids, 1, 1))
    assert len(answers.found) == 3, "another head of the same layer is there at once"
    answers.attention.on_model_changed()
    answers.attention.on_wanted(second)
    assert len(answers.found) == 3
    answers.until(lambda: len(answers.found) == 4)


def test_without_a_model_it_says_what_to_do(log: Log, qtbot: QtBot) -> None:
    answers = Answers(log, qtbot)
    answers.attention.on_wanted(ShapeAsked())
    answers.until(lambda: bool(answers.refused))
    assert answers.refused == [(ShapeAsked(), "No model is loaded; choose one first.")]


def test_what_is_under_way_is_cancelled(log: Log, qtbot: QtBot, talker: Path) -> None:
    log.load(talker)
    answers = Answers(log, qtbot)

    def busy(bench: Workbench) -> None:
        while not bench.cancelled():
            pass

    blocker = log.worker.run(busy)
    asked = AttentionAsked(tuple(range(40, 60)), 0, 0)
    answers.attention.on_wanted(asked)
    answers.attention.on_cancelled((NeighboursAsked,))
    assert answers.refused == []
    answers.attention.on_cancelled((AttentionAsked,))
    answers.until(lambda: answers.refused == [(asked, "")])
    log.worker.stop_job(blocker)


def test_which_part_is_shown_is_said() -> None:
    text = PlayText(tuple(PlayToken(n, "a") for n in range(10)))
    assert part_sentence(MessageTokens(text, 10, 10, EVERY)) == ""
    assert part_sentence(MessageTokens(text, 0, 3210, EVERY)).startswith("The last 10 of 3,210")
    sentence = part_sentence(MessageTokens(text, 4, 3210, EVERY))
    assert sentence.startswith("The 4 pinned and the last 6 of 3,210 tokens")


@pytest.fixture
def app(drive: Callable[..., Driver], terse: Path) -> Driver:
    app = drive(terse)
    app.until_ready()
    app.ask("hello")
    app.until(lambda: not app.app.shown.is_busy and len(app.app.shown.messages) == 2)
    return app


def playground(app: Driver) -> PlaygroundPage:
    page = app.window.places.page("playground")
    assert isinstance(page, PlaygroundPage)
    return page


@pytest.mark.slow
def test_a_reply_opens_in_the_playground_as_its_exact_tokens(app: Driver) -> None:
    reply = app.app.shown.messages[-1]
    app.window.message_action.emit("attention", reply.id)
    app.until(lambda: app.window.places.current == "playground")
    app.until(lambda: isinstance(playground(app).panels.view("attention"), AttentionView))
    view = playground(app).panels.view("attention")
    assert isinstance(view, AttentionView)
    app.until(lambda: view.map.isVisible() and not view.waiting.text)
    assert view.ids[-len(reply.token_ids) :] == reply.token_ids
    assert view.cache.cache == app.app.attention.cache
    assert view.caption.text().startswith("layer 1, mean of all heads · row")
    view.token_chosen.emit(3)
    app.until(lambda: view.place == 3)
    app.window.grab()
    playground(app).panels.choose("layers")
    layers = playground(app).panels.view("layers")
    assert isinstance(layers, LayersView)
    app.until(lambda: layers.grid.isVisible() and not layers.waiting.text)
    assert layers.ids == view.ids
    app.window.grab()
    assert app.errors == []


def test_the_tokens_of_a_reply_are_shown_in_the_inspector(app: Driver) -> None:
    app.window.actions_of_menus.toggle_inspector.setChecked(False)
    reply = app.app.shown.messages[-1]
    app.window.message_action.emit("tokens", reply.id)
    assert app.window.inspector.isVisible()
    panel = app.window.inspector.tokens
    app.until(lambda: panel.view is not None)
    assert panel.view is not None
    assert panel.view.message_id == reply.id


def test_a_message_that_is_gone_is_not_looked_into(app: Driver) -> None:
    app.window.message_action.emit("attention", "nobody")
    assert app.window.places.current == "chat"
