"""Exhibit 2: text becomes tokens, and each token a vector."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import mlx.core as mx
import numpy as np

from engine.errors import PromptError
from engine.exhibits.common import (
    Claim,
    Exhibit,
    How,
    Inputs,
    Note,
    Watch,
    how,
    text,
    whole,
)
from engine.exhibits.comparing import differing
from engine.exhibits.looking import MOST_TOKENS, changed_bits, followed
from engine.exhibits.scoring import pieces
from engine.exhibits.spellings import Chance, Spellings, chance, spell, spelling_claims
from engine.heads import floats
from engine.llama import Decoder
from engine.model import Model
from engine.neighbours import Neighbour, neighbours
from engine.tokenizer import Tokenizer


@dataclass(frozen=True)
class TokensAndVectorsInputs(Inputs):
    """What can be set."""

    sentence: str = text("The cat sat on the mat, purring.", "the text that is cut into tokens")
    position: int = whole(
        1, 0, 4095, "token whose neighbours are looked for, from 0; the last where there are fewer"
    )
    neighbours: int = whole(10, 1, 100, "how many of the nearest tokens are listed")
    word: str = text("cat", "a word that is spelled in several ways", most=40)
    english: str = text(
        "All human beings are born free and equal in dignity and rights.",
        "a sentence",
        most=2000,
    )
    other_language: str = text(
        "人人生而自由，在尊严和权利上一律平等。",
        "the same sentence in another language",
        most=2000,
    )
    numbers: int = whole(6, 1, 64, "how many numbers of each vector are shown")


@dataclass(frozen=True)
class TokenSeen:
    """One token of the text.

    Attributes:
        token: Its id.
        piece: Its text.
        hex: Its bytes.
        first: The first numbers of its vector; empty for models of mlx-lm.
        norm: The length of its vector; None for these.
    """

    token: int
    piece: str
    hex: str
    first: tuple[float, ...]
    norm: float | None


@dataclass(frozen=True)
class Near:
    """The token that was chosen, and those nearest to it.

    Attributes:
        token: Its id.
        piece: Its text.
        nearest: By cosine, the nearest first.
        chance: How near random tokens are.
        width: How many numbers a vector has.
        vocabulary: How many vectors there are.
        tied: Whether lm_head, which writes tokens, is the same table.
        differing: How many numbers of the text's vectors, looked up together, are not to the last
            bit those of each token looked up alone.
    """

    token: int
    piece: str
    nearest: tuple[Neighbour, ...]
    chance: Chance
    width: int
    vocabulary: int
    tied: bool
    differing: int


@dataclass(frozen=True)
class Language:
    """One of two sentences.

    Attributes:
        text: The sentence.
        pieces: Its tokens.
        bytes: In UTF-8.
        characters: Of Unicode.
        bytes_per_token: On average.
        characters_per_token: On average.
    """

    text: str
    pieces: tuple[str, ...]
    bytes: int
    characters: int
    bytes_per_token: float
    characters_per_token: float


@dataclass(frozen=True)
class TokensAndVectorsResult:
    """What was measured.

    Attributes:
        inputs: What was set.
        tokens: Those of the text.
        changed: How many of all texts were not the same after encoding and decoding.
        foreign_bytes: How many bytes of the text's tokens, joined, are not the text's own.
        near: None while it is not done, and for models of mlx-lm.
        spellings: None while they are not done.
        languages: Both sentences; none while they are not done.
        notes: Where care is needed.
        how: How the figures are computed.
    """

    inputs: TokensAndVectorsInputs
    tokens: tuple[TokenSeen, ...]
    changed: int
    foreign_bytes: int
    near: Near | None
    spellings: Spellings | None
    languages: tuple[Language, ...]
    notes: tuple[Note, ...]
    how: tuple[How, ...]


def measure(
    model: Model,
    inputs: TokensAndVectorsInputs,
    watch: Watch,
) -> TokensAndVectorsResult:
    """Cut texts into tokens, look their vectors up, and look for the nearest ones.

    Raises:
        PromptError: The text has no token, or too many.
        SettingError: The vocabulary has fewer tokens than neighbours wanted.
        CancelledError: It was stopped.
    """
    ids = model.tokenizer.encode(inputs.sentence)
    if not 1 <= len(ids) <= MOST_TOKENS:
        raise PromptError(
            "This exhibit shows 1 to {most:,} tokens, and the text has {count:,}.",
            count=len(ids),
            most=MOST_TOKENS,
        )
    position = min(inputs.position, len(ids) - 1)
    texts = (inputs.sentence, inputs.english, inputs.other_language)
    result = TokensAndVectorsResult(
        inputs=inputs,
        tokens=_tokens(model, ids, inputs.numbers),
        changed=sum(not _comes_back(model.tokenizer, each) for each in texts),
        foreign_bytes=_foreign_bytes(model.tokenizer, ids, inputs.sentence),
        near=None,
        spellings=None,
        languages=(),
        notes=_notes(model),
        how=_HOW,
    )
    watch.tell(0.2, result)
    both = (inputs.english, inputs.other_language)
    result = replace(result, languages=tuple(_language(model, each) for each in both))
    watch.tell(0.3, result)
    if isinstance(model.network, Decoder):
        part = watch.part(0.3, 0.9)
        result = replace(result, near=_near(model, ids, position, inputs.neighbours, part))
        watch.tell(0.9, result)
    result = replace(result, spellings=spell(model, inputs.word))
    watch.tell(1.0, result)
    return result


def claims(result: TokensAndVectorsResult) -> Iterator[Claim]:
    """What should be seen, as far as it is measured."""
    yield Claim(
        "round_trip",
        "Nothing is lost: the tokens of a text, put together again, are the text.",
        result.changed, "=", 0, "texts that changed",
    )  # fmt: skip
    yield Claim(
        "bytes",
        "The bytes of the tokens, one after the other, are the bytes of the text.",
        result.foreign_bytes, "=", 0, "bytes that differ",
    )  # fmt: skip
    if result.languages:
        english, other = result.languages
        yield Claim(
            "languages",
            "The same sentence takes more tokens in the other language.",
            len(other.pieces), ">", len(english.pieces), "tokens",
        )  # fmt: skip
    if result.near is not None:
        yield Claim(
            "one_vector",
            "A token has one vector, whatever stands around it.",
            result.near.differing, "=", 0, "numbers that differ",
        )  # fmt: skip
        yield Claim(
            "nearest",
            "All tokens that are listed are nearer than nine in ten random ones.",
            min((each.cosine for each in result.near.nearest), default=-1.0), ">",
            result.near.chance.few, "cosine",
        )  # fmt: skip
    if result.spellings is not None:
        yield from spelling_claims(result.spellings)


def _tokens(model: Model, ids: Sequence[int], numbers: int) -> tuple[TokenSeen, ...]:
    texts = pieces(model, ids)
    data = [model.tokenizer.token_bytes(token).hex(" ") for token in ids]
    if not isinstance(model.network, Decoder):
        blank = zip(ids, texts, data, strict=True)
        return tuple(TokenSeen(token, piece, hexes, (), None) for token, piece, hexes in blank)
    rows = floats(model.decoder.embed_tokens(mx.array(list(ids))))
    return tuple(
        TokenSeen(
            token,
            piece,
            hexes,
            tuple(map(float, row[:numbers])),
            float(np.linalg.norm(row.astype(np.float64))),
        )
        for token, piece, hexes, row in zip(ids, texts, data, rows, strict=True)
    )


def _comes_back(tokenizer: Tokenizer, text: str) -> bool:
    return tokenizer.decode(tokenizer.encode(text)) == text


def _foreign_bytes(tokenizer: Tokenizer, ids: Sequence[int], text: str) -> int:
    joined = b"".join(tokenizer.token_bytes(token) for token in ids)
    return differing(joined, tokenizer.spelled(text, first=True))


def _near(model: Model, ids: Sequence[int], position: int, count: int, watch: Watch) -> Near:
    token = ids[position]
    together = floats(model.decoder.embed_tokens(mx.array(list(ids))))
    alone = np.stack([floats(model.decoder.embed_tokens(mx.array([each]))[0]) for each in ids])
    found = neighbours(model, token, count, watch=followed(watch))
    return Near(
        token=token,
        piece=found.text,
        nearest=found.nearest,
        chance=chance(model, token),
        width=found.vector.size,
        vocabulary=model.config.vocab_size,
        tied=found.tied,
        differing=changed_bits(together, alone),
    )


def _language(model: Model, text: str) -> Language:
    ids = model.tokenizer.encode(text)
    size, count = len(text.encode("utf-8", "replace")), max(len(ids), 1)
    return Language(
        text=text,
        pieces=pieces(model, ids),
        bytes=size,
        characters=len(text),
        bytes_per_token=size / count,
        characters_per_token=len(text) / count,
    )


def _notes(model: Model) -> tuple[Note, ...]:
    notes = [
        Note(
            "not_words",
            "Tokens are neither words nor syllables. They are the byte sequences that were most "
            "worth a number of their own in the texts from which the tokenizer was made.",
        ),
        Note(
            "languages",
            "How many tokens a language takes depends on how much of it was in those texts: it "
            "says something about the tokenizer, nothing about the language. Bytes are no fair "
            "measure alone, for UTF-8 writes a Chinese character in three bytes and an English "
            "letter in one.",
        ),
        Note(
            "nearest",
            "The nearest tokens are often other spellings, then words that stand in like places; "
            "opposites are near as well. The vectors are what training made of them for "
            "predicting, not a dictionary of meanings.",
        ),
        Note(
            "chance",
            "Cosines are to be compared with those of random tokens, which are not 0: the vectors "
            "of many models all point a little the same way, rare tokens most of all.",
        ),
        Note(
            "context",
            "This is the vector before the first block. What a word means in its sentence is "
            "worked out in the blocks; there the same token has other vectors.",
        ),
    ]
    if not isinstance(model.network, Decoder):
        notes.append(
            Note(
                "runs_through_mlx_lm",
                "This model runs through mlx-lm, and Cutaway cannot look inside it: its tokens are "
                "shown, its vectors are not.",
            )
        )
    return tuple(notes)


_HOW = (
    how("tokens", Tokenizer.encode, "merges of byte pairs or pieces, by the model's own rules"),
    how("tokens.norm", _tokens, "√Σx² of the token's row of the table"),
    how("foreign_bytes", Tokenizer.token_bytes, "the bytes of all tokens joined, against the text"),
    how("near.nearest", neighbours, "a · b / (|a| |b|) with every row of the table, largest first"),
    how("near.chance", chance, "the same with random tokens: mean, and 0.9 quantile"),
    how("spellings.cosines", spell, "a · b / (|a| |b|)"),
    how("languages", _language, "bytes in UTF-8 / tokens"),
)

EXHIBIT = Exhibit(
    2, "tokens_and_vectors", "Tokens and vectors", TokensAndVectorsInputs, measure, claims
)
