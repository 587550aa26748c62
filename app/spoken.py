"""What the engine says, in the language of the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

if TYPE_CHECKING:
    from engine.errors import EngineError


def spoken(said: str | EngineError) -> str:
    """A sentence of the engine for the user; what is no `Sentence` stays as it is."""
    from engine.sentence import Sentence  # Late: whoever calls this has the engine already.

    sentence = said if isinstance(said, str) else said.sentence
    if not isinstance(sentence, Sentence):
        return sentence
    template = QCoreApplication.translate("Engine", sentence.template)
    if not sentence.values:
        return template
    return template.format(**{name: _value(value) for name, value in sentence.values.items()})


def _value(value: object) -> object:
    return spoken(value) if isinstance(value, str) else value
