"""What exhibit 1 claims and where it needs care, in the language of the window."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

translate = QCoreApplication.translate


def claims() -> dict[str, str]:
    """A sentence for each claim, by the engine's name."""
    return {
        "sums": translate("Exhibits", "At every step the probabilities of all tokens sum to one."),
        "most_likely": translate(
            "Exhibits",
            "At temperature 0 every step takes the most likely token.",
        ),
        "by_hand": translate(
            "Exhibits",
            "Taking the most likely token by hand, from token ids alone and without a cache, "
            "gives the very text that the app writes at temperature 0.",
        ),
        "one_token": translate(
            "Exhibits",
            "Each step appends exactly one token and leaves all earlier ones as they are.",
        ),
        "only_ids": translate(
            "Exhibits",
            "Nothing but the token ids goes in: the same ids, given at once after another text "
            "was run, give the same distribution to the last bit.",
        ),
        "other_ids": translate("Exhibits", "Another id in one place gives another distribution."),
    }


def notes() -> dict[str, str]:
    """A sentence for each note, by the engine's name."""
    return {
        "only_predicts": translate(
            "Exhibits",
            "The network only says how likely each token is as the next one. Which token is "
            "taken, when to stop, and the loop itself are a few lines of program around it.",
        ),
        "no_cache": translate(
            "Exhibits",
            "Here every step runs all tokens again, to show that nothing else goes in. Replies "
            "keep the keys and values of earlier tokens, which saves work and changes nothing "
            "but rounding.",
        ),
        "near_ties": translate(
            "Exhibits",
            "With and without a cache the same sums are added up in another order. Where two "
            "tokens are almost equally likely, that rounding can tip the choice, more easily in "
            "bfloat16 than in float32, and the texts part from there on.",
        ),
        "text_is_not_ids": translate(
            "Exhibits",
            "A text can be cut into tokens in more than one way, and the tokens that a model "
            "chooses need not be those that its text is cut into when it is typed. The model "
            "sees the ids, not the text.",
        ),
        "chance": translate(
            "Exhibits",
            "The only chance is in the draw. The probabilities of a step follow from the token "
            "ids; the same seed draws the same tokens.",
        ),
    }
