"""A title for a chat from its first question, in a session of its own that ends with it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import engine
from app.chats.model import shortened

if TYPE_CHECKING:
    from app.jobs.workbench import Workbench

_MOST_TOKENS = 24
_LONGEST = 60
_LONGEST_SAID = 300
_MOST_WORDS = 9
_LEAST_LETTERS = 2
_REPEATING = 2
_SHORT = 24
_SYSTEM = (
    "You name conversations. Answer with a title of two to five words in the language of the "
    "question, and with nothing else."
)
_ASKED = "Title for: “{question}”"
_EXAMPLES = (
    ("Why is the sky blue?", "Blue Sky"),
    ("Wie koche ich Risotto für sechs Personen?", "Risotto für sechs"),
    ("write a python function that reads a csv file", "Reading CSV in Python"),
)
_LABEL = re.compile(r"^\W*(title|titel|titre|título|标题|題名)\s*[:：]\s*", re.IGNORECASE)
_AROUND = " \t\"'“”‘’«»„「」『』`*_#>-–—.:;,"
_NO_TITLE = (
    "title",
    "the title",
    "conversation",
    "untitled",
    "question",
    "answer",
    "here is",
    "sure",
    "i'm ",
    "i am ",
    "hello",
    "how can i",
    "as an ai",
)
_SENTENCE_ENDS = (". ", "! ", "? ")


def title_job(bench: Workbench, question: str) -> str:
    """Have the model name a chat.

    Args:
        bench: The model, and whether to stop, which is looked at after each token.
        question: What was asked first.

    Returns:
        The title; empty where the model's answer is none.

    Raises:
        engine.CancelledError: Somebody asks something.
        engine.EngineError: The model cannot answer.
    """
    model = bench.model
    ids = model.prompt_tokens(_messages(model, question), enable_thinking=False)
    if len(ids) + _MOST_TOKENS >= model.config.max_position_embeddings:
        return ""
    session = model.session()
    pieces: list[str] = []
    sampling = engine.Sampling(temperature=0.0)
    for chunk in session.generate(ids, sampling, _MOST_TOKENS):
        if bench.cancelled():
            raise engine.CancelledError("Somebody asks something.")
        pieces.append(chunk.text)
        if "\n" in "".join(pieces).strip():
            break
    return title_of("".join(pieces), question)


def _messages(model: engine.Model, question: str) -> list[dict[str, str]]:
    """A few examples, which small models follow better than words, then the question."""
    said: list[dict[str, str]] = []
    for asked, title in _EXAMPLES:
        said += [
            {"role": "user", "content": _ASKED.format(question=asked)},
            {"role": "assistant", "content": title},
        ]
    short = shortened(question, _LONGEST_SAID)
    said.append({"role": "user", "content": _ASKED.format(question=short)})
    system = {"role": "system", "content": _SYSTEM}
    try:
        model.prompt_text([system, *said])
    except engine.TemplateError:  # some templates take no system message
        return said
    return [system, *said]


def title_of(written: str, question: str) -> str:
    """The title in what a model wrote; empty where that is none.

    Small models repeat the question, begin to answer, or say that they are happy to help: none of
    these is a better title than the question itself.
    """
    lines = [line for line in written.strip().splitlines() if line.strip()]
    if not lines:
        return ""
    title = shortened(_LABEL.sub("", lines[0]), 2 * _LONGEST).strip(_AROUND)
    words = title.split()
    lowered = title.lower()
    letters = sum(character.isalpha() for character in title)
    wrong = (
        letters < _LEAST_LETTERS,
        letters * 2 < len(title),
        len(words) > _MOST_WORDS or len(title) > _LONGEST,
        len(words) > _REPEATING and len(set(words)) * 2 <= len(words),
        any(lowered.startswith(start) for start in _NO_TITLE),
        any(end in title for end in _SENTENCE_ENDS),
        lines[0].rstrip().endswith((":", "?", "？")),  # then the question itself is as good
        len(title) > max(len(question), _SHORT),
        "<" in title,  # a thought, or what is left of a template
    )
    if any(wrong):
        return ""
    return "" if lowered == question.strip().lower() else title[0].upper() + title[1:]
