"""What the buttons of an exhibit say: what can be run, what a run waits for, how it ended."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from app.exhibits.words import duration, short
from ui.exhibits.values import RunView

if TYPE_CHECKING:
    from app.exhibits.visit import Visit
    from ui.state import ModelView

_LONGEST_NAME = 28

translate = QCoreApplication.translate


def run_view(visit: Visit, model: ModelView, engine_phase: str) -> RunView:
    """What the buttons say.

    Args:
        visit: The exhibit as it stands.
        model: That is there, or is coming.
        engine_phase: What the engine is at, as in `ui.state.Telemetry`.
    """
    sentence = caption = ""
    if visit.phase == "waiting":
        sentence = _waiting(model, engine_phase)
    elif visit.phase == "failed":
        sentence = visit.sentence
    elif model.state in {"none", "failed"}:
        sentence = translate(
            "Exhibits",
            "Exhibits are measured on the model that is loaded, and none is. Choose one at the top "
            "right, or load the starter model.",
        )
    elif visit.phase != "running":
        caption = _resting(visit)
    elif visit.found is not None and not visit.is_shown:
        caption = translate("Exhibits", "This part is measured later in the run")
    enabled = model.state != "loading"
    return RunView(_label(model), enabled, visit.phase, visit.share, caption, sentence)


def write_first(title: str) -> str:
    """What to do where a text is missing, by the title of its field."""
    return translate("Exhibits", "Write something in “{field}” first.").format(field=title)


def _label(model: ModelView) -> str:
    if model.state == "loading":
        return translate("Exhibits", "The model is loading…")
    if model.state != "ready":
        return translate("Exhibits", "Load the starter model")
    return translate("Exhibits", "Run on {model}").format(model=short(model.name, _LONGEST_NAME))


def _waiting(model: ModelView, engine_phase: str) -> str:
    if model.state == "loading":
        return translate("Exhibits", "Waits until the model is loaded.")
    if engine_phase in {"prefill", "decode"}:
        return translate("Exhibits", "Waits until the reply is complete that is being written now.")
    return translate("Exhibits", "Begins in a moment.")


def _resting(visit: Visit) -> str:
    """How the last run ended."""
    found = visit.found
    if visit.asking:
        return translate("Exhibits", "Asking the hub for {repo}…").format(
            repo=short(visit.asking, _LONGEST_NAME)
        )
    if found is None or not visit.is_shown:
        return translate("Exhibits", "Stopped") if visit.phase == "stopped" else ""
    if visit.is_changed:
        return translate("Exhibits", "Changed since: run it again")
    if visit.phase == "stopped":
        return translate("Exhibits", "Stopped; this is what was measured until then")
    return translate("Exhibits", "{time} on {model}").format(
        model=short(found.model, _LONGEST_NAME), time=duration(found.seconds)
    )
