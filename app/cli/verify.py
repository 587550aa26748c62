"""`cutaway verify`: the exactness report, in words or as one JSON object."""

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict

import engine
from app.cli import options as given
from app.cli.status import status_line
from app.text import seconds_text

TEXT = (
    "A cache keeps the keys and values of earlier tokens, so that each new token is the only one "
    "that has to be computed. It must not change a single bit of what it keeps: 1, 2, 3, naïve, 猫."
)
_EXACT, _NOT_EXACT = 0, 1


def run(options: argparse.Namespace) -> int:
    """Verify and print; the status is 0 where everything is exact and 1 where it is not."""
    policy = given.cache_policy(options)
    model = given.model(options)
    ids = model.raw_tokens(TEXT if options.text is None else options.text)
    with status_line(sys.stderr) as status:

        def on_progress(what: str, done: int, total: int) -> None:
            status.show(f"{what}: {done:,} of {total:,}")

        report = engine.verify(model, ids, policy, on_progress=on_progress)
    if options.json:
        values = {"exact": report.exact, **asdict(report)}
        sys.stdout.write(json.dumps(values, ensure_ascii=False) + "\n")
    else:
        sys.stdout.write("\n".join(_lines(report)) + "\n")
    return _EXACT if report.exact else _NOT_EXACT


def _lines(report: engine.ExactnessReport) -> Iterator[str]:
    yield f"{report.model}, {report.tokens:,} tokens"
    yield f"{_mark(report.stored_exact)} {_stored(report)}"
    yield f"{_mark(report.replay_exact)} {_replay(report)}"
    yield f"{_mark(report.within_rounding)} {_one_shot(report)}"
    yield f"{_mark(None)} {_reference(report)}"
    yield f"{_mark(None)} {_work(report)}"
    yield from (f"  {note}" for note in report.notes)
    yield "Exact." if report.exact else "Not exact."


def _mark(passed: bool | None) -> str:  # noqa: FBT001 - the value is the subject, no option
    return {True: "✓", False: "✗", None: "·"}[passed]


def _stored(report: engine.ExactnessReport) -> str:
    change = report.first_change
    if change is not None:
        return (
            f"The {change.part} of token {change.position + 1:,} in layer {change.layer + 1} "
            f"changed when token {change.after + 1:,} was run."
        )
    return (
        f"What the cache stores never changed: {report.stored_values:,} numbers in "
        f"{report.stored_layers} layers compared bit for bit, before and after each token."
    )


def _replay(report: engine.ExactnessReport) -> str:
    if report.replay_differs_at is None:
        return "Replayed from an empty cache: all logits and stored numbers the same, bit for bit."
    return f"Replayed from an empty cache: differs from token {report.replay_differs_at + 1:,} on."


def _one_shot(report: engine.ExactnessReport) -> str:
    found = report.one_shot
    bound = report.rounding_bound
    allowed = "" if bound is None else f" (rounding allows {bound:.1e})"
    return (
        f"Computed at once without a cache: logits up to {found.scale:.1f} differ by at most "
        f"{found.largest:.1e}{allowed}; {found.same_tokens:,} of {found.positions:,} positions "
        "choose the same token."
    )


def _reference(report: engine.ExactnessReport) -> str:
    found = report.reference
    if found is None:
        return f"No comparison with mlx-lm: {report.reference_note}"
    return (
        f"mlx-lm on the same weights: logits differ by at most {found.largest:.1e}; "
        f"{found.same_tokens:,} of {found.positions:,} positions choose the same token."
    )


def _work(report: engine.ExactnessReport) -> str:
    passes = f"{report.token_passes_cached:,} instead of {report.token_passes_uncached:,} tokens"
    times = f"{seconds_text(report.cached_s)} instead of {seconds_text(report.uncached_s)}"
    if report.operations is None:
        return f"Work: {passes} through the network, {times}."
    counts = f"{report.operations.cached:.2e} instead of {report.operations.uncached:.2e}"
    return f"Work: {passes} through the network, {counts} operations, {times}."
