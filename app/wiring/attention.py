"""Attention and layers: the playground's views, and the messages that lead to them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from app.attention import part_sentence
from app.playground_document import Document
from ui.playground.attention_values import (
    AttentionAsked,
    BlockAsked,
    LensAsked,
    NeighboursAsked,
    ShapeAsked,
    ShareAsked,
    WalkAsked,
)

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from app.cutaway import Cutaway
    from app.jobs.attention_message import MessageTokens
    from ui.playground.page import PlaygroundPage

_ATTENTION = (AttentionAsked, WalkAsked, ShapeAsked)
_LAYERS = (LensAsked, ShareAsked, BlockAsked, NeighboursAsked, ShapeAsked)


def connect_attention(app: Cutaway) -> None:
    """Join what looks into messages and texts to what answers."""
    window, attention, worker = app.window, app.attention, app.worker
    window.message_action.connect(attention.on_message_action)
    window.place_built.connect(partial(_on_place_built, app))
    attention.reply_chosen.connect(app.inspection.on_reply_chosen)
    attention.reply_chosen.connect(partial(_show_tokens, app))
    attention.message_opened.connect(partial(_open_message, app))
    attention.failed.connect(window.show_error)
    worker.loaded.connect(attention.on_model_changed)
    worker.loading.connect(attention.on_model_changed)
    worker.unloaded.connect(attention.on_model_changed)


def _show_tokens(app: Cutaway, _reply_id: str) -> None:
    app.window.actions_of_menus.toggle_inspector.setChecked(True)
    app.window.inspector.show_tokens()


def _open_message(app: Cutaway, tokens: MessageTokens) -> None:
    """Show a message in the playground, once what was worked on there is back."""
    keeping = app.playground.keeping
    app.window.go("playground")
    if keeping.is_restored:
        _take_message(app, tokens)
    else:
        single = Qt.ConnectionType.SingleShotConnection
        keeping.restored.connect(partial(_take_message, app, tokens), single)


def _take_message(app: Cutaway, tokens: MessageTokens) -> None:
    """Make a message the document, and look at it through the cache of its chat."""
    now = app.playground.play.document
    text = "".join(token.text for token in tokens.text.tokens)
    document = Document(text, tokens.text, settings=now.settings, other=now.other)
    app.playground.keeping.on_opened("", document)
    page = _playground(app.window.places.page("playground"))
    if page is not None:
        page.panels.choose("attention")
    app.attention.set_cache(tokens.cache)
    sentence = part_sentence(tokens)
    if page is not None and sentence:
        page.notice.show_sentence(sentence)


def _on_place_built(app: Cutaway, _name: str, widget: QWidget) -> None:
    page = _playground(widget)
    if page is not None:
        page.view_built.connect(partial(_on_view_built, app))


def _playground(page: QWidget | None) -> PlaygroundPage | None:
    """The page of the playground, where it is that; imported when there is one."""
    from ui.playground.page import PlaygroundPage

    return page if isinstance(page, PlaygroundPage) else None


def _on_view_built(app: Cutaway, _name: str, view: QWidget) -> None:
    from ui.playground.attention import AttentionView
    from ui.playground.lens import LayersView

    attention, worker = app.attention, app.worker
    if isinstance(view, AttentionView):
        view.cancelled.connect(partial(attention.on_cancelled, _ATTENTION))
        view.cache.changed.connect(attention.set_cache)
    elif isinstance(view, LayersView):
        view.cancelled.connect(partial(attention.on_cancelled, _LAYERS))
    else:
        return
    view.wanted.connect(attention.on_wanted)
    view.failed.connect(app.window.show_error)
    attention.found.connect(view.show_found)
    attention.needs.connect(view.show_need)
    attention.progressed.connect(view.show_progress)
    attention.refused.connect(view.show_refused)
    attention.cache_changed.connect(view.set_cache)
    worker.loaded.connect(view.forget_model)
    worker.unloaded.connect(view.forget_model)
    view.set_cache(attention.cache)
    view.forget_model()  # what it asked before anybody listened is asked again
