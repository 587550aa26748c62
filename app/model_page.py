"""The models on this machine as their page shows them, and what is done to them there."""

from __future__ import annotations

import sys
from collections import defaultdict
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QProcess, QUrl, Signal
from PySide6.QtGui import QDesktopServices

from app.library.download_cache import folder_name
from app.library.settings import LoadSettings
from app.macos import reveal_command
from app.model_page_views import model_card, summary_line
from ui import figures
from ui.models.values import CardView, RemovalView, WorkView
from ui.window import STARTER

if TYPE_CHECKING:
    from app.library.deletion import Removal
    from app.library.facts import ModelFacts
    from app.library.imports import Imported
    from app.library.library import Library
    from app.library.shelf import Listing
    from app.library.survey import Survey, Surveyed
    from app.model_library import ModelLibrary
    from app.requests import LoadedModel
    from ui.fields import Value


@dataclass
class _Passing:
    """What is known of a model only while the window is open."""

    problem: str = ""
    note: str = ""
    work: WorkView | None = None


@dataclass
class _Loaded:
    """Which model is loaded, or on its way."""

    source: str = ""
    coming: str = ""
    share: float = 0.0


@dataclass
class _Known:
    """What the library said last."""

    survey: Survey | None = None
    complete: bool = False
    listing: tuple[ModelFacts, ...] = field(default=())


class ModelPage(QObject):
    """Answers the section with the models that are here."""

    models_changed = Signal(list, str, bool)
    """The `CardView`s, all of them in a sentence, and whether no more are being looked for."""
    surveyed = Signal(object)
    """The `Survey`."""
    removal_asked = Signal(RemovalView)
    work_changed = Signal(object)
    """A `WorkView` for what has no card yet, or None."""
    settings_changed = Signal(LoadSettings)
    """Those of the model that is loaded: how its new chats begin."""
    deleted = Signal(str)
    told = Signal(str)
    """A sentence on what happened, or why not."""

    def __init__(self, library: ModelLibrary, parent: QObject) -> None:
        super().__init__(parent)
        self._library = library
        self._known = _Known()
        self._loaded = _Loaded()
        self._passing: defaultdict[str, _Passing] = defaultdict(_Passing)
        self._fetching: frozenset[str] = frozenset()
        self._removals: dict[str, Removal] = {}
        self._copies: list[Event] = []

    @property
    def limit_bytes(self) -> int | None:
        """What there is for a model; None before that is known."""
        return None if self._known.survey is None else self._known.survey.limit_bytes

    def find(self, source: str) -> Surveyed | None:
        """A model that was found."""
        survey = self._known.survey
        models = () if survey is None else survey.models
        return next((one for one in models if one.facts.source == source), None)

    def source_of(self, repo: str, file: str = "") -> str:
        """What loads a repository, or a .gguf file of it, that is here whole; empty for none."""
        survey = self._known.survey
        folder = folder_name(repo)
        for one in () if survey is None else survey.models:
            is_it = one.facts.root.name == folder and file in {"", one.facts.path.name}
            if one.facts.ready and is_it:
                return one.facts.source
        return ""

    def refresh(self) -> None:
        """Look up anew what is remembered of the models."""
        self._survey()

    def on_entered(self) -> None:
        """Show what is known, and look anew."""
        self._tell()
        self._library.refresh()

    def on_listed(self, listing: Listing) -> None:
        """Look up what is remembered of the models that were found."""
        self._known.listing, self._known.complete = listing.models, listing.complete
        if listing.notices:
            self.told.emit(listing.notices[0])
        self._survey()

    def on_loading(self, source: str, share: float) -> None:
        """Show how much of a model is loaded."""
        self._loaded = _Loaded("", source, share)
        self._passing[source].problem = ""
        self._tell()

    def on_loaded(self, model: LoadedModel) -> None:
        """Mark a model as loaded, and remember that it was used."""
        self._loaded = _Loaded(model.source)
        source = model.source

        def work(library: Library) -> None:
            from app.library.plans import note_use

            note_use(library, source)

        self._library.run(work, lambda _: self._survey())
        self._tell()

    def on_load_failed(self, source: str, sentence: str) -> None:
        """Say on the card why a model was not loaded."""
        self._loaded = _Loaded()
        self.on_load_refused(source, sentence)

    def on_load_refused(self, source: str, sentence: str) -> None:
        """Say on the card why a model was not loaded, while another one is."""
        self._passing[source].problem = sentence
        self._tell()

    def on_unloaded(self) -> None:
        """No model is loaded."""
        self._loaded = _Loaded()
        self._tell()

    def on_fetching(self, repos: frozenset[str]) -> None:
        """Take which repositories are being downloaded."""
        if repos != self._fetching:
            self._fetching = repos
            self._tell()

    def set_work(self, source: str, work: WorkView | None, note: str = "") -> None:
        """Show what is being done with a model, or what came of it."""
        passing = self._passing[source]
        passing.work, passing.note = work, note
        self._tell()

    def on_setting(self, source: str, name: str, value: Value) -> None:
        """Remember how a model is to be loaded."""
        one = self.find(source)
        if one is None:
            return
        change: dict[str, Any] = {name: value}
        settings = replace(one.notes.settings, **change)
        self._put(replace(one, notes=replace(one.notes, settings=settings)))
        key = one.facts.key
        self._library.run(
            lambda library: library.notes.set_settings(key, settings), lambda _: self._survey()
        )
        if source == self._loaded.source:
            self.settings_changed.emit(settings)

    def on_reveal(self, source: str) -> None:
        """Show where a model lies."""
        one = self.find(source)
        if one is None:
            return
        path = one.facts.path
        command = reveal_command(sys.platform, path)
        if command:
            QProcess.startDetached(command[0], command[1:])
        elif not QDesktopServices.openUrl(
            QUrl.fromLocalFile(path if path.is_dir() else path.parent)
        ):
            self.told.emit(self.tr("No program here shows folders; it is {0}.").format(path))

    def on_added(self, path: str) -> None:
        """Add a folder or a file where it is."""

        def work(library: Library) -> Imported:
            from app.library.imports import add_model

            return add_model(library, Path(path))

        def then(done: Imported) -> None:
            self.told.emit(self.tr("%n models were added.", "", done.models))
            self._library.refresh()

        self._library.run(work, then)

    def on_copied(self, path: str) -> None:
        """Copy a model into the application's own folder."""
        stop, name = Event(), Path(path).name
        self._copies.append(stop)
        sentence = self.tr("Copying {name}").format(name=name)
        shares = _Shares(self)

        def on_moved(share: float) -> None:
            self.work_changed.emit(WorkView(sentence, share))

        shares.moved.connect(on_moved)
        self.work_changed.emit(WorkView(sentence, 0.0))

        def work(library: Library) -> Imported | None:
            from app.library.imports import copy_model

            return copy_model(
                library,
                Path(path),
                report=shares.moved.emit,
                cancelled=stop.is_set,
            )

        def then(done: Imported | None) -> None:
            self.work_changed.emit(None)
            if done is not None:
                self.told.emit(self.tr("{name} was copied.").format(name=name))
            self._library.refresh()

        self._library.run_long(work, then)

    def on_copy_cancelled(self) -> None:
        """Stop copying; what was copied goes."""
        for stop in self._copies:
            stop.set()
        self._copies.clear()

    def on_failed(self, sentence: str) -> None:
        """Say why something was not done."""
        self.work_changed.emit(None)
        self.told.emit(sentence)

    def on_removal(self, source: str) -> None:
        """Look at what deleting a model would do, and ask."""
        one = self.find(source)
        if one is None or self._undeletable(one.facts):
            return

        def work(library: Library) -> Removal:
            from app.library.deletion import plan_removal

            return plan_removal(library, one.facts)

        def then(removal: Removal) -> None:
            self._removals[source] = removal
            is_listed, deletes = one.facts.origin == "added", bool(removal.paths)
            if deletes:
                sentence = self.tr("{name} goes to the trash; emptying it frees {size}.")
            else:
                sentence = self.tr("Its files are gone.")
            said = sentence.format(name=one.facts.name, size=figures.size(removal.freed_bytes))
            question = removal.question if deletes else ""
            self.removal_asked.emit(
                RemovalView(source, said, question, deletes or not is_listed, is_listed)
            )

        self._library.run(work, then)

    def on_removal_confirmed(self, source: str) -> None:
        """Delete a model as it was planned, unless it is in use by now."""
        removal = self._removals.pop(source, None)
        if removal is None or self._undeletable(removal.facts):
            return

        def work(library: Library) -> int:
            from app.library.deletion import remove

            return remove(library, removal)

        def then(freed: int) -> None:
            sentence = self.tr("{name} is in the trash; emptying it frees {size}.")
            self.told.emit(sentence.format(name=removal.facts.name, size=figures.size(freed)))
            self._passing.pop(source, None)
            self.deleted.emit(source)
            self._library.refresh()

        self._library.run(work, then)

    def on_forgotten(self, source: str) -> None:
        """Take what was added off the list; nothing happens to its files."""
        one = self.find(source)
        if one is None or self._undeletable(one.facts):
            return
        root = one.facts.root

        def then(_: None) -> None:
            self.told.emit(
                self.tr("{place} is off the list; nothing was deleted.").format(place=root)
            )
            self._library.refresh()

        self._library.run(lambda library: library.added.forget(root), then)

    def _survey(self) -> None:
        """Look up what is remembered, as far as models were found."""
        listing = self._known.listing

        def work(library: Library) -> Survey:
            from app.library.survey import survey

            return survey(library, listing)

        def take(found: Survey) -> None:
            if listing is self._known.listing:
                self._known.survey = found
                self.surveyed.emit(found)
                self._tell()

        if listing:
            self._library.run(work, take)

    def _put(self, one: Surveyed) -> None:
        """Take on a change before it has been written, so that nothing flickers."""
        survey = self._known.survey
        if survey is not None:
            models = tuple(
                one if each.facts.source == one.facts.source else each for each in survey.models
            )
            self._known.survey = replace(survey, models=models)

    def _tell(self) -> None:
        survey = self._known.survey
        cards = [] if survey is None else [self._card(one) for one in survey.models]
        summary = summary_line(survey, complete=self._known.complete)
        self.models_changed.emit(cards, summary, self._known.complete)

    def _card(self, one: Surveyed) -> CardView:
        source, loaded = one.facts.source, self._loaded
        passing = self._passing[source]
        state, share = "", None
        if self._is(one.facts, loaded.source):
            state = "loaded"
        elif self._is(one.facts, loaded.coming):
            state, share = "loading", loaded.share
        elif self._is_fetched(one.facts):
            state = "downloading"
        return model_card(
            one,
            state=state,
            share=share,
            problem=passing.problem,
            note=passing.note,
            work=passing.work,
            undeletable=self._undeletable(one.facts),
        )

    def _is(self, facts: ModelFacts, source: str) -> bool:
        """Whether a source means a model, by whatever name it was opened."""
        return bool(source) and source in {facts.source, str(facts.path)}

    def _is_fetched(self, facts: ModelFacts) -> bool:
        folders = {folder_name(repo) for repo in self._fetching}
        return facts.origin == "hub" and facts.root.name in folders

    def _undeletable(self, facts: ModelFacts) -> str:
        if facts.source == STARTER:
            return self.tr("The starter model belongs to Cutaway and stays.")
        if self._is(facts, self._loaded.source) or self._is(facts, self._loaded.coming):
            return self.tr("It is loaded; unload it first.")
        if self._is_fetched(facts):
            return self.tr("It is being downloaded; cancel that first.")
        return ""


class _Shares(QObject):
    """Brings how far a thread is to the main thread."""

    moved = Signal(float)
