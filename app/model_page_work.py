"""What takes its time with a model of the page: a quick benchmark, a conversion."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QObject, Signal

from ui import figures
from ui.models.values import ConversionView, WorkView

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.errands import Errands
    from app.jobs.workbench import Workbench
    from app.library.convert import Conversion, Converted
    from app.library.library import Library
    from app.library.settings import Benchmark
    from app.model_library import ModelLibrary
    from app.model_page import ModelPage

T = TypeVar("T")

_DENSE = 16


class ModelWork(QObject):
    """Has benchmarks and conversions done on the engine's thread, one for each model at a time."""

    planned = Signal(ConversionView)

    def __init__(
        self, page: ModelPage, library: ModelLibrary, errands: Errands, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._page = page
        self._library = library
        self._errands = errands
        self._running: dict[str, str] = {}

    def on_benchmark(self, source: str) -> None:
        """Measure a model."""
        from app.jobs.benchmark import benchmark_of

        one = self._page.find(source)
        if one is None or source in self._running:
            return
        key = one.facts.key

        def then(found: Benchmark) -> None:
            self._end(source, "")
            self._library.run(
                lambda library: library.notes.set_benchmark(key, found),
                lambda _: self._page.refresh(),
            )

        words = self.tr("Measuring prefill and decode")
        stopped = self.tr("The benchmark was stopped.")
        self._begin(source, benchmark_of(source), then, words, stopped)

    def on_conversion(self, source: str, bits: int) -> None:
        """See what a conversion would give and take."""

        def work(library: Library) -> Conversion | str:
            from app.library.plans import conversion_or_problem

            return conversion_or_problem(library, source, bits)

        def then(found: Conversion | str) -> None:
            if isinstance(found, str):
                self.planned.emit(ConversionView(source, bits, found, possible=False))
                return
            given = found.estimate
            sentence = self.tr(
                "Gives {size} on disk and takes {weights} in memory once it is loaded; the "
                "conversion itself takes up to {working}. It goes to {target}."
            ).format(
                size=figures.size(given.size_bytes),
                weights=figures.size(given.weights_bytes),
                working=figures.size(given.working_bytes),
                target=found.target,
            )
            self.planned.emit(ConversionView(source, bits, sentence, possible=True))

        self._library.run(work, then)

    def on_conversion_confirmed(self, source: str, bits: int) -> None:
        """Convert a model, and check the result."""
        if source in self._running:
            return

        def work(library: Library) -> tuple[Conversion | str, Library]:
            from app.library.plans import conversion_or_problem

            return conversion_or_problem(library, source, bits), library

        def then(found: tuple[Conversion | str, Library]) -> None:
            planned, library = found
            if isinstance(planned, str):
                self._page.set_work(source, None, planned)
            else:
                self._convert(source, planned, library)

        self._library.run(work, then)

    def on_cancelled(self, source: str) -> None:
        """Stop what is being done with a model."""
        errand = self._running.get(source)
        if errand is not None:
            self._errands.stop(errand)

    def _convert(self, source: str, planned: Conversion, library: Library) -> None:
        from app.jobs.convert import conversion

        form = "bfloat16" if planned.bits == _DENSE else self.tr("{0}-bit").format(planned.bits)
        words = self.tr("Converting to {form}, then checking").format(form=form)

        def then(done: Converted) -> None:
            self._end(source, self._result(done))
            self._library.refresh()

        stopped = self.tr("The conversion was stopped.")
        self._begin(source, conversion(library, planned), then, words, stopped)

    def _result(self, done: Converted) -> str:
        check = done.check
        size = self.tr("Converted to {name}, {size}.").format(
            name=done.path.name, size=figures.size(done.size_bytes)
        )
        if check.source_nll is None or check.result_nll is None:
            return f"{size} {check.note}".strip()
        nll = self.tr("Mean NLL of a sample text: {before} before, {after} after.").format(
            before=figures.decimal(check.source_nll, 3), after=figures.decimal(check.result_nll, 3)
        )
        return f"{size} {nll}"

    def _begin(
        self,
        source: str,
        job: Callable[[Workbench], T],
        then: Callable[[T], None],
        words: str,
        stopped: str,
    ) -> None:
        """Have a job done, with `words` for it on the card, and `stopped` where it was."""
        self._running[source] = self._errands.run(
            job,
            then,
            partial(self._end, source),
            progress=lambda share, _: self._page.set_work(source, WorkView(words, share)),
            cancelled=partial(self._end, source, stopped),
        )
        self._page.set_work(source, WorkView(self.tr("{0} · waits for the engine").format(words)))

    def _end(self, source: str, note: str) -> None:
        self._running.pop(source, None)
        self._page.set_work(source, None, note)
