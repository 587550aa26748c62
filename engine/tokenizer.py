"""Text ↔ token ids, and streaming decoding that never shows half a character."""

import codecs
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from engine.errors import ModelFileError
from engine.token_sets import TokenTable
from engine.tokenizer_gguf import read_gguf_tokenizer
from engine.tokenizer_json import read_tokenizer_json
from engine.tokenizer_parts import ChatTemplates, TokenizerParts
from engine.tokenizer_spm import read_tokenizer_model

# An emoji that the next token may still change: a joined family, a skin tone, half a flag.
_EMOJI = "[\u2600-\u27bf\U0001f000-\U0001f1e5\U0001f200-\U0001f3fa\U0001f400-\U0001faff]"
_MODIFIER = "[\ufe0e\ufe0f\u20e3\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]"
_CLUSTER = re.compile(f"{_EMOJI}{_MODIFIER}*(?:\u200d{_EMOJI}{_MODIFIER}*)*\u200d?\\Z")
_FLAG_HALVES = re.compile("[\U0001f1e6-\U0001f1ff]+\\Z")
_CLUSTER_LIMIT = 32


class Tokenizer:
    """A model's tokenizer; build it with `load` or `from_gguf`."""

    def __init__(self, parts: TokenizerParts, eos_token_ids: Iterable[int] = ()) -> None:
        """Put a tokenizer together from what was read."""
        self._vocabulary = parts.vocabulary
        self._encoder = parts.encoder
        self._prefix = parts.prefix
        self._composes = parts.composes
        labels = parts.labels
        ends = labels.eos_ids | frozenset(eos_token_ids) | self._vocabulary.end_ids
        self.eos_token_ids: frozenset[int] = ends
        self.bos_token_id: int | None = labels.bos_id
        self.add_bos: bool = labels.add_bos and labels.bos_id is not None
        self.chat_template: ChatTemplates | None = labels.chat_template
        self.special_tokens: Mapping[str, str] = labels.special_tokens

    @classmethod
    def load(cls, folder: str | Path, *, eos_token_ids: Iterable[int] = ()) -> "Tokenizer":
        """Read a model folder's tokenizer.json, or else its tokenizer.model.

        Args:
            folder: The model's folder.
            eos_token_ids: Further ids that end a turn, such as config.json's.

        Raises:
            ModelFileError: There is neither file, or it is damaged.
            UnsupportedError: It asks for something that this engine does not do, by name.
        """
        folder = Path(folder)
        if (folder / "tokenizer.json").is_file():
            return cls(read_tokenizer_json(folder), eos_token_ids)
        if (folder / "tokenizer.model").is_file():
            return cls(read_tokenizer_model(folder), eos_token_ids)
        raise ModelFileError(
            "{folder} has neither tokenizer.json nor tokenizer.model; fetch the model again.",
            folder=folder,
        )

    @classmethod
    def from_gguf(
        cls, metadata: Mapping[str, Any], *, eos_token_ids: Iterable[int] = ()
    ) -> "Tokenizer":
        """Build the tokenizer that a GGUF file's metadata holds.

        Raises:
            ModelFileError: The metadata contradicts itself.
            UnsupportedError: Its kind of tokenizer or pre-tokenizer is not known here, by name.
        """
        return cls(read_gguf_tokenizer(metadata), eos_token_ids)

    @property
    def vocab_size(self) -> int:
        """Number of ids; a model's embedding may have more rows."""
        return len(self._vocabulary)

    @property
    def control_ids(self) -> frozenset[int]:
        """Tokens that text never becomes: turn markers, thought and tool markers, padding."""
        return self._vocabulary.control_ids

    @property
    def hidden_ids(self) -> frozenset[int]:
        """Control tokens that decoding leaves out; thought and tool markers are not among them."""
        return self._vocabulary.hidden_ids

    def token_id(self, name: str) -> int | None:
        """The id of the control or added token of that name, if the vocabulary has one."""
        return self._vocabulary.id_of(name)

    def token_bytes(self, token: int) -> bytes:
        """The bytes that a token stands for, in a control token's case its name.

        Raises:
            PromptError: The vocabulary has no such token.
        """
        return self._vocabulary.bytes_of(token)

    @cached_property
    def table(self) -> TokenTable:
        """What every token adds to a reply's text; made when first asked for."""
        texts = map(self.token_bytes, range(self.vocab_size))
        hidden = self.hidden_ids
        return TokenTable([b"" if id_ in hidden else text for id_, text in enumerate(texts)])

    def piece(self, token: int) -> str:
        """One token's text for showing it alone; part of a character shows as �."""
        return self._vocabulary.name_of(token)

    def encode(self, text: str, *, special: bool = False) -> list[int]:
        """Turn text into token ids, without a begin-of-text token.

        Args:
            text: Any text; lone surrogates count as �.
            special: Let the names of control tokens become these tokens.
        """
        return self.encode_parts(self.split(text) if special else [text])

    def encode_parts(
        self, parts: Sequence[str | int], *, first: bool = True, inside: bool = False
    ) -> list[int]:
        """Encode stretches of plain text between control tokens.

        Args:
            parts: Text, in which no control token is looked for, and ids of control tokens.
            first: The parts begin the sequence.
            inside: The first part goes on in a text that has begun already.
        """
        ids: list[int] = []
        for index, part in enumerate(parts):
            if isinstance(part, int):
                ids.append(part)
            elif part:
                begins = first and not ids
                prefix = self._prefix.wanted(first=begins) and not (inside and index == 0)
                ids += self._encode_plain(whole_characters(part), prefix=prefix)
        return ids

    def split(self, text: str) -> list[str | int]:
        """Cut a text at the names of control tokens: plain text and ids in turn."""
        parts: list[str | int] = []
        at, strip = 0, False
        for start, id_ in self._vocabulary.control_spans(text):
            token = self._vocabulary.added[id_]
            plain = text[at:start].lstrip() if strip else text[at:start]
            parts += [plain.rstrip() if token.lstrip else plain, id_]
            at, strip = start + len(token.text), token.rstrip
        parts.append(text[at:].lstrip() if strip else text[at:])
        return [part for part in parts if part != ""]

    def control_starts(self, text: str, *, keep_shown: bool = False) -> list[int]:
        """Where names of control tokens begin in a text, overlapping and cut-off ones included.

        Args:
            text: The text.
            keep_shown: Pass over the markers of thoughts and tool calls.
        """
        kept = self._vocabulary.shown_ids if keep_shown else frozenset[int]()
        spans = self._vocabulary.control_spans(text, overlapping=True)
        starts = [start for start, id_ in spans if id_ not in kept]
        return starts + self._vocabulary.cut_off_starts(text)

    def spelled(self, text: str, *, first: bool) -> bytes:
        """The bytes that the tokens of a stretch of plain text add up to.

        They differ from the text's own by a leading space or by composed characters.
        """
        text = whole_characters(text)
        text = unicodedata.normalize("NFC", text) if self._composes else text
        return (self._prefix.before(text, first=first) + text).encode()

    def decode(self, ids: Iterable[int], *, special: bool = False) -> str:
        """Turn token ids into text; bytes that are no character show as �.

        Args:
            ids: Token ids.
            special: Show every control token by name.

        Raises:
            PromptError: An id is not in the vocabulary.
        """
        hidden = frozenset[int]() if special else self.hidden_ids
        data = b"".join(self.token_bytes(id_) for id_ in ids if id_ not in hidden)
        if self._prefix.stripped:
            data = data.removeprefix(b" ")
        return data.decode("utf-8", "replace")

    def stream(self, *, special: bool = False) -> "TextStream":
        """Decode token by token; all the texts joined equal `decode` of all the ids."""
        return TextStream(self, special=special, strip=self._prefix.stripped)

    def _encode_plain(self, text: str, *, prefix: bool) -> list[int]:
        ids = self._encoder.encode(text, prefix=prefix)
        forbidden = self.control_ids - {self._vocabulary.unknown_id}
        if forbidden.isdisjoint(ids):
            return ids
        return [part for id_ in ids for part in self._without_control(id_, forbidden)]

    def _without_control(self, id_: int, forbidden: frozenset[int]) -> list[int]:
        """A control token that merging came upon, spelled by its characters instead."""
        if id_ not in forbidden:
            return [id_]
        parts = (self._encoder.encode(c, prefix=False) for c in self.piece(id_))
        return [part for ids in parts for part in ids if part not in forbidden]


class TextStream:
    """Decodes one reply, token by token; `Tokenizer.stream` makes it."""

    def __init__(self, tokenizer: Tokenizer, *, special: bool, strip: bool) -> None:
        """Begin an empty reply."""
        self._tokenizer = tokenizer
        self._hidden = frozenset[int]() if special else tokenizer.hidden_ids
        self._strip = strip
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._held = ""

    def add(self, token: int) -> str:
        """Take one token; returns the text that is whole now, often none or several tokens'.

        Raises:
            PromptError: The vocabulary has no such token.
        """
        data = self._tokenizer.token_bytes(token)
        if token in self._hidden or not data:
            return ""
        if self._strip:
            data = data.removeprefix(b" ")
            self._strip = False
        text = self._held + self._decoder.decode(data)
        end = _whole_until(text)
        self._held = text[end:]
        return text[:end]

    def finish(self) -> str:
        """The text that was held back; unfinished bytes show as �."""
        text = self._held + self._decoder.decode(b"", final=True)
        self._held = ""
        return text


def whole_characters(text: str) -> str:
    """Text with surrogate pairs joined and lone surrogates replaced by �."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def _whole_until(text: str) -> int:
    """Where a last emoji begins that may not be whole yet, else the text's end."""
    if halves := _FLAG_HALVES.search(text):
        return len(text) - (halves.end() - halves.start()) % 2
    cluster = _CLUSTER.search(text)
    if cluster is None or len(text) - cluster.start() > _CLUSTER_LIMIT:
        return len(text)
    return cluster.start()
