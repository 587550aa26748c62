"""Texts as tokenizers cut them: the loaded model's, and another one's that is read from disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.gguf_file import GGUFFile
from engine.pieces import pieces_of
from engine.source import resolve
from engine.tokenizer import Tokenizer
from ui.playground.state import Tokenized, TokenRow

if TYPE_CHECKING:
    from app.jobs.workbench import Workbench


def tokenized(name: str, tokenizer: Tokenizer, text: str) -> Tokenized:
    """Cut a text; names of control tokens become these tokens."""
    ids = tokenizer.encode(text, special=True)
    control = tokenizer.control_ids
    rows = tuple(
        TokenRow(token, text, tokenizer.token_bytes(token), token in control)
        for token, text in zip(ids, pieces_of(tokenizer, ids), strict=True)
    )
    size = len(text.encode("utf-8", "replace"))
    return Tokenized(name, rows, len(text), size, tokenizer.vocab_size)


def own_tokens(bench: Workbench, text: str) -> Tokenized:
    """Cut a text with the loaded model's tokenizer.

    Raises:
        engine.EngineError: No model is loaded.
    """
    bench.report(0.0)
    return tokenized(bench.model.name, bench.model.tokenizer, text)


class TokenizerOnDisk:
    """The tokenizer of a model that is not loaded; for any one thread, and no weights."""

    def __init__(self, source: str) -> None:
        """Read it.

        Args:
            source: `starter`, a folder, a .gguf file, or a hub id that is on disk.

        Raises:
            engine.EngineError: There is no such model, or its tokenizer cannot be used.
        """
        found = resolve(source)
        self.source = source
        self.name = found.name
        self._tokenizer = (
            Tokenizer.from_gguf(GGUFFile.open(found.path).metadata)
            if found.kind == "gguf"
            else Tokenizer.load(found.path)
        )

    def cut(self, text: str) -> Tokenized:
        """Cut a text."""
        return tokenized(self.name, self._tokenizer, text)
