"""What every kind of tokenizer file is read into before it becomes a `Tokenizer`."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

from engine.vocabulary import Vocabulary

ChatTemplates = str | dict[str, str]


class TextEncoder(Protocol):
    """Plain text → ids, by the model's own rules of merging."""

    def encode(self, text: str, *, prefix: bool) -> list[int]:
        """Encode text in which no control token is looked for.

        Args:
            text: Valid Unicode, without lone surrogates.
            prefix: Put the vocabulary's leading space before it, where it has one.
        """
        ...


@dataclass(frozen=True)
class Prefix:
    """The space that SentencePiece-like tokenizers put before a text.

    Attributes:
        where: Before no text, the first one, or every stretch between two control tokens.
        unless_space: Only where the text does not begin with a space already.
        stripped: One leading space is taken off decoded text again.
    """

    where: Literal["never", "first", "always"] = "never"
    unless_space: bool = False
    stripped: bool = False

    def wanted(self, *, first: bool) -> bool:
        """Whether a stretch of text gets the space."""
        return self.where == "always" or (self.where == "first" and first)

    def before(self, text: str, *, first: bool) -> str:
        """What the tokenizer puts before this text: a space or nothing."""
        if not text or not self.wanted(first=first):
            return ""
        return "" if self.unless_space and text[0] in " ▁" else " "


@dataclass(frozen=True)
class Labels:
    """What the files say around a vocabulary.

    Attributes:
        add_bos: Raw text is to be preceded by the begin-of-text token.
        eos_ids: Tokens that end a turn.
        special_tokens: Names as templates use them, `bos_token` and so on.
        chat_template: The template's source, or several by name.
    """

    bos_id: int | None = None
    add_bos: bool = False
    eos_ids: frozenset[int] = frozenset()
    special_tokens: Mapping[str, str] = field(default_factory=dict[str, str])
    chat_template: ChatTemplates | None = None


@dataclass(frozen=True)
class TokenizerParts:
    """A tokenizer that was read.

    Attributes:
        composes: Text is put into Unicode's composed form (NFC) before it is split.
    """

    vocabulary: Vocabulary
    encoder: TextEncoder
    labels: Labels
    prefix: Prefix = field(default_factory=Prefix)
    composes: bool = False
