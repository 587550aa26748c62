"""What exhibit 12 claims and where it needs care, in the language of the window."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

translate = QCoreApplication.translate


def claims() -> dict[str, str]:
    """A sentence for each claim, by the engine's name."""
    return {
        "sums": translate(
            "Exhibits",
            "After every step the probabilities of all tokens sum to one.",
        ),
        "order": translate("Exhibits", "No step makes a less likely token the more likely one."),
        "fewer": translate("Exhibits", "Steps remove tokens or leave them; none brings one back."),
        "temperature": translate(
            "Exhibits",
            "A temperature below 1 makes the distribution narrower, one above 1 makes it wider: "
            "the entropy falls or rises.",
        ),
        "top_k": translate("Exhibits", "Top-k leaves at most k tokens."),
        "possible": translate("Exhibits", "Only tokens that are left are ever drawn."),
        "histogram": translate(
            "Exhibits",
            "The histogram is as close to the probabilities as chance allows.",
        ),
        "same_seed": translate("Exhibits", "The same seed draws the same tokens."),
        "greedy": translate("Exhibits", "At temperature 0 every seed takes the most likely token."),
        "other_seed": translate("Exhibits", "Another seed draws others."),
    }


def notes() -> dict[str, str]:
    """A sentence for each note, by the engine's name."""
    return {
        "order_of_steps": translate(
            "Exhibits",
            "Here top-k, top-p and min-p come before the temperature, so that a high one never "
            "lets in a token that they would have removed. Other programs do it the other way "
            "round, and the same settings then leave other tokens.",
        ),
        "one_position": translate(
            "Exhibits",
            "All draws are of one and the same position. In a reply each token that is drawn "
            "changes what comes after it.",
        ),
        "single_precision": translate(
            "Exhibits",
            "The logarithm of the sum over the whole vocabulary is computed in single "
            "precision, so the probabilities sum to one but for rounding.",
        ),
        "seed": translate(
            "Exhibits",
            "A seed repeats the draws as long as the probabilities are the same to the last "
            "bit: on the same device, with the same model and program.",
        ),
        "greedy": translate(
            "Exhibits",
            "At temperature 0 the most likely token is taken before any filter could matter.",
        ),
    }
