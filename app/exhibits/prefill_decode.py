"""Exhibit 9 for visitors: what reading a prompt and writing a reply cost, measured here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from app.exhibits import controls as make
from app.exhibits.checks import prefill_decode as checks
from app.exhibits.definition import Definition, Texts, View
from app.exhibits.words import duration, times
from ui import figures
from ui.charts.values import Axis, Bar, Bars, Card, Cards, Chart, Lines, Series
from ui.exhibits.values import Control, Part, Pictures

if TYPE_CHECKING:
    from collections.abc import Mapping

    from app.jobs.exhibit_results import FourTimes, PrefillDecodeResult
    from app.jobs.exhibits import Setting

_DECODE = "decode"
_CURVE = 24

translate = QCoreApplication.translate


def texts() -> Texts:
    """The words of the exhibit."""
    return Texts(
        title=translate("Exhibits", "Prefill and decode"),
        claim=translate(
            "Exhibits",
            "Four times the prompt takes at least about four times as long to the first token and "
            "exactly four times the cache, but slows writing by much less: reading is bound by "
            "arithmetic, writing by memory.",
        ),
        question=translate(
            "Exhibits",
            "You make a prompt four times as long. Before you run it: how much longer do you wait "
            "for the first word of the reply, and how much slower are the words after it?",
        ),
        about=(
            translate(
                "Exhibits",
                "A reply has two phases. In the prefill the model reads the whole prompt, many "
                "tokens at once. In the decode it writes, one token after the other, and must go "
                "through all of its weights, the numbers that it has learnt, again for each of "
                "them.",
            ),
            translate(
                "Exhibits",
                "Most of the work is the same for every token, so it grows in proportion to the "
                "prompt. Attention lets every token look at all before it, so that part grows with "
                "the square of the prompt. Both, and a fixed part that every start takes, are "
                "fitted to what is measured here.",
            ),
        ),
        part_claims={
            _DECODE: translate(
                "Exhibits",
                "Writing a token reads all weights and the cache from memory, and does little "
                "arithmetic with them. So memory sets the speed.",
            )
        },
    )


def parts() -> tuple[Part, ...]:
    """The prompt, and the reply."""
    return Part("", ""), Part(_DECODE, translate("Exhibits", "What writing costs"))


def controls(bounds: Mapping[str, Setting]) -> tuple[Control, ...]:
    """How long the longest prompt is, and how often it is measured."""
    return (
        make.slider(
            bounds["longest"],
            translate("Exhibits", "Longest prompt"),
            make.doubling(64, 16_384),
            write=figures.whole,
            parts=("", _DECODE),
        ),
        make.slider(
            bounds["rounds"], translate("Exhibits", "Rounds; the best counts"), range(1, 11)
        ),
        make.slider(
            bounds["bursts"],
            translate("Exhibits", "Bursts of 4 tokens"),
            range(1, 21),
            parts=(_DECODE,),
        ),
    )


def present(result: PrefillDecodeResult, view: View) -> Pictures:
    """Draw the times of the prefill and the fit, or the decode."""
    if view.part == _DECODE:
        return _decode_pictures(result)
    if not result.prefill:
        return Pictures()
    main: list[Chart] = []
    if result.four_times is not None:
        main.append(_cards(result.four_times))
    return Pictures((*main, _lines(result)), (_shares(result),) if result.fit else ())


def _cards(four: FourTimes) -> Cards:
    return Cards(
        (
            Card(
                translate("Exhibits", "Time to first token"),
                times(four.ttft),
                translate("Exhibits", "from {short} to {long} tokens").format(
                    short=figures.count(four.short), long=figures.count(four.long)
                ),
                number=four.ttft,
                tone="accent",
            ),
            Card(
                translate("Exhibits", "Memory of the cache"),
                times(four.cache_bytes),
                translate("Exhibits", "keys and values, measured"),
                number=four.cache_bytes,
            ),
            Card(
                translate("Exhibits", "Time for each token written"),
                times(1 / four.decode_tokens_per_s),
                translate("Exhibits", "after the long prompt, to that after the short one"),
                number=1 / four.decode_tokens_per_s,
            ),
        ),
        title=translate("Exhibits", "What four times the prompt does"),
    )


def _lines(result: PrefillDecodeResult) -> Lines:
    """Measured times, and the fit taken apart."""
    points = result.prefill
    every = [(p.tokens, seconds) for p in points for seconds in p.ttft_s if seconds != p.best_s]
    series: list[Series] = []
    if every:
        series.append(
            Series(
                translate("Exhibits", "other rounds"),
                tuple(float(tokens) for tokens, _ in every),
                tuple(seconds for _, seconds in every),
                "dim",
                points=True,
                joined=False,
            )
        )
    series.append(
        Series(
            translate("Exhibits", "measured, best"),
            tuple(float(point.tokens) for point in points),
            tuple(point.best_s for point in points),
            "new",
            points=True,
            joined=False,
        )
    )
    if (fit := result.fit) is not None:
        longest, curve = points[-1].tokens, fit.curve
        xs = tuple(longest * step / _CURVE for step in range(_CURVE + 1))
        linear = tuple(curve.fixed_s + curve.per_token_s * x for x in xs)
        whole = tuple(y + curve.per_pair_s * x * x for x, y in zip(xs, linear, strict=True))
        series.append(Series(translate("Exhibits", "fit"), xs, whole, "held", dashed=True))
        series.append(
            Series(
                translate("Exhibits", "without its quadratic part"),
                xs,
                linear,
                "pinned",
                dashed=True,
            )
        )
    return Lines(
        tuple(series),
        Axis(
            translate("Exhibits", "tokens of the prompt"), low=0, high=float(result.inputs.longest)
        ),
        Axis(unit="s", low=0),
        title=translate("Exhibits", "Time to first token"),
        note=_noise(result),
    )


def _noise(result: PrefillDecodeResult) -> str:
    """How far the measurement can be trusted."""
    if result.fit is None or len(result.prefill[-1].ttft_s) == 1:
        return ""
    return translate("Exhibits", "rounds of one length differ by about {share}").format(
        share=figures.percent(result.fit.noise)
    )


def _shares(result: PrefillDecodeResult) -> Bars:
    """What part of the longest prefill is attention, by seconds and by counting."""
    fit = result.fit
    assert fit is not None
    bars = [
        Bar(
            translate("Exhibits", "in seconds, by the fit"),
            max(fit.quadratic_share, 0.0),
            figures.share(max(fit.quadratic_share, 0.0)),
            "new",
        )
    ]
    if fit.counted_share is not None:
        bars.append(
            Bar(
                translate("Exhibits", "in operations, counted"),
                fit.counted_share,
                figures.share(fit.counted_share),
            )
        )
    return Bars(
        tuple(bars),
        title=translate("Exhibits", "The quadratic part of the longest prompt"),
        maximum=1.0,
    )


def _decode_pictures(result: PrefillDecodeResult) -> Pictures:
    if not result.decode:
        return Pictures()
    last = result.decode[-1]
    cards = [
        Card(
            translate("Exhibits", "One token reads"),
            figures.size(last.weights_bytes + last.cache_bytes),
            translate("Exhibits", "{weights} of weights and {cache} of cache").format(
                weights=figures.size(last.weights_bytes), cache=figures.size(last.cache_bytes)
            ),
            number=float(last.weights_bytes + last.cache_bytes),
        ),
        Card(
            translate("Exhibits", "It takes"),
            duration(last.token_s),
            translate("Exhibits", "after {tokens} tokens, the best burst").format(
                tokens=figures.count(last.context)
            ),
            number=last.token_s,
        ),
        Card(
            translate("Exhibits", "So memory is read at"),
            figures.decimal(last.gb_per_s, 1),
            ""
            if result.probe_gb_per_s is None
            else translate("Exhibits", "a plain read of a matrix does {speed} GB/s here").format(
                speed=figures.decimal(result.probe_gb_per_s, 1)
            ),
            unit="GB/s",
            number=last.gb_per_s,
            tone="accent",
        ),
    ]
    speeds = Bars(
        tuple(
            Bar(
                translate("Exhibits", "after {tokens} tokens").format(
                    tokens=figures.count(each.context)
                ),
                each.tokens_per_s,
                f"{figures.speed(each.tokens_per_s)} {translate('Exhibits', 'tokens/s')}",
                "new",
            )
            for each in result.decode
        ),
        title=translate("Exhibits", "Tokens written per second"),
        unit=translate("Exhibits", "tokens/s"),
    )
    return Pictures((Cards(tuple(cards)), speeds), _arithmetic(result))


def _arithmetic(result: PrefillDecodeResult) -> tuple[Chart, ...]:
    """How much arithmetic each phase does in a second."""
    last = result.decode[-1]
    if result.prefill_operations_per_s is None or last.operations_per_s is None:
        return ()
    reading, writing = result.prefill_operations_per_s / 1e9, last.operations_per_s / 1e9
    bars = (
        Bar(translate("Exhibits", "reading"), reading, figures.decimal(reading, 1), "held"),
        Bar(translate("Exhibits", "writing"), writing, figures.decimal(writing, 1), "new"),
    )
    return (
        Bars(
            bars,
            title=translate("Exhibits", "Arithmetic per second"),
            note=translate("Exhibits", "10⁹ operations, counted"),
            unit="10⁹/s",
        ),
    )


DEFINITION: Definition[PrefillDecodeResult] = Definition(
    number=9,
    texts=texts,
    parts=parts,
    controls=controls,
    present=present,
    claims=checks.claims,
    notes=checks.notes,
    part_claims={
        "": (
            "quiet",
            "fit",
            "quadratic",
            "four_times_ttft",
            "four_times_cache",
            "four_times_decode",
        ),
        _DECODE: ("arithmetic", "bandwidth"),
    },
    part_sources={
        "": ("prefill", "fit", "four_times"),
        _DECODE: ("decode", "probe"),
    },
)
