"""Exhibit 2 for visitors: a text as tokens, tokens as vectors, and which vectors are near."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from app.exhibits import controls as make
from app.exhibits.checks import tokens_and_vectors as checks
from app.exhibits.definition import Definition, Texts, View
from app.exhibits.words import short, strip_text, token_words
from ui import figures
from ui.charts.values import (
    Bar,
    Bars,
    Chart,
    Column,
    HeatMap,
    Row,
    StripToken,
    Table,
    TokenStrip,
)
from ui.exhibits.values import Control, Part, Pictures
from ui.pieces import visible

if TYPE_CHECKING:
    from collections.abc import Mapping

    from app.jobs.exhibit_results import Language, Spellings, TokensAndVectorsResult
    from app.jobs.exhibits import Setting

_SPELLINGS, _LANGUAGES = "spellings", "languages"
_ROWS = 5
_LABEL = 15

translate = QCoreApplication.translate


def texts() -> Texts:
    """The words of the exhibit."""
    return Texts(
        title=translate("Exhibits", "Tokens and vectors"),
        claim=translate(
            "Exhibits",
            "A text is cut into tokens and nothing of it is lost. Each token is one row of a "
            "table, always the same numbers, and tokens used alike have rows that point alike.",
        ),
        question=translate(
            "Exhibits",
            "A model reads neither letters nor words. Before you run it: how many pieces will "
            "this sentence be cut into, and what is nearest to the word “cat”?",
        ),
        about=(
            translate(
                "Exhibits",
                "A token is a piece of text that was frequent where the tokenizer was made: a "
                "whole word, a part of one, a mark. A space usually belongs to the word after it "
                "and is shown as ␣. Each token has a number, its id.",
            ),
            translate(
                "Exhibits",
                "The id picks a row from a table: some hundreds of numbers, the token's vector. "
                "How near two vectors are is told by the cosine of the angle between them: 1 for "
                "the same direction, about 0 for nothing in common. Click another token to see "
                "its neighbours.",
            ),
        ),
        part_claims={
            _SPELLINGS: translate(
                "Exhibits",
                "To the model, two spellings of a word are different tokens with vectors of their "
                "own; training has brought these closer together than chance would.",
            ),
            _LANGUAGES: translate(
                "Exhibits",
                "The same sentence takes more tokens, or carries fewer bytes in each, in a "
                "language that was rare where the tokenizer was made.",
            ),
        },
    )


def parts() -> tuple[Part, ...]:
    """Tokens and neighbours, spellings, two languages."""
    return (
        Part("", ""),
        Part(_SPELLINGS, translate("Exhibits", "One word, several spellings")),
        Part(_LANGUAGES, translate("Exhibits", "Two languages")),
    )


def controls(bounds: Mapping[str, Setting]) -> tuple[Control, ...]:
    """The texts of each part."""
    return (
        make.text(bounds["sentence"], translate("Exhibits", "Text"), lines=1),
        make.slider(bounds["neighbours"], translate("Exhibits", "Neighbours listed"), range(3, 31)),
        make.number(
            bounds["position"],
            translate("Exhibits", "Token"),
            help=translate("Exhibits", "Counted from 0; a click in the text sets it."),
        ),
        make.slider(bounds["numbers"], translate("Exhibits", "Numbers shown"), range(1, 9)),
        make.text(bounds["word"], translate("Exhibits", "Word"), lines=1, parts=(_SPELLINGS,)),
        make.text(
            bounds["english"], translate("Exhibits", "A sentence"), lines=1, parts=(_LANGUAGES,)
        ),
        make.text(
            bounds["other_language"],
            translate("Exhibits", "In another language"),
            lines=1,
            parts=(_LANGUAGES,),
        ),
    )


def present(result: TokensAndVectorsResult, view: View) -> Pictures:
    """Draw tokens and neighbours, spellings, or two languages."""
    if view.part == _SPELLINGS:
        return Pictures() if result.spellings is None else _spellings(result.spellings)
    if view.part == _LANGUAGES:
        return _languages(result.languages)
    main: list[Chart] = [_strip(result), _table(result)]
    near = result.near
    if near is None:
        return Pictures(tuple(main))
    bars = Bars(
        tuple(
            Bar(visible(each.text), each.cosine, figures.decimal(each.cosine, 3))
            for each in near.nearest
        ),
        title=translate("Exhibits", "Nearest to {token}").format(token=visible(near.piece)),
        note=translate("Exhibits", "cosine; random tokens: {mean}").format(
            mean=figures.decimal(near.chance.mean, 3)
        ),
        maximum=1.0,
        code=True,
    )
    return Pictures(tuple(main), (bars,))


def _strip(result: TokensAndVectorsResult) -> TokenStrip:
    return TokenStrip(
        tuple(
            StripToken(
                strip_text(each.piece),
                0.5 if at % 2 else 0.2,
                "held",
                tip=f"{token_words(each.piece)} · {each.token}",
                key=str(at),
            )
            for at, each in enumerate(result.tokens)
        ),
        selected=min(result.inputs.position, len(result.tokens) - 1),
        large=True,
        edges=True,
        title=translate("Exhibits", "The text, cut"),
        note=translate("Exhibits", "{tokens} tokens, {characters} characters").format(
            tokens=figures.count(len(result.tokens)),
            characters=figures.count(len(result.inputs.sentence)),
        ),
    )


def _table(result: TokensAndVectorsResult) -> Table:
    near = result.near
    width = (
        ""
        if near is None
        else translate("Exhibits", "of {width} numbers").format(width=figures.count(near.width))
    )
    position = min(result.inputs.position, len(result.tokens) - 1)
    begin = max(min(position - _ROWS // 2, len(result.tokens) - _ROWS), 0)
    columns = (
        Column(translate("Exhibits", "token"), code=True),
        Column(translate("Exhibits", "id"), "right"),
        Column(translate("Exhibits", "bytes"), code=True),
        Column(translate("Exhibits", "vector, its first numbers"), code=True),
        Column(translate("Exhibits", "length"), "right"),
    )
    rows = tuple(
        Row(
            (
                token_words(each.piece),
                str(each.token),
                each.hex,
                " ".join(f"{number:+.3f}" for number in each.first),
                figures.UNKNOWN if each.norm is None else figures.decimal(each.norm, 2),
            ),
            (None, float(each.token), None, None, each.norm),
            key=str(at),
        )
        for at, each in list(enumerate(result.tokens))[begin : begin + _ROWS]
    )
    return Table(
        columns, rows, marked=position - begin, title=translate("Exhibits", "The table"), note=width
    )


def _spellings(found: Spellings) -> Pictures:
    table = Table(
        (
            Column(translate("Exhibits", "spelling"), code=True),
            Column(translate("Exhibits", "tokens"), "right"),
            Column(translate("Exhibits", "which"), code=True),
            Column(translate("Exhibits", "ids"), code=True),
        ),
        tuple(
            Row(
                (
                    visible(each.text),
                    figures.count(len(each.ids)),
                    " | ".join(token_words(piece) for piece in each.pieces),
                    ", ".join(str(token) for token in each.ids),
                ),
                (None, float(len(each.ids)), None, None),
            )
            for each in found.each
        ),
        title=translate("Exhibits", "Spellings as tokens"),
    )
    if not found.cosines:
        return Pictures((table,))
    names = tuple(visible(found.each[at].text) for at in found.single)
    grid = HeatMap(
        tuple(value for row in found.cosines for value in row),
        len(names),
        len(names),
        names,
        names,
        title=translate("Exhibits", "How near their vectors are"),
        note=translate("Exhibits", "cosine, of those that are one token"),
        high=1.0,
        value_name=translate("Exhibits", "cosine"),
    )
    return Pictures((table,), (grid,))


def _languages(languages: tuple[Language, ...]) -> Pictures:
    if not languages:
        return Pictures()
    strips: list[Chart] = [
        TokenStrip(
            tuple(
                StripToken(strip_text(piece), 0.5 if at % 2 else 0.2, "held")
                for at, piece in enumerate(each.pieces)
            ),
            edges=True,
            title=translate("Exhibits", "{tokens} tokens").format(
                tokens=figures.count(len(each.pieces))
            ),
            note=translate(
                "Exhibits", "{characters} characters, {bytes} bytes; · continues a character"
            ).format(characters=figures.count(each.characters), bytes=figures.count(each.bytes)),
        )
        for each in languages
    ]
    bars = Bars(
        tuple(
            Bar(
                short(each.text, _LABEL),
                each.bytes_per_token,
                figures.decimal(each.bytes_per_token, 2),
            )
            for each in languages
        ),
        title=translate("Exhibits", "Bytes in each token"),
        note=translate("Exhibits", "on average"),
    )
    return Pictures(tuple(strips), (bars,))


DEFINITION: Definition[TokensAndVectorsResult] = Definition(
    number=2,
    texts=texts,
    parts=parts,
    controls=controls,
    present=present,
    claims=checks.claims,
    notes=checks.notes,
    part_claims={
        "": ("round_trip", "bytes", "one_vector", "nearest"),
        _SPELLINGS: ("different_ids", "related"),
        _LANGUAGES: ("languages",),
    },
    part_sources={"": ("tokens", "near"), _SPELLINGS: ("spellings",), _LANGUAGES: ("languages",)},
    choose=lambda _result, key: {"position": int(key)},
)
