"""A machine's places in a temporary folder, and models to put there."""

from __future__ import annotations

import os
import shutil
from dataclasses import replace
from pathlib import Path

from app.library.facts import ModelFacts
from app.library.found import Finder
from app.library.library import Library
from app.library.places import Places, places
from tests.engine.checkpoints import TinyLlama, write_folder, write_gguf

TINY = TinyLlama(num_hidden_layers=1, head_dim=32)


def own_places(home: Path) -> Places:
    """The places of a user with this home."""
    return replace(places(), hub=home / "hub")


def new_library(home: Path) -> Library:
    """A library of that user."""
    return Library(own_places(home))


def offered(cache: Path) -> list[ModelFacts]:
    """What a hub cache offers: its models that are ready."""
    return [facts for facts in found_in(cache) if facts.ready]


def found_in(cache: Path) -> list[ModelFacts]:
    """All that is found in a hub cache."""
    nowhere = cache.parent / "nowhere"
    found = Finder(Places(data=nowhere, models=nowhere, hub=cache)).models()
    return [facts for facts in found if facts.source != "starter"]


def put_in_hub(cache: Path, hub_id: str, model: Path, commit: str = "c0ffee") -> Path:
    """Put a model's folder into a hub cache as huggingface_hub does: blobs, and links to them."""
    repo = cache / f"models--{hub_id.replace('/', '--')}"
    snapshot = repo / "snapshots" / commit
    snapshot.mkdir(parents=True)
    (repo / "blobs").mkdir(exist_ok=True)
    (repo / "refs").mkdir(exist_ok=True)
    (repo / "refs" / "main").write_text(commit, encoding="utf-8")
    for file in sorted(model.iterdir()):
        blob = repo / "blobs" / f"{hash(file.read_bytes()) & (1 << 60) - 1:x}"
        if not blob.exists():
            shutil.copyfile(file, blob)
        (snapshot / file.name).symlink_to(os.path.relpath(blob, snapshot))
    return repo


def folder(path: Path, shape: TinyLlama = TINY, shards: int = 1) -> Path:
    """A tiny model's folder of safetensors."""
    return write_folder(path, shape, shards=shards)


def file(path: Path, kind: str = "Q8_0") -> Path:
    """A tiny model's .gguf file."""
    return write_gguf(path, TINY, kind)
