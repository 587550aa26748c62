"""Runs an exhibit as a page would: with progress, partial results and their claims."""

import json
from collections.abc import Collection
from itertools import pairwise
from typing import Any

import pytest

import engine
from engine.exhibits.common import Claim, Exhibit, Inputs


def measured(exhibit: Exhibit[Any, Any], model: engine.Model, inputs: Inputs) -> Any:
    """The result, after a look at all that was reported on the way."""
    shares: list[float] = []
    partials: list[Any] = []

    def progress(share: float, partial: Any) -> None:
        shares.append(share)
        if partial is not None:
            exhibit.claims(partial)
            partials.append(partial)

    result = exhibit.measure(model, inputs, progress)
    assert shares[-1] == 1.0
    assert all(earlier <= later + 1e-9 for earlier, later in pairwise(shares))
    assert partials[-1] == result
    json.dumps(exhibit.report(partials[0]), allow_nan=False)
    json.dumps(exhibit.report(result), allow_nan=False)
    return result


def by_name(exhibit: Exhibit[Any, Any], result: Any) -> dict[str, Claim]:
    """The claims of a result; their names differ."""
    claims = exhibit.claims(result)
    found = {claim.name: claim for claim in claims}
    assert len(found) == len(claims)
    return found


def all_seen(
    exhibit: Exhibit[Any, Any], result: Any, *, timed: Collection[str] = ()
) -> dict[str, Claim]:
    """The claims of a result, every one of which was seen.

    Args:
        exhibit: The exhibit.
        result: What it measured.
        timed: Names of claims about seconds, which depend on what else the machine does: they
            must be there, seen or not.
    """
    found = by_name(exhibit, result)
    assert [c for name, c in found.items() if not c.seen and name not in timed] == []
    assert set(timed) <= set(found)
    return found


def stops(exhibit: Exhibit[Any, Any], model: engine.Model, inputs: Inputs) -> None:
    """The measurement ends soon after it is told to."""
    calls = 0

    def progress(_share: float, _partial: object) -> None:
        nonlocal calls
        calls += 1

    with pytest.raises(engine.CancelledError):
        exhibit.measure(model, inputs, progress, lambda: calls >= 2)
    assert calls == 2
