"""The vocabulary inside a GGUF file → `TokenizerParts`."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import tokenizers
from tokenizers import decoders, models, normalizers, pre_tokenizers

from engine.errors import ModelFileError, UnsupportedError
from engine.tokenizer_json import MergingEncoder, package_errors
from engine.tokenizer_parts import ChatTemplates, Labels, Prefix, TextEncoder, TokenizerParts
from engine.tokenizer_spm import Piece, SentencePieceEncoder, model_of
from engine.vocabulary import AddedToken, Vocabulary, added_token, is_turn_marker

_UNKNOWN, _CONTROL, _USER_DEFINED = 2, 3, 4
_TOKEN_LIMIT = 1 << 22
_SPACED = "tokenizer.ggml.add_space_prefix"

_CONTRACTIONS = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)"
_WORDS = r"[^\r\n\p{L}\p{N}]?\p{L}+"
_REST = r" ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
_LLAMA3 = rf"{_CONTRACTIONS}|{_WORDS}|\p{{N}}{{1,3}}|{_REST}"
_QWEN2 = rf"{_CONTRACTIONS}|{_WORDS}|\p{{N}}|{_REST}"
_UPPER, _LOWER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
_TEKKEN = (
    rf"[^\r\n\p{{L}}\p{{N}}]?{_UPPER}*{_LOWER}+|[^\r\n\p{{L}}\p{{N}}]?{_UPPER}+{_LOWER}*|\p{{N}}|"
    r" ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
_UNNAMED = (r"[\p{P}\$\+<=>\^~\|]+", r"\p{N}+", r"[0-9][0-9][0-9]")


def _bytes(*, split: bool) -> pre_tokenizers.PreTokenizer:
    return pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=split)


def _split(pattern: str) -> pre_tokenizers.PreTokenizer:
    return pre_tokenizers.Split(tokenizers.Regex(pattern), "isolated")


def _gpt2() -> pre_tokenizers.PreTokenizer:
    return _bytes(split=True)


def _digits() -> pre_tokenizers.PreTokenizer:
    digits = pre_tokenizers.Digits(individual_digits=True)
    return pre_tokenizers.Sequence([digits, _bytes(split=True)])


def _by(pattern: str) -> Callable[[], pre_tokenizers.PreTokenizer]:
    return lambda: pre_tokenizers.Sequence([_split(pattern), _bytes(split=False)])


def _unnamed() -> pre_tokenizers.PreTokenizer:
    """What llama.cpp does for files from before pre-tokenizers were named."""
    punctuation, *numbers = (_split(pattern) for pattern in _UNNAMED)
    words = _split(r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)")
    return pre_tokenizers.Sequence([punctuation, words, *numbers, _bytes(split=False)])


@dataclass(frozen=True)
class _Kind:
    """How a named pre-tokenizer splits text.

    Attributes:
        whole_words: A word that is a token is taken at once, without merging.
        composes: Text is put into composed form (NFC) first.
        add_bos: What holds where the file does not say.
    """

    splitter: Callable[[], pre_tokenizers.PreTokenizer]
    whole_words: bool = False
    composes: bool = False
    add_bos: bool = False


_LLAMA3_KIND = _Kind(_by(_LLAMA3), whole_words=True, add_bos=True)
_KINDS: Mapping[str, _Kind] = {
    "default": _Kind(_unnamed),
    "gpt-2": _Kind(_gpt2),
    "gpt2": _Kind(_gpt2),
    "smollm": _Kind(_digits),
    "starcoder": _Kind(_digits),
    "refact": _Kind(_digits),
    "codeshell": _Kind(_digits),
    "llama3": _LLAMA3_KIND,
    "llama-v3": _LLAMA3_KIND,
    "llama-bpe": _LLAMA3_KIND,
    "smaug-bpe": _Kind(_by(_LLAMA3)),
    "dbrx": _Kind(_by(_LLAMA3)),
    "qwen2": _Kind(_by(_QWEN2), composes=True),
    "deepseek-r1-qwen": _Kind(_by(_QWEN2), composes=True),
    "tekken": _Kind(_by(_TEKKEN), whole_words=True, add_bos=True),
}


def read_gguf_tokenizer(metadata: Mapping[str, Any]) -> TokenizerParts:
    """Build the tokenizer from `tokenizer.*` entries.

    Raises:
        ModelFileError: An entry is missing, of the wrong type or contradicts another.
        UnsupportedError: The kind of tokenizer or pre-tokenizer is not known, by name.
    """
    model = metadata.get("tokenizer.ggml.model")
    if model not in ("gpt2", "llama"):
        raise UnsupportedError("The GGUF tokenizer {model!r} is not supported.", model=model)
    tokens = _strings(metadata, "tokenizer.ggml.tokens")
    types, added = _types(metadata, len(tokens)), _added_of(metadata, tokens)
    with package_errors("The GGUF file's tokenizer"):
        if model == "gpt2":
            return _merging(metadata, tokens, added)
        return _sentencepiece(metadata, tokens, types, added)


def _merging(
    metadata: Mapping[str, Any], tokens: Sequence[str], added: Mapping[int, AddedToken]
) -> TokenizerParts:
    kind = _kind(metadata)
    vocabulary = Vocabulary(tokens, added, "bytes")
    return TokenizerParts(
        vocabulary=vocabulary,
        encoder=_merging_encoder(metadata, tokens, added, kind),
        labels=_labels(metadata, tokens, add_bos=kind.add_bos),
        composes=kind.composes,
    )


def _kind(metadata: Mapping[str, Any]) -> _Kind:
    name = str(metadata.get("tokenizer.ggml.pre") or "default")
    kind = _KINDS.get(name)
    if kind is None:
        raise UnsupportedError("The GGUF pre-tokenizer {name!r} is not supported.", name=name)
    return kind


def _merging_encoder(
    metadata: Mapping[str, Any],
    tokens: Sequence[str],
    added: Mapping[int, AddedToken],
    kind: _Kind,
) -> TextEncoder:
    tokenizer = _merging_tokenizer(metadata, tokens, kind)
    plain = [token.text for token in added.values() if not token.control]
    tokenizer.add_tokens([tokenizers.AddedToken(text, normalized=False) for text in plain])
    return MergingEncoder(tokenizer, tokenizer)


def written_tokenizer(metadata: Mapping[str, Any]) -> str | None:
    """The content of a tokenizer.json that stands for a vocabulary of merged bytes.

    Args:
        metadata: A GGUF file's, which `read_gguf_tokenizer` has taken.

    Returns:
        None where the vocabulary is SentencePiece's, which tokenizer.model holds.
    """
    if metadata.get("tokenizer.ggml.model") != "gpt2":
        return None
    tokens = _strings(metadata, "tokenizer.ggml.tokens")
    tokenizer = _merging_tokenizer(metadata, tokens, _kind(metadata))
    tokenizer.decoder = decoders.ByteLevel()
    for _, token in sorted(_added_of(metadata, tokens).items()):
        entry = tokenizers.AddedToken(token.text, normalized=False, special=token.hidden)
        (tokenizer.add_special_tokens if token.hidden else tokenizer.add_tokens)([entry])
    return tokenizer.to_str()


def written_pieces(metadata: Mapping[str, Any]) -> bytes:
    """The content of a tokenizer.model that stands for a SentencePiece vocabulary."""
    tokens = _strings(metadata, "tokenizer.ggml.tokens")
    return _piece_model(metadata, tokens, _types(metadata, len(tokens)))


def _merging_tokenizer(
    metadata: Mapping[str, Any], tokens: Sequence[str], kind: _Kind
) -> tokenizers.Tokenizer:
    merges = [_merge(entry) for entry in _strings(metadata, "tokenizer.ggml.merges")]
    ids = {token: id_ for id_, token in reversed(list(enumerate(tokens)))}
    model = models.BPE(vocab=ids, merges=merges, ignore_merges=kind.whole_words)
    tokenizer = tokenizers.Tokenizer(model)
    if kind.composes:
        tokenizer.normalizer = normalizers.NFC()
    tokenizer.pre_tokenizer = kind.splitter()
    return tokenizer


def _merge(entry: str) -> tuple[str, str]:
    # A piece may itself begin with a space in no known file; the space parts two pieces.
    left, _, right = entry.partition(" ")
    if not left or not right:
        raise ModelFileError(
            "The GGUF file's merge {entry!r} is not a pair of tokens.", entry=entry
        )
    return left, right


def _sentencepiece(
    metadata: Mapping[str, Any],
    tokens: Sequence[str],
    types: Sequence[int],
    added: Mapping[int, AddedToken],
) -> TokenizerParts:
    model = _piece_model(metadata, tokens, types)
    unknown = next((id_ for id_, kind in enumerate(types) if kind == _UNKNOWN), None)
    spaced = _flag(metadata, _SPACED, default=True)
    return TokenizerParts(
        vocabulary=Vocabulary(tokens, added, "spaces", unknown),
        encoder=SentencePieceEncoder(model),
        labels=_labels(metadata, tokens, add_bos=True),
        prefix=Prefix("always" if spaced else "never", stripped=spaced),
    )


def _piece_model(metadata: Mapping[str, Any], tokens: Sequence[str], types: Sequence[int]) -> bytes:
    scores = cast("Sequence[float]", metadata.get("tokenizer.ggml.scores") or ())
    if len(scores) != len(tokens):
        raise ModelFileError(
            "The GGUF file has {scores} token scores for {count} tokens.",
            scores=len(scores),
            count=len(tokens),
        )
    pieces = [Piece(*entry) for entry in zip(tokens, scores, types, strict=True)]
    return model_of(pieces, prefix=_flag(metadata, _SPACED, default=True))


def _labels(metadata: Mapping[str, Any], tokens: Sequence[str], *, add_bos: bool) -> Labels:
    ids: dict[str, int] = {}
    names = ("bos", "eos", "eot", "eom", "unknown", "padding")
    for name in names:
        id_: object = metadata.get(f"tokenizer.ggml.{name}_token_id")
        if isinstance(id_, int) and 0 <= id_ < len(tokens):
            ids[name] = id_
    template_names = {"bos": "bos_token", "eos": "eos_token"}
    template_names |= {"unknown": "unk_token", "padding": "pad_token"}
    return Labels(
        bos_id=ids.get("bos"),
        add_bos=_flag(metadata, "tokenizer.ggml.add_bos_token", default=add_bos),
        eos_ids=frozenset(ids[name] for name in ("eos", "eot", "eom") if name in ids),
        special_tokens={
            known: tokens[ids[name]] for name, known in template_names.items() if name in ids
        },
        chat_template=_chat_template(metadata),
    )


def _chat_template(metadata: Mapping[str, Any]) -> ChatTemplates | None:
    start = "tokenizer.chat_template"
    templates = {
        key.removeprefix(start).removeprefix(".") or "default": value
        for key, value in metadata.items()
        if (key == start or key.startswith(f"{start}.")) and isinstance(value, str)
    }
    if set(templates) == {"default"}:
        return templates["default"]
    return templates or None


def _added_of(metadata: Mapping[str, Any], tokens: Sequence[str]) -> dict[int, AddedToken]:
    labelled = [metadata.get(f"tokenizer.ggml.{name}_token_id") for name in ("bos", "eos", "eot")]
    return _added(tokens, _types(metadata, len(tokens)), labelled)


def _added(
    tokens: Sequence[str], types: Sequence[int], labelled: Sequence[object]
) -> dict[int, AddedToken]:
    added: dict[int, AddedToken] = {}
    for id_, (token, kind) in enumerate(zip(tokens, types, strict=True)):
        special = kind in (_CONTROL, _UNKNOWN) or id_ in labelled
        if special or kind == _USER_DEFINED or is_turn_marker(token):
            added[id_] = added_token(token, special=special)
    return added


def _strings(metadata: Mapping[str, Any], key: str) -> list[str]:
    value: object = metadata.get(key)
    entries = cast("list[object]", value) if isinstance(value, list) else []
    if not entries or len(entries) > _TOKEN_LIMIT:
        raise ModelFileError("The GGUF file has no usable {key}.", key=key)
    strings = [entry for entry in entries if isinstance(entry, str)]
    if len(strings) != len(entries):
        raise ModelFileError("The GGUF file's {key} are not all text.", key=key)
    return strings


def _types(metadata: Mapping[str, Any], count: int) -> list[int]:
    value: object = metadata.get("tokenizer.ggml.token_type")
    types = [int(kind) for kind in cast("Sequence[int]", value)] if value else [1] * count
    if len(types) != count:
        raise ModelFileError(
            "The GGUF file has {types} token types for {count} tokens.",
            types=len(types),
            count=count,
        )
    return types


def _flag(metadata: Mapping[str, Any], key: str, *, default: bool) -> bool:
    value: object = metadata.get(key)
    return value if isinstance(value, bool) else default
