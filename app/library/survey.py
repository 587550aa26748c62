"""What is shown of the models on this machine: their facts, notes, and whether they fit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.library.fitting import model_fit
from app.library.settings import ModelNotes
from engine.fit import machine_limit
from engine.zoo_config import ZooConfig

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.library.facts import ModelFacts
    from app.library.library import Library
    from engine.fit import Fit


@dataclass(frozen=True)
class Surveyed:
    """A model with all that is known of it.

    Attributes:
        facts: What its files say.
        notes: What is remembered of it.
        fit: With its settings; None where its shape is not known.
        convertible: Whether it is of a kind that can be converted.
    """

    facts: ModelFacts
    notes: ModelNotes
    fit: Fit | None
    convertible: bool


@dataclass(frozen=True)
class Survey:
    """All models, and what there is for them.

    Attributes:
        models: In the order of the listing.
        limit_bytes: What weights, cache and prefill may take; None where nobody knows.
    """

    models: tuple[Surveyed, ...]
    limit_bytes: int | None


def survey(library: Library, models: Sequence[ModelFacts]) -> Survey:
    """Look up what is remembered of models, and work out whether they fit."""
    limit, notes = machine_limit(), library.notes.all()
    found: list[Surveyed] = []
    for facts in models:
        known = notes.get(facts.key, ModelNotes())
        fitting = model_fit(facts.footprint, limit, known.settings)
        found.append(Surveyed(facts, known, fitting, _is_own(facts)))
    return Survey(tuple(found), limit)


def _is_own(facts: ModelFacts) -> bool:
    """Whether the engine's own decoder computes it, which is what a conversion reads."""
    footprint = facts.footprint
    return facts.ready and footprint is not None and not isinstance(footprint.config, ZooConfig)
