"""The visitor's way through the exhibits: which one is shown, and what becomes of its runs.

An exhibit is measured only while it is looked at: going to another exhibit or place stops the run,
and what it had measured by then stays.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from app.errands import LatestErrand
from app.exhibits.seen import Seen
from app.exhibits.status import run_view, write_first
from app.exhibits.titles import titles
from app.exhibits.visit import Visit, usual_values
from app.later import Later
from ui.exhibits.values import ExhibitView, IndexRow, RunView
from ui.state import ModelView

if TYPE_CHECKING:
    from pathlib import Path

    from app.errands import Errands
    from app.exhibits.book import Page
    from app.jobs.exhibits import Measured
    from ui.exhibits.values import ResultView
    from ui.fields import Value
    from ui.state import Telemetry

_LIVE_MS = 200


class Tour(QObject):
    """Answers the exhibits' page."""

    rows_changed = Signal(list)
    """The `IndexRow`s of the exhibits there are."""
    exhibit_shown = Signal(ExhibitView, dict, str)
    """An exhibit, what its inputs are set to, and the part that is shown."""
    values_changed = Signal(dict)
    part_shown = Signal(str)
    run_changed = Signal(RunView)
    result_changed = Signal(object)
    """A `ResultView`, or None where nothing is measured."""
    config_wanted = Signal(str)
    """The config.json of a repository of the hub is to be read."""
    model_wanted = Signal()
    """The starter model is to be loaded."""
    failed = Signal(str)

    def __init__(self, errands: Errands, path: Path, parent: QObject) -> None:
        """Get ready; nothing is read yet.

        Args:
            errands: For what the engine measures.
            path: The file that keeps which exhibits were run.
            parent: Owns this object.
        """
        super().__init__(parent)
        self._errand = LatestErrand(errands)
        self._file = Seen(path)
        self._seen: frozenset[int] = frozenset()
        self._book: dict[int, Page] = {}
        self._visits: dict[int, Visit] = {}
        self._configs: dict[str, object] = {}
        self._number = 0
        self._model = ModelView()
        self._engine_phase = "none"
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="exhibits")
        self._later = Later(lambda error: self.failed.emit(str(error)), self)
        self._live = QTimer(self, singleShot=True, interval=_LIVE_MS)
        self._live.timeout.connect(self._run)

    @property
    def visit(self) -> Visit | None:
        """The exhibit that is shown."""
        return self._visits.get(self._number)

    def close(self) -> None:
        """Write what is not written yet, and end."""
        self._thread.shutdown()

    def on_entered(self) -> None:
        """Show the exhibit that was looked at last, or the first one that was not run yet."""
        self._tell_rows()
        if self._book:
            self._show()
        else:
            self._later.deliver(self._thread.submit(self._opened), self._take)

    def on_chosen(self, number: int) -> None:
        """Go to another exhibit."""
        if number != self._number:
            self._leave()
            self._number = number
        self._show()

    def on_place_changed(self, name: str) -> None:
        """Stop measuring when the visitor goes away."""
        if name != "exhibits":
            self._leave()

    def on_model_changed(self, model: ModelView) -> None:
        """Another model is there, is coming, or none is."""
        self._model = model
        if model.state == "loading":
            for visit in self._visits.values():
                visit.forget_failure()
        self._tell_run()

    def on_measured(self, now: Telemetry) -> None:
        """Know what the engine is at, to say what a run waits for."""
        if now.phase != self._engine_phase:
            self._engine_phase = now.phase
            visit = self.visit
            if visit is not None and visit.phase == "waiting":
                self._tell_run()

    def on_run_requested(self, part: str) -> None:
        """Measure the shown exhibit, or have a model loaded first."""
        if self._model.state in {"none", "failed"}:
            self.model_wanted.emit()
            return
        self._show_part(part)
        if self.visit is not None:
            self.visit.refused = ""
        self._run()

    def on_part_requested(self, part: str) -> None:
        """Show another part of what was measured, measuring it where it was not."""
        visit = self.visit
        if visit is None:
            return
        self._show_part(part)
        is_known = visit.found is not None and not visit.is_changed
        is_coming = visit.is_complete or visit.phase in {"waiting", "running"}
        # No part loads a model by the way.
        if not (is_known and is_coming) and self._model.state == "ready":
            self.on_run_requested(part)

    def on_changed(self, name: str, value: Value) -> None:
        """An input has another value."""
        visit = self.visit
        if visit is None or visit.values.get(name) == value:
            return
        visit.values[name] = value
        visit.is_changed = True
        if visit.found is not None and visit.page.definition.live:
            self._live.start()
        else:
            self._tell_run()

    def on_activated(self, key: str) -> None:
        """A part of a chart was clicked: it stands for other inputs, or is to be looked at."""
        visit = self.visit
        if visit is None:
            return
        values = visit.chosen(key)
        if values:
            visit.values.update(values)
            visit.is_changed = True
            self.values_changed.emit(values)
            self._run()
        else:
            visit.selected = key
            self._tell_result(visit.result())

    def on_cancelled(self) -> None:
        """Stop measuring; what is known by now stays."""
        self._leave()

    def on_config_read(self, repo: str, config: object) -> None:
        """What a config.json of the hub says; what waits for it is measured again."""
        self._configs[repo] = config
        visit = self.visit
        if visit is not None and visit.asking == repo:
            self._run()

    def on_config_refused(self, repo: str, sentence: str) -> None:
        """Why the hub has none."""
        visit = self.visit
        if visit is not None and visit.asking == repo:
            visit.asking, visit.refused = "", repo
            self._on_failed(visit, sentence)

    def on_reset(self) -> None:
        """Put everything of the shown exhibit back as it was before the first run."""
        visit = self.visit
        if visit is None:
            return
        self._errand.drop()
        self._live.stop()
        self._visits[self._number] = Visit(visit.page, usual_values(visit.page), visit.part)
        self.values_changed.emit(self._visits[self._number].values)
        self._tell_result(None)
        self._tell_run()

    def _opened(self) -> tuple[dict[int, Page], frozenset[int]]:
        from app.exhibits.book import open_book

        return open_book(), self._file.read()

    def _take(self, opened: tuple[dict[int, Page], frozenset[int]]) -> None:
        self._book, self._seen = opened
        self._tell_rows()
        self._show()

    def _show(self) -> None:
        """Show the exhibit as it was left."""
        if not self._book:
            return
        if self._number not in self._book:
            unseen = (number for number in self._book if number not in self._seen)
            self._number = next(unseen, next(iter(self._book)))
        page = self._book[self._number]
        visit = self._visits.setdefault(self._number, Visit.of(page))
        self.exhibit_shown.emit(page.view(), visit.values, visit.part)
        self._tell_result(visit.result())
        self._tell_run()

    def _show_part(self, part: str) -> None:
        visit = self.visit
        if visit is not None and visit.part != part:
            visit.part, visit.selected = part, ""
            self.part_shown.emit(part)
            self._tell_result(visit.result())
            self._tell_run()

    def _leave(self) -> None:
        """Stop what is under way."""
        self._live.stop()
        visit = self.visit
        if visit is None:
            return
        visit.asking = ""
        if visit.phase in {"waiting", "running"}:
            self._errand.drop()
            visit.phase = "stopped"
            self._tell_run()

    def _run(self) -> None:
        from app.jobs.exhibits import measure

        visit = self.visit
        if visit is None or self._model.state in {"none", "failed"}:
            return
        if missing := visit.missing:
            self._errand.drop()
            self._on_failed(visit, write_first(missing))
            return
        number, values, visit.asking = self._number, dict[str, object](visit.values), ""
        if (config := self._configs.get(str(values.get("config")))) is not None:
            values["config_json"] = config
        visit.phase, visit.share, visit.sentence, visit.selected = "waiting", 0.0, "", ""
        visit.is_changed = visit.is_complete = False
        self._tell_run()
        self._errand.run(
            lambda bench: measure(bench, number, values),
            partial(self._on_found, visit),
            partial(self._on_failed, visit),
            progress=partial(self._on_progress, visit),
            cancelled=partial(self._on_stopped, visit),
        )

    def _on_progress(self, visit: Visit, share: float, found: Measured | None) -> None:
        visit.phase, visit.share = "running", share
        if found is not None and found is not visit.found:
            known, visit.found = visit.found, found
            shown = visit.result()
            if shown is None and visit.is_shown:
                visit.found = known  # what an earlier run showed stays until there is more
            else:
                self._tell_result(shown)
        self._tell_run()

    def _on_found(self, visit: Visit, found: Measured) -> None:
        visit.found, visit.is_complete, visit.phase = found, True, "done"
        visit.asking = visit.asks_hub
        self._tell_result(visit.result())
        self._tell_run()
        if visit.asking:
            self.config_wanted.emit(visit.asking)
        if found.number not in self._seen:
            add = partial(self._file.add, found.number)
            self._later.deliver(self._thread.submit(add), self._on_seen)

    def _on_seen(self, seen: frozenset[int]) -> None:
        self._seen = seen
        self._tell_rows()

    def _on_failed(self, visit: Visit, sentence: str) -> None:
        visit.phase, visit.sentence = "failed", sentence
        self._tell_run()

    def _on_stopped(self, visit: Visit) -> None:
        visit.phase = "stopped"
        self._tell_run()

    def _tell_rows(self) -> None:
        known = titles()
        numbers = self._book or known
        self.rows_changed.emit(
            [IndexRow(number, known[number], number in self._seen) for number in numbers]
        )

    def _tell_result(self, result: ResultView | None) -> None:
        visit = self.visit
        if visit is not None:
            visit.is_shown = result is not None
        self.result_changed.emit(result)

    def _tell_run(self) -> None:
        visit = self.visit
        if visit is not None:
            self.run_changed.emit(run_view(visit, self._model, self._engine_phase))
