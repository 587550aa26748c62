"""Exhibits: claims about inference, measured on the loaded model.

Each exhibit is one module, named after what it shows, of one shape:

- `…Inputs(Inputs)`: a frozen dataclass of what can be set. Fields are made by `whole`, `number`,
  `text` and `choice` of `engine.exhibits.common`, which carry default, bounds and meaning; a value
  outside them raises a SettingError. `settings(…Inputs)` lists them for a page or a command line.
- `measure(model, inputs, watch) -> …Result`: does all the work, on the thread that loaded the
  model. It calls `watch.tell(share, partial)`, where `partial` is a Result with what is measured so
  far (what is not yet there is empty or None), or None. The first partial result comes within 5 s
  on two cores with the starter model; between calls lies no more than one chunk or one decode step.
  Where the caller wants no more, that raises CancelledError.
- `…Result`: a frozen dataclass of plain numbers, texts and tuples. It holds the `inputs` it belongs
  to, `notes` (a tuple of Note: where the popular claim needs care) and `how` (a tuple of How: which
  function of the engine computed which figure, and the formula).
- `claims(result)`: "what you should see", computed from what was measured and able to fail. Of a
  partial result it gives the claims whose figures are there.
- `EXHIBIT`: an Exhibit that joins these, for `EXHIBIT.measure(model, inputs)`; it is listed below.

Parts that stand for themselves have files beside it (`ring`, `sabotage`, `draws`, …), with a frozen
value, a function that measures it, and its claims. `scoring` runs texts through caches; `passages`
are texts to run.

`EXHIBIT.report(result)` is the whole as plain values for JSON. Claims and notes have names that do
not change, and sentences without figures, so that a page can word them in any language.
"""

from collections.abc import Mapping
from typing import Any

from engine.exhibits import (
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
from engine.exhibits.common import Claim, Exhibit, Setting, settings

__all__ = ["EXHIBITS", "Claim", "Exhibit", "Setting", "settings"]

EXHIBITS: Mapping[int, Exhibit[Any, Any]] = {
    each.number: each
    for each in (
        the_loop.EXHIBIT,
        tokens_and_vectors.EXHIBIT,
        inside_a_block.EXHIBIT,
        attending.EXHIBIT,
        causal_mask.EXHIBIT,
        order.EXHIBIT,
        cache_exact.EXHIBIT,
        memory_bill.EXHIBIT,
        prefill_decode.EXHIBIT,
        rotating.EXHIBIT,
        prefix_reuse.EXHIBIT,
        choosing.EXHIBIT,
        smaller_numbers.EXHIBIT,
    )
}
"""Every exhibit by its number."""
