"""Settings that are written as text: stop texts, banned texts, biases, a schema."""

import json

from PySide6.QtCore import QCoreApplication

from app.chats.settings import LARGEST_BIAS, LONGEST_TEXT, MOST_TEXTS
from ui.figures import count

_BIAS = 2  # a token id and a number


def lines(text: str) -> tuple[str, ...]:
    r"""Texts, one a line; \n and \t in them are a line break and a tab, \\ is a backslash."""
    return tuple(_unescaped(line) for line in text.split("\n") if line)


def _unescaped(line: str) -> str:
    parts = line.split("\\\\")
    return "\\".join(part.replace("\\n", "\n").replace("\\t", "\t") for part in parts)


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t")


def joined(texts: tuple[str, ...]) -> str:
    """The lines for texts."""
    return "\n".join(map(_escaped, texts))


def check_texts(text: str) -> str:
    """The sentence on what is wrong with lines of texts; "" for good ones."""
    texts = lines(text)
    if len(texts) > MOST_TEXTS or any(len(one) > LONGEST_TEXT for one in texts):
        return QCoreApplication.translate(
            "ChatFields", "At most {most} texts of up to {longest} characters fit."
        ).format(most=count(MOST_TEXTS), longest=count(LONGEST_TEXT))
    return ""


def biases(text: str) -> tuple[tuple[int, float], ...]:
    """Token ids and what is added to their logits, one pair a line.

    Raises:
        ValueError: Something is no number.
    """
    pairs = (line.replace(":", " ").split() for line in text.split("\n"))
    return tuple({int(pair[0]): float(pair[1]) for pair in pairs if len(pair) == _BIAS}.items())


def bias_lines(pairs: tuple[tuple[int, float], ...]) -> str:
    """The lines for biases."""
    return "\n".join(f"{token} {bias:g}" for token, bias in pairs)


def check_biases(text: str) -> str:
    """The sentence on what is wrong with lines of biases; "" for good ones."""
    sentence = QCoreApplication.translate(
        "ChatFields", "Each line must hold a token id and a number from -100 to 100, as in: 42 -5"
    )
    try:
        wrong = any(
            len(line.replace(":", " ").split()) != _BIAS
            for line in text.split("\n")
            if line.strip()
        )
        pairs = biases(text)
    except ValueError:
        return sentence
    good = all(0 <= token < 1 << 32 and abs(bias) <= LARGEST_BIAS for token, bias in pairs)
    return "" if good and not wrong else sentence


def check_schema(text: str) -> str:
    """The sentence on what is wrong with a JSON schema; "" for a good one."""
    if not text.strip():
        return ""
    try:
        good = isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        good = False
    if good:
        return ""
    return QCoreApplication.translate("ChatFields", "This is no JSON object.")
