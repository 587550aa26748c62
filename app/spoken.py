"""What the engine says, in the language of the window."""

from __future__ import annotations

import sys

from PySide6.QtCore import QCoreApplication


def spoken(said: str | Exception) -> str:
    """A sentence for the user, translated where the engine made it; all others are already."""
    if "engine.errors" not in sys.modules:  # it said nothing, and takes long to import
        return str(said)
    from engine.errors import EngineError
    from engine.sentence import Sentence

    sentence = said.sentence if isinstance(said, EngineError) else said
    if not isinstance(sentence, Sentence):
        return str(sentence)
    template = QCoreApplication.translate("Engine", sentence.template)
    if not sentence.values:
        return template
    return template.format(**{name: _value(value) for name, value in sentence.values.items()})


def _value(value: object) -> object:
    return spoken(value) if isinstance(value, str) else value
