"""Exhibit 7 for visitors: the KV cache is exact, and what a single wrong number in it does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from app.exhibits import controls as make
from app.exhibits.checks import cache_exact as checks
from app.exhibits.definition import Definition, Texts, View
from app.exhibits.words import duration, small, strip_text, times, token_words
from ui import figures
from ui.charts.values import (
    Axis,
    Bar,
    Bars,
    Card,
    Cards,
    CellRow,
    CellRows,
    Chart,
    Column,
    Legend,
    Lines,
    Row,
    Series,
    StripToken,
    Table,
    TokenStrip,
)
from ui.exhibits.values import Control, Part, Pictures
from ui.pieces import visible

if TYPE_CHECKING:
    from collections.abc import Mapping

    from app.jobs.exhibit_results import CacheExactResult, Comparison, HashedStep, OneMore, Sabotage
    from app.jobs.exhibits import Setting
    from ui.charts.values import Tone

_SHOWN_STEPS = 4
_SHOWN_CELLS = 24
_SABOTAGE = "sabotage"

translate = QCoreApplication.translate


def texts() -> Texts:
    """The words of the exhibit."""
    return Texts(
        title=translate("Exhibits", "The KV cache is exact"),
        claim=translate(
            "Exhibits",
            "Not one stored bit changes, because the mask keeps every earlier token from seeing "
            "the new one. So reusing old keys and values is no approximation.",
        ),
        question=translate(
            "Exhibits",
            "Is reusing old keys and values an approximation? Before you run it: how many of the "
            "stored numbers will have changed when the text is complete?",
        ),
        about=(
            translate(
                "Exhibits",
                "A language model reads a text token by token; a token is a word or a piece of "
                "one. In each of its layers every token leaves two lists of numbers: a key, by "
                "which later tokens find it, and a value, which is what they get from it.",
            ),
            translate(
                "Exhibits",
                "To write one more token the model needs the keys and values of all tokens before. "
                "Computing them again each time would be slow, so they are kept: that is the KV "
                "cache. This exhibit looks whether what is kept is the same as what would be "
                "computed: after each token it takes a fingerprint (a hash) of everything stored "
                "before, which differs if a single bit does.",
            ),
            translate(
                "Exhibits",
                "The comparison goes by logits, the scores that the model gives to all tokens. "
                "Then try “Sabotage one value”: one number among all that are stored is changed "
                "on purpose, and the model goes on from there.",
            ),
        ),
        part_claims={
            _SABOTAGE: translate(
                "Exhibits",
                "One wrong number among all that are stored is enough to change what the model "
                "says, if it is wrong by enough.",
            )
        },
    )


def parts() -> tuple[Part, ...]:
    """The comparison, and the sabotage."""
    return Part("", ""), Part(_SABOTAGE, translate("Exhibits", "Sabotage one value"))


def controls(bounds: Mapping[str, Setting]) -> tuple[Control, ...]:
    """The text; and which number is changed by how much."""
    only = (_SABOTAGE,)
    return (
        make.text(
            bounds["text"],
            translate("Exhibits", "Text"),
            lines=1,
        ),
        make.slider(
            bounds["amount"],
            translate("Exhibits", "Added to the number"),
            (-1000, -100, -10, -1, -0.1, 0.1, 1, 10, 100, 1000),
            parts=only,
        ),
        make.number(bounds["layer"], translate("Exhibits", "Layer"), parts=only, folded=False),
        make.number(bounds["position"], translate("Exhibits", "Token"), parts=only, folded=False),
        make.choice(
            bounds["part"],
            translate("Exhibits", "Key or value"),
            (translate("Exhibits", "Key"), translate("Exhibits", "Value")),
            parts=only,
            folded=True,
        ),
        make.number(bounds["head"], translate("Exhibits", "KV head"), parts=only),
        make.number(bounds["dimension"], translate("Exhibits", "Dimension"), parts=only),
        make.slider(
            bounds["reply"],
            translate("Exhibits", "Tokens of the answer"),
            range(1, 33),
            parts=only,
        ),
    )


def present(result: CacheExactResult, view: View) -> Pictures:
    """Draw the steps and the comparison, or the sabotage."""
    if view.part == _SABOTAGE:
        return _sabotage_pictures(result)
    main: list[Chart] = [_steps(result)]
    if result.comparison is None:
        return Pictures(tuple(main))
    aside: list[Chart] = [_time(result.comparison)]
    if result.one_more is not None:
        aside.append(_one_more(result.one_more))
    return Pictures((*main, _cards(result, result.comparison)), tuple(aside))


def _steps(result: CacheExactResult) -> CellRows:
    """The cache before the last few tokens and after each of them."""
    steps = result.steps
    last = steps[-_SHOWN_STEPS:]
    rows = [_row(result, step, is_first=number == 0) for number, step in enumerate(last)]
    return CellRows(
        tuple(rows),
        legend=(
            Legend("held", translate("Exhibits", "kept as it is")),
            Legend("new", translate("Exhibits", "the new token")),
        ),
        note=translate(
            "Exhibits",
            "keys and values of all layers, and the fingerprint of what was there before",
        ),
        title=translate("Exhibits", "Token by token"),
    )


def _row(result: CacheExactResult, step: HashedStep, *, is_first: bool) -> CellRow:
    """One token that was run: what was there, what is new, and both fingerprints."""
    first = max(result.tokens - _SHOWN_CELLS, 0)
    tones: list[Tone] = []
    tips: list[str] = []
    for position in range(first, result.tokens):
        if position < step.position:
            tones.append("held")
            tips.append(translate("Exhibits", "Token {number}: kept").format(number=position))
        elif position == step.position:
            tones.append("new")
            tips.append(translate("Exhibits", "Token {number}: new").format(number=position))
        else:
            tones.append("empty")
            tips.append(
                translate("Exhibits", "Token {number}: not run yet").format(number=position)
            )
    same = "=" if step.before == step.after else "≠"
    note = f"{_hash(step.before)} {same} {_hash(step.after)}" if step.before else ""
    label = token_words(step.piece)
    return CellRow(
        translate("Exhibits", "after {token}").format(token=label) if is_first else f"+ {label}",
        tuple(tones),
        note,
        tuple(tips),
    )


def _hash(digits: str) -> str:
    return f"{digits[:4]}…{digits[-2:]}"


def _cards(result: CacheExactResult, found: Comparison) -> Cards:
    steps = len(result.steps)
    changed = translate("Exhibits", "changed")
    replayed = translate("Exhibits", "identical")
    if not found.replay_exact:
        replayed = translate("Exhibits", "differs")
    return Cards(
        (
            Card(
                translate("Exhibits", "Stored keys and values"),
                translate("Exhibits", "0 bits") if found.stored_exact else changed,
                translate(
                    "Exhibits", "changed in {steps} steps, {numbers} numbers compared"
                ).format(steps=figures.count(steps), numbers=figures.count(found.stored_values)),
            ),
            Card(
                translate("Exhibits", "Replayed from empty, token by token"),
                replayed,
                translate("Exhibits", "all logits and all stored numbers of {steps} steps").format(
                    steps=figures.count(steps)
                ),
            ),
            Card(
                translate("Exhibits", "Against one run without a cache"),
                small(found.one_shot_largest),
                translate(
                    "Exhibits",
                    "largest difference of a logit: same sums, other order of adding; same token "
                    "chosen {same} of {all}",
                ).format(same=figures.count(found.same_tokens), all=figures.count(found.positions)),
                number=found.one_shot_largest,
            ),
        )
    )


def _time(found: Comparison) -> Lines:
    """What each token takes, and in the note what the cache saves in all."""
    with_s, without_s = duration(found.cached_s), duration(found.uncached_s)
    if found.operations_cached and found.operations_uncached:
        note = translate(
            "Exhibits", "all tokens: {with_cache} instead of {without}, {times} less arithmetic"
        ).format(
            with_cache=with_s,
            without=without_s,
            times=times(found.operations_uncached / found.operations_cached),
        )
    else:
        note = translate("Exhibits", "all tokens: {with_cache} instead of {without}").format(
            with_cache=with_s, without=without_s
        )
    return Lines(
        (
            Series(
                translate("Exhibits", "recomputing everything"),
                tuple(float(length) for length, _ in found.uncached_each_s),
                tuple(seconds * 1000 for _, seconds in found.uncached_each_s),
                "dim",
                points=True,
            ),
            Series(
                translate("Exhibits", "with the cache"),
                tuple(float(number) for number in range(1, len(found.cached_each_s) + 1)),
                tuple(seconds * 1000 for seconds in found.cached_each_s),
                "new",
            ),
        ),
        Axis(translate("Exhibits", "token of the text")),
        Axis(unit="ms", low=0),
        title=translate("Exhibits", "Time for each token"),
        note=note,
    )


def _one_more(found: OneMore) -> Bars:
    """What one more token takes in a text long enough for it to matter."""
    return Bars(
        (
            Bar(
                translate("Exhibits", "recomputing everything"),
                found.uncached_s,
                duration(found.uncached_s),
                "dim",
            ),
            Bar(
                translate("Exhibits", "with the cache"),
                found.cached_s,
                duration(found.cached_s),
                "new",
            ),
        ),
        title=translate("Exhibits", "One more token, after {tokens}").format(
            tokens=figures.count(found.tokens)
        ),
        note=translate("Exhibits", "the text over and over"),
        unit="s",
    )


def _sabotage_pictures(result: CacheExactResult) -> Pictures:
    found = result.sabotage
    if found is None:
        return Pictures()
    return Pictures((_changed_cell(result, found), _answers(found)), (_sweep(found),))


def _changed_cell(result: CacheExactResult, found: Sabotage) -> TokenStrip:
    """The text, with the token whose number was changed."""
    position = found.number.position
    tokens = tuple(
        StripToken(
            strip_text(step.piece),
            1.0 if step.position == position else 0.0,
            tip=translate("Exhibits", "Token {number}: click to change a number of it").format(
                number=step.position
            ),
            key=str(step.position) if step.position < result.tokens - 1 else "",
        )
        for step in result.steps
    )
    change = found.chosen
    return TokenStrip(
        tokens,
        edges=True,
        title=translate("Exhibits", "One of {numbers} stored numbers is changed").format(
            numbers=figures.count(found.numbers)
        ),
        note=translate("Exhibits", "it was {was} and is now {became}").format(
            was=small(change.was), became=small(change.became)
        ),
    )


def _answers(found: Sabotage) -> Table:
    return Table(
        (
            Column(translate("Exhibits", "the model goes on")),
            Column(translate("Exhibits", "with"), code=True),
        ),
        (
            Row((translate("Exhibits", "with the cache as it is"), visible(found.reply))),
            Row((translate("Exhibits", "with one number changed"), visible(found.wrong_reply))),
        ),
        marked=1,
    )


def _sweep(found: Sabotage) -> Bars:
    """How far the next token's logits move with larger and larger changes."""
    flipped = found.flipped
    changes = [(translate("Exhibits", "last bit"), flipped)]
    changes += [
        (f"{'+' if each.amount > 0 else '−'}{figures.plain(abs(each.amount))}", each)
        for each in found.sweep
    ]
    return Bars(
        tuple(
            Bar(
                label,
                change.largest,
                f"{small(change.largest)}  {visible(change.piece)}",
                "new" if change is found.chosen else "held",
            )
            for label, change in changes
        ),
        title=translate("Exhibits", "How far the logits move, and the next token"),
        unit="logits",
    )


DEFINITION: Definition[CacheExactResult] = Definition(
    number=7,
    texts=texts,
    parts=parts,
    controls=controls,
    present=present,
    claims=checks.claims,
    notes=checks.notes,
    part_sources={
        "": ("steps", "comparison", "one_more"),
        _SABOTAGE: ("sabotage",),
    },
    choose=lambda _result, key: {"position": int(key)},
    part_claims={
        "": ("hashes", "stored", "replay", "one_shot", "same_tokens", "operations", "seconds"),
        _SABOTAGE: ("copied", "changed_logits", "changed_answer"),
    },
)
