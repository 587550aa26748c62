"""The inspector on the running application: the text in the cache, layers, tokens, branches."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.app.driving import Driver


@pytest.fixture
def app(drive: Callable[..., Driver], terse: Path) -> Driver:
    app = drive(terse)
    app.until_ready()
    app.ask("hello")
    app.until(lambda: not app.app.shown.is_busy and len(app.app.shown.messages) == 2)
    return app


def test_the_map_tells_what_stands_at_a_cell(app: Driver) -> None:
    section = app.window.inspector.context
    app.until(lambda: "tokens:" in section.map.chart.summary)
    cells = [cell for cell in section.map.chart.cells if cell.key]  # pyright: ignore[reportAttributeAccessIssue, reportUnknownVariableType, reportUnknownMemberType]
    assert {cell.tone for cell in cells} <= {"pinned", "held", "new"}  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    section.map.hovered.emit(str(cells[0].key))  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
    app.until(lambda: bool(section.text.text()))
    assert section.text.text().startswith(("You: “", "System prompt: “"))
    section.map.hovered.emit("")
    assert section.text.text() == ""


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
    first = view.tokens[0]
    assert first.alternatives[first.rank - 1].token == first.token
    assert 0 <= first.entropy <= math.log2(300)
    panel.tokens.strip.activated.emit("1")
    panel.grab()


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
    panel.tokens.bars.activated.emit(str(other.token))
    app.until(lambda: app.app.shown.messages[-1].id != before.id)
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
