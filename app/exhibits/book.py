"""All exhibits that there are: what the engine can measure, joined with words and drawings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from app.exhibits import (
    attending,
    cache_exact,
    causal_mask,
    choosing,
    inside_a_block,
    memory_bill,
    order,
    prefill_decode,
    prefix_reuse,
    rotating,
    smaller_numbers,
    the_loop,
    tokens_and_vectors,
)
from ui.exhibits.values import ExhibitView

if TYPE_CHECKING:
    from collections.abc import Mapping

    from app.exhibits.definition import Definition
    from app.jobs.exhibits import Setting

DEFINITIONS: Mapping[int, Definition[Any]] = {
    each.number: each
    for each in (
        the_loop.DEFINITION,
        tokens_and_vectors.DEFINITION,
        inside_a_block.DEFINITION,
        attending.DEFINITION,
        causal_mask.DEFINITION,
        order.DEFINITION,
        cache_exact.DEFINITION,
        memory_bill.DEFINITION,
        prefill_decode.DEFINITION,
        rotating.DEFINITION,
        prefix_reuse.DEFINITION,
        choosing.DEFINITION,
        smaller_numbers.DEFINITION,
    )
}
"""By number, in the order of the index."""


@dataclass(frozen=True)
class Page:
    """One exhibit, ready to be shown: its definition, and the bounds of its inputs."""

    definition: Definition[Any]
    bounds: Mapping[str, Setting]

    def view(self) -> ExhibitView:
        """Its words and controls, in the language of the moment."""
        definition = self.definition
        texts = definition.texts()
        return ExhibitView(
            number=definition.number,
            title=texts.title,
            question=texts.question,
            about=texts.about,
            parts=definition.parts(),
            controls=definition.controls(self.bounds),
        )


def open_book() -> dict[int, Page]:
    """Every exhibit that the engine can measure; imports the engine, so not on the main thread."""
    from app.jobs.exhibits import bounds

    known = bounds()
    return {
        number: Page(definition, known[number])
        for number, definition in DEFINITIONS.items()
        if number in known
    }
