"""`cutaway --self-test`: the whole application, once, without a person."""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.cutaway import Cutaway
    from app.requests import LoadedModel, ReplyEnd, ReplyPiece
    from ui.exhibits.values import ExhibitView, RunView

QUESTION = "What is the capital of France?"
TIMEOUT_MS = 120_000
ENOUGH_PIECES = 8
EXHIBIT = 3
"""One that is measured in a moment and draws most kinds of charts."""


def self_test() -> int:
    """Have a reply streamed, go to every place, run an exhibit; print one JSON line.

    Returns:
        0 when all of it came through the real window and worker thread, the translations are
        there, and nothing is missing in the bundle that this may run from; 1 otherwise.
    """
    from PySide6.QtCore import QTimer
    from PySide6.QtWidgets import QApplication

    from app.cutaway import Cutaway
    from app.display import display_problem

    if display_problem():
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    started = time.perf_counter()
    application = QApplication([sys.argv[0]])
    application.setQuitOnLastWindowClosed(False)
    with tempfile.TemporaryDirectory() as folder:
        cutaway = Cutaway(application, Path(folder))
        way = _Way(cutaway, started)
        cutaway.closed.connect(application.quit)
        QTimer.singleShot(TIMEOUT_MS, cutaway, cutaway.close)
        cutaway.start()
        application.exec()
    report = way.report
    _check_translations(report)
    _check_bundle(report)
    sys.stdout.write(json.dumps(report, ensure_ascii=False) + "\n")
    return 0 if report["ok"] else 1


class _Way:
    """What a person would do, step by step; each step begins when the one before has ended."""

    def __init__(self, cutaway: Cutaway, started: float) -> None:
        self._cutaway = cutaway
        self._started = started
        self._pieces: list[str] = []
        self.report: dict[str, object] = {"ok": False, "error": "It took too long."}
        worker = cutaway.worker
        worker.loaded.connect(self._on_loaded)
        worker.load_failed.connect(self._on_load_failed)
        worker.produced.connect(self._on_produced)
        worker.ended.connect(self._on_ended)

    def _on_loaded(self, model: LoadedModel) -> None:
        self.report.update(model=model.name, load_s=round(time.perf_counter() - self._started, 3))
        self._cutaway.window.submitted.emit(QUESTION)

    def _on_load_failed(self, source: str, sentence: str) -> None:
        self.report["model"] = source
        self._end(sentence)

    def _on_produced(self, piece: ReplyPiece) -> None:
        self._pieces.append(piece.text)
        if len(self._pieces) == ENOUGH_PIECES:
            self._cutaway.window.stop_requested.emit()

    def _on_ended(self, end: ReplyEnd) -> None:
        text = "".join(self._pieces)
        self.report.update(asdict(end), text=text, pieces=len(self._pieces))
        if end.error or not text:
            self._end(end.error or "The reply is empty.")
        else:
            self._go_everywhere()

    def _go_everywhere(self) -> None:
        window, tour = self._cutaway.window, self._cutaway.tour
        for name in window.places.names:
            window.go(name)
        self.report["places"] = list(window.places.names)
        # After the page's own connections: what follows here comes when the page has drawn.
        tour.exhibit_shown.connect(self._on_exhibit_shown)
        tour.run_changed.connect(self._on_run_changed)
        tour.result_changed.connect(self._on_result_changed)
        window.exhibit_requested.emit(EXHIBIT)

    def _on_exhibit_shown(self, exhibit: ExhibitView) -> None:
        if exhibit.number == EXHIBIT and "exhibit" not in self.report:
            self.report["exhibit"] = EXHIBIT
            self._cutaway.tour.on_run_requested("")

    def _on_run_changed(self, run: RunView) -> None:
        if run.phase == "failed":
            self._end(run.sentence)

    def _on_result_changed(self, _: object) -> None:
        visit = self._cutaway.tour.visit
        if visit is None or visit.phase != "done" or visit.found is None:
            return
        claims = visit.found.claims
        unseen = [claim.sentence for claim in claims if not claim.seen]
        self.report["claims"] = len(claims)
        self._end(f"The exhibit did not show: {unseen}" if unseen or not claims else "")

    def _end(self, error: str) -> None:
        """Leave; all went well where there is no error."""
        self.report.update(ok=not error, error=error)
        self._cutaway.close()


def _check_translations(report: dict[str, object]) -> None:
    """Add the languages whose words are found; none may be missing."""
    from PySide6.QtCore import QTranslator

    from app.language import FOLDER, LANGUAGES

    found: list[str] = []
    for code in LANGUAGES:
        translator = QTranslator()
        if translator.load(str(FOLDER / f"cutaway_{code}.qm")) and not translator.isEmpty():
            found.append(code)
    report["languages"] = found
    report["ok"] = report["ok"] and found == list(LANGUAGES)


def _check_bundle(report: dict[str, object]) -> None:
    """Add what is wrong with the bundle; from sources there is none."""
    from app.cli.bundle_check import faults
    from resources import built

    bundle = built.read()
    if bundle is None:
        return
    missing = faults(bundle, built.FOLDER.parent)
    report.update(version=bundle.version, commit=bundle.commit, bundle=missing or "whole")
    report["ok"] = report["ok"] and not missing
