"""Imports add what can be run, whole or not at all."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from app.library.errors import LibraryError
from app.library.imports import add_model, copy_model
from app.library.library import Library
from tests.app.library.shelves import file, folder, new_library
from tests.engine.checkpoints import TinyLlama, write_gguf


@dataclass(frozen=True)
class Usage:
    free: int


@pytest.fixture
def library(own_folders: Path) -> Library:
    return new_library(own_folders)


def test_a_folder_of_models_is_added_as_it_is(library: Library, tmp_path: Path) -> None:
    folder(tmp_path / "many" / "one")
    file(tmp_path / "many" / "two.gguf")
    imported = add_model(library, tmp_path / "many")
    assert (imported.models, imported.copied_bytes) == (2, 0)
    assert len(list(library.models())) == 3
    new = folder(tmp_path / "many" / "three")
    assert library.find(str(new)).ready, "and what comes later is found too"


def test_what_is_in_a_place_of_its_own_is_there_already(library: Library) -> None:
    mine = folder(library.places.models / "mine")
    with pytest.raises(LibraryError, match="already"):
        add_model(library, mine)


def test_a_copy_has_what_the_model_needs_and_no_pickles(library: Library, tmp_path: Path) -> None:
    model = folder(tmp_path / "model", shards=2)
    (model / "pytorch_model.bin").write_bytes(b"\x80\x04.")
    (model / "notes.tmp").write_bytes(b"")
    shares: list[float] = []
    copied = copy_model(library, model, report=shares.append)
    assert copied is not None
    names = {path.name for path in copied.path.iterdir()}
    assert names == {path.name for path in model.iterdir()} - {"pytorch_model.bin", "notes.tmp"}
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert library.find(str(copied.path)).is_ours


def test_all_parts_of_a_file_are_copied(library: Library, tmp_path: Path) -> None:
    first = write_gguf(tmp_path / "model.gguf", TinyLlama(), part_tensors=8)
    copied = copy_model(library, first)
    assert copied is not None
    assert len(list(copied.path.iterdir())) == len(list(tmp_path.iterdir())) > 1
    (facts,) = list(library.models())[1:]
    assert facts.ready
    assert facts.size_bytes == copied.copied_bytes


def test_a_copy_that_was_given_up_leaves_nothing(library: Library, tmp_path: Path) -> None:
    model = folder(tmp_path / "model", shards=2)
    asked: list[bool] = []
    assert (
        copy_model(library, model, cancelled=lambda: bool(asked.append(True) or asked[2:])) is None
    )
    assert len(asked) == 3
    assert list(library.places.models.iterdir()) == []


def test_what_a_killed_copy_left_is_cleared_away(library: Library, tmp_path: Path) -> None:
    left = library.places.models / ".cutaway-new-999999999-x"
    left.mkdir(parents=True)
    (left / "model.safetensors").write_bytes(b"half")
    assert [facts.source for facts in library.models()] == ["starter"]
    assert copy_model(library, folder(tmp_path / "model"))
    assert not left.exists()


def test_a_full_disk_is_known_before(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def usage(path: Path) -> Usage:
        del path
        return Usage(free=1000)

    monkeypatch.setattr(shutil, "disk_usage", usage)
    with pytest.raises(
        LibraryError, match=r"The disk has 1000 B left and .+ are needed"
    ) as refusal:
        copy_model(library, folder(tmp_path / "model"))
    assert not refusal.value.given
    assert not library.places.models.exists()


def test_a_place_that_cannot_be_written_is_named(library: Library, tmp_path: Path) -> None:
    library.places.models.parent.mkdir(parents=True, exist_ok=True)
    library.places.models.write_bytes(b"a file is in the way")
    with pytest.raises(LibraryError, match="cannot be written"):
        copy_model(library, folder(tmp_path / "model"))


def test_several_models_are_not_copied_at_once(library: Library, tmp_path: Path) -> None:
    folder(tmp_path / "one")
    folder(tmp_path / "two")
    with pytest.raises(LibraryError, match="holds 2 models") as refusal:
        copy_model(library, tmp_path)
    assert refusal.value.given


def test_one_whole_model_is_enough_and_none_is_refused_with_the_reason(
    library: Library, tmp_path: Path
) -> None:
    broken = folder(tmp_path / "broken")
    (broken / "tokenizer.json").unlink()
    with pytest.raises(LibraryError, match="tokenizer is missing"):
        add_model(library, tmp_path)
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(LibraryError, match="There is no model in"):
        add_model(library, empty)
    folder(tmp_path / "whole")
    assert add_model(library, tmp_path).models == 1
