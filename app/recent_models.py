"""Which models the palette, the model's menu and the comparison offer, and in which order.

The starter comes first, then what was opened last, then what else is on this machine.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from app.chats.loose import as_list, as_mapping
from app.later import Later
from app.library.json_file import JsonFile
from ui.state import ModelChoice
from ui.window import STARTER

if TYPE_CHECKING:
    from collections.abc import Collection

    from app.library.shelf import Listing
    from app.requests import LoadedModel

_MOST = 12
_KEY = "models"


class RecentModels(QObject):
    """Remembers what was opened, latest first, in a file of its own, and knows what is there."""

    changed = Signal(list)
    """The `ui.state.ModelChoice`s: the starter, what was opened and is still there, the others."""

    def __init__(self, path: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._file = JsonFile(path)
        self._later = Later(self._on_error, self)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="recent models")
        self._recent: list[ModelChoice] = []
        self._choices: list[ModelChoice] = []
        self._listing: Listing | None = None

    @property
    def choices(self) -> list[ModelChoice]:
        """What is offered now."""
        return list(self._choices)

    def start(self) -> None:
        """Read what was opened before."""
        self._later.deliver(self._thread.submit(self._read), self._tell)

    def on_loaded(self, model: LoadedModel) -> None:
        """Put a model at the top."""
        if model.source == STARTER:
            return
        first = {"source": model.source, "name": model.name}

        def alter(values: dict[str, Any]) -> None:
            others = [each for each in _entries(values) if each["source"] != model.source]
            values[_KEY] = [first, *others][:_MOST]

        def work() -> list[ModelChoice]:
            self._file.change(alter)
            return self._read()

        self._later.deliver(self._thread.submit(work), self._tell)

    def on_listed(self, listing: Listing) -> None:
        """Take what is on this machine, once all of it is known."""
        if listing.complete:
            self._listing = listing
            self._tell(self._recent)

    def close(self) -> None:
        """Write what is not written yet, and end."""
        self._thread.shutdown()

    def _on_error(self, _: Exception) -> None:
        """A list that cannot be kept is worth no sentence: models open all the same."""

    def _read(self) -> list[ModelChoice]:
        """What was opened, without files and folders that are gone; a hub id is no path."""
        return [
            ModelChoice(each["source"], each["name"])
            for each in _entries(self._file.read())
            if not Path(each["source"]).is_absolute() or Path(each["source"]).exists()
        ]

    def _tell(self, recent: list[ModelChoice]) -> None:
        self._recent = recent
        there = () if self._listing is None else self._listing.models
        ready = {facts.source: facts.name for facts in there if facts.ready}
        gone = {facts.source for facts in there if not facts.ready}
        names = {str(facts.path): facts.source for facts in there}  # one model, opened by its path
        opened = {
            source: ModelChoice(source, choice.name)
            for choice in recent
            if (source := names.get(choice.source, choice.source)) != STARTER
            and self._is_offered(source, ready, gone)
        }
        known = {STARTER, *opened}
        others = [ModelChoice(each, name) for each, name in ready.items() if each not in known]
        starter = ModelChoice(STARTER, self.tr("Starter model"))
        self._choices = [starter, *opened.values(), *others]
        self.changed.emit(self.choices)

    def _is_offered(self, source: str, ready: Collection[str], broken: Collection[str]) -> bool:
        """Of a hub id only the listing tells whether it is still there."""
        is_id = self._listing is not None and not Path(source).is_absolute()
        return source not in broken and (source in ready or not is_id)


def _entries(values: dict[str, Any]) -> list[dict[str, str]]:
    """The entries of a file that are whole."""
    found = [as_mapping(entry) for entry in as_list(values.get(_KEY))]
    return [
        {"source": entry["source"], "name": entry["name"]}
        for entry in found
        if isinstance(entry.get("source"), str) and isinstance(entry.get("name"), str)
    ]
