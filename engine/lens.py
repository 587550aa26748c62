"""The logit lens: what the network would say if it ended after each block.

The residual stream after a block goes through the final norm and lm_head as if the block were the
last one (nostalgebraist 2020, "interpreting GPT: the logit lens").
"""

from collections.abc import Sequence
from dataclasses import dataclass

import mlx.core as mx
import numpy as np
from numpy.typing import NDArray

from engine.asked import (
    MOST_TOKENS,
    check_position,
    check_room,
    check_top,
    checked_ids,
    pass_bytes,
)
from engine.conditions import UNWATCHED, USUAL, Conditions, Watch
from engine.config import ModelConfig
from engine.errors import PromptError, SettingError
from engine.heads import Floats, floats
from engine.likely import likely, projected, projected_rows
from engine.model import Model
from engine.passes import BlockPass, passes
from engine.sentence import Sentence

_COPIES = 5  # of some positions' logits: as computed, float32, and what is read from them


@dataclass(frozen=True, eq=False)
class LogitLens:
    """What each layer would say at each position, and what it adds to the residual stream.

    N is the number of blocks, P that of positions, K that of tokens told. Row 0 of what has
    N + 1 rows is the embedding, row i the stream after block i - 1, row N the network's own.

    Attributes:
        ids: The token ids that were run.
        positions: Those that were looked at, P.
        top_ids: (N + 1, P, K) int32, the most likely next tokens, the likeliest first.
        top_probabilities: (N + 1, P, K) float32, theirs.
        entropies: (N + 1, P) float32, of the whole distributions, in nats.
        residual_norms: (N + 1, P) float32, the length of the residual stream.
        attention_norms: (N, P) float32, the length of what attention adds.
        attention_cosines: (N, P) float32, its cosine to the stream that it is added to.
        feed_forward_norms: (N, P) float32, the length of what the feed-forward adds.
        feed_forward_cosines: (N, P) float32, its cosine to the stream that it is added to.
    """

    ids: tuple[int, ...]
    positions: tuple[int, ...]
    top_ids: NDArray[np.int32]
    top_probabilities: Floats
    entropies: Floats
    residual_norms: Floats
    attention_norms: Floats
    attention_cosines: Floats
    feed_forward_norms: Floats
    feed_forward_cosines: Floats


def logit_lens(
    model: Model,
    ids: Sequence[int],
    top: int = 5,
    *,
    positions: Sequence[int] | None = None,
    conditions: Conditions = USUAL,
    most_tokens: int = MOST_TOKENS,
    watch: Watch = UNWATCHED,
) -> LogitLens:
    """Look at the residual stream after every block.

    Args:
        model: One that runs in Cutaway's own decoder, on the thread that loaded it.
        ids: L token ids.
        top: K, how many of the most likely tokens to tell.
        positions: Which to look at; None for all. Projecting to the vocabulary is most of the
            work, so few positions are fast.
        conditions: A rotating or quantised cache, or mask and RoPE set aside.
        most_tokens: The most tokens to accept.
        watch: Told after each block; can stop between blocks, and while they are projected.

    Raises:
        UnsupportedError: The model runs through mlx-lm.
        PromptError: The ids are none, too many, or not of this vocabulary.
        SettingError: There is no such position, or `top` is out of bounds.
        MemoryLimitError: `lens_bytes` is more than there is.
        CancelledError: The caller stopped it.
    """
    checked = checked_ids(model, ids)
    chosen = _chosen(checked, positions, most_tokens)
    check_top(model.config, top)
    needed = lens_bytes(model.config, len(checked), len(chosen), top)
    what = Sentence("The logit lens over {tokens:,} tokens", tokens=len(checked))
    check_room(model, what, needed, Sentence("take fewer tokens or fewer positions"))
    lens = _blank(model.config, checked, chosen, top)
    places = {position: column for column, position in enumerate(chosen)}
    streams = _Streams(model, lens, watch)
    for part in passes(model, checked, conditions, watch=watch):
        rows = [p - part.start for p in chosen if part.start <= p < part.start + part.count]
        if rows:
            columns = [places[part.start + row] for row in rows]
            _look(lens, part, mx.array(rows), columns, streams)
    streams.read()
    return lens


def logits_at(
    model: Model,
    ids: Sequence[int],
    positions: Sequence[int],
    *,
    conditions: Conditions = USUAL,
    watch: Watch = UNWATCHED,
) -> Floats:
    """What the network says after some tokens, under conditions of the caller's choice.

    Args:
        model: As for `logit_lens`, and so are all others.
        ids: L token ids.
        positions: P, which tokens.
        conditions: A rotating or quantised cache, or mask and RoPE set aside.
        watch: Follows and stops.

    Returns:
        (P, V) float32.

    Raises:
        EngineError: As `logit_lens` does.
    """
    checked = checked_ids(model, ids)
    for position in positions:
        check_position(checked, position)
    config = model.config
    needed = pass_bytes(config, len(checked)) + len(positions) * config.vocab_size * 8
    what = Sentence("A pass of {tokens:,} tokens", tokens=len(checked))
    check_room(model, what, needed, Sentence("take fewer tokens"))
    found = np.zeros((len(positions), config.vocab_size), np.float32)
    for part in passes(model, checked, conditions, watch=watch):
        if part.layer < config.num_hidden_layers - 1:
            continue
        for index, position in enumerate(positions):
            row = position - part.start
            if 0 <= row < part.count:
                found[index] = floats(model.decoder.project(part.after[:, row : row + 1])[0, 0])
    return found


def lens_bytes(config: ModelConfig, tokens: int, positions: int, top: int = 5) -> int:
    """What `logit_lens` is going to take at most beside the model, in bytes.

    Args:
        config: The model's shape.
        tokens: L.
        positions: P.
        top: K.
    """
    layers = config.num_hidden_layers
    rows = min((layers + 1) * positions, projected_rows(config.vocab_size))
    read = rows * (config.vocab_size + config.hidden_size) * 4
    result = (layers + 1) * positions * (8 * top + 8) + layers * positions * 16
    return pass_bytes(config, tokens) + _COPIES * read + result


def _chosen(ids: Sequence[int], positions: Sequence[int] | None, most_tokens: int) -> list[int]:
    if len(ids) > most_tokens:
        raise PromptError(
            "The logit lens is shown for at most {most:,} tokens, and these are "
            "{count:,}; take a shorter text.",
            most=most_tokens,
            count=len(ids),
        )
    if positions is None:
        return list(range(len(ids)))
    chosen = [check_position(ids, position) for position in positions]
    if not chosen or len(set(chosen)) != len(chosen):
        raise SettingError("Choose at least one position to look at, and each only once.")
    return chosen


def _blank(config: ModelConfig, ids: list[int], positions: list[int], top: int) -> LogitLens:
    layers, count = config.num_hidden_layers, len(positions)

    def zeros(*shape: int) -> Floats:
        return np.zeros(shape, np.float32)

    return LogitLens(
        ids=tuple(ids),
        positions=tuple(positions),
        top_ids=np.zeros((layers + 1, count, top), np.int32),
        top_probabilities=zeros(layers + 1, count, top),
        entropies=zeros(layers + 1, count),
        residual_norms=zeros(layers + 1, count),
        attention_norms=zeros(layers, count),
        attention_cosines=zeros(layers, count),
        feed_forward_norms=zeros(layers, count),
        feed_forward_cosines=zeros(layers, count),
    )


class _Streams:
    """Rows of the residual stream that wait to be projected, of several blocks together.

    Projecting a few rows reads all of lm_head, and so takes about as long as projecting many.
    """

    def __init__(self, model: Model, lens: LogitLens, watch: Watch) -> None:
        self._model = model
        self._lens = lens
        self._watch = watch
        self._most = projected_rows(model.config.vocab_size)
        self._parts: list[mx.array] = []
        self._places: list[tuple[int, int]] = []

    def add(self, row: int, stream: mx.array, columns: list[int]) -> None:
        """Have (n, hidden) projected, and what they say written into a row and n columns."""
        self._lens.residual_norms[row, columns] = floats(_norms(stream))
        if len(self._places) + len(columns) > self._most:
            self.read()
        mx.eval(stream)
        self._parts.append(stream)
        self._places += [(row, column) for column in columns]

    def read(self) -> None:
        """Project what waits."""
        lens, config = self._lens, self._model.config
        if not self._places:
            return
        streams, places = mx.concatenate(self._parts), np.array(self._places)
        self._parts, self._places = [], []
        for start, logits in projected(streams, self._model.decoder.project, config.vocab_size):
            found = likely(logits, lens.top_ids.shape[-1])
            rows, columns = places[start : start + logits.shape[0]].T
            lens.top_ids[rows, columns] = found.ids
            lens.top_probabilities[rows, columns] = np.exp(found.logprobs)
            lens.entropies[rows, columns] = found.entropies
            self._watch.check()


def _look(
    lens: LogitLens,
    part: BlockPass,
    rows: mx.array,
    columns: list[int],
    streams: _Streams,
) -> None:
    """Write down what these rows of a block's pass say, in these columns."""
    layer = part.layer
    before, middle = part.before[0, rows], part.middle[0, rows]
    attention, feed_forward = part.attention[0, rows], part.feed_forward[0, rows]
    lens.attention_norms[layer, columns] = floats(_norms(attention))
    lens.attention_cosines[layer, columns] = floats(_cosines(attention, before))
    lens.feed_forward_norms[layer, columns] = floats(_norms(feed_forward))
    lens.feed_forward_cosines[layer, columns] = floats(_cosines(feed_forward, middle))
    if layer == 0:
        streams.add(0, before, columns)
    streams.add(layer + 1, part.after[0, rows], columns)


def _norms(vectors: mx.array) -> mx.array:
    """Lengths (n,) of vectors (n, hidden)."""
    return mx.linalg.norm(vectors.astype(mx.float32), axis=-1)


def _cosines(one: mx.array, other: mx.array) -> mx.array:
    """Cosines (n,) of vectors (n, hidden), 0 where one has no length."""
    product = mx.sum(one.astype(mx.float32) * other.astype(mx.float32), axis=-1)
    lengths = _norms(one) * _norms(other)
    return mx.where(lengths > 0, product / mx.where(lengths > 0, lengths, 1.0), 0.0)
