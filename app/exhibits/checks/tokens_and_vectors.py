"""What exhibit 2 claims and where it needs care, in the language of the window."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

translate = QCoreApplication.translate


def claims() -> dict[str, str]:
    """A sentence for each claim, by the engine's name."""
    return {
        "round_trip": translate(
            "Exhibits",
            "Nothing is lost: the tokens of a text, put together again, are the text.",
        ),
        "bytes": translate(
            "Exhibits",
            "The bytes of the tokens, one after the other, are the bytes of the text.",
        ),
        "languages": translate(
            "Exhibits",
            "The same sentence takes more tokens in the other language.",
        ),
        "one_vector": translate("Exhibits", "A token has one vector, whatever stands around it."),
        "nearest": translate(
            "Exhibits",
            "All tokens that are listed are nearer than nine in ten random ones.",
        ),
        "different_ids": translate(
            "Exhibits",
            "Each spelling becomes other token ids: to the model they are different words.",
        ),
        "related": translate(
            "Exhibits",
            "That they mean the same is learnt: their vectors are nearer to each other on "
            "average than random tokens are.",
        ),
    }


def notes() -> dict[str, str]:
    """A sentence for each note, by the engine's name."""
    return {
        "not_words": translate(
            "Exhibits",
            "Tokens are neither words nor syllables. They are the byte sequences that were most "
            "worth a number of their own in the texts from which the tokenizer was made.",
        ),
        "languages": translate(
            "Exhibits",
            "How many tokens a language takes depends on how much of it was in those texts: it "
            "says something about the tokenizer, nothing about the language. Bytes are no fair "
            "measure alone, for UTF-8 writes a Chinese character in three bytes and an English "
            "letter in one.",
        ),
        "nearest": translate(
            "Exhibits",
            "The nearest tokens are often other spellings, then words that stand in like "
            "places; opposites are near as well. The vectors are what training made of them for "
            "predicting, not a dictionary of meanings.",
        ),
        "chance": translate(
            "Exhibits",
            "Cosines are to be compared with those of random tokens, which are not 0: the "
            "vectors of many models all point a little the same way, rare tokens most of all.",
        ),
        "context": translate(
            "Exhibits",
            "This is the vector before the first block. What a word means in its sentence is "
            "worked out in the blocks; there the same token has other vectors.",
        ),
        "runs_through_mlx_lm": translate(
            "Exhibits",
            "This model runs through mlx-lm, and Cutaway cannot look inside it: its tokens are "
            "shown, its vectors are not.",
        ),
    }
