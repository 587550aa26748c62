"""Attention and layers: the playground's views, and the messages that lead to them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from app.attention import Attention
    from app.cutaway import Cutaway
    from app.jobs.attention_message import MessageTokens
    from ui.playground.page import PlaygroundPage

_ACTIONS = {"tokens", "attention"}


def connect_attention(app: Cutaway) -> None:
    """Join the messages and the page that lead to what is answered once it is wanted."""
    app.window.message_action.connect(partial(_on_message_action, app))
    app.window.place_built.connect(partial(_on_place_built, app))


def connect_answers(app: Cutaway, attention: Attention) -> None:
    """Join what looks into messages and texts, when it is made."""
    window, worker = app.window, app.worker
    attention.reply_chosen.connect(app.inspection.on_reply_chosen)
    attention.reply_chosen.connect(partial(_show_tokens, app))
    attention.message_opened.connect(partial(_open_message, app))
    attention.failed.connect(window.show_error)
    worker.loaded.connect(attention.on_model_changed)
    worker.loading.connect(attention.on_model_changed)
    worker.unloaded.connect(attention.on_model_changed)


def _on_message_action(app: Cutaway, action: str, message_id: str) -> None:
    if action in _ACTIONS:
        app.attention.on_message_action(action, message_id)


def _show_tokens(app: Cutaway, _reply_id: str) -> None:
    app.window.actions_of_menus.toggle_inspector.setChecked(True)
    app.window.inspector.show_tokens()


def _open_message(app: Cutaway, tokens: MessageTokens) -> None:
    """Show a message in the playground, once what was worked on there is back."""
    app.window.go("playground")
    keeping = app.playground.keeping
    if keeping.is_restored:
        _take_message(app, tokens)
    else:
        single = Qt.ConnectionType.SingleShotConnection
        keeping.restored.connect(partial(_take_message, app, tokens), single)


def _take_message(app: Cutaway, tokens: MessageTokens) -> None:
    """Make a message the document, and look at it through the cache of its chat."""
    from app.attention import part_sentence
    from app.playground_document import Document

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


def _on_place_built(app: Cutaway, name: str, widget: QWidget) -> None:
    page = _playground(widget) if name == "playground" else None
    if page is not None:
        page.view_built.connect(partial(_on_view_built, app))


def _playground(page: QWidget | None) -> PlaygroundPage | None:
    """The page of the playground, where it is that; imported when there is one."""
    from ui.playground.page import PlaygroundPage

    return page if isinstance(page, PlaygroundPage) else None


def _on_view_built(app: Cutaway, _name: str, view: QWidget) -> None:
    from ui.playground.attention import AttentionView
    from ui.playground.attention_values import ATTENTION_KINDS, LAYER_KINDS
    from ui.playground.lens import LayersView

    attention, worker = app.attention, app.worker
    if isinstance(view, AttentionView):
        view.cancelled.connect(partial(attention.on_cancelled, ATTENTION_KINDS))
        view.cache.changed.connect(attention.set_cache)
    elif isinstance(view, LayersView):
        view.cancelled.connect(partial(attention.on_cancelled, LAYER_KINDS))
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
    worker.load_failed.connect(view.forget_model)
    view.set_cache(attention.cache)
    view.forget_model()  # what it asked before anybody listened is asked again
