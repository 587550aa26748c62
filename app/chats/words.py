"""Words as the search index holds them, and a typed query as the index and the eye want it.

The index splits text at what is no letter or digit. Scripts written without spaces are indexed
as overlapping pairs of characters, so that any part of a run can be found as a phrase.
"""

import re
import unicodedata
from dataclasses import dataclass

QUERY_LENGTH = 200
TERMS = 12

# Kana, Han, Hangul, Thai, Lao, Myanmar, Khmer. Changing this needs a migration that indexes anew.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf"
    "\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\uff66-\uff9d\U00020000-\U0003ffff"
)
_RUN = re.compile(f"[{_UNSPACED}]+")
_PIECE = re.compile(f"[{_UNSPACED}]+|[^\\W_{_UNSPACED}]+")
_TERM = re.compile(r'"([^"]*)(?:"|$)|([^\s"]+)')


@dataclass(frozen=True)
class Query:
    """A query made ready.

    Attributes:
        match: The expression for FTS5; None where the index cannot answer.
        plain: The words as typed, for a search through the text itself.
        marks: Finds the hits in a text.
    """

    match: str | None
    plain: tuple[str, ...]
    marks: re.Pattern[str]


def search_text(text: str) -> str:
    """Return what the index takes for a text: runs of unspaced scripts as pairs of characters."""
    return _RUN.sub(lambda run: f" {_pairs(run[0])} ", text)


def parse_query(text: str) -> Query | None:
    """Return the query that a user typed, None where there is nothing to look for.

    All words must occur; "quoted words" must follow each other; the last word may be the
    beginning of one while it is being typed.
    """
    text = text[:QUERY_LENGTH].replace("\0", " ")
    found = [(match[1] is not None, match[1] or match[2] or "") for match in _TERM.finditer(text)]
    terms = [(quoted, term.strip()) for quoted, term in found if term.strip()][:TERMS]
    if not terms:
        return None
    phrases: list[str] = []
    patterns: list[str] = []
    for index, (quoted, term) in enumerate(terms):
        typing = index == len(terms) - 1 and not quoted and text[-1:] == term[-1:]
        phrase = _phrase(term, typing=typing)
        if phrase is not None and not (phrases and _is_short(term) and typing):
            phrases.append(phrase)
        patterns.append(_pattern(term, typing=typing))
    alone = len(terms) == 1 and _is_short(terms[0][1])
    return Query(
        match=None if alone or not phrases else " AND ".join(phrases),
        plain=tuple(term for _, term in terms),
        marks=re.compile("|".join(patterns), re.IGNORECASE),
    )


def _pairs(run: str) -> str:
    """Overlapping pairs, and the last character by itself, so that it can be found alone."""
    return " ".join(run[index : index + 2] for index in range(len(run)))


def _is_short(term: str) -> bool:
    """Tell whether nearly every text has a word that begins like this."""
    return len(term) == 1 and not _RUN.fullmatch(term)


def _phrase(term: str, *, typing: bool) -> str | None:
    pieces = _PIECE.findall(term)
    if not pieces:
        return None
    *before, last = pieces
    words = [_pairs(piece) if _RUN.fullmatch(piece) else piece for piece in before]
    star = typing and term.endswith(last)
    if _RUN.fullmatch(last):
        # Within a longer run the last character of the query begins a pair of its own.
        star = len(last) == 1
        last = last if star else _pairs(last)[:-2]
    return f'"{" ".join([*words, last])}"{" *" if star else ""}'


def _pattern(term: str, *, typing: bool) -> str:
    pieces = _PIECE.findall(term)
    if not pieces or not all(c.isalnum() or c.isspace() or c in "'’-_.,\"" for c in term):
        return re.escape(term)
    body = r"[\W_]*".join("".join(map(_letter, _bare(piece))) for piece in pieces)
    starts = "" if _RUN.match(pieces[0]) else r"(?<![^\W_])"
    ends = "" if typing or _RUN.match(pieces[-1]) else r"(?![^\W_])"
    return f"{starts}{body}{ends}"


def _bare(text: str) -> str:
    """The text without the accents that the index ignores too."""
    return (
        "".join(c for c in unicodedata.normalize("NFD", text) if not "\u0300" <= c <= "\u036f")
        if not _RUN.match(text)
        else text
    )


def _variants() -> dict[str, str]:
    found: dict[str, str] = {}
    for code in (*range(0xC0, 0x250), *range(0x1E00, 0x1F00)):
        base = unicodedata.normalize("NFD", chr(code))[0].lower()
        if base.isascii() and base.isalpha():
            found[base] = found.get(base, base) + chr(code)
    return found


_VARIANTS = _variants()


def _letter(character: str) -> str:
    variants = _VARIANTS.get(character.lower())
    if variants is None:
        return re.escape(character)
    return f"[{variants}][\u0300-\u036f]*"
