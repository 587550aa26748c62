"""What it costs to tell with each token how likely it and its alternatives were."""

from collections.abc import Iterator

import engine
from engine import speed
from tests.bench.context import Context
from tests.bench.report import Row, compared

_GREEDY = engine.Sampling(temperature=0.0)
_CONTEXT, _TOP, _TURNS = 64, 10, 25


def run_logprobs(context: Context) -> Iterator[Row]:
    """Decoding with log-probabilities and without, in turn; after a short prompt it tells most."""
    model = context.model
    loops: dict[str, speed.Loop] = {
        "on": lambda ids, count: model.session().generate(ids, _GREEDY, count, logprobs=_TOP),
        "off": lambda ids, count: model.session().generate(ids, _GREEDY, count),
    }
    got = speed.race(loops, context.text_ids[:_CONTEXT], prefills=1, turns=_TURNS)
    on, off = got["on"].decode_tps, got["off"].decode_tps
    assert on is not None
    assert off is not None
    what = f"decode with the {_TOP} likeliest, tokens/s"
    yield compared("logprobs", what, on, off, "without", at_least=0.97)
