"""Searching the hub for models that can be chatted with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from app.library.hub_repo import date_of, licence_of

if TYPE_CHECKING:
    from huggingface_hub import ModelInfo

    from app.library.hub_network import Network, Stop

Sort = Literal["downloads", "date"]
Format = Literal["mlx", "gguf", "any"]

_MOST = 60
_FIELDS = (
    "cardData",
    "createdAt",
    "downloads",
    "gated",
    "gguf",
    "lastModified",
    "safetensors",
    "tags",
)
_BYTES_OF = {
    "F64": 8.0, "F32": 4.0, "F16": 2.0, "BF16": 2.0, "I64": 8.0, "I32": 4.0, "U32": 4.0,
    "I16": 2.0, "U16": 2.0, "F8_E4M3": 1.0, "F8_E5M2": 1.0, "I8": 1.0, "U8": 1.0, "BOOL": 1.0,
}  # fmt: skip


@dataclass(frozen=True)
class Query:
    """What is looked for.

    Attributes:
        words: Have to be in the name; empty finds all.
        family: Such as `llama` or `qwen3`; empty for all.
        format: MLX's safetensors, GGUF files, or both.
        sort: The most downloaded first, or the latest changed.
        limit: How many at most.
    """

    words: str = ""
    family: str = ""
    format: Format = "mlx"
    sort: Sort = "downloads"
    limit: int = _MOST


@dataclass(frozen=True)
class HubModel:
    """A row of what was found.

    Attributes:
        repo: Its name, such as `mlx-community/Qwen3-4B-4bit`.
        downloads: In the last 30 days.
        date: Of the last change, as `2025-01-31`.
        licence: As the repository says; empty where it does not.
        tags: As the hub gives them.
        gated: Whether its terms must be accepted first.
        size_bytes: Of the weights, where the hub tells in a search; None otherwise.
    """

    repo: str
    downloads: int
    date: str
    licence: str
    tags: tuple[str, ...]
    gated: bool
    size_bytes: int | None


def search(
    network: Network, query: Query, token: str | None = None, stop: Stop | None = None
) -> tuple[HubModel, ...]:
    """What the hub finds.

    Raises:
        HubError: It cannot be asked; the sentence says why.
        StoppedError: `stop` was asked.
    """
    api = network.api(token)
    filters = [] if query.format == "any" else [query.format]
    if query.family:
        filters.append(query.family)
    rows: list[HubModel] = []

    def collect() -> tuple[HubModel, ...]:
        found = api.list_models(
            filter=filters or None,
            pipeline_tag="text-generation",
            search=query.words.strip() or None,
            sort="downloads" if query.sort == "downloads" else "last_modified",
            limit=query.limit,
            expand=list(_FIELDS),
        )
        for info in found:
            if stop is not None:
                stop.check()
            rows.append(_row(info))
        return tuple(rows)

    return network.ask(collect)


def _row(info: ModelInfo) -> HubModel:
    return HubModel(
        repo=info.id,
        downloads=info.downloads or 0,
        date=date_of(info),
        licence=licence_of(info),
        tags=tuple(info.tags or ()),
        gated=bool(info.gated),
        size_bytes=_size_bytes(info),
    )


def _size_bytes(info: ModelInfo) -> int | None:
    """Of safetensors, from the counts of values of each type; packed weights are U32 there."""
    if info.safetensors is None:
        return None
    known = [
        count * _BYTES_OF[name]
        for name, count in info.safetensors.parameters.items()
        if name in _BYTES_OF
    ]
    return int(sum(known)) if len(known) == len(info.safetensors.parameters) else None
