"""The inspector on the running application: the text in the cache, layers, tokens, branches."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from app.requests import ReplyPiece
    from tests.app.driving import Driver
    from ui.state import TokensView


@pytest.fixture
def app(drive: Callable[..., Driver], terse: Path) -> Driver:
    app = drive(terse)
    app.until_ready()
    app.ask("hello")
    app.until(lambda: not app.app.shown.is_busy and len(app.app.shown.messages) == 2)
    return app


def test_the_map_tells_what_stands_at_a_cell(app: Driver) -> None:
    section = app.window.inspector.context
    app.until(lambda: section._spans.length > 0)
    cells = [cell for cell in section.map.chart.cells if cell.key]  # pyright: ignore[reportAttributeAccessIssue, reportUnknownVariableType, reportUnknownMemberType]
    assert {cell.tone for cell in cells} <= {"pinned", "held", "new"}  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    section.map.hovered.emit(str(cells[0].key))  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
    app.until(lambda: bool(section.text.text()))
    assert section.text.text().startswith(("You: “", "System prompt: “"))
    section.map.hovered.emit("")
    assert section.text.text() == ""


def test_characters_of_several_tokens_are_whole(app: Driver) -> None:
    app.new_chat()
    app.paste("你好 😀")
    app.press(Qt.Key.Key_Return)
    app.until(lambda: not app.busy and bool(app.reply))
    section = app.window.inspector.context
    told: list[str] = []

    def keep(_start: int, _end: int, _speaker: str, text: str) -> None:
        told.append(text)

    app.app.inspection.text_found.connect(keep)
    app.until(lambda: section._spans.length > 0)
    for start in range(section._spans.length):
        app.app.inspection.on_text_asked(start, start + 1)
        app.until(lambda: len(told) > start)  # noqa: B023 - waited for here
    assert any("你好 😀" in text for text in told)
    assert not any("�" in text for text in told)


def test_a_cell_leads_to_its_message(app: Driver) -> None:
    found: list[str] = []
    app.app.inspection.message_found.connect(found.append)
    reply = app.app.shown.messages[-1]
    last = app.window.inspector.context._spans.length - 1
    app.window.inspector.context.chosen.emit(last)
    app.until(lambda: bool(found))
    assert found == [reply.id]


def test_layers_on_demand(app: Driver) -> None:
    section = app.window.inspector.cache
    section.layers_button.click()
    app.until(lambda: not section.layers.isHidden())
    assert len(section.layers.chart.bars) == 2  # pyright: ignore[reportAttributeAccessIssue, reportUnknownArgumentType, reportUnknownMemberType]
    section.layers_button.click()
    assert section.layers.isHidden()


def test_the_tokens_of_a_stored_reply(app: Driver) -> None:
    panel = app.window.inspector
    panel.show_tokens()
    app.until(lambda: panel.tokens.view is not None)
    view = panel.tokens.view
    assert view is not None
    reply = app.app.shown.messages[-1]
    assert (view.message_id, view.model) == (reply.id, "terse")
    assert tuple(token.token for token in view.tokens) == reply.token_ids
    for token in view.tokens:
        assert token.rank is not None
        assert token.entropy is not None
        assert 0 <= token.entropy <= math.log2(300)
        # One that was drawn in spite of ten likelier ones is not among these.
        listed = [each.token for each in token.alternatives]
        assert len(listed) == 10
        assert (token.token in listed) == (token.rank <= 10)
        assert token.rank > 10 or listed[token.rank - 1] == token.token
    panel.tokens.strip.activated.emit("1")
    panel.grab()


def test_tokens_come_while_a_reply_is_written(drive: Callable[..., Driver], terse: Path) -> None:
    app = drive(terse)
    app.until_ready()
    app.window.resize(1280, 800)
    app.window.show()
    panel = app.window.inspector
    panel.show_tokens()
    tokens = panel.tokens
    views: list[TokensView] = []
    app.app.live_tokens.grown.connect(views.append)
    app.ask("hello")
    app.until(lambda: bool(views))
    early = views[0]
    assert early.live or len(views) == 1
    assert len(early.tokens[0].alternatives) == 10
    app.until(lambda: tokens.view is not None and tokens.view.tokens[0].entropy is not None)
    reply, told = app.app.shown.messages[-1], views[-1]
    assert (told.message_id, told.live, told.unseen) == (reply.id, False, 0)
    assert tuple(token.token for token in told.tokens) == reply.token_ids
    read = tokens.view
    assert read is not None
    for live, late in zip(told.tokens, read.tokens, strict=True):
        assert (live.token, live.text, live.control) == (late.token, late.text, late.control)
        assert math.isclose(live.probability, late.probability, rel_tol=1e-3)
        assert live.rank in {late.rank, None}
        assert live.entropy is None
    assert math.isclose(told.mean_nll, read.mean_nll, rel_tol=1e-3)


def test_nothing_is_told_of_tokens_that_nobody_looks_at(app: Driver) -> None:
    pieces: list[ReplyPiece] = []
    app.app.worker.produced.connect(pieces.append)
    app.window.resize(1280, 800)
    app.window.show()
    app.window.inspector.show_tokens()
    app.until(lambda: app.window.inspector.tokens.view is not None)
    assert app.app.live_tokens.is_watched
    app.window.inspector.hide()
    assert not app.app.live_tokens.is_watched
    app.new_chat()
    app.ask("again")
    app.until(lambda: bool(pieces) and not app.app.shown.is_busy)
    assert {piece.told for piece in pieces} == {None}


def test_a_reply_that_runs_already_is_looked_at_when_it_has_ended(
    drive: Callable[..., Driver], talker: Path
) -> None:
    app = drive(talker)
    app.until_ready()
    app.window.resize(1280, 800)
    app.window.show()
    app.ask("hello")
    app.until(lambda: len(app.reply) > 3)
    app.window.inspector.show_tokens()
    tokens = app.window.inspector.tokens
    assert "when it has ended" in tokens.sentence.text()
    app.window.stop_requested.emit()
    app.until(lambda: tokens.view is not None)
    assert tokens.view is not None
    assert tokens.view.message_id == app.app.shown.messages[-1].id


def test_a_reply_goes_on_from_another_token(app: Driver) -> None:
    panel = app.window.inspector
    panel.show_tokens()
    app.until(lambda: panel.tokens.view is not None)
    view, before = panel.tokens.view, app.app.shown.messages[-1]
    assert view is not None
    other = next(
        each
        for each in view.tokens[2].alternatives
        if each.token != view.tokens[2].token and each.text.isalpha()
    )
    panel.tokens.strip.activated.emit("2")
    panel.tokens.bars.setFocus()
    panel.tokens.bars.activated.emit(str(other.token))
    app.until(lambda: app.app.shown.messages[-1].id != before.id)
    assert app.window.focusWidget() is app.window.page.composer.draft
    app.until(lambda: not app.app.shown.is_busy)
    after = app.app.shown.messages[-1]
    assert after.token_ids[:3] == (*before.token_ids[:2], other.token)
    assert len(after.token_ids) > 3
    version = app.app.shown.version(after.id)
    assert version is not None
    assert (version.index, len(version.ids)) == (1, 2)
    assert app.errors == []


def test_without_a_reply_it_says_what_to_do(drive: Callable[..., Driver], terse: Path) -> None:
    app = drive(terse)
    app.until_ready()
    app.window.inspector.show_tokens()
    assert "Ask something" in app.window.inspector.tokens.sentence.text()
