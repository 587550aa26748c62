"""Which files of a repository are needed: one set of weights, and what goes with it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from app.library.hub_errors import HubError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

INDEX_NAME = "model.safetensors.index.json"
SINGLE_NAME = "model.safetensors"
CONFIG_NAME = "config.json"
LARGEST_FILE_BYTES = 50 * 10**9
"""The hub serves larger files only to a tool of its own."""

_COMPANIONS = re.compile(
    r"(config|generation_config|tokenizer|tokenizer_config|special_tokens_map|added_tokens|vocab"
    r"|chat_template)\.json|merges\.txt|vocab\.txt|chat_template\.jinja|[\w.-]+\.(model|tiktoken)"
    r"|(readme|license|licence|notice)(\.(md|txt))?",
    re.IGNORECASE | re.ASCII,
)
_NEVER_EMPTY = re.compile(r".*\.(json|model|tiktoken)", re.IGNORECASE)
_PICKLES = re.compile(r".*\.(bin|pt|pth|pkl|pickle|ckpt|msgpack)", re.IGNORECASE)
_NOT_WEIGHTS = re.compile(r"(consolidated|adapter|lora|optimizer|training)", re.IGNORECASE)
_NOT_MODELS = re.compile(r"(mmproj|imatrix|mtp-|draft)", re.IGNORECASE)
_PART = re.compile(r"-(\d{5})-of-(\d{5})(?=\.gguf$)", re.ASCII)
_SHARD = re.compile(r"\w[\w.-]*-(\d{5})-of-(\d{5})\.safetensors", re.ASCII)
_QUANT = re.compile(
    r"(?:^|[./_-])((?:UD-)?(?:I?Q\d\w*|BF16|F16|F32|FP16|FP32|MXFP4\w*|TQ\d\w*))(?=[.-]|$)",
    re.IGNORECASE | re.ASCII,
)
_FULL_PRECISION = re.compile(r"(b?f16|fp16|f32|fp32)", re.IGNORECASE)

translate = QCoreApplication.translate


@dataclass(frozen=True)
class RemoteFile:
    """A file in a repository.

    Attributes:
        name: Its path in the repository.
        size_bytes: How large it is.
        etag: What the hub's cache calls its content: the SHA-256 of large files, the git SHA-1 of
            the others.
    """

    name: str
    size_bytes: int
    etag: str


@dataclass(frozen=True)
class Variant:
    """One quantisation of a GGUF repository.

    Attributes:
        name: Such as `Q4_K_M`; the file's name where it does not say.
        files: Its parts, in order.
    """

    name: str
    files: tuple[RemoteFile, ...]

    @property
    def size_bytes(self) -> int:
        """Of all parts."""
        return sum(file.size_bytes for file in self.files)


@dataclass(frozen=True)
class Choice:
    """What to fetch.

    Attributes:
        files: Small ones first.
        variant: The quantisation of a GGUF repository; empty for safetensors.
    """

    files: tuple[RemoteFile, ...]
    variant: str = ""


def variants(files: Iterable[RemoteFile]) -> tuple[Variant, ...]:
    """The complete GGUF models among the files, the smallest first."""
    parts: dict[str, list[RemoteFile]] = {}
    for file in files:
        if file.name.lower().endswith(".gguf") and not _NOT_MODELS.search(file.name):
            parts.setdefault(_PART.sub("", file.name), []).append(file)
    found = [
        Variant(_variant_name(name), tuple(sorted(group, key=lambda file: file.name)))
        for name, group in parts.items()
        if _is_complete(group)
    ]
    return tuple(sorted(found, key=lambda variant: (variant.size_bytes, variant.name)))


def choose(
    files: Sequence[RemoteFile],
    shards: Collection[str] | None,
    variant: str = "",
    budget_bytes: int | None = None,
    repo: str = "",
) -> Choice:
    """What to fetch of a repository.

    Args:
        files: All there are.
        shards: The files that the index of safetensors names; None where there is no index.
        variant: The quantisation wanted, of a GGUF repository.
        budget_bytes: What the weights may take; decides between quantisations where none is named.
        repo: For the sentences.

    Raises:
        HubError: There is nothing that could be run without running code, or it is not whole.
    """
    weights = () if variant else _safetensors(files, shards, repo)
    chosen = ""
    if not weights:
        picked = _pick(variants(files), variant, budget_bytes, repo)
        if picked is None:
            raise _unusable(files, repo)
        weights, chosen = picked.files, picked.name
    elif not any(file.name == CONFIG_NAME for file in files):
        raise _unusable_error(
            translate("Hub", "{0} has weights but no config.json: it is not a language model."),
            repo,
        )
    companions = [file for file in files if _is_companion(file.name, is_gguf=bool(chosen))]
    if not chosen:
        companions += [file for file in files if file.name == INDEX_NAME]
    every = sorted({*companions, *weights}, key=lambda file: (file.size_bytes, file.name))
    _check(every, weights, repo)
    return Choice(tuple(every), chosen)


def best_variant(found: Sequence[Variant], budget_bytes: int | None) -> Variant | None:
    """The largest quantisation that fits, unquantised weights only where nothing else is there.

    Args:
        found: The smallest first.
        budget_bytes: What the weights may take; None means that it is not known, and takes the
            one that is nearest to 4.5 bits a weight: `Q4_K_M` or its neighbour.
    """
    quantised = [v for v in found if not _FULL_PRECISION.fullmatch(v.name)] or list(found)
    if not quantised:
        return None
    if budget_bytes is None:
        usual = [v for v in quantised if v.name.upper() in {"Q4_K_M", "Q4_K_S", "Q4_0"}]
        return usual[-1] if usual else quantised[len(quantised) // 2]
    fitting = [v for v in quantised if v.size_bytes <= budget_bytes]
    return fitting[-1] if fitting else quantised[0]


def _pick(
    found: Sequence[Variant], wanted: str, budget_bytes: int | None, repo: str
) -> Variant | None:
    if not wanted:
        return best_variant(found, budget_bytes)
    for variant in found:
        if wanted.lower() in {variant.name.lower(), variant.files[0].name.lower()}:
            return variant
    if not found:
        return None
    names = ", ".join(variant.name for variant in found)
    raise _unusable_error(
        translate("Hub", "{0} has no quantisation {1}; there are: {2}."), repo, wanted, names
    )


def _safetensors(
    files: Sequence[RemoteFile], shards: Collection[str] | None, repo: str
) -> tuple[RemoteFile, ...]:
    """The weights as safetensors: what the index names, the one file, or all there are."""
    by_name = {file.name: file for file in files}
    if shards is not None:
        missing = sorted(set(shards) - set(by_name))
        if missing:
            raise _unusable_error(
                translate("Hub", "{0} is not whole on the hub: {1} is missing."), repo, missing[0]
            )
        return tuple(by_name[name] for name in sorted(shards))
    if SINGLE_NAME in by_name:
        return (by_name[SINGLE_NAME],)
    loose = [
        file
        for file in files
        if file.name.endswith(".safetensors")
        and "/" not in file.name
        and not _NOT_WEIGHTS.search(file.name)
    ]
    for file in loose:
        if (match := _SHARD.fullmatch(file.name)) and int(match[2]) != len(loose):
            raise _unusable_error(
                translate("Hub", "{0} is not whole on the hub: parts of its weights are missing."),
                repo,
            )
    return tuple(loose)


def _check(files: Iterable[RemoteFile], weights: Collection[RemoteFile], repo: str) -> None:
    """Refuse what must not be empty, places outside the folder, and what HTTP does not serve."""
    for file in files:
        parts = file.name.split("/")
        if file.name.startswith("/") or "\\" in file.name or {"", ".", ".."} & set(parts):
            raise _unusable_error(translate("Hub", "{0} names a file outside its folder."), repo)
        if not file.name.isprintable():
            raise _unusable_error(
                translate("Hub", "{0} names a file in a way that not every disk takes."), repo
            )
        if file.size_bytes > LARGEST_FILE_BYTES:
            raise _unusable_error(
                translate(
                    "Hub",
                    "{1} of {0} is larger than 50 GB, which the hub does not serve over HTTP.",
                ),
                repo,
                file.name,
            )
    for file in files:
        if file.size_bytes == 0 and (file in weights or _NEVER_EMPTY.fullmatch(file.name)):
            raise _unusable_error(
                translate("Hub", "{1} of {0} is empty on the hub."), repo, file.name
            )


def _unusable(files: Iterable[RemoteFile], repo: str) -> HubError:
    names = [file.name for file in files]
    if any(name.lower().endswith(".gguf") for name in names):
        return _unusable_error(
            translate("Hub", "{0} has no whole GGUF model: parts of it are missing."), repo
        )
    if any(_PICKLES.fullmatch(name) for name in names):
        return _unusable_error(
            translate(
                "Hub",
                "{0} has only pickled weights, which can run code and are never read; "
                "look for a copy with safetensors.",
            ),
            repo,
        )
    if any(name.endswith(".npz") for name in names):
        return _unusable_error(
            translate(
                "Hub", "{0} has weights in MLX's old format; look for a copy with safetensors."
            ),
            repo,
        )
    return _unusable_error(
        translate("Hub", "{0} has no weights: neither safetensors nor GGUF files."), repo
    )


def _unusable_error(text: str, *values: str) -> HubError:
    return HubError(text.format(*values), "unusable")


def _is_companion(name: str, *, is_gguf: bool) -> bool:
    """Whether a file goes with the weights; a GGUF file holds config and tokenizer itself."""
    if not _COMPANIONS.fullmatch(name):
        return False
    return not is_gguf or not name.lower().endswith((".json", ".jinja", ".model", ".tiktoken"))


def _is_complete(group: Sequence[RemoteFile]) -> bool:
    match = _PART.search(group[0].name)
    return len(group) == (int(match[2]) if match else 1)


def _variant_name(name: str) -> str:
    stem = name.removesuffix(".gguf")
    found = _QUANT.findall(stem)
    return found[-1].upper() if found else stem.rpartition("/")[2]
