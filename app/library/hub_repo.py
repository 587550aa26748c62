"""A repository as the hub describes it, and the plan of what to fetch of it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, cast

from PySide6.QtCore import QCoreApplication

from app.chats.loose import as_mapping
from app.library.hub_errors import HubError
from app.library.hub_files import (
    CONFIG_NAME,
    INDEX_NAME,
    Choice,
    RemoteFile,
    Variant,
    choose,
    variants,
)
from app.library.hub_network import file_url

if TYPE_CHECKING:
    from collections.abc import Mapping

    from huggingface_hub import ModelInfo

    from app.library.hub_network import Network

_JSON_LIMIT_BYTES = 64 << 20

translate = QCoreApplication.translate


@dataclass(frozen=True)
class Plan:
    """What to fetch, down to the content of every file.

    Attributes:
        repo: The repository's present name.
        commit: The version that all files are of.
        files: Small ones first.
        revision: The branch or tag that was asked for.
        variant: The quantisation of a GGUF repository; empty for safetensors.
    """

    repo: str
    commit: str
    files: tuple[RemoteFile, ...]
    revision: str = "main"
    variant: str = ""

    @property
    def size_bytes(self) -> int:
        """Of all files."""
        return sum(file.size_bytes for file in self.files)


@dataclass(frozen=True)
class Repository:
    """A repository at one commit.

    Attributes:
        repo: Its present name.
        asked_for: The name it was asked for by; another one where it was renamed.
        commit: Of the revision that was asked for.
        revision: What was asked for.
        files: All files.
        config: Of config.json; empty where there is none.
        shards: The weight files that the index of safetensors names; None where there is none.
        licence: As its card says, such as `apache-2.0`; empty where it does not.
        gated: Whether its terms must be accepted first.
        tags: As the hub gives them.
        downloads: In the last 30 days.
        date: Of the last change, as `2025-01-31`; empty where not known.
        gguf: What the hub read from a GGUF file: `total` parameters, `architecture`,
            `context_length`.
        refused: Why its files may not be read, one sentence; empty where they may.
    """

    repo: str
    asked_for: str
    commit: str
    revision: str
    files: tuple[RemoteFile, ...]
    config: Mapping[str, Any] = field(default_factory=dict[str, Any])
    shards: frozenset[str] | None = None
    licence: str = ""
    gated: bool = False
    tags: tuple[str, ...] = ()
    downloads: int = 0
    date: str = ""
    gguf: Mapping[str, Any] = field(default_factory=dict[str, Any])
    refused: str = ""

    @property
    def variants(self) -> tuple[Variant, ...]:
        """The quantisations of a GGUF repository, the smallest first."""
        return variants(self.files)

    def choose(self, variant: str = "", budget_bytes: int | None = None) -> Choice:
        """What would be fetched; see `hub_files.choose`.

        Raises:
            HubError: Nothing here can be run.
        """
        return choose(self.files, self.shards, variant, budget_bytes, self.repo)

    def plan(self, variant: str = "", budget_bytes: int | None = None) -> Plan:
        """The plan for a download; arguments as with `choose`.

        Raises:
            HubError: Nothing here can be run, or it may not be read.
        """
        if self.refused:
            raise HubError(self.refused, "denied")
        choice = self.choose(variant, budget_bytes)
        return Plan(self.repo, self.commit, choice.files, self.revision, choice.variant)


def read_repository(
    network: Network, repo: str, token: str | None = None, revision: str = "main"
) -> Repository:
    """Ask the hub about a repository; fetches config.json and the index, and no weights.

    Args:
        network: The way there.
        repo: Such as `mlx-community/Qwen3-4B-4bit`.
        token: For gated and private repositories.
        revision: A branch, a tag or a commit.

    Raises:
        HubError: It cannot be had; the sentence says why.
    """
    from huggingface_hub.utils import validate_repo_id

    api = network.api(token)
    info = network.ask(lambda: api.model_info(repo, revision=revision, files_metadata=True), repo)
    network.ask(lambda: validate_repo_id(info.id), info.id)  # a folder is named after it
    commit = info.sha
    files = tuple(_files(info))
    if not commit or not _is_hash(commit) or info.siblings is None:
        raise _incomplete(repo)
    made = _described(info, commit, repo, revision, files)
    try:
        return replace(made, **_contents(network, made, token))
    except HubError as error:
        if error.kind != "denied":
            raise
        return replace(made, refused=str(error))


def config_of(repository: Repository) -> Mapping[str, Any]:
    """What its config.json says.

    Raises:
        HubError: There is none, or it may not be read.
    """
    if repository.refused:
        raise HubError(repository.refused, "denied")
    if not any(file.name == CONFIG_NAME for file in repository.files):
        sentence = translate("Hub", "{0} has no config.json.")
        raise HubError(sentence.format(repository.repo), "missing")
    return repository.config


def _contents(network: Network, made: Repository, token: str | None) -> dict[str, Any]:
    """What the small JSON files say."""
    found: dict[str, Any] = {}
    for file in made.files:
        if file.name not in {CONFIG_NAME, INDEX_NAME}:
            continue
        url = file_url(made.repo, made.commit, file.name)
        content = network.read(url, token, _JSON_LIMIT_BYTES, made.repo)
        value = _object(content, file.name, made.repo)
        if file.name == CONFIG_NAME:
            found["config"] = value
        else:
            found["shards"] = _shards(value, made.repo)
    return found


def _described(
    info: ModelInfo, commit: str, asked_for: str, revision: str, files: tuple[RemoteFile, ...]
) -> Repository:
    return Repository(
        repo=info.id,
        asked_for=asked_for,
        commit=commit,
        revision=revision,
        files=files,
        # The few entries of config.json that the hub tells to everybody.
        config=as_mapping(getattr(info, "config", None)),
        licence=licence_of(info),
        gated=bool(info.gated),
        tags=tuple(info.tags or ()),
        downloads=info.downloads or 0,
        date=date_of(info),
        gguf=as_mapping(getattr(info, "gguf", None)),
    )


def licence_of(info: ModelInfo) -> str:
    """The licence that a repository names, from its card or its tags."""
    licence: object = getattr(info.card_data, "license", None)
    if isinstance(licence, list):
        licence = ", ".join(str(name) for name in cast("list[object]", licence))
    if isinstance(licence, str) and licence and licence != "other":
        return licence
    name: object = getattr(info.card_data, "license_name", None)
    if isinstance(name, str) and name:
        return name
    tagged = [tag.partition(":")[2] for tag in info.tags or () if tag.startswith("license:")]
    return tagged[0] if tagged else ""


def date_of(info: ModelInfo) -> str:
    """The day of the last change, or else of the first; empty where neither is known."""
    when = info.last_modified or info.created_at
    return when.date().isoformat() if when is not None else ""


def _files(info: ModelInfo) -> list[RemoteFile]:
    """The files with sizes and hashes.

    Raises:
        HubError: The hub, or a mirror, leaves these out.
    """
    files: list[RemoteFile] = []
    for sibling in info.siblings or ():
        etag = sibling.lfs.sha256 if sibling.lfs is not None else sibling.blob_id
        size = sibling.lfs.size if sibling.lfs is not None else sibling.size
        if not etag or size is None or not _is_hash(etag):
            raise _incomplete(info.id)
        files.append(RemoteFile(sibling.rfilename, size, etag))
    return files


def _is_hash(etag: str) -> bool:
    return len(etag) in {40, 64} and all(digit in "0123456789abcdef" for digit in etag)


def _shards(index: Mapping[str, Any], repo: str) -> frozenset[str]:
    names = list(as_mapping(index.get("weight_map")).values())
    if not names or not all(isinstance(name, str) for name in names):
        raise _damaged(INDEX_NAME, repo)
    shards = frozenset(str(name) for name in names)
    if any("/" in name or not name.endswith(".safetensors") for name in shards):
        raise _damaged(INDEX_NAME, repo)
    return shards


def _object(content: bytes, name: str, repo: str) -> Mapping[str, Any]:
    try:
        value: object = json.loads(content)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise _damaged(name, repo)
    return cast("dict[str, Any]", value)


def _damaged(name: str, repo: str) -> HubError:
    return HubError(
        translate("Hub", "{0} of {1} is damaged on the hub.").format(name, repo), "unusable"
    )


def _incomplete(repo: str) -> HubError:
    return HubError(
        translate(
            "Hub", "The hub does not say the sizes and hashes of {0}'s files; use another mirror."
        ).format(repo),
        "server",
    )
