"""Where the parameters sit: counted in the weights that are loaded, and by formula."""

from collections.abc import Iterator
from dataclasses import dataclass

import mlx.core as mx

from engine.exhibits.common import Claim
from engine.exhibits.looking import largest, rounding_bound
from engine.heads import floats
from engine.layers import (
    DenseEmbedding,
    DenseLinear,
    Embedding,
    Linear,
    Packed,
    QuantizedEmbedding,
    QuantizedLinear,
    RMSNorm,
)
from engine.model import Model
from engine.neighbours import ParameterCounts, parameter_counts


@dataclass(frozen=True)
class Part:
    """One kind of parameters.

    Attributes:
        name: `embedding`, `attention`, `feed_forward`, `norms` or `lm_head`.
        loaded: How many numbers were counted in the arrays.
        formula: How many there are by the config.
    """

    name: str
    loaded: int
    formula: int


@dataclass(frozen=True)
class Parameters:
    """Where they sit.

    Attributes:
        parts: All kinds; tied ones are counted once, in the embedding.
        loaded: All that was counted.
        formula: All by the config.
        tied: Whether lm_head is the table of embeddings again, according to the config.
        untied_total: How many there would be, were it not.
        token: A token.
        logit: Its logit, as the network computes it.
        by_embedding: The final norm's output times the token's embedding.
        bound: How far both may be apart by rounding where lm_head is that table.
    """

    parts: tuple[Part, ...]
    loaded: int
    formula: int
    tied: bool
    untied_total: int
    token: int
    logit: float
    by_embedding: float
    bound: float


def count_parameters(model: Model, stream: mx.array, token: int) -> Parameters:
    """Count what is loaded, and see whether a token is read and written with one vector.

    Args:
        model: One that runs in Cutaway's own decoder.
        stream: (hidden,), the residual stream of some token after the last block.
        token: Whose logit is computed in both ways.
    """
    decoder = model.decoder
    formula = parameter_counts(model.config)
    loaded = dict(_loaded(model))
    parts = tuple(Part(name, loaded[name], _by_name(formula, name)) for name in loaded)
    logits = floats(decoder.project(stream[None, None])[0, 0])
    normed = floats(decoder.norm(stream[None, None])[0, 0])
    row = floats(decoder.embed_tokens(mx.array([token]))[0])
    return Parameters(
        parts=parts,
        loaded=sum(part.loaded for part in parts),
        formula=formula.total,
        tied=model.config.tie_word_embeddings,
        untied_total=formula.total + (formula.embedding if formula.tied else 0),
        token=token,
        logit=float(logits[token]),
        by_embedding=float(normed @ row),
        bound=rounding_bound(model, largest(logits)),
    )


def parameter_claims(found: Parameters) -> Iterator[Claim]:
    """What should be seen of them."""
    yield Claim(
        "parameters",
        "The parameters of all parts, by formula, add up to the numbers that are loaded.",
        found.loaded, "=", found.formula, "parameters",
    )  # fmt: skip
    yield Claim(
        "parts",
        "That is so for each part by itself.",
        sum(part.loaded != part.formula for part in found.parts), "=", 0, "parts that differ",
    )  # fmt: skip
    apart = abs(found.logit - found.by_embedding)
    if found.tied:
        yield Claim(
            "tied",
            "Weights are tied: a token's logit is the product of the last vector with the very "
            "vector that the token is read in with.",
            apart, "≤", found.bound, "logits",
        )  # fmt: skip
    else:
        yield Claim(
            "untied",
            "Weights are not tied: the vector that a token is read in with does not give its "
            "logit.",
            apart, ">", found.bound, "logits",
        )  # fmt: skip


def _by_name(counts: ParameterCounts, name: str) -> int:
    return {
        "embedding": counts.embedding,
        "attention": counts.attention,
        "feed_forward": counts.feed_forward,
        "norms": counts.norms,
        "lm_head": counts.lm_head,
    }[name]


def _loaded(model: Model) -> Iterator[tuple[str, int]]:
    """Each part's name, and the numbers of its arrays."""
    decoder = model.decoder
    attentions = [block.self_attn for block in decoder.layers]
    feeds = [block.mlp for block in decoder.layers]
    norms = [decoder.norm]
    for block in decoder.layers:
        attn = block.self_attn
        norms += [block.input_layernorm, block.post_attention_layernorm]
        norms += [norm for norm in (attn.q_norm, attn.k_norm) if norm is not None]
    yield "embedding", _size(decoder.embed_tokens)
    yield (
        "attention",
        sum(_size(each) for a in attentions for each in (a.q_proj, a.k_proj, a.v_proj, a.o_proj)),
    )
    yield (
        "feed_forward",
        sum(_size(each) for f in feeds for each in (f.gate_proj, f.up_proj, f.down_proj)),
    )
    yield "norms", sum(_size(norm) for norm in norms)
    head = decoder.lm_head
    yield "lm_head", _size(head) if isinstance(head, DenseLinear | QuantizedLinear) else 0


def _size(part: Linear | Embedding | RMSNorm) -> int:
    """How many numbers a part has; scales and biases of quantised groups are none of them."""
    match part:
        case DenseLinear():
            return part.weight.size + (0 if part.bias is None else part.bias.size)
        case QuantizedLinear():
            return _packed(part.matrix) + (0 if part.bias is None else part.bias.size)
        case QuantizedEmbedding():
            return _packed(part.matrix)
        case DenseEmbedding() | RMSNorm():
            return part.weight.size
        case _:
            raise AssertionError("every part is one of these")


def _packed(matrix: Packed) -> int:
    return matrix.weight.size * 32 // matrix.how.bits
