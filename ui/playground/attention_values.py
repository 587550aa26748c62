"""What the views of attention and layers ask for, and what they are answered, as frozen values.

Matrices come as native float32 bytes, row by row, so that nothing here needs NumPy and nothing is
copied twice. Layers, heads and positions are counted from 0, as checkpoints name them.
"""

from __future__ import annotations

from dataclasses import dataclass

MOST_TOKENS = 1024
"""The most tokens that are looked at: memory and time grow with their square."""
FIRST = 6
"""How many numbers of a vector are shown."""


@dataclass(frozen=True)
class CacheView:
    """The cache that keys and values go through.

    Attributes:
        window: How many recent tokens a query sees; None where it sees all.
        pinned: How many leading tokens it sees for ever, with a window.
        bits: 8 or 4 where keys and values are quantised.
    """

    window: int | None = None
    pinned: int = 0
    bits: int | None = None

    def oldest(self, position: int) -> int:
        """The first token behind the pinned ones that a query at a position still sees."""
        return 0 if self.window is None else max(position - self.window + 1, 0)


@dataclass(frozen=True)
class ShapeAsked:
    """How many layers and heads the loaded model has, and whether it can be looked into."""


@dataclass(frozen=True)
class ModelShape:
    """What can be chosen of a model.

    Attributes:
        layers: N.
        heads: Of queries, H.
        refusal: Why it cannot be looked into; "" where it can.
    """

    layers: int = 0
    heads: int = 0
    refusal: str = ""


@dataclass(frozen=True)
class AttentionAsked:
    """Attention of one layer.

    Attributes:
        ids: The text's tokens, L.
        layer: Which.
        head: Which head of the queries; None for their mean.
        every: Whether all heads are wanted side by side.
        cache: What keys and values go through.
        confirmed: Whether the memory it takes was agreed to.
    """

    ids: tuple[int, ...]
    layer: int
    head: int | None
    every: bool = False
    cache: CacheView = CacheView()
    confirmed: bool = False


@dataclass(frozen=True)
class Need:
    """What a computation is going to take, said before it begins.

    Attributes:
        needed_bytes: Beside the model, at most.
        ask: Whether it begins only when the user agrees.
    """

    needed_bytes: int
    ask: bool = False


@dataclass(frozen=True, eq=False)
class LayerAttention:
    """Attention of one layer over a text of L tokens.

    Attributes:
        ids: The text's tokens.
        layer: Which.
        cache: As it was asked.
        heads: Whose weights are here.
        weights: For each of them L × L float32: what token q (row) takes from p (column).
        mean: L × L float32 over all heads; None where it was not asked for.
        thumbs: For each of `heads` the largest weights of `side` × `side` blocks.
        side: Rows and columns of a thumb.
        highs: For each of `heads` the largest weight that no token gives the first one, which
            often takes most of all; in a text of one token 1.
        mean_high: The same of the mean.
        seen: The window and pinned tokens that hold in this layer.
        needed_bytes: What was said to be needed.
    """

    ids: tuple[int, ...]
    layer: int
    cache: CacheView
    heads: tuple[int, ...]
    weights: tuple[bytes, ...]
    mean: bytes | None
    thumbs: tuple[bytes, ...]
    side: int
    highs: tuple[float, ...]
    mean_high: float
    seen: CacheView
    needed_bytes: int

    @property
    def held_bytes(self) -> int:
        """What it takes to keep this."""
        every = (*self.weights, *self.thumbs, self.mean or b"")
        return sum(len(each) for each in every) + 64 * len(self.ids)

    def of(self, head: int | None) -> bytes | None:
        """The weights of a head, or of their mean for None; None where they are not here."""
        if head is None:
            return self.mean
        return self.weights[self.heads.index(head)] if head in self.heads else None

    def answers(self, asked: AttentionAsked) -> bool:
        """Whether this holds what is asked for."""
        same = (self.ids, self.layer, self.cache) == (asked.ids, asked.layer, asked.cache)
        return same and self.of(asked.head) is not None and bool(self.thumbs or not asked.every)

    def high(self, head: int | None) -> float:
        """The weight with the strongest colour."""
        return self.mean_high if head is None else self.highs[self.heads.index(head)]

    def row(self, head: int | None, position: int) -> tuple[float, ...]:
        """What a token takes from each token, L numbers."""
        weights, count = self.of(head), len(self.ids)
        if weights is None:
            return ()
        return tuple(memoryview(weights).cast("f")[position * count : (position + 1) * count])


@dataclass(frozen=True)
class WalkAsked:
    """One token followed through one head; all as in `AttentionAsked`."""

    ids: tuple[int, ...]
    layer: int
    head: int
    position: int
    cache: CacheView = CacheView()


@dataclass(frozen=True)
class KeyView:
    """One token that is seen.

    Attributes:
        position: Where it stands.
        key: Its key's first numbers.
        key_norm: The length of the whole key.
        product: query · key.
        score: The product × the scale.
        weight: Of the softmax.
        value: Its value's first numbers.
        value_norm: The length of the whole value.
    """

    position: int
    key: tuple[float, ...]
    key_norm: float
    product: float
    score: float
    weight: float
    value: tuple[float, ...]
    value_norm: float


@dataclass(frozen=True)
class WalkView:
    """What one head does for one token. Vectors are whole unless they say otherwise.

    Attributes:
        layer: Which.
        head: Of the queries.
        kv_head: The head of keys and values that it shares.
        position: Of the token.
        query_unrotated: (D,) before RoPE.
        query: (D,) after it.
        scale: 1 / √D.
        keys: What is seen, in the order of the text.
        mixed: (D,): Σ weight × value.
        contribution_norm: The length of what o_proj makes of this head's find alone.
        output_norm: The length of what all heads add to the residual stream.
    """

    layer: int
    head: int
    kv_head: int
    position: int
    query_unrotated: tuple[float, ...]
    query: tuple[float, ...]
    scale: float
    keys: tuple[KeyView, ...]
    mixed: tuple[float, ...]
    contribution_norm: float
    output_norm: float


@dataclass(frozen=True)
class LensAsked:
    """What each layer would predict at some positions."""

    ids: tuple[int, ...]
    positions: tuple[int, ...]
    cache: CacheView = CacheView()


@dataclass(frozen=True)
class Guess:
    """A token that a layer would predict: its id, its text, how likely it is."""

    token: int
    text: str
    probability: float


@dataclass(frozen=True)
class LensView:
    """What each layer would predict, and how the residual stream grows.

    Rows of what has N + 1 of them: the embedding, then the stream after each block. P positions.

    Attributes:
        ids: The text's tokens.
        positions: Those that were looked at.
        guesses: N + 1 rows of P, the likeliest tokens of each, the likeliest first.
        entropies: N + 1 rows of P, in bits.
        residual: N + 1 rows of P, the length of the stream.
        attention: N rows of P, the length of what attention adds.
        feed_forward: N rows of P, the length of what the feed-forward adds.
        needed_bytes: What was said to be needed.
    """

    ids: tuple[int, ...]
    positions: tuple[int, ...]
    guesses: tuple[tuple[tuple[Guess, ...], ...], ...]
    entropies: tuple[tuple[float, ...], ...]
    residual: tuple[tuple[float, ...], ...]
    attention: tuple[tuple[float, ...], ...]
    feed_forward: tuple[tuple[float, ...], ...]
    needed_bytes: int = 0


@dataclass(frozen=True)
class ShareAsked:
    """Who made one logit at a position; `token` None takes the likeliest next token."""

    ids: tuple[int, ...]
    position: int
    token: int | None = None
    cache: CacheView = CacheView()


@dataclass(frozen=True)
class ShareView:
    """The terms of one logit.

    Attributes:
        position: Where the token is predicted.
        token: Whose logit it is.
        text: Its text.
        logit: As the network computes it.
        embedding: What the embedding brought.
        attention: What attention of each block added.
        feed_forward: What each feed-forward added.
        total: The sum of all terms.
    """

    position: int
    token: int
    text: str
    logit: float
    embedding: float
    attention: tuple[float, ...]
    feed_forward: tuple[float, ...]
    total: float


@dataclass(frozen=True)
class BlockAsked:
    """One token's way through one block."""

    ids: tuple[int, ...]
    layer: int
    position: int
    cache: CacheView = CacheView()


@dataclass(frozen=True)
class BlockStep:
    """One thing that a block makes of a token's vector; see `engine.trace.Step`.

    Attributes:
        name: "q_proj".
        function: What in the engine computes it.
        width: How many numbers it has.
        norm: Their length.
        rms: Their root mean square.
        largest: The largest absolute value.
        first: The first few of them.
    """

    name: str
    function: str
    width: int
    norm: float
    rms: float
    largest: float
    first: tuple[float, ...]


@dataclass(frozen=True)
class BlockView:
    """A token's way through one block."""

    layer: int
    position: int
    steps: tuple[BlockStep, ...]


@dataclass(frozen=True)
class NeighboursAsked:
    """The tokens whose embeddings point the same way as a token's."""

    token: int


@dataclass(frozen=True)
class NearView:
    """A token near another: its id, its text, the cosine, the length of its vector."""

    token: int
    text: str
    cosine: float
    norm: float


@dataclass(frozen=True)
class NeighboursView:
    """A token in the embedding.

    Attributes:
        token: Its id.
        text: Its text.
        norm: The length of its vector.
        first: The vector's first numbers.
        width: How many numbers it has.
        nearest: The nearest first.
        tied: Whether lm_head is the same table.
        bits: Bits per value of a quantised table.
    """

    token: int
    text: str
    norm: float
    first: tuple[float, ...]
    width: int
    nearest: tuple[NearView, ...]
    tied: bool
    bits: int | None


Asked = (
    ShapeAsked | AttentionAsked | WalkAsked | LensAsked | ShareAsked | BlockAsked | NeighboursAsked
)
ATTENTION_KINDS = (AttentionAsked, WalkAsked, ShapeAsked)
"""What the view of attention asks."""
LAYER_KINDS = (LensAsked, ShareAsked, BlockAsked, NeighboursAsked, ShapeAsked)
"""What the view of layers asks."""
