"""The formulas of the exhibits in the language of the window."""

from __future__ import annotations

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

# The engine writes them; they stand here once more so that lupdate finds them.
FORMULAS = (
    QT_TRANSLATE_NOOP("Formulas", "softmax(QKᵀ / √D + mask), by head"),
    QT_TRANSLATE_NOOP("Formulas", "the mean of that over all heads of the layer"),
    QT_TRANSLATE_NOOP("Formulas", "query · key / √D, softmax over all, Σ weight × value"),
    QT_TRANSLATE_NOOP("Formulas", "max |output of the network's own head - Σ weight × value|"),
    QT_TRANSLATE_NOOP(
        "Formulas",
        "for each head of each layer, argmax of its weights on earlier tokens",
    ),
    QT_TRANSLATE_NOOP(
        "Formulas",
        "BLAKE2b-64 of the bytes of all keys and values, layer by layer",
    ),
    QT_TRANSLATE_NOOP(
        "Formulas",
        "bits(before) = bits(after); max |logits cached - logits at once|",
    ),
    QT_TRANSLATE_NOOP(
        "Formulas",
        "per token 2 × weights of the blocks + 4 × query heads × head dimension × keys "
        "seen, in every layer, + 2 × hidden size × vocabulary; without a cache the same "
        "for the whole text at each step",
    ),
    QT_TRANSLATE_NOOP("Formulas", "clock around one token with the cache, and around all without"),
    QT_TRANSLATE_NOOP("Formulas", "number + amount in one copy; max |logits - logits unchanged|"),
    QT_TRANSLATE_NOOP("Formulas", "max over the vocabulary |logits - logits of the other|"),
    QT_TRANSLATE_NOOP("Formulas", "mean over heads of softmax(QKᵀ / √D + mask)"),
    QT_TRANSLATE_NOOP("Formulas", "½ Σ |p - p of the other|"),
    QT_TRANSLATE_NOOP("Formulas", "the same without the mask: softmax(QKᵀ / √D) in all layers"),
    QT_TRANSLATE_NOOP("Formulas", "max |logits of the shared tokens alone - logits in the text|"),
    QT_TRANSLATE_NOOP("Formulas", "softmax of the logits after each step"),
    QT_TRANSLATE_NOOP("Formulas", "-Σ p log p over the tokens that are left"),
    QT_TRANSLATE_NOOP(
        "Formulas",
        "argmax(logits + Gumbel noise) from one random key; argmax(logits) at temperature 0",
    ),
    QT_TRANSLATE_NOOP("Formulas", "each module's output for this token; √Σx², √(Σx² / width)"),
    QT_TRANSLATE_NOOP("Formulas", "softmax(lm_head(RMSNorm(x after the block)))"),
    QT_TRANSLATE_NOOP("Formulas", "the same of what the network itself computes, bit for bit"),
    QT_TRANSLATE_NOOP(
        "Formulas",
        "V × hidden + layers × (2 × hidden × (H + Hkv) × D + 3 × hidden × inner + 2 × "
        "hidden) + hidden, + V × hidden where lm_head is not tied, + biases and norms "
        "of queries and keys",
    ),
    QT_TRANSLATE_NOOP("Formulas", "Σ numbers in the arrays, tied ones once"),
    QT_TRANSLATE_NOOP(
        "Formulas",
        "2 × layers × KV heads × head dimension × tokens × batch × bits / 8; at 8 and 4 "
        "bits 32 bits more for each 64 numbers",
    ),
    QT_TRANSLATE_NOOP("Formulas", "the same, layers with a window bounded by it"),
    QT_TRANSLATE_NOOP(
        "Formulas",
        "(memory of the machine - weights) / bytes of one conversation, rounded down",
    ),
    QT_TRANSLATE_NOOP("Formulas", "bytes of the arrays × slots that hold a token / slots"),
    QT_TRANSLATE_NOOP(
        "Formulas",
        "softmax(QKᵀ / √D + mask) V with the rows of the input in this order",
    ),
    QT_TRANSLATE_NOOP("Formulas", "max |output for the last token - that in the first order|"),
    QT_TRANSLATE_NOOP("Formulas", "|x - x of the other order| / |x| of the last token"),
    QT_TRANSLATE_NOOP("Formulas", "max |logits - logits of the other order|"),
    QT_TRANSLATE_NOOP("Formulas", "max |RoPE(q, s + d) · RoPE(k, s) / √D - the same at 0|"),
    QT_TRANSLATE_NOOP("Formulas", "clock from the request to the first token"),
    QT_TRANSLATE_NOOP(
        "Formulas",
        "least squares: seconds ≈ fixed + a × tokens + b × tokens², relative to each time",
    ),
    QT_TRANSLATE_NOOP(
        "Formulas",
        "√mean((second best time / best time - 1)²) over the lengths",
    ),
    QT_TRANSLATE_NOOP(
        "Formulas",
        "linear: tokens × 2 × weights of the blocks + 2 × hidden size × vocabulary; "
        "attention: 4 × query heads × head dimension × layers × tokens × (tokens + 1) / "
        "2",
    ),
    QT_TRANSLATE_NOOP("Formulas", "(weights + keys and values) / seconds per token / 10⁹"),
    QT_TRANSLATE_NOOP("Formulas", "bytes of a matrix / seconds of vector × matrix / 10⁹"),
    QT_TRANSLATE_NOOP("Formulas", "used bytes(4 n) / used bytes(n)"),
    QT_TRANSLATE_NOOP("Formulas", "leading tokens held that the prompt begins with"),
    QT_TRANSLATE_NOOP("Formulas", "first i with first[i] ≠ second[i]"),
    QT_TRANSLATE_NOOP("Formulas", "clock from the request to the first token, in turn"),
    QT_TRANSLATE_NOOP("Formulas", "max |log p with reuse - log p without|"),
    QT_TRANSLATE_NOOP("Formulas", "position of the token in each slot"),
    QT_TRANSLATE_NOOP("Formulas", "seen: p < pinned or q - p < window, for p ≤ q"),
    QT_TRANSLATE_NOOP("Formulas", "max |logits - logits with other values in some slots|"),
    QT_TRANSLATE_NOOP("Formulas", "Σ log softmax(logits)[token] over the answer's tokens"),
    QT_TRANSLATE_NOOP("Formulas", "the same rule, for the fact's tokens"),
    QT_TRANSLATE_NOOP("Formulas", "logsumexp(logits) - logits[next token]"),
    QT_TRANSLATE_NOOP(
        "Formulas",
        "bytes of the arrays of keys and values (and scales); at 16 bits of a copy",
    ),
    QT_TRANSLATE_NOOP(
        "Formulas",
        "2 × layers × KV heads × head dimension × tokens × bits / 8, and 32 bits more "
        "for each group of numbers at 8 and 4 bits",
    ),
    QT_TRANSLATE_NOOP("Formulas", "mean of logsumexp(logits) - logits[next token]"),
    QT_TRANSLATE_NOOP("Formulas", "max |logits - logits at the model's own precision|"),
    QT_TRANSLATE_NOOP("Formulas", "logits of the last position, all token ids run at once"),
    QT_TRANSLATE_NOOP("Formulas", "softmax of logits / temperature"),
    QT_TRANSLATE_NOOP("Formulas", "-Σ p log p over all tokens"),
    QT_TRANSLATE_NOOP(
        "Formulas",
        "argmax(logits / temperature + Gumbel noise); argmax(logits) at temperature 0",
    ),
    QT_TRANSLATE_NOOP("Formulas", "argmax(logits), with a KV cache"),
    QT_TRANSLATE_NOOP("Formulas", "how many of the 32-bit patterns of the logits differ"),
    QT_TRANSLATE_NOOP("Formulas", "merges of byte pairs or pieces, by the model's own rules"),
    QT_TRANSLATE_NOOP("Formulas", "√Σx² of the token's row of the table"),
    QT_TRANSLATE_NOOP("Formulas", "the bytes of all tokens joined, against the text"),
    QT_TRANSLATE_NOOP("Formulas", "a · b / (|a| |b|) with every row of the table, largest first"),
    QT_TRANSLATE_NOOP("Formulas", "the same with random tokens: mean, and 0.9 quantile"),
    QT_TRANSLATE_NOOP("Formulas", "bytes in UTF-8 / tokens"),
)
"""Those with words in them."""


def formula_words(formula: str) -> str:
    """A formula of the engine for a visitor; one of symbols alone stays as it is."""
    return QCoreApplication.translate("Formulas", formula)
