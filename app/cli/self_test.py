"""`cutaway --self-test`: the whole application, once, without a person."""

import json
import os
import sys
import tempfile
import time
from dataclasses import asdict
from pathlib import Path

QUESTION = "What is the capital of France?"
TIMEOUT_MS = 120_000
ENOUGH_PIECES = 8


def self_test() -> int:
    """Build the window, load the starter model, stream a reply, print one JSON line.

    Returns:
        0 when a reply came through the real worker thread and was shown, and nothing is missing
        in the bundle that this may run from; 1 otherwise.
    """
    from PySide6.QtCore import QTimer
    from PySide6.QtWidgets import QApplication

    from app.cutaway import Cutaway, has_display
    from app.requests import LoadedModel, ReplyEnd, ReplyPiece

    if not has_display():
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    started = time.perf_counter()
    application = QApplication([sys.argv[0]])
    application.setQuitOnLastWindowClosed(False)
    report: dict[str, object] = {"ok": False}
    pieces: list[str] = []

    def on_loaded(model: LoadedModel) -> None:
        report.update(model=model.name, load_s=round(time.perf_counter() - started, 3))
        cutaway.window.submitted.emit(QUESTION)

    def on_produced(piece: ReplyPiece) -> None:
        pieces.append(piece.text)
        if len(pieces) == ENOUGH_PIECES:
            cutaway.window.stop_requested.emit()

    def on_ended(end: ReplyEnd) -> None:
        text = "".join(pieces)
        report.update(asdict(end), text=text, pieces=len(pieces), ok=bool(text) and not end.error)
        cutaway.close()

    def on_failed(source: str, sentence: str) -> None:
        report.update(model=source, error=sentence)
        cutaway.close()

    with tempfile.TemporaryDirectory() as folder:
        cutaway = Cutaway(application, Path(folder))
        cutaway.worker.loaded.connect(on_loaded)
        cutaway.worker.load_failed.connect(on_failed)
        cutaway.worker.produced.connect(on_produced)
        cutaway.worker.ended.connect(on_ended)
        cutaway.closed.connect(application.quit)
        QTimer.singleShot(TIMEOUT_MS, cutaway, cutaway.close)
        cutaway.start()
        application.exec()
    _check_bundle(report)
    sys.stdout.write(json.dumps(report, ensure_ascii=False) + "\n")
    return 0 if report["ok"] else 1


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
