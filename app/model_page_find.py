"""Finding models: the section's searches, the card of a repository, and what is fetched of it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QCoreApplication, QObject, Signal

from app.library import hub_search
from app.library.curated import START, USABLE_SHARE, Start, fits, in_order
from app.library.download_progress import key_for, repo_of
from app.model_page_views import context_words, parameters_words, remote_fit, token_words
from ui import figures
from ui.counts import Counts
from ui.models.values import DetailView, FoundView, Query, VariantView

if TYPE_CHECKING:
    from app.library.download_queue import Downloads
    from app.library.hub import Hub
    from app.library.hub_card import Card
    from app.library.hub_repo import Plan
    from app.library.hub_search import HubModel
    from app.model_page import ModelPage

_WANTS_TOKEN = {"denied", "token"}

translate = QCoreApplication.translate


class ModelFind(QObject):
    """Answers the section; without words it shows the models to start with, and asks nobody."""

    found = Signal(list, str, str)
    """`FoundView`s, what they are, and a sentence where there is more to say."""
    searching = Signal(str)
    """A sentence, while what was found before stays."""
    detailed = Signal(DetailView)
    token_told = Signal(str)
    token_wanted = Signal()
    """A search was refused for the token that was sent with it."""
    failed = Signal(str)
    """Why a download that was asked for does not begin, once another card is open."""

    def __init__(self, hub: Hub, downloads: Downloads, page: ModelPage, parent: QObject) -> None:
        super().__init__(parent)
        self._hub = hub
        self._downloads = downloads
        self._page = page
        self._query = Query()
        self._searching = self._reading = 0
        self._planning: dict[int, str] = {}  # the repository of each question
        self._rows: tuple[HubModel, ...] | None = None
        self._detail = DetailView("")
        self._card: Card | None = None
        self._fetching: frozenset[str] = frozenset()

    def on_entered(self) -> None:
        """Show what there is to start with, until something is looked for."""
        self._tell_again()

    def on_search(self, query: Query) -> None:
        """Look for models; without words, show those to start with."""
        before, self._query = self._query, query
        if query.words:
            self.on_hub_asked(query)
        elif self._rows is not None and not before.words:
            self.on_hub_asked(query)  # all of the hub was asked for: its filters have changed
        else:
            self._hub.cancel(self._searching)
            self._rows = None
            self._tell()

    def on_hub_asked(self, query: Query) -> None:
        """Ask the hub, without words for everything."""
        self._query = query
        wanted = hub_search.Query(
            words=query.words, family=query.family, format=query.form, sort=query.sort
        )
        self._searching = self._hub.search(wanted)
        self.searching.emit(translate("Models", "Searching…"))

    def on_found(self, number: int, rows: tuple[HubModel, ...]) -> None:
        """Show what a search found."""
        if number == self._searching:
            self._rows = rows
            self._tell()

    def on_failed(self, number: int, sentence: str, kind: str) -> None:
        """Say why a question has no answer."""
        if number == self._searching:
            self._rows = None
            self.found.emit([], translate("Models", "On the hub"), sentence)
            if kind in _WANTS_TOKEN:
                self.token_wanted.emit()
        elif number == self._reading:
            self._refuse(sentence, kind, "no")
        elif (repo := self._planning.pop(number, None)) is None:
            self.token_told.emit(sentence)
        elif repo == self._detail.repo:
            self._refuse(sentence, kind, "can" if self._card and self._card.runs else "no")
        else:
            self.failed.emit(sentence)

    def on_chosen(self, repo: str) -> None:
        """Read the card of a repository."""
        self._hub.cancel(self._reading)
        self._card = None
        if repo:
            self._show(DetailView(repo, loading=True))
            self._reading = self._hub.read_card(repo, "", self._budget)

    def on_variant(self, repo: str, variant: str) -> None:
        """Read the card with another quantisation."""
        self._reading = self._hub.read_card(repo, variant, self._budget)
        self._show(replace(self._detail, variant=variant, loading=True))

    def on_card(self, number: int, card: Card) -> None:
        """Show a card."""
        if number == self._reading:
            self._card = card
            self._show(self._detail_of(card))

    def on_download(self, repo: str, variant: str) -> None:
        """Find out what to fetch of a repository, then fetch it."""
        self._planning[self._hub.plan(repo, variant, self._budget)] = repo
        self._show(replace(self._detail, state="fetching", sentence=""))

    def on_planned(self, number: int, plan: Plan) -> None:
        """Fetch."""
        if self._planning.pop(number, None) is not None:
            self._downloads.add(plan)

    def on_token(self, token: str) -> None:
        """Keep a token."""
        self._hub.keep_token(token)

    def on_token_forgotten(self) -> None:
        """Forget the token."""
        self._hub.forget_token()

    def on_token_changed(self, sentence: str) -> None:
        """Say where the token is, and read the card again."""
        self.token_told.emit(sentence)
        if self._detail.repo:
            self.on_chosen(self._detail.repo)
        if self._rows is None and self._query.words:
            self.on_hub_asked(self._query)

    def on_fetching(self, keys: frozenset[str]) -> None:
        """Take what is being downloaded."""
        if keys != self._fetching:
            self._fetching = keys
            self.on_surveyed()

    def on_surveyed(self, _: object = None) -> None:
        """What is here, or what there is for a model, is another."""
        if self._card is not None:
            self._show(self._detail_of(self._card))
        self._tell_again()

    @property
    def _budget(self) -> int | None:
        limit = self._page.limit_bytes
        return None if limit is None else int(limit * USABLE_SHARE)

    def _refuse(self, sentence: str, kind: str, state: Literal["no", "can"]) -> None:
        """Say on the card that is open why something is not had."""
        wants = kind in _WANTS_TOKEN
        self._show(
            replace(self._detail, sentence=sentence, wants_token=wants, loading=False, state=state)
        )

    def _show(self, view: DetailView) -> None:
        self._detail = view
        self.detailed.emit(view)

    def _tell_again(self) -> None:
        """Show it anew, unless a search has no answer yet, or failed."""
        if self._rows is not None or not self._query.words:
            self._tell()

    def _tell(self) -> None:
        if self._rows is None:
            self.found.emit(self._start_rows(), translate("Models", "To start with"), "")
            return
        shown = [row for row in self._rows if not self._query.fitting or self._may_fit(row)]
        hidden = len(self._rows) - len(shown)
        sentence = ""
        if not self._rows:
            sentence = translate("Models", "Nothing was found; try fewer words or other filters.")
        elif hidden:
            sentence = Counts().models_too_big(hidden)
        heading = translate("Models", "On the hub")
        self.found.emit([self._row(row) for row in shown], heading, sentence)

    def _start_rows(self) -> list[FoundView]:
        query, limit = self._query, self._page.limit_bytes
        models = START if limit is None else in_order(limit)
        return [
            self._start_row(model)
            for model in models
            if (not query.family or model.family == query.family)
            and (not query.fitting or limit is None or fits(model, limit))
            and query.form != "gguf"
        ]

    def _start_row(self, model: Start) -> FoundView:
        limit = self._page.limit_bytes
        caption = (
            parameters_words(model.parameters),
            model.quantisation,
            figures.size(model.approximate_bytes),
            model.licence,
        )
        mark, good = self._mark(model.repo)
        if not mark and limit is not None:
            good = fits(model, limit)
            mark = translate("Models", "fits") if good else translate("Models", "too big")
        return FoundView(model.repo, model.title, " · ".join(caption), mark, good)

    def _row(self, row: HubModel) -> FoundView:
        size = "" if row.size_bytes is None else figures.size(row.size_bytes)
        downloads = translate("Models", "{0} downloads").format(figures.count(row.downloads))
        gated = translate("Models", "terms to accept") if row.gated else ""
        caption = [text for text in (size, downloads, row.date, row.licence, gated) if text]
        mark, good = self._mark(row.repo)
        if not mark and row.size_bytes is not None and self._budget is not None:
            good = row.size_bytes <= self._budget
            mark = translate("Models", "fits") if good else translate("Models", "too big")
        return FoundView(row.repo, row.repo, " · ".join(caption), mark, good)

    def _mark(self, repo: str) -> tuple[str, bool]:
        if repo in {repo_of(key) for key in self._fetching}:
            return translate("Models", "being downloaded"), False
        return (translate("Models", "here") if self._page.source_of(repo) else ""), True

    def _may_fit(self, row: HubModel) -> bool:
        """Where the hub tells no size it is shown: the card knows."""
        budget = self._budget
        return row.size_bytes is None or budget is None or row.size_bytes <= budget

    def _detail_of(self, card: Card) -> DetailView:
        state: Literal["no", "can", "fetching", "here"] = "can" if card.runs else "no"
        source = self._page.source_of(card.repo, _first_file(card)) if card.files else ""
        variant = card.quantisation if card.variants else ""
        if (
            key_for(card.repo, variant) in self._fetching
            or self._detail.repo in self._planning.values()
        ):
            state = "fetching"
        elif source:
            state = "here"
        return DetailView(
            # The row that was chosen, by the name it has there.
            repo=self._detail.repo,
            figures=_figures(card),
            sentence=card.reason,
            fit=remote_fit(card, self._page.limit_bytes),
            variants=_variants(card),
            variant=variant,
            wants_token=card.gated and not card.runs,
            state=state,
            source=source,
        )


def _first_file(card: Card) -> str:
    """The name of the .gguf file that is loaded; empty for a folder of safetensors."""
    names = (file.name.rpartition("/")[2] for file in card.files)
    return min((name for name in names if name.lower().endswith(".gguf")), default="")


def _variants(card: Card) -> tuple[VariantView, ...]:
    return tuple(
        VariantView(row.name, f"{row.name} · {figures.size(row.size_bytes)}")
        for row in card.variants
    )


def _figures(card: Card) -> tuple[tuple[str, str], ...]:
    """What is known of a repository, in the order to show it."""
    context = "" if card.context is None else context_words(card.context)
    token = "" if card.kv_bytes_per_token is None else token_words(card.kv_bytes_per_token)
    files = Counts().files(len(card.files))
    rows = (
        (translate("Models", "Repository"), card.repo),
        (translate("Models", "Was called"), card.renamed),
        (translate("Models", "Family"), card.family),
        (
            translate("Models", "Size"),
            " · ".join(
                text
                for text in (
                    "" if card.parameters is None else parameters_words(card.parameters),
                    card.quantisation,
                    f"{figures.size(card.size_bytes)} ({files})" if card.files else "",
                )
                if text
            ),
        ),
        (translate("Models", "Memory"), " · ".join(text for text in (context, token) if text)),
        (translate("Models", "Licence"), card.licence or translate("Models", "none named")),
        (
            translate("Models", "Downloads"),
            translate("Models", "{0} in the last 30 days, changed {1}").format(
                figures.count(card.downloads), card.date
            ),
        ),
    )
    return tuple((name, figure) for name, figure in rows if figure)
