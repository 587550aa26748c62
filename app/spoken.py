"""What the engine says, in the language of the window."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from engine.errors import EngineError
from engine.sentence import Sentence


def spoken(said: str | EngineError) -> str:
    """A sentence of the engine for the user; what is no `Sentence` stays as it is."""
    sentence = said.sentence if isinstance(said, EngineError) else said
    if not isinstance(sentence, Sentence):
        return sentence
    template = QCoreApplication.translate("Engine", sentence.template)
    if not sentence.values:
        return template
    return template.format(**{name: _value(value) for name, value in sentence.values.items()})


def _value(value: object) -> object:
    return spoken(value) if isinstance(value, Sentence) else value
