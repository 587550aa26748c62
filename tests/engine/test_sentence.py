"""Errors say a sentence, and keep what it was made from."""

from __future__ import annotations

import copy
import pickle

import pytest

from engine.errors import EngineError, MemoryLimitError, SettingError
from engine.sentence import Sentence


def test_a_template_is_filled() -> None:
    error = SettingError("{name!r} has {count:,} tokens.", name="a", count=1234)
    assert str(error) == "'a' has 1,234 tokens."
    assert error.args == ("'a' has 1,234 tokens.",)
    assert error.sentence.template == "{name!r} has {count:,} tokens."
    assert error.sentence.values == {"name": "a", "count": 1234}


@pytest.mark.parametrize("text", ["A schema begins with {.", "{name}", "", "{}"])
def test_a_text_without_values_is_not_filled(text: str) -> None:
    assert str(EngineError(text)) == text
    assert Sentence(text).template == text


def test_values_may_hold_braces() -> None:
    error = EngineError("Not {reason}.", reason="{name} {0} }")
    assert str(error) == "Not {name} {0} }."


def test_a_sentence_is_kept_whole_inside_another() -> None:
    inner = Sentence("of {count} parts", count=3)
    error = EngineError(Sentence("It is {inner}.", inner=inner))
    assert str(error) == "It is of 3 parts."
    assert error.sentence.values["inner"] is inner


def test_errors_are_copied_with_what_they_were_made_from() -> None:
    error = MemoryLimitError("It needs {needed}.", 4096, needed="2 GB")
    assert str(error) == "It needs 2 GB."
    for other in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):
        assert isinstance(other, MemoryLimitError)
        assert str(other) == str(error)
        assert other.fitting_window == 4096
        assert other.sentence.template == "It needs {needed}."
        assert other.sentence.values == {"needed": "2 GB"}
