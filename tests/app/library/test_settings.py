"""What is remembered of models survives restarts, other processes, and damage."""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path

import pytest

from app.library.errors import LibraryError
from app.library.library import Library
from app.library.settings import Benchmark, LoadSettings, ModelNotes, Notes, SpeedRow
from tests.app.library.shelves import new_library, own_places

SPEED = Benchmark(1.0, (SpeedRow(64, 100.5, 20.25), SpeedRow(512, 90.0, None)))


def test_everything_comes_back_after_a_restart(own_folders: Path) -> None:
    notes = Notes(own_places(own_folders))
    assert notes.of("starter") == ModelNotes()
    settings = LoadSettings(window=4096, bits=8, chunk=256)
    notes.set_settings("starter", settings)
    notes.set_used("starter", 123.5)
    notes.set_used("org/other")
    notes.set_benchmark("starter", SPEED)
    again = Notes(own_places(own_folders))
    assert again.of("starter") == ModelNotes(settings, 123.5, SPEED)
    assert (again.of("org/other").last_used or 0) > 1e9
    assert again.notice == ""
    assert next(new_library(own_folders).models()).last_used == 123.5
    again.forget("starter")
    assert set(notes.all()) == {"org/other"}


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff\xfe", b"{}", b'{"version": "1"}'])
def test_a_damaged_file_is_kept_aside_and_said(own_folders: Path, content: bytes) -> None:
    path = own_places(own_folders).notes
    path.parent.mkdir(parents=True)
    path.write_bytes(content)
    (path.parent / f"{path.name}.damaged-1").write_bytes(b"older")
    library = new_library(own_folders)
    assert next(iter(library.models())).source == "starter"
    assert library.notices == (library.notes.notice,)
    assert "was damaged" in library.notes.notice
    assert (path.parent / f"{path.name}.damaged-2").read_bytes() == content
    library.notes.set_settings("starter", LoadSettings(bits=4))
    assert library.notes.of("starter").settings.bits == 4


def test_a_file_of_a_newer_version_is_left_alone(own_folders: Path) -> None:
    path = own_places(own_folders).notes
    path.parent.mkdir(parents=True)
    path.write_text('{"version": 2, "models": {}}', encoding="utf-8")
    notes = Notes(own_places(own_folders))
    assert notes.all() == {}
    assert "newer Cutaway" in notes.notice
    with pytest.raises(LibraryError, match="newer Cutaway"):
        notes.set_used("starter")
    assert json.loads(path.read_text(encoding="utf-8"))["version"] == 2


def test_values_out_of_bounds_are_as_if_never_set(own_folders: Path) -> None:
    path = own_places(own_folders).notes
    path.parent.mkdir(parents=True)
    wild = {
        "settings": {"window": -1, "bits": 5, "chunk": True},
        "last_used": "yesterday",
        "benchmark": {"measured_at": 1, "rows": [{"context": 0}, 7, {"context": 8}]},
    }
    path.write_text(json.dumps({"version": 1, "models": {"a": wild, "b": []}}), encoding="utf-8")
    assert Notes(own_places(own_folders)).all() == {"a": ModelNotes(), "b": ModelNotes()}


def test_nothing_is_lost_where_several_write_at_once(own_folders: Path) -> None:
    places = own_places(own_folders)
    threads = [
        threading.Thread(target=Notes(places).set_used, args=(str(key), 1.0)) for key in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(Notes(places).all()) == 8


def test_a_place_that_cannot_be_written_is_named(own_folders: Path) -> None:
    places = own_places(own_folders)
    places.notes.mkdir(parents=True)
    notes = Notes(places)
    assert notes.all() == {}
    with pytest.raises(LibraryError, match="cannot be saved"):
        notes.set_used("starter")


def test_what_was_added_survives_and_can_be_taken_off(own_folders: Path) -> None:
    added = new_library(own_folders).added
    added.add(Path("/a"))
    added.add(Path("/b"))
    added.add(Path("/a"))
    assert new_library(own_folders).added.paths() == (Path("/a"), Path("/b"))
    added.forget(Path("/a"))
    assert added.paths() == (Path("/b"),)
    assert os.listdir(own_places(own_folders).data) != []  # noqa: PTH208 - names are enough


def test_a_name_that_is_not_one_model_is_refused(own_folders: Path) -> None:
    library = new_library(own_folders)
    assert library.find("SmolLM2 135M instruct").source == "starter"
    for word in ("\0", "", "~nobody/x", "x" * 10_000):
        with pytest.raises(LibraryError, match="There is no model") as refusal:
            library.find(word)
        assert refusal.value.given


def test_settings_of_two_models_of_one_name_are_apart(own_folders: Path) -> None:
    library: Library = new_library(own_folders)
    library.notes.set_settings("a/model", LoadSettings(window=1))
    library.notes.set_settings("b/model", LoadSettings(window=2))
    assert [library.notes.of(f"{each}/model").settings.window for each in "ab"] == [1, 2]
