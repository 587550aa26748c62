"""tokenizer.json and the small JSON files beside it → `TokenizerParts`, through `tokenizers`."""

import json
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import tokenizers
from tokenizers import models

from engine.config import read_json, token_ids
from engine.errors import EngineError, ModelFileError, UnsupportedError, unreadable
from engine.sentence import Sentence
from engine.tokenizer_parts import ChatTemplates, Labels, Prefix, TokenizerParts
from engine.vocabulary import AddedToken, Spelling, Vocabulary, added_token

_MOST_SHOWN = 300
_FILE_LIMIT_BYTES = 256 << 20
_TEMPLATE_LIMIT_BYTES = 1 << 20
_SPACE_DECODERS = {"Replace", "ByteFallback", "Fuse", "Strip", "Metaspace"}
Json = Mapping[str, Any]


class MergingEncoder:
    """Plain text → ids through the `tokenizers` package."""

    def __init__(self, prefixed: tokenizers.Tokenizer, bare: tokenizers.Tokenizer) -> None:
        """Take the same model twice, with and without its leading space."""
        self._prefixed = prefixed
        self._bare = bare
        for tokenizer in (prefixed, bare):
            tokenizer.encode_special_tokens = True

    def encode(self, text: str, *, prefix: bool) -> list[int]:
        """Encode text in which no control token is looked for."""
        tokenizer = self._prefixed if prefix else self._bare
        return tokenizer.encode(text, add_special_tokens=False).ids


def read_tokenizer_json(folder: Path) -> TokenizerParts:
    """Read tokenizer.json and what stands beside it.

    Raises:
        ModelFileError: A file is damaged.
        UnsupportedError: The decoder or model type is not one that is understood here.
    """
    path = folder / "tokenizer.json"
    source = _parse(path)
    names = _special_names(folder)
    ends = {names[key] for key in ("bos_token", "eos_token") if key in names}
    with package_errors(path):
        normalizer, splitter = _state(source.normalizer), _state(source.pre_tokenizer)
        decoder = _steps(_state(source.decoder))
        added = _added(source, ends)
        vocabulary = Vocabulary(
            _pieces(source, added), added, _spelling(decoder, splitter), _unknown(source)
        )
        prefix = _prefix(normalizer, splitter, decoder)
        encoder = MergingEncoder(
            _rebuilt(source, added, normalizer, splitter),
            _rebuilt(source, added, _without_prefix(normalizer), _without_prefix(splitter)),
        )
        begins = source.encode("").ids[:1]
    return TokenizerParts(
        vocabulary=vocabulary,
        encoder=encoder,
        labels=read_labels(folder, vocabulary, begins_with=begins),
        prefix=prefix,
        composes=any(step.get("type") == "NFC" for step in _steps(normalizer)),
    )


def read_labels(folder: Path, vocabulary: Vocabulary, begins_with: list[int]) -> Labels:
    """Read special tokens, end tokens and templates from the files beside a tokenizer.

    Args:
        folder: The model's folder.
        vocabulary: The tokens.
        begins_with: The ids that the tokenizer's own post-processing puts before a text.
    """
    config = _optional(folder / "tokenizer_config.json")
    names = _special_names(folder)
    bos = vocabulary.id_of(names.get("bos_token"))
    if bos is None and begins_with:
        bos = begins_with[0]
        names.setdefault("bos_token", vocabulary.name_of(bos))
    flag: object = config.get("add_bos_token")
    ends = set(token_ids(_optional(folder / "generation_config.json").get("eos_token_id")))
    if (eos := vocabulary.id_of(names.get("eos_token"))) is not None:
        ends.add(eos)
    return Labels(
        bos_id=bos,
        add_bos=flag if isinstance(flag, bool) else bool(begins_with) and begins_with == [bos],
        eos_ids=frozenset(ends),
        special_tokens=names,
        chat_template=_chat_template(folder, config),
    )


@contextmanager
def package_errors(path: Path | str) -> Generator[None]:
    """Turn whatever a tokenizer package raises, its panics included, into a sentence."""
    try:
        yield
    except EngineError:
        raise
    except Exception as error:
        said = str(error)[:_MOST_SHOWN]
        raise ModelFileError(
            "{path} is damaged or of an unknown kind: {reason}.", path=path, reason=said
        ) from error
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        raise ModelFileError("{path} is damaged; fetch the model again.", path=path) from error


def _parse(path: Path) -> tokenizers.Tokenizer:
    try:
        if path.stat().st_size > _FILE_LIMIT_BYTES:
            raise ModelFileError("{path} is too large to be a tokenizer.", path=path)
        data = path.read_bytes()
    except OSError as error:
        raise unreadable(path, error) from error
    with package_errors(path):
        source = tokenizers.Tokenizer.from_buffer(data)
        source.no_truncation()
        source.no_padding()
    return source


def _added(source: tokenizers.Tokenizer, ends: set[str]) -> dict[int, AddedToken]:
    return {
        id_: added_token(
            token.content,
            special=token.special or token.content in ends,
            lstrip=token.lstrip,
            rstrip=token.rstrip,
        )
        for id_, token in source.get_added_tokens_decoder().items()
    }


def _pieces(source: tokenizers.Tokenizer, added: Mapping[int, AddedToken]) -> list[str]:
    vocabulary = source.get_vocab(with_added_tokens=True)
    size = 1 + max(max(vocabulary.values(), default=-1), max(added, default=-1))
    if size > 2 * len(vocabulary) + 65_536:
        raise ModelFileError("tokenizer.json leaves out most of its ids; fetch the model again.")
    pieces = [""] * size
    for piece, id_ in vocabulary.items():
        pieces[id_] = piece
    return pieces


def _unknown(source: tokenizers.Tokenizer) -> int | None:
    model: object = source.model
    if isinstance(model, models.BPE):
        unknown = model.unk_token
        return None if unknown is None else source.token_to_id(unknown)
    if isinstance(model, models.Unigram):
        # Its unknown token has no accessor; the vocabulary's usual names for it do.
        return source.token_to_id("<unk>")
    raise UnsupportedError(
        "The tokenizer model {name} is not supported.", name=type(model).__name__
    )


def _spelling(decoder: list[Json], splitter: Json | None) -> Spelling:
    kinds = {str(step.get("type")) for step in decoder}
    splitters = {str(step.get("type")) for step in _steps(splitter)}
    if kinds == {"ByteLevel"} or (not kinds and "ByteLevel" in splitters):
        return "bytes"
    if kinds and kinds <= _SPACE_DECODERS:
        return "spaces"
    raise UnsupportedError(
        "The tokenizer's decoder {kinds} is not supported.",
        kinds=", ".join(sorted(kinds)) or Sentence("(none)"),
    )


def _prefix(normalizer: Json | None, splitter: Json | None, decoder: list[Json]) -> Prefix:
    stripped = any(
        (step.get("type") == "Strip" and bool(step.get("start")))
        or (step.get("type") == "Metaspace" and _metaspace(step) != "never")
        for step in decoder
    )
    if any(step.get("type") == "Prepend" for step in _steps(normalizer)):
        return Prefix("always", stripped=stripped)
    for step in _steps(splitter):
        where = _metaspace(step) if step.get("type") == "Metaspace" else "never"
        if where in ("first", "always"):
            place = "first" if where == "first" else "always"
            return Prefix(place, unless_space=True, stripped=stripped)
        if step.get("type") == "ByteLevel" and step.get("add_prefix_space"):
            return Prefix("always", unless_space=True, stripped=stripped)
    return Prefix(stripped=stripped)


def _metaspace(step: Json) -> str:
    scheme: object = step.get("prepend_scheme")
    if isinstance(scheme, str):
        return scheme
    return "never" if step.get("add_prefix_space") is False else "always"


def _rebuilt(
    source: tokenizers.Tokenizer,
    added: Mapping[int, AddedToken],
    normalizer: Json | None,
    splitter: Json | None,
) -> tokenizers.Tokenizer:
    """The same model (shared, not copied), with every control token flagged as special."""
    shell: dict[str, Any] = {"version": "1.0", "added_tokens": [], "post_processor": None}
    shell |= {"truncation": None, "padding": None, "decoder": None}
    shell |= {"normalizer": normalizer, "pre_tokenizer": splitter}
    shell["model"] = {"type": "BPE", "vocab": {}, "merges": []}
    tokenizer = tokenizers.Tokenizer.from_str(json.dumps(shell))
    tokenizer.model = source.model
    flags = source.get_added_tokens_decoder()
    tokens = [
        tokenizers.AddedToken(
            flags[id_].content,
            special=added[id_].control,
            lstrip=flags[id_].lstrip,
            rstrip=flags[id_].rstrip,
            single_word=flags[id_].single_word,
            normalized=flags[id_].normalized,
        )
        for id_ in sorted(flags)
    ]
    tokenizer.add_tokens(tokens)
    for id_, token in flags.items():
        if tokenizer.token_to_id(token.content) != id_:
            raise ModelFileError(
                "tokenizer.json gives {token!r} another id than it has; fetch it again.",
                token=token.content,
            )
    return tokenizer


def _state(component: object) -> Json | None:
    """A component's own JSON; the package offers it for pickling only."""
    if component is None:
        return None
    return cast("Json", json.loads(cast("Any", component).__getstate__()))


def _steps(state: Json | None) -> list[Json]:
    """The steps of a component, sequences unrolled."""
    if state is None:
        return []
    if state.get("type") != "Sequence":
        return [state]
    key = next(k for k in ("normalizers", "pretokenizers", "decoders") if k in state)
    return [step for part in cast("list[Json]", state[key]) for step in _steps(part)]


def _without_prefix(state: Json | None) -> Json | None:
    """The same component, not putting a space before the text."""
    if state is None:
        return None
    kind = state.get("type")
    if kind == "Prepend":
        return None
    if kind == "Metaspace":
        bare = {key: value for key, value in state.items() if key != "add_prefix_space"}
        return bare | {"prepend_scheme": "never"}
    if kind == "ByteLevel":
        return {**state, "add_prefix_space": False}
    if kind != "Sequence":
        return state
    key = "normalizers" if "normalizers" in state else "pretokenizers"
    steps = [_without_prefix(part) for part in cast("list[Json]", state[key])]
    return {**state, key: [step for step in steps if step is not None]}


def _optional(path: Path) -> dict[str, Any]:
    return read_json(path) if path.is_file() else {}


def _special_names(folder: Path) -> dict[str, str]:
    """The special tokens' names by their part, as templates use them."""
    names = _token_names(_optional(folder / "special_tokens_map.json"))
    return names | _token_names(_optional(folder / "tokenizer_config.json"))


def _token_names(config: Json) -> dict[str, str]:
    names: dict[str, str] = {}
    for key, value in config.items():
        content: object = cast("Json", value).get("content") if isinstance(value, dict) else value
        if key.endswith("_token") and isinstance(content, str):
            names[key] = content
    return names


def _chat_template(folder: Path, config: Json) -> ChatTemplates | None:
    """The template where Hugging Face looks for it: its own files first, then the config."""
    own: object = config.get("chat_template")
    if (path := folder / "chat_template.json").is_file():
        own = read_json(path).get("chat_template", own)
    templates = _named_templates(own)
    if (path := folder / "chat_template.jinja").is_file():
        templates["default"] = _read_template(path)
    for path in sorted((folder / "additional_chat_templates").glob("*.jinja")):
        templates[path.stem] = _read_template(path)
    if set(templates) == {"default"}:
        return templates["default"]
    return templates or None


def _named_templates(entry: object) -> dict[str, str]:
    """One template, or a list of objects that each hold a name and a template."""
    if isinstance(entry, str):
        return {"default": entry}
    entries = cast("list[object]", entry) if isinstance(entry, list) else []
    named = [cast("Json", part) for part in entries if isinstance(part, dict)]
    return {str(part.get("name")): str(part.get("template")) for part in named}


def _read_template(path: Path) -> str:
    try:
        if path.stat().st_size > _TEMPLATE_LIMIT_BYTES:
            raise ModelFileError("{path} is too large to be a chat template.", path=path)
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ModelFileError("{path} cannot be read as text.", path=path) from error
