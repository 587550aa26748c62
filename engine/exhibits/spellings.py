"""One word in several spellings: the tokens of each, and how near their vectors are."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import mlx.core as mx
import numpy as np

from engine.exhibits.common import Claim
from engine.exhibits.looking import Grid, grid
from engine.exhibits.scoring import mean, pieces
from engine.heads import Floats, floats
from engine.llama import Decoder
from engine.model import Model

_SAMPLES, _SEED = 512, 1
_FEW = 0.9  # of random tokens that are less near


@dataclass(frozen=True)
class Spelling:
    """One spelling.

    Attributes:
        text: As it stands inside a text.
        ids: Its tokens.
        pieces: Their texts.
    """

    text: str
    ids: tuple[int, ...]
    pieces: tuple[str, ...]


@dataclass(frozen=True)
class Chance:
    """How near random tokens are to a token.

    Attributes:
        samples: How many were drawn.
        mean: Their mean cosine to it.
        few: What nine in ten of them stay below.
    """

    samples: int
    mean: float
    few: float


@dataclass(frozen=True)
class Spellings:
    """All spellings.

    Attributes:
        each: The spellings.
        single: Which of them are one token, by their place in `each`.
        cosines: Between the vectors of these; empty for models of mlx-lm.
        chance: How near random tokens are to the first of these; None where there is none.
    """

    each: tuple[Spelling, ...]
    single: tuple[int, ...]
    cosines: Grid
    chance: Chance | None


def spell(model: Model, word: str) -> Spellings:
    """Spell a word with and without a space before it, small, with a capital, and in capitals."""
    small = word.strip().lower()
    texts = dict.fromkeys(
        [f" {small}", small, f" {small.capitalize()}", small.capitalize(), small.upper()]
    )
    each = tuple(_spelling(model, text) for text in texts)
    single = tuple(at for at, spelling in enumerate(each) if len(spelling.ids) == 1)
    if not single or not isinstance(model.network, Decoder):
        return Spellings(each, single, (), None)
    tokens = [each[at].ids[0] for at in single]
    vectors = _units(model, tokens)
    return Spellings(each, single, grid(vectors @ vectors.T), chance(model, tokens[0]))


def chance(model: Model, token: int) -> Chance:
    """How near random tokens of the vocabulary are to one.

    Args:
        model: One that runs in Cutaway's own decoder.
        token: Whose.
    """
    size = model.tokenizer.vocab_size
    drawn = np.random.default_rng(_SEED).permutation(size)[: _SAMPLES + 1]
    others = [int(each) for each in drawn if each != token][:_SAMPLES]
    cosines = _units(model, others) @ _units(model, [token])[0]
    return Chance(len(others), float(cosines.mean()), float(np.quantile(cosines, _FEW)))


def spelling_claims(found: Spellings) -> Iterator[Claim]:
    """What should be seen of them."""
    yield Claim(
        "different_ids",
        "Each spelling becomes other token ids: to the model they are different words.",
        len({spelling.ids for spelling in found.each}), "=", len(found.each), "token sequences",
    )  # fmt: skip
    if found.chance is not None and len(found.single) > 1:
        pairs = combinations(range(len(found.single)), 2)
        yield Claim(
            "related",
            "That they mean the same is learnt: their vectors are nearer to each other on average "
            "than random tokens are.",
            mean([found.cosines[a][b] for a, b in pairs]), ">", found.chance.mean, "cosine",
        )  # fmt: skip


def _spelling(model: Model, text: str) -> Spelling:
    # As inside a text: at its beginning, some tokenizers put a space before it.
    ids = model.tokenizer.encode_parts([text], first=False, inside=True)
    return Spelling(text, tuple(ids), pieces(model, ids))


def _units(model: Model, tokens: list[int]) -> Floats:
    """The vectors of tokens at length 1, (n, hidden); 0 where they have none."""
    rows = floats(model.decoder.embed_tokens(mx.array(tokens)))
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return (rows / np.where(lengths > 0, lengths, 1)).astype(np.float32)
