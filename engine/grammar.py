"""Replies that are JSON of a given schema, by llguidance: a mask of allowed tokens per step.

llguidance (MIT, no dependencies) parses a schema into a grammar and walks it along the tokens'
bytes. It either honours every keyword of a schema or refuses it, so that what is written validates.
White space between the parts is limited to a space, or a line break and an indentation: small
models otherwise go on with spaces for ever.
"""

import json
from collections.abc import Sequence, Set
from functools import cached_property

import numpy as np
from llguidance import LLMatcher, LLTokenizer, TokenizerWrapper
from llguidance._lib import LLParserLimits
from numpy.typing import NDArray

from engine.constraint import Schema
from engine.errors import EngineError, SettingError
from engine.sentence import Sentence
from engine.tokenizer import Tokenizer

_WHITE_SPACE = r"(\n {0,16}| )?"
_LARGEST_BYTES = 1 << 20
_LIMITS = LLParserLimits(verbose_errors=False)


class GrammarTokens:
    """A tokenizer as llguidance wants it; takes about 0.2 s to make, so keep it."""

    def __init__(self, tokenizer: Tokenizer, end_ids: Set[int]) -> None:
        """Prepare it.

        Args:
            tokenizer: The model's.
            end_ids: Tokens that end a reply.
        """
        self.size = tokenizer.vocab_size
        # A vocabulary that has no end gets one after its last token, where the mask is cut off.
        ends = sorted(id_ for id_ in end_ids if id_ < self.size) or [self.size]
        wrapper = TokenizerWrapper(_Wrapped(tokenizer, ends))
        self.tokens = LLTokenizer(wrapper, eos_token=ends, slices=LLTokenizer.json_slices())


class _Wrapped:
    """The attributes that llguidance reads."""

    bos_token_id = None

    def __init__(self, tokenizer: Tokenizer, ends: Sequence[int]) -> None:
        size = tokenizer.vocab_size
        self._tokenizer = tokenizer
        self.eos_token_id = ends[0]
        self.tokens = [tokenizer.token_bytes(id_) for id_ in range(size)]
        self.special_token_ids = sorted(tokenizer.control_ids)
        if self.eos_token_id == size:
            self.tokens.append(b"")
            self.special_token_ids.append(size)

    def __call__(self, text: str) -> list[int]:
        """How the model would spell text that has to come next, byte for byte."""
        ids = self._tokenizer.encode_parts([text], first=False, inside=True)
        if b"".join(self.tokens[id_] for id_ in ids) == text.encode():
            return ids
        return self._greedily(text.encode())

    def _greedily(self, text: bytes) -> list[int]:
        ids, at = list[int](), 0
        while at < len(text):
            sizes = range(min(self._longest, len(text) - at), 0, -1)
            found = next((text[at : at + n] for n in sizes if text[at : at + n] in self._ids), None)
            if found is None:
                break
            ids.append(self._ids[found])
            at += len(found)
        return ids

    @cached_property
    def _ids(self) -> dict[bytes, int]:
        control = set(self.special_token_ids)
        return {text: id_ for id_, text in enumerate(self.tokens) if text and id_ not in control}

    @cached_property
    def _longest(self) -> int:
        return max(map(len, self._ids))


class SchemaConstraint:
    """Keeps one reply to a schema; a `Constraint`."""

    def __init__(self, schema: Schema, tokens: GrammarTokens) -> None:
        """Begin a reply.

        Raises:
            SettingError: The schema is not one, or asks for what cannot be enforced, by name.
        """
        self._size = tokens.size
        self._matcher = LLMatcher(tokens.tokens, _grammar(schema), log_level=0, limits=_LIMITS)
        if self._matcher.is_error():
            raise _refusal(self._matcher.get_error())

    @property
    def finished(self) -> bool:
        """Whether the JSON is whole and nothing can follow."""
        return self._matcher.is_stopped() and self._matcher.is_accepting()

    def allowed(self) -> NDArray[np.bool_]:
        """Which tokens (V,) may come next."""
        bits = np.frombuffer(self._matcher.compute_bitmask(), np.uint8)
        self._check()
        return np.unpackbits(bits, count=self._size, bitorder="little").view(np.bool_)

    def advance(self, token: int) -> None:
        """Take the token that was drawn."""
        self._matcher.consume_token(token)
        self._check()

    def _check(self) -> None:
        if self._matcher.is_error():
            problem = _sentence(self._matcher.get_error())
            raise EngineError(
                "The schema could not be followed any further ({problem}); simplify it.",
                problem=problem,
            )


def _grammar(schema: Schema) -> str:
    try:
        text = json.dumps(schema, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise SettingError(
            "The schema is not JSON: {problem}.", problem=_sentence(str(error))
        ) from error
    if len(text) > _LARGEST_BYTES:
        raise SettingError("The schema is larger than a megabyte; shorten it.")
    try:
        return LLMatcher.grammar_from_json_schema(
            text,
            overrides={
                "whitespace_pattern": _WHITE_SPACE,
                "lenient": False,
                "coerce_one_of": False,
            },
        )
    except ValueError as error:
        raise _refusal(str(error)) from error


def _refusal(problem: str) -> SettingError:
    return SettingError("This schema cannot be used: {problem}.", problem=_sentence(problem))


def _sentence(problem: str) -> str:
    """The first sentence of a message, which may draw a picture of where a pattern is wrong."""
    lines = [line.strip() for line in problem.splitlines() if line.strip()] or [
        Sentence("it was refused")
    ]
    if lines[0].endswith(":") and lines[-1].startswith("error: "):
        return f"{lines[0]} {lines[-1].removeprefix('error: ')}"
    return lines[0].split(". ")[0].rstrip(".:")
