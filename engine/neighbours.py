"""The embedding: a token's vector, the tokens nearest to it, and where the parameters sit."""

from dataclasses import dataclass

import mlx.core as mx
import numpy as np

from engine.asked import check_token
from engine.conditions import UNWATCHED, Watch
from engine.config import ModelConfig, ParameterCounts
from engine.errors import SettingError, UnsupportedError
from engine.generate import piece_of
from engine.heads import Floats, floats
from engine.layers import QuantizedEmbedding
from engine.model import Model
from engine.zoo_config import ZooConfig

_MOST_NEIGHBOURS = 1000
_ROWS_BYTES = 8 << 20  # of the table at a time, unpacked to float32
_TINY = 1e-30
_NOWHERE = -2.0  # below every cosine: rows without a length, and the token itself


@dataclass(frozen=True)
class Neighbour:
    """A token near another.

    Attributes:
        token: Its id.
        text: Shown alone.
        cosine: Of the angle between the two vectors, -1 to 1.
        norm: The length of its vector.
    """

    token: int
    text: str
    cosine: float
    norm: float


@dataclass(frozen=True, eq=False)
class Neighbours:
    """A token in the embedding.

    Attributes:
        token: Its id.
        text: Shown alone.
        vector: (hidden,) float32, its row of the table, unpacked where that is quantised.
        norm: The length of the vector.
        nearest: The tokens with the largest cosine, itself left out, the nearest first.
        tied: Whether lm_head is the same table.
        bits: Bits per value of a quantised table; None where it is not.
    """

    token: int
    text: str
    vector: Floats
    norm: float
    nearest: tuple[Neighbour, ...]
    tied: bool
    bits: int | None


def neighbours(
    model: Model, token_id: int, count: int = 10, *, watch: Watch = UNWATCHED
) -> Neighbours:
    """The tokens whose embeddings point the same way.

    The table is read a few megabytes at a time, so a quantised one is never unpacked as a whole.

    Args:
        model: One that runs in Cutaway's own decoder, on the thread that loaded it.
        token_id: Whose.
        count: How many.
        watch: Follows and stops.

    Raises:
        UnsupportedError: The model runs through mlx-lm.
        SettingError: There is no such token, or the count is out of bounds.
        CancelledError: The caller stopped it.
    """
    table, config = model.decoder.embed_tokens, model.config
    check_token(config, token_id)
    most = min(_MOST_NEIGHBOURS, config.vocab_size - 1)
    if not 0 <= count <= most:
        raise SettingError(
            "There can be 0 to {most:,} neighbours, not {count:,}.", most=most, count=count
        )
    vector = table(mx.array([token_id]))[0].astype(mx.float32)
    cosines, norms = np.zeros((2, config.vocab_size), np.float32)
    rows = max(1, _ROWS_BYTES // (4 * config.hidden_size))
    for start in range(0, config.vocab_size, rows):
        end = min(start + rows, config.vocab_size)
        part = table(mx.arange(start, end)).astype(mx.float32)
        lengths = mx.linalg.norm(part, axis=-1)
        norms[start:end] = floats(lengths)
        cosines[start:end] = floats((part @ vector) / mx.maximum(lengths, _TINY))
        watch.step(end, config.vocab_size)
    norm = float(norms[token_id])
    cosines /= max(norm, _TINY)
    cosines[norms == 0] = cosines[token_id] = _NOWHERE
    order = np.argsort(-cosines, kind="stable")[:count]
    nearest = tuple(
        Neighbour(
            int(token),
            piece_of(model.tokenizer, int(token)),
            float(cosines[token]),
            float(norms[token]),
        )
        for token in order
        if cosines[token] > _NOWHERE
    )
    return Neighbours(
        token=token_id,
        text=piece_of(model.tokenizer, token_id),
        vector=floats(vector),
        norm=norm,
        nearest=nearest,
        tied=config.tie_word_embeddings,
        bits=table.matrix.how.bits if isinstance(table, QuantizedEmbedding) else None,
    )


def parameter_counts(config: ModelConfig) -> ParameterCounts:
    """Where the parameters sit, by the config alone.

    Args:
        config: The shape of a model of Cutaway's own decoder.

    Raises:
        UnsupportedError: The model runs through mlx-lm, where only their number is known.
    """
    if isinstance(config, ZooConfig):
        raise UnsupportedError(
            "{model_type} runs through mlx-lm, and where its parameters sit is not known.",
            model_type=config.model_type,
        )
    return config.parameter_counts
