"""What is needed to choose a model, before any of its weights is fetched."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QCoreApplication

from app.chats.loose import as_mapping
from app.library.hub_errors import HubError

if TYPE_CHECKING:
    from app.library.hub_files import RemoteFile
    from app.library.hub_repo import Repository
    from engine.fit import Footprint

translate = QCoreApplication.translate


@dataclass(frozen=True)
class Judgement:
    """What the engine says about a config.json.

    Attributes:
        runs: Whether it computes this model.
        reason: Why not, one sentence; empty where it does.
        parameters: Number of weights; None where the engine cannot tell.
        context: Tokens the model was trained for; None where the config does not say.
        kv_bytes_per_token: Keys and values of one token in all layers, at 16 bits.
        footprint: What it is going to take in memory; None where the config does not tell.
    """

    runs: bool
    reason: str = ""
    parameters: int | None = None
    context: int | None = None
    kv_bytes_per_token: int | None = None
    footprint: Footprint | None = None


Judge = Callable[[Mapping[str, Any], int], Judgement]
"""Judges a config.json, with the size of the weights that go with it.

Of a GGUF file only `{"gguf": architecture}` is known before.
"""


@dataclass(frozen=True)
class VariantRow:
    """One quantisation that a repository offers."""

    name: str
    size_bytes: int


@dataclass(frozen=True)
class Card:
    """A repository, to choose from.

    Attributes:
        repo: Its present name.
        renamed: The name it was asked for by where that is an old one; empty otherwise.
        family: Such as `llama`; empty where not known.
        parameters: Number of weights; None where not known.
        quantisation: Such as `4-bit` or `Q4_K_M` or `bfloat16`; empty where not known.
        files: What would be fetched; empty where the model cannot be run.
        size_bytes: Of these files.
        variants: The quantisations of a GGUF repository, the smallest first.
        context: Tokens it was trained for; None where not known.
        kv_bytes_per_token: At 16 bits; None where not known before the file is here.
        footprint: What it is going to take in memory; None where not known before.
        licence: As the repository says; empty where it does not.
        gated: Whether its terms must be accepted first.
        downloads: In the last 30 days.
        date: Of the last change, as `2025-01-31`.
        tags: As the hub gives them.
        runs: Whether the engine computes it.
        reason: Why not, one sentence; empty where it does.
    """

    repo: str
    renamed: str
    family: str
    parameters: int | None
    quantisation: str
    files: tuple[RemoteFile, ...]
    size_bytes: int
    variants: tuple[VariantRow, ...]
    context: int | None
    kv_bytes_per_token: int | None
    footprint: Footprint | None
    licence: str
    gated: bool
    downloads: int
    date: str
    tags: tuple[str, ...]
    runs: bool
    reason: str


def card_of(
    repository: Repository, judge: Judge, variant: str = "", budget_bytes: int | None = None
) -> Card:
    """The card of a repository; one that cannot be run has a card that says why.

    Args:
        repository: As the hub describes it.
        judge: Says whether the engine computes a config.
        variant: The quantisation wanted, of a GGUF repository.
        budget_bytes: What the weights may take; decides where no quantisation is named.
    """
    files: tuple[RemoteFile, ...] = ()
    chosen, reason = "", repository.refused
    try:
        choice = repository.choose(variant, budget_bytes)
        files, chosen = choice.files, choice.variant
    except HubError as error:
        reason = reason or str(error)
    architecture = repository.gguf.get("architecture")
    weights = sum(file.size_bytes for file in files if file.name.endswith(".safetensors"))
    judgement = judge({"gguf": architecture} if chosen else repository.config, weights)
    facts = _gguf_facts(repository.gguf) if chosen else _config_facts(repository, judgement)
    family, parameters, quantisation, context = facts
    return Card(
        repo=repository.repo,
        renamed="" if repository.repo == repository.asked_for else repository.asked_for,
        family=family,
        parameters=parameters,
        quantisation=chosen or quantisation,
        files=files,
        size_bytes=sum(file.size_bytes for file in files),
        variants=tuple(VariantRow(v.name, v.size_bytes) for v in repository.variants),
        context=context,
        kv_bytes_per_token=judgement.kv_bytes_per_token,
        footprint=judgement.footprint if weights else None,
        licence=repository.licence,
        gated=repository.gated,
        downloads=repository.downloads,
        date=repository.date,
        tags=repository.tags,
        runs=not reason and judgement.runs,
        reason=reason or judgement.reason,
    )


_Facts = tuple[str, int | None, str, int | None]


def _gguf_facts(gguf: Mapping[str, Any]) -> _Facts:
    family = gguf.get("architecture")
    return (
        family if isinstance(family, str) else "",
        _count(gguf.get("total")),
        "",
        _count(gguf.get("context_length")),
    )


def _config_facts(repository: Repository, judgement: Judgement) -> _Facts:
    config = repository.config
    family = config.get("model_type")
    return (
        family if isinstance(family, str) else "",
        judgement.parameters,
        _quantisation(config),
        judgement.context,
    )


def _quantisation(config: Mapping[str, Any]) -> str:
    """As `4-bit` where the weights are quantised for MLX, else the type they are stored as."""
    bits = _count(as_mapping(config.get("quantization")).get("bits"))
    if bits is not None:
        return translate("Hub", "{0}-bit").format(bits)
    dtype = config.get("torch_dtype") or config.get("dtype")
    return dtype if isinstance(dtype, str) else ""


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None
