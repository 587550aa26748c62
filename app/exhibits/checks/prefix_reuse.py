"""What exhibit 11 claims and where it needs care, in the language of the window."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

translate = QCoreApplication.translate


def claims() -> dict[str, str]:
    """A sentence for each claim, by the engine's name."""
    return {
        "reused": translate(
            "Exhibits",
            "Every leading token that both prompts share is reused, but for the last of a "
            "prompt, which is always computed.",
        ),
        "prefilled": translate("Exhibits", "Only the rest is computed."),
        "sooner": translate("Exhibits", "The first token comes sooner."),
        "all_reused": translate(
            "Exhibits",
            "The same prompt once more reuses all of it but its last token.",
        ),
        "same_seed": translate("Exhibits", "With the same seed the reply is the same."),
        "same_reply": translate(
            "Exhibits",
            "Reuse changes nothing but the time: the most likely reply is the same.",
        ),
        "other_seed": translate(
            "Exhibits",
            "With another seed it is another: what is kept are keys and values, not replies.",
        ),
    }


def notes() -> dict[str, str]:
    """A sentence for each note, by the engine's name."""
    return {
        "tokens": translate(
            "Exhibits",
            "Reuse goes by tokens, not by letters. Where a word is cut otherwise because of "
            "what comes after it, reuse stops before the first letter that differs.",
        ),
        "beginnings": translate(
            "Exhibits",
            "Only a shared beginning can be reused. Keys and values of a token depend on all "
            "tokens before it and on its position, so the same words in the middle of another "
            "text have others.",
        ),
        "last_token": translate(
            "Exhibits",
            "The last token of a prompt is always run again: what it gives are the logits that "
            "the first token of the reply is chosen from, and these are not kept.",
        ),
        "rounding": translate(
            "Exhibits",
            "With reuse the rest of the prompt is run in other chunks than without, so the last "
            "bits of the logits can differ; where two tokens are almost equally likely, so can "
            "the choice.",
        ),
        "sure": translate(
            "Exhibits",
            "Where the model is sure of what comes, and more so at a low temperature, another seed "
            "can draw the very same reply.",
        ),
        "runs_through_mlx_lm": translate(
            "Exhibits",
            "This model runs through mlx-lm. Where its layers keep a state that every token "
            "replaces, there is no way back to an earlier one, and nothing or less is reused.",
        ),
    }
