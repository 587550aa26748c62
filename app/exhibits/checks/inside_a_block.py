"""What exhibit 3 claims and where it needs care, in the language of the window."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

translate = QCoreApplication.translate


def claims() -> dict[str, str]:
    """A sentence for each claim, by the engine's name."""
    return {
        "residual": translate(
            "Exhibits",
            "What leaves the block is what came in plus what attention and feed-forward added.",
        ),
        "rms_norm": translate(
            "Exhibits",
            "RMSNorm divides the vector by its root mean square and multiplies it by a learnt "
            "weight, number by number.",
        ),
        "rms_of_one": translate(
            "Exhibits",
            "So without the weight each vector has a root mean square of one, less what ε takes.",
        ),
        "lens_is_exact": translate(
            "Exhibits",
            "After the last block the logit lens is the model's own prediction, to the last bit.",
        ),
        "parameters": translate(
            "Exhibits",
            "The parameters of all parts, by formula, add up to the numbers that are loaded.",
        ),
        "parts": translate("Exhibits", "That is so for each part by itself."),
        "tied": translate(
            "Exhibits",
            "Weights are tied: a token's logit is the product of the last vector with the very "
            "vector that the token is read in with.",
        ),
        "untied": translate(
            "Exhibits",
            "Weights are not tied: the vector that a token is read in with does not give its "
            "logit.",
        ),
    }


def notes() -> dict[str, str]:
    """A sentence for each note, by the engine's name."""
    return {
        "lens_is_a_view": translate(
            "Exhibits",
            "The logit lens reads a vector in the middle of the network as if it were the last "
            "one. Nothing made the network write there what can be read so; that an answer does "
            "not lead yet does not show that the network does not have it.",
        ),
        "magnitudes": translate(
            "Exhibits",
            "A long vector is not an important one: the next RMSNorm divides by the length, and "
            "what counts is the direction that it adds. Some dimensions are large in every "
            "token.",
        ),
        "rounding": translate(
            "Exhibits",
            "The sums are rounded at each step, so that they agree up to the last digits of the "
            "precision that the model runs in.",
        ),
        "blocks_hold_most": translate(
            "Exhibits",
            "The share of the embedding falls as models grow: it grows with the width, the "
            "blocks with its square and with the depth. Small models with a large vocabulary "
            "are embedding to a good part, which is why they tie it to lm_head.",
        ),
        "query_and_key_norms": translate(
            "Exhibits",
            "This model also normalises each head's queries and keys before RoPE.",
        ),
        "quantised": translate(
            "Exhibits",
            "The weights are held in few bits; scales and biases of their groups are not "
            "counted as parameters.",
        ),
    }
