"""Token ids in whatever a caller has them in."""

from typing import Any

import numpy as np
import pytest

import engine
from engine.token_ids import token_ids


@pytest.mark.parametrize("ids", [[1, 2], (1, 2), np.array([1, 2]), range(1, 3)])
def test_any_sequence_of_whole_numbers_will_do(ids: Any) -> None:
    whole = token_ids(ids, 3)
    assert whole == [1, 2]
    assert all(type(token) is int for token in whole)


@pytest.mark.parametrize(
    ("ids", "sentence"),
    [
        ([], "empty"),
        ([1.7], "whole numbers"),
        (["a"], "whole numbers"),
        ([None], "whole numbers"),
        (3, "whole numbers"),
        (np.array([[1]]), "whole numbers"),
        ([3], "not in this model's vocabulary"),
        ([-1], "not in this model's vocabulary"),
    ],
)
def test_anything_else_is_refused_in_a_sentence(ids: Any, sentence: str) -> None:
    with pytest.raises(engine.PromptError, match=sentence):
        token_ids(ids, 3)
