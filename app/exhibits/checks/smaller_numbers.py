"""What exhibit 13 claims and where it needs care, in the language of the window."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

translate = QCoreApplication.translate


def claims() -> dict[str, str]:
    """A sentence for each claim, by the engine's name."""
    return {
        "formula": translate(
            "Exhibits",
            "At every width the measured bytes are those of the formula.",
        ),
        "eight": translate("Exhibits", "8 bits change it a little."),
        "four_further": translate(
            "Exhibits",
            "4 bits are further from the logits than 8 bits are.",
        ),
        "four": translate("Exhibits", "And they make the text less likely than 8 bits do."),
        "half": translate("Exhibits", "16 bits change the text's likelihood hardly at all."),
        "half_closer": translate(
            "Exhibits",
            "They stay closer to the logits of 32 bits than 8 bits do.",
        ),
        "saved_8": translate(
            "Exhibits",
            "8 bits take nearly 2 times less than 16; scales cost the rest.",
        ),
        "saved_4": translate(
            "Exhibits",
            "4 bits take nearly 4 times less than 16; scales cost the rest.",
        ),
    }


def notes() -> dict[str, str]:
    """A sentence for each note, by the engine's name."""
    return {
        "scales": translate(
            "Exhibits",
            "At 8 and 4 bits each group of numbers shares a 16-bit scale and a 16-bit bias, so "
            "they take a little more than 8 and 4 bits each.",
        ),
        "one_text": translate(
            "Exhibits",
            "The change in likelihood is of one text. Where it is small it can fall on either "
            "side of zero by chance; the logits show the difference all the same.",
        ),
        "speed": translate(
            "Exhibits",
            "Smaller numbers save memory and reading it; unpacking them takes arithmetic. "
            "Whether a reply comes sooner depends on the device and on the length of the chat.",
        ),
        "rounded": translate(
            "Exhibits",
            "On this processor the model computes in 32-bit numbers. The row for 16 bits is "
            "what it computes when everything stored is rounded to 16-bit numbers, and its "
            "bytes are those of a copy.",
        ),
    }
