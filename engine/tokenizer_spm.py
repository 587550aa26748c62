"""SentencePiece: tokenizer.model, and the same model rebuilt from a GGUF vocabulary.

A model is one protocol-buffer message (sentencepiece_model.proto): pieces are field 1, each with
text (1), score (2) and type (3); the trainer's settings are field 2, the normaliser's field 3.
Messages of one type may be joined: a later setting then replaces an earlier one.
"""

import struct
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import sentencepiece

from engine.errors import ModelFileError, unreadable
from engine.tokenizer_json import package_errors, read_labels
from engine.tokenizer_parts import Prefix, TokenizerParts
from engine.vocabulary import Vocabulary, added_token

_FILE_LIMIT_BYTES = 64 << 20
_NO_PREFIX = b"\x1a\x02\x18\x00"  # normalizer_spec { add_dummy_prefix: false }
_BPE, _TRUE, _KIND = 2, 1, 3
_WIRE_VARINT, _WIRE_FIXED = 0, {1: 8, 5: 4}
_NORMAL, _UNKNOWN, _CONTROL, _USER_DEFINED, _UNUSED, _BYTE = range(1, 7)


@dataclass(frozen=True)
class Piece:
    """One entry of a vocabulary, as both files hold it."""

    text: str
    score: float
    kind: int


class SentencePieceEncoder:
    """Plain text → ids through the `sentencepiece` package."""

    def __init__(self, model: bytes) -> None:
        """Take the serialised model."""
        self.prefixed = _processor(model)
        self._bare = _processor(model + _NO_PREFIX)

    def encode(self, text: str, *, prefix: bool) -> list[int]:
        """Encode text; the package itself never makes control pieces from text."""
        processor = self.prefixed if prefix else self._bare
        return processor.EncodeAsIds(text)


def read_tokenizer_model(folder: Path) -> TokenizerParts:
    """Read tokenizer.model and the JSON files beside it.

    Raises:
        ModelFileError: A file is damaged.
    """
    path = folder / "tokenizer.model"
    try:
        if path.stat().st_size > _FILE_LIMIT_BYTES:
            raise ModelFileError("{path} is too large to be a tokenizer.", path=path)
        model = path.read_bytes()
    except OSError as error:
        raise unreadable(path, error) from error
    with package_errors(path):
        encoder = SentencePieceEncoder(model)
        vocabulary = _vocabulary(encoder.prefixed, _kinds(model))
        spaced = bool(encoder.encode("a", prefix=True) != encoder.encode("a", prefix=False))
        bos = encoder.prefixed.bos_id()
    labels = read_labels(folder, vocabulary, begins_with=[bos] if bos >= 0 else [])
    return TokenizerParts(
        vocabulary=vocabulary,
        encoder=encoder,
        labels=labels,
        prefix=Prefix("always" if spaced else "never", stripped=spaced),
    )


def model_of(pieces: Iterable[Piece], *, prefix: bool) -> bytes:
    """Serialise a BPE model with byte fallback that leaves text as it is.

    Args:
        pieces: The vocabulary in the order of ids.
        prefix: Put a space before every text.
    """
    model = bytearray()
    for piece in pieces:
        kind = piece.kind if piece.kind in range(_NORMAL, _BYTE + 1) else _UNUSED
        score = struct.pack("<f", piece.score)
        body = _field(1, piece.text.encode()) + b"\x15" + score + b"\x18" + _varint(kind)
        model += _field(1, body)
    trainer = b"\x18" + _varint(_BPE) + _varint(35 << 3) + _varint(_TRUE)
    normalizer = _field(1, b"identity")
    normalizer += b"".join(
        _varint(number << 3) + _varint(int(value))
        for number, value in ((3, prefix), (4, False), (5, True))
    )
    return bytes(model) + _field(2, trainer) + _field(3, normalizer)


def _vocabulary(
    processor: sentencepiece.SentencePieceProcessor, kinds: Sequence[int]
) -> Vocabulary:
    pieces = [processor.IdToPiece(id_) for id_ in range(processor.GetPieceSize())]
    added = {
        id_: added_token(piece, special=kind != _USER_DEFINED)
        for id_, (piece, kind) in enumerate(zip(pieces, kinds, strict=True))
        if kind in (_UNKNOWN, _CONTROL, _USER_DEFINED)
    }
    # ▁ in a user-defined piece is a space as everywhere else, which an added token would not be.
    added = {id_: token for id_, token in added.items() if token.control}
    return Vocabulary(pieces, added, "spaces", processor.unk_id())


def _kinds(model: bytes) -> list[int]:
    """The type of every piece; the package tells user-defined pieces from ordinary ones nowhere."""
    kinds: list[int] = []
    for number, value in _fields(model):
        if number == 1 and isinstance(value, bytes):
            kinds.append(
                next((v for n, v in _fields(value) if n == _KIND and isinstance(v, int)), _NORMAL)
            )
    return kinds


def _fields(data: bytes) -> Iterator[tuple[int, bytes | int]]:
    """The fields of one message: number, and an integer or the bytes of anything longer."""
    at = 0
    while at < len(data):
        key, at = _read_varint(data, at)
        number, wire = key >> 3, key & 7
        if wire == _WIRE_VARINT:
            value, at = _read_varint(data, at)
            yield number, value
            continue
        length = _WIRE_FIXED.get(wire)
        if length is None:
            length, at = _read_varint(data, at)
        yield number, data[at : at + length]
        at += length


def _read_varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80 or shift > 63:
            return value, at


def _processor(model: bytes) -> sentencepiece.SentencePieceProcessor:
    processor = sentencepiece.SentencePieceProcessor()
    processor.LoadFromSerializedProto(model)
    return processor


def _field(number: int, data: bytes) -> bytes:
    return _varint(number << 3 | 2) + _varint(len(data)) + data


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)
