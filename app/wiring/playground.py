"""The playground: its page, its views as they are built, its menu, and what answers them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from ui.playground.actions import DocumentDialogs, PlaygroundActions

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from app.cutaway import Cutaway
    from app.playground_parts import PlaygroundParts
    from ui.playground.branches import BranchesView
    from ui.playground.page import PlaygroundPage
    from ui.playground.schema import SchemaView
    from ui.playground.state import PlayText
    from ui.playground.tokenizer import TokenizerView


def connect_playground(app: Cutaway) -> None:
    """Join the menu, which is there from the start; the rest follows when it is made."""
    actions, dialogs = PlaygroundActions(app.window), DocumentDialogs(app.window)
    actions.new.triggered.connect(partial(_on_new, app))
    actions.open.triggered.connect(partial(_on_open, app, dialogs))
    app.window.place_built.connect(partial(_on_place_built, app, actions, dialogs))
    app.window.places.changed.connect(partial(_on_place_changed, app, actions))


def connect_documents(app: Cutaway, parts: PlaygroundParts) -> None:
    """Join what holds, keeps and answers for the document, when it is made."""
    play, files, keeping, worker = parts.play, parts.files, parts.keeping, app.worker
    worker.loaded.connect(play.on_model_loaded)
    worker.loading.connect(play.on_model_loading)
    worker.unloaded.connect(play.on_model_left)
    worker.load_failed.connect(play.on_model_left)
    play.document_changed.connect(keeping.on_changed)
    files.opened.connect(keeping.on_opened)
    files.saved.connect(keeping.on_saved)
    files.restored.connect(keeping.on_restored)
    app.ending.connect(parts.close)


def _on_new(app: Cutaway) -> None:
    app.window.go("playground")
    app.playground.keeping.on_new()


def _on_open(app: Cutaway, dialogs: DocumentDialogs) -> None:
    app.window.go("playground")
    dialogs.ask_open()


def _connect_files(app: Cutaway, actions: PlaygroundActions, dialogs: DocumentDialogs) -> None:
    """Join the documents to the dialogs, and to the actions that work in the playground."""
    play, keeping = app.playground.play, app.playground.keeping

    def ask_save() -> None:
        dialogs.ask_save(play.document.text)

    keeping.path_wanted.connect(ask_save)
    dialogs.open_chosen.connect(keeping.on_open)
    dialogs.save_chosen.connect(keeping.on_save_as)
    actions.save.triggered.connect(keeping.on_save)
    actions.save_as.triggered.connect(ask_save)


def _on_place_changed(app: Cutaway, actions: PlaygroundActions, name: str) -> None:
    """Cmd-Return sends in the chat and runs in the playground."""
    here = name == "playground"
    app.window.actions_of_menus.send.setEnabled(not here)
    actions.set_here(here=here)


def _on_place_built(
    app: Cutaway,
    actions: PlaygroundActions,
    dialogs: DocumentDialogs,
    name: str,
    page: QWidget,
) -> None:
    if name != "playground":
        return
    from ui.playground.page import PlaygroundPage  # late, as the page itself

    if isinstance(page, PlaygroundPage):
        _connect_files(app, actions, dialogs)
        _connect_text(app, actions, page)
        _connect_page(app, actions, page)


def _connect_text(app: Cutaway, actions: PlaygroundActions, page: PlaygroundPage) -> None:
    """Join the text, and what can come next, to the document."""
    play, text = app.playground.play, page.text
    text.edited.connect(play.on_text_edited)
    text.step_wanted.connect(play.on_step)
    text.run_wanted.connect(play.on_run)
    text.stop_wanted.connect(play.on_stop)
    text.undo_wanted.connect(play.on_undo)
    text.redo_wanted.connect(play.on_redo)
    page.token_chosen.connect(play.on_token_chosen)
    page.next.taken.connect(play.on_taken)
    page.next.sampling.changed.connect(play.on_settings_changed)
    play.shown.connect(page.show_text)
    play.selected.connect(page.show_selected)
    play.next_found.connect(page.show_next)
    play.next_refused.connect(page.show_next_problem)
    play.phase_changed.connect(text.show_phase)
    play.progressed.connect(text.show_progress)
    play.told.connect(page.notice.show_sentence)
    actions.step.triggered.connect(text.on_step)
    actions.run.triggered.connect(text.on_run)
    actions.stop.triggered.connect(play.on_stop)
    actions.undo.triggered.connect(text.undo_wanted)
    actions.redo.triggered.connect(text.redo_wanted)
    actions.edit.triggered.connect(text.on_edit)


def _connect_page(app: Cutaway, actions: PlaygroundActions, page: PlaygroundPage) -> None:
    play, files, keeping = app.playground.play, app.playground.files, app.playground.keeping

    def show_document() -> None:
        page.show_settings(play.document.settings)
        page.text.set_undoable(undoable=play.can_undo)

    play.document_changed.connect(show_document)
    keeping.named.connect(page.set_name)
    keeping.told.connect(page.notice.show_sentence)
    files.failed.connect(page.notice.show_sentence)
    # What was said of the document before is no more true of what comes now.
    for wanted in (page.text.undo_wanted, page.text.redo_wanted, page.text.step_wanted):
        wanted.connect(page.notice.dismiss)
    page.text.edited.connect(page.notice.dismiss)
    page.text.run_wanted.connect(page.notice.dismiss)
    page.next.export.failed.connect(page.notice.show_sentence)
    page.set_document_menu(actions.document_menu(page))
    page.view_built.connect(partial(_on_view_built, app, page))
    page.entered.connect(keeping.start)
    page.entered.connect(page.focus_text)
    show_document()


def _on_view_built(app: Cutaway, page: PlaygroundPage, _name: str, view: QWidget) -> None:
    from ui.playground.branches import BranchesView
    from ui.playground.schema import SchemaView
    from ui.playground.tokenizer import TokenizerView

    if isinstance(view, BranchesView):
        _connect_branches(app, page, view)
    elif isinstance(view, TokenizerView):
        _connect_tokenizer(app, page, view)
    elif isinstance(view, SchemaView):
        _connect_schema(app, page, view)


def _connect_branches(app: Cutaway, page: PlaygroundPage, view: BranchesView) -> None:
    from ui.playground.wishes import CompareWish, GrowWish

    play, branches = app.playground.play, app.playground.branches

    def on_wanted(wish: object) -> None:
        if isinstance(wish, GrowWish):
            branches.on_grow(wish)
        elif isinstance(wish, CompareWish):
            branches.on_compare(wish)

    def show_document() -> None:
        view.show_tree(play.document.tree)
        view.comparison.set_settings(play.document.other, play.document.settings)

    view.wanted.connect(on_wanted)
    view.cancelled.connect(branches.on_stop)
    view.selected_node.connect(branches.on_selected)
    view.walked.connect(branches.on_walked)
    view.pruned.connect(branches.on_pruned)
    view.removed.connect(branches.on_removed)
    view.comparison.kept.connect(play.on_compared_changed)
    view.failed.connect(page.notice.show_sentence)
    branches.compared.connect(view.comparison.show_sides)
    branches.growing.connect(view.show_growing)
    branches.refused.connect(view.show_problem)
    play.document_changed.connect(show_document)
    show_document()


def _connect_tokenizer(app: Cutaway, page: PlaygroundPage, view: TokenizerView) -> None:
    play, tokenizers = app.playground.play, app.playground.tokenizers
    view.wanted.connect(tokenizers.on_wanted)
    view.failed.connect(page.notice.show_sentence)
    tokenizers.own_found.connect(view.own.show_cut)
    tokenizers.own_refused.connect(view.own.show_sentence)
    tokenizers.other_found.connect(view.other.show_cut)
    tokenizers.other_refused.connect(view.other.show_sentence)
    app.recent_models.changed.connect(view.set_models)
    app.recent_models.start()
    app.worker.loaded.connect(view.mark_stale)

    def on_shown(_text: PlayText, plain: str) -> None:
        view.set_plain(plain)

    play.shown.connect(on_shown)
    view.set_plain(play.document.text)


def _connect_schema(app: Cutaway, page: PlaygroundPage, view: SchemaView) -> None:
    play = app.playground.play

    def show_document() -> None:
        view.show_schema(play.document.schema)

    view.changed.connect(play.on_schema_changed)
    view.run_wanted.connect(page.text.on_run)
    view.failed.connect(page.notice.show_sentence)
    play.next_found.connect(view.show_next)
    play.next_refused.connect(view.show_problem)
    play.document_changed.connect(show_document)
    show_document()
    play.look()
