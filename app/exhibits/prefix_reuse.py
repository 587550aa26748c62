"""Exhibit 11 for visitors: what a second prompt can take over from the first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from app.exhibits import controls as make
from app.exhibits.checks import prefix_reuse as checks
from app.exhibits.definition import Definition, Texts, View
from app.exhibits.words import duration, short, times
from app.spoken import spoken
from ui import figures
from ui.charts.values import (
    Bar,
    Bars,
    Card,
    Cards,
    CellRow,
    CellRows,
    Chart,
    Column,
    Legend,
    Row,
    StripToken,
    Table,
    TokenStrip,
)
from ui.exhibits.values import Control, Part, Pictures
from ui.pieces import visible

if TYPE_CHECKING:
    from collections.abc import Mapping

    from app.jobs.exhibit_results import PrefixReuseResult, Shared, Timed
    from app.jobs.exhibits import Setting
    from ui.charts.values import Tone

_CACHE = "cache"
_CELLS = 48
_AROUND = 60

translate = QCoreApplication.translate


def texts() -> Texts:
    """The words of the exhibit."""
    return Texts(
        title=translate("Exhibits", "Prefix reuse"),
        claim=translate(
            "Exhibits",
            "All leading tokens that both prompts share are taken over, only the rest is computed, "
            "and the first token comes sooner. The reply is the same as without.",
        ),
        question=translate(
            "Exhibits",
            "Two prompts begin with the same words. Before you run it: how much of the second must "
            "the model still read, and will the reply be another one for that?",
        ),
        about=(
            translate(
                "Exhibits",
                "What a token leaves in the KV cache, a key and a value in every layer, depends "
                "only on itself and the tokens before it. Where a new prompt begins exactly like "
                "one that is held, the keys and values of that beginning can be taken over. A "
                "chat does this at every turn: the whole conversation so far is the beginning of "
                "the next prompt.",
            ),
            translate(
                "Exhibits",
                "This is no store of answers. Ask the same thing twice with other seeds (“Is it a "
                "response cache?”), and see two different replies from one and the same cache.",
            ),
        ),
        part_claims={
            _CACHE: translate(
                "Exhibits",
                "The same prompt with the same seed gives the same reply, and with another seed "
                "another one, though all of the prompt is reused: what is kept are keys and "
                "values, not replies.",
            )
        },
    )


def parts() -> tuple[Part, ...]:
    """The two prompts; the same prompt with other seeds."""
    return Part("", ""), Part(_CACHE, translate("Exhibits", "Is it a response cache?"))


def controls(bounds: Mapping[str, Setting]) -> tuple[Control, ...]:
    """Both prompts, and how replies are drawn."""
    only = (_CACHE,)
    return (
        make.text(bounds["first"], translate("Exhibits", "First prompt"), lines=3, folded=True),
        make.text(bounds["second"], translate("Exhibits", "Second prompt"), lines=3, folded=True),
        make.slider(
            bounds["rounds"], translate("Exhibits", "Rounds; the best counts"), range(1, 11)
        ),
        make.slider(
            bounds["reply"],
            translate("Exhibits", "Tokens of each reply"),
            range(4, 65, 4),
            parts=("", _CACHE),
        ),
        make.slider(
            bounds["temperature"],
            translate("Exhibits", "Temperature"),
            make.steps(0, 2, 0.1),
            parts=only,
        ),
        make.number(bounds["seed"], translate("Exhibits", "Seed"), parts=only, folded=False),
    )


def present(result: PrefixReuseResult, view: View) -> Pictures:
    """Draw what is shared and what that saves, or the replies with other seeds."""
    if view.part == _CACHE:
        return _seeded(result)
    shared, timed = result.shared, result.timed
    main: list[Chart] = [_rows(shared), _cut(result, shared)]
    if shared.reused_tokens is not None and shared.prefilled_tokens is not None:
        main.append(_cards(shared, shared.reused_tokens, shared.prefilled_tokens, timed))
    return Pictures(tuple(main), () if timed is None else (_times(timed),))


def _rows(shared: Shared) -> CellRows:
    """Both prompts as cells, a few tokens each."""
    longest = max(shared.first_tokens, shared.second_tokens)
    each = max(-(-longest // _CELLS), 1)
    alike = shared.common_tokens if shared.reused_tokens is None else shared.reused_tokens

    def cells(tokens: int, rest: Tone) -> tuple[Tone, ...]:
        starts = range(0, longest, each)
        return tuple(
            "empty" if start >= tokens else "held" if start + each <= alike else rest
            for start in starts
        )

    note = translate("Exhibits", "tokens for each cell: {count}").format(count=each)
    same = translate("Exhibits", "shared")
    if shared.reused_tokens is not None:
        same = translate("Exhibits", "shared and reused")
    return CellRows(
        (
            CellRow(
                translate("Exhibits", "first, held"),
                cells(shared.first_tokens, "pinned"),
                figures.count(shared.first_tokens),
            ),
            CellRow(
                translate("Exhibits", "second"),
                cells(shared.second_tokens, "new"),
                figures.count(shared.second_tokens),
            ),
        ),
        title=translate("Exhibits", "The two prompts"),
        note=note,
        legend=(
            Legend("held", same),
            Legend("pinned", translate("Exhibits", "of the first alone")),
            Legend("new", translate("Exhibits", "computed for the second")),
        ),
    )


def _cut(result: PrefixReuseResult, shared: Shared) -> TokenStrip:
    """The end of the second prompt: what is reused, and where that stops."""
    text = result.inputs.second
    at = min(shared.common_characters, len(text))
    begin = max(at - _AROUND, 0)
    before = ("…" if begin else "") + text[begin:at]
    after = short(text[at:], 2 * _AROUND)
    tokens = [
        StripToken(before, 0.5, "held", tip=translate("Exhibits", "shared")),
        StripToken(after, 0.5, "new", tip=translate("Exhibits", "differs")),
    ]
    held, new = visible(shared.held_piece), visible(shared.new_piece)
    return TokenStrip(
        tuple(token for token in tokens if token.text),
        title=translate("Exhibits", "Where reuse stops"),
        note=translate("Exhibits", "held: {held}, asked: {new}").format(held=held, new=new),
    )


def _cards(shared: Shared, reused: int, computed: int, timed: Timed | None) -> Cards:
    cards = [
        Card(
            translate("Exhibits", "Reused"),
            figures.count(reused),
            translate("Exhibits", "of {count} tokens").format(
                count=figures.count(shared.second_tokens)
            ),
            number=float(reused),
        ),
        Card(
            translate("Exhibits", "Computed"),
            figures.count(computed),
            spoken(shared.reason),
            number=float(computed),
        ),
    ]
    if timed is not None:
        sooner = timed.without_best_s / timed.with_best_s
        cards.append(
            Card(
                translate("Exhibits", "The first token comes"),
                times(sooner),
                translate("Exhibits", "as fast"),
                number=sooner,
                tone="accent",
            )
        )
    return Cards(tuple(cards))


def _times(timed: Timed) -> Bars:
    return Bars(
        (
            Bar(
                translate("Exhibits", "with reuse"),
                timed.with_best_s,
                duration(timed.with_best_s),
                "new",
            ),
            Bar(
                translate("Exhibits", "from nothing"),
                timed.without_best_s,
                duration(timed.without_best_s),
                "dim",
            ),
        ),
        title=translate("Exhibits", "Time to first token"),
        note=translate("Exhibits", "best of {count}").format(count=len(timed.with_reuse_s)),
        unit="s",
    )


def _seeded(result: PrefixReuseResult) -> Pictures:
    rows: list[Row] = []
    if (same := result.same_reply) is not None:
        rows += [
            Row(
                (
                    translate("Exhibits", "most likely, with reuse"),
                    figures.UNKNOWN,
                    visible(same.with_reuse),
                )
            ),
            Row(
                (
                    translate("Exhibits", "most likely, from nothing"),
                    figures.UNKNOWN,
                    visible(same.without),
                )
            ),
        ]
    names = (
        translate("Exhibits", "drawn"),
        translate("Exhibits", "drawn again, same seed"),
        translate("Exhibits", "drawn with another seed"),
    )
    rows += [
        Row((name, str(reply.seed), visible(reply.reply)))
        for name, reply in zip(names, result.seeded, strict=False)
    ]
    if not rows:
        return Pictures()
    table = Table(
        (
            Column(translate("Exhibits", "the second prompt")),
            Column(translate("Exhibits", "seed"), "right"),
            Column(translate("Exhibits", "reply"), code=True),
        ),
        tuple(rows),
        title=translate("Exhibits", "One cache, several replies"),
    )
    reused = Bars(
        tuple(
            Bar(
                name,
                float(reply.reused_tokens),
                translate("Exhibits", "{reused} of {all}").format(
                    reused=figures.count(reply.reused_tokens),
                    all=figures.count(reply.prompt_tokens),
                ),
            )
            for name, reply in zip(names, result.seeded, strict=False)
        ),
        title=translate("Exhibits", "Tokens reused"),
    )
    return Pictures((table,), (reused,) if result.seeded else ())


DEFINITION: Definition[PrefixReuseResult] = Definition(
    number=11,
    texts=texts,
    parts=parts,
    controls=controls,
    present=present,
    claims=checks.claims,
    notes=checks.notes,
    part_claims={
        "": ("reused", "prefilled", "sooner", "same_reply"),
        _CACHE: ("same_reply", "all_reused", "same_seed", "other_seed"),
    },
    part_sources={"": ("shared", "timed"), _CACHE: ("same_reply",)},
)
