"""The engine's sentences are said in the language of the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QTranslator
from typing_extensions import override

from app.spoken import spoken
from engine.errors import ModelFileError, SettingError
from engine.sentence import Sentence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtWidgets import QApplication

_GERMAN = {
    "{file} is damaged: it {damage}; fetch it again.": "{file} ist beschädigt: sie {damage}.",
    "claims {count:,} entries": "behauptet {count:,} Einträge",
    "Choose one {.": "Wähle eine {.",
}


class _German(QTranslator):
    @override
    def translate(
        self, context: str, source: str, disambiguation: str | None = None, n: int = -1
    ) -> str:
        return _GERMAN.get(source, source) if context == "Engine" and not disambiguation else source

    @override
    def isEmpty(self) -> bool:
        return False


@pytest.fixture
def _german(qapp: QApplication) -> Iterator[None]:
    translator = _German()
    qapp.installTranslator(translator)
    yield
    qapp.removeTranslator(translator)


@pytest.mark.usefixtures("_german")
def test_a_sentence_and_the_parts_in_it_are_translated() -> None:
    damage = Sentence("claims {count:,} entries", count=12345)
    error = ModelFileError(
        "{file} is damaged: it {damage}; fetch it again.", file="{count}.gguf", damage=damage
    )
    assert spoken(error) == "{count}.gguf ist beschädigt: sie behauptet 12,345 Einträge."
    assert spoken(error.sentence) == spoken(error)
    assert str(error) == "{count}.gguf is damaged: it claims 12,345 entries; fetch it again."


@pytest.mark.usefixtures("_german")
def test_a_text_without_values_is_translated_as_it_stands() -> None:
    assert spoken(SettingError("Choose one {.")) == "Wähle eine {."


@pytest.mark.usefixtures("_german")
def test_what_nobody_translated_stays_as_it_is() -> None:
    assert spoken(SettingError("Not {reason}.", reason="{so}")) == "Not {so}."
    assert spoken("Choose one {.") == "Choose one {."
