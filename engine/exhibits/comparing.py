"""How far two runs agree: token by token, and in their logits."""

from collections.abc import Sequence
from typing import cast

import mlx.core as mx


def common_length(one: Sequence[object], other: Sequence[object]) -> int:
    """How many leading items two sequences share."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((index for index, (a, b) in pairs if a != b), min(len(one), len(other)))


def differing(one: Sequence[object], other: Sequence[object]) -> int:
    """At how many places two sequences differ; what one has more than the other counts."""
    same = sum(a == b for a, b in zip(one, other, strict=False))
    return max(len(one), len(other)) - same


def apart(one: mx.array, other: mx.array) -> float:
    """The largest difference of two arrays of one shape."""
    return cast("float", mx.max(mx.abs(one - other)).item())
