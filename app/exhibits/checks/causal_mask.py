"""What exhibit 5 claims and where it needs care, in the language of the window."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

translate = QCoreApplication.translate


def claims() -> dict[str, str]:
    """A sentence for each claim, by the engine's name."""
    return {
        "no_future": translate(
            "Exhibits",
            "With the mask no token takes anything from a later one.",
        ),
        "nothing_changes": translate(
            "Exhibits",
            "With the mask, other later words change nothing at the tokens before them: texts "
            "of one length give the same logits to the last bit.",
        ),
        "alone": translate(
            "Exhibits",
            "Without any later words the logits are the same but for rounding.",
        ),
        "sees_future": translate(
            "Exhibits",
            "With the mask set aside, tokens take something from later ones.",
        ),
        "leaks": translate(
            "Exhibits",
            "With the mask set aside, other later words change what is said before them, by "
            "more than that rounding.",
        ),
    }


def notes() -> dict[str, str]:
    """A sentence for each note, by the engine's name."""
    return {
        "same_shapes": translate(
            "Exhibits",
            "Nothing changes to the last bit where both texts have the same number of tokens, "
            "so the longer one is cut. A text of another length is computed in other shapes, "
            "which add up the same sums in another order: its logits differ by rounding, not by "
            "what the later words say.",
        ),
        "not_a_better_model": translate(
            "Exhibits",
            "A model that sees the future here does not become better: it was trained with the "
            "mask, and has never learnt what to do with later words. In training the mask is "
            "what makes every position a fair question, because the answer stands right behind "
            "it.",
        ),
        "generating": translate(
            "Exhibits",
            "While a reply is written there is no future to hide: later tokens do not exist "
            "yet. The mask matters where many tokens are run at once, in training and in "
            "prefill; and it is why the keys and values of earlier tokens can be kept.",
        ),
        "averaged": translate(
            "Exhibits",
            "The grid is the mean over all heads of one layer. With the mask every row still "
            "sums to one: the weight that the future does not get goes to the past.",
        ),
        "windows": translate(
            "Exhibits",
            "Some layers of this model see only a window of recent tokens, so their mask hides "
            "the distant past as well.",
        ),
    }
