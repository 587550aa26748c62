"""What is looked at before something is done with a model, with a sentence where it cannot be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.library.convert import Conversion, plan_conversion
from app.library.errors import LibraryError
from app.library.library import key_of
from app.spoken import spoken
from engine.errors import EngineError

if TYPE_CHECKING:
    from app.library.library import Library


def conversion_or_problem(library: Library, model: str, bits: int) -> Conversion | str:
    """A conversion that could begin now, or why none can; arguments as of `plan_conversion`."""
    try:
        return plan_conversion(library, model, bits)
    except (EngineError, LibraryError) as error:
        return spoken(error)


def note_use(library: Library, source: str) -> None:
    """Remember that a model was loaded just now; of one that is gone since, nothing.

    Raises:
        LibraryError: It cannot be saved.
    """
    try:
        key = key_of(source)
    except EngineError:
        return
    library.notes.set_used(key)
