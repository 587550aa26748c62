"""The models on this machine as their page shows them, and how they are loaded."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from app.library.download_cache import folder_name
from app.library.download_progress import repo_of
from app.library.settings import LoadSettings
from app.model_page_views import model_card, summary_line
from ui.models.values import CardView, WorkView
from ui.window import STARTER

if TYPE_CHECKING:
    from app.library.facts import ModelFacts
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
    settings_changed = Signal(LoadSettings)
    """Those of the model that is loaded: how its new chats begin."""
    told = Signal(str)
    """A sentence on what happened, or why not."""

    def __init__(self, library: ModelLibrary, parent: QObject) -> None:
        super().__init__(parent)
        self._library = library
        self._known = _Known()
        self._loaded = _Loaded()
        self._passing: defaultdict[str, _Passing] = defaultdict(_Passing)
        self._fetching: frozenset[str] = frozenset()

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

    def on_deleted(self, source: str) -> None:
        """Forget what was said of a model."""
        self._passing.pop(source, None)

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

    def on_fetching(self, keys: frozenset[str]) -> None:
        """Take what is being downloaded."""
        if keys != self._fetching:
            self._fetching = keys
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
            undeletable=self.undeletable(one.facts),
        )

    def _is(self, facts: ModelFacts, source: str) -> bool:
        """Whether a source means a model, by whatever name it was opened."""
        return bool(source) and source in {facts.source, str(facts.path)}

    def _is_fetched(self, facts: ModelFacts) -> bool:
        folders = {folder_name(repo_of(key)) for key in self._fetching}
        return facts.origin == "hub" and facts.root.name in folders

    def undeletable(self, facts: ModelFacts) -> str:
        """Why a model cannot be deleted now, one sentence; empty where it can."""
        if facts.source == STARTER:
            return self.tr("The starter model belongs to Cutaway and stays.")
        if self._is(facts, self._loaded.source) or self._is(facts, self._loaded.coming):
            return self.tr("It is loaded; unload it first.")
        if self._is_fetched(facts):
            return self.tr("It is being downloaded; cancel that first.")
        return ""
