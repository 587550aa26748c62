"""Deleting takes what belongs to a model and nothing else, and tells the space that it frees."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

from app.library.deletion import freed_bytes, plan_removal, remove
from app.library.errors import LibraryError
from app.library.library import Library
from app.library.settings import LoadSettings
from engine.source import resolve
from tests.app.library.shelves import file, folder, new_library, put_in_hub


@pytest.fixture
def library(own_folders: Path) -> Library:
    return new_library(own_folders)


def trashed(home: Path) -> set[str]:
    return {path.name for path in (home / "data" / "Trash" / "files").glob("*")}


def test_a_model_of_ours_goes_to_the_trash_with_what_is_remembered(
    library: Library, own_folders: Path
) -> None:
    mine = folder(library.places.models / "mine")
    library.notes.set_settings(str(mine), LoadSettings(window=512))
    removal = plan_removal(library, library.find(str(mine)))
    assert removal.question == ""
    assert removal.freed_bytes == sum(path.stat().st_size for path in mine.iterdir())
    assert remove(library, removal) == removal.freed_bytes
    assert not mine.exists()
    assert trashed(own_folders) == {"mine"}
    assert library.notes.all() == {}
    assert remove(library, removal) == 0, "a second time there is nothing to do"


def test_of_a_folder_of_files_only_the_models_go(library: Library, own_folders: Path) -> None:
    models = library.places.models
    one, two = file(models / "one.gguf"), file(models / "two.gguf")
    remove(library, plan_removal(library, library.find(str(one))))
    assert [path.name for path in models.iterdir()] == [two.name]
    alone = file(models / "copied" / "alone.gguf")
    remove(library, plan_removal(library, library.find(str(alone))))
    assert not alone.parent.exists()
    assert trashed(own_folders) == {"one.gguf", "copied"}


def test_a_repository_goes_with_all_revisions_and_a_shared_blob_counts_once(
    library: Library, tmp_path: Path
) -> None:
    model = folder(tmp_path / "model")
    repo = put_in_hub(library.places.hub, "org/twice", model)
    (model / "extra.txt").write_text("more", encoding="utf-8")
    put_in_hub(library.places.hub, "org/twice", model, "facade")
    removal = plan_removal(library, library.find("org/twice"))
    assert "org/twice" in removal.question
    assert removal.paths == (repo,)
    links = sum(path.lstat().st_size for path in (repo / "snapshots").glob("*/*"))
    blobs = sum(path.stat().st_size for path in (repo / "blobs").iterdir())
    refs = (repo / "refs" / "main").stat().st_size
    assert removal.freed_bytes == links + blobs + refs
    remove(library, removal, forever=True)
    assert not repo.exists()


def test_of_a_repository_of_several_models_one_goes_by_its_name(
    library: Library, own_folders: Path, tmp_path: Path
) -> None:
    for kind in ("Q8_0", "F16"):
        file(tmp_path / f"tiny-{kind}.gguf", kind)
    repo = put_in_hub(library.places.hub, "org/ggufs", tmp_path)
    put_in_hub(library.places.hub, "org/ggufs", tmp_path, "facade")
    eight = repo / "snapshots" / "facade" / "tiny-Q8_0.gguf"
    size = eight.stat().st_size
    removal = plan_removal(library, library.find(str(eight)))
    assert (removal.freed_bytes, len(removal.links)) == (size, 2)
    assert remove(library, removal) == size
    assert trashed(own_folders) == {"tiny-Q8_0.gguf"}
    assert resolve(own_folders / "data" / "Trash" / "files" / "tiny-Q8_0.gguf").kind == "gguf"
    left = [path.name for path in (repo / "snapshots").glob("*/*")]
    assert left == ["tiny-F16.gguf"] * 2
    assert [facts.source for facts in library.models()] == ["starter", "org/ggufs"]


def test_a_blob_that_another_file_is_too_stays(library: Library, tmp_path: Path) -> None:
    one = file(tmp_path / "one.gguf")
    shutil.copyfile(one, tmp_path / "two.gguf")
    put_in_hub(library.places.hub, "org/same", tmp_path)
    first = next(facts for facts in library.models() if facts.path.name == "one.gguf")
    removal = plan_removal(library, first)
    assert (removal.paths, removal.freed_bytes) == ((), 0)
    assert remove(library, removal) == 0
    (left,) = list(library.models())[1:]
    assert (left.path.name, left.ready) == ("two.gguf", True)


def test_the_starter_stays(library: Library) -> None:
    with pytest.raises(LibraryError, match="stays"):
        plan_removal(library, library.find("starter"))


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the trash cannot be taken away")
def test_what_cannot_be_moved_stays_and_is_said(
    library: Library, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for kind in ("Q8_0", "F16"):
        file(tmp_path / f"tiny-{kind}.gguf", kind)
    repo = put_in_hub(library.places.hub, "org/ggufs", tmp_path)
    link = repo / "snapshots" / "c0ffee" / "tiny-F16.gguf"
    monkeypatch.setenv("XDG_DATA_HOME", "/proc/nowhere")
    monkeypatch.setenv("HOME", "/proc/nowhere")
    with pytest.raises(LibraryError, match="cannot be moved to the trash"):
        remove(library, plan_removal(library, library.find(str(link))))
    assert resolve(link).kind == "gguf"
    assert not [path for path in repo.iterdir() if path.name.startswith("tmp")]


def test_a_file_with_another_name_elsewhere_frees_nothing(tmp_path: Path) -> None:
    inside = tmp_path / "model"
    inside.mkdir()
    (inside / "a").write_bytes(b"12345")
    os.link(inside / "a", inside / "b")
    assert freed_bytes(inside) == 5
    os.link(inside / "a", tmp_path / "outside")
    assert freed_bytes(inside) == 0
