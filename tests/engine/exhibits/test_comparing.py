"""How far two runs agree."""

import mlx.core as mx

from engine.exhibits.comparing import apart, common_length, differing


def test_leading_items_in_common() -> None:
    assert common_length("abc", "abd") == 2
    assert common_length([1, 2], [1, 2, 3]) == 2
    assert common_length([], [1]) == 0


def test_places_that_differ() -> None:
    assert differing([1, 2, 3], [1, 5, 3]) == 1
    assert differing(b"ab", b"abcd") == 2
    assert differing([], []) == 0


def test_the_largest_difference() -> None:
    assert apart(mx.array([1.0, -4.0]), mx.array([2.0, 4.0])) == 8
