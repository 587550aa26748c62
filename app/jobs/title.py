"""A title for a chat from its first turn, in a session of its own that ends with it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import engine
from app.chats.model import shortened

if TYPE_CHECKING:
    from app.jobs.workbench import Workbench

_MOST_TOKENS = 24
_LONGEST = 60
_LONGEST_SAID = 600
_MOST_WORDS = 9
_LEAST_LETTERS = 2
_REPEATING = 2
_ASKED = (
    "Give this conversation a title of two to six words, in its own language. Answer with the "
    "title alone, without quotes.\n\nQuestion: {question}\n\nAnswer: {answer}"
)
_LABEL = re.compile(r"^\W*(title|titel|titre|título|标题|題名)\s*[:：]\s*", re.IGNORECASE)
_AROUND = " \t\"'“”‘’«»„「」『』`*_#>-–—.:;,"
_NO_TITLE = ("title", "conversation", "untitled", "question", "answer", "here is", "sure", "i'm ")


def title_job(bench: Workbench, question: str, answer: str) -> str:
    """Have the model name a chat.

    Args:
        bench: The model, and whether to stop, which is looked at after each token.
        question: What was asked first.
        answer: The reply to it, without thoughts.

    Returns:
        The title; empty where the model's answer is none.

    Raises:
        engine.CancelledError: Somebody asks something.
        engine.EngineError: The model cannot answer.
    """
    model = bench.model
    said = _ASKED.format(question=question[:_LONGEST_SAID], answer=answer[:_LONGEST_SAID])
    ids = model.prompt_tokens([{"role": "user", "content": said}], enable_thinking=False)
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
        "<" in title,  # a thought, or what is left of a template
    )
    if any(wrong):
        return ""
    return "" if lowered == question.strip().lower() else title[0].upper() + title[1:]
