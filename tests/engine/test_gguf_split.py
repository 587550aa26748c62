"""A model split into several GGUF files is one model, or the part at fault is named."""

import shutil
from pathlib import Path

import pytest

import engine
from engine.errors import EngineError, ModelFileError
from engine.gguf_file import GGUFFile
from engine.source import resolve
from tests.engine.checkpoints import TinyLlama, write_gguf
from tests.engine.test_source import into_cache

TINY = TinyLlama()


def split(folder: Path, model: TinyLlama = TINY, name: str = "tiny-Q8_0") -> list[Path]:
    """Write the model in parts: the metadata, then eight tensors each."""
    first = write_gguf(folder / f"{name}.gguf", model, part_tensors=8)
    paths = sorted(first.parent.glob(f"{name}-*.gguf"))
    assert len(paths) > 3
    return paths


def test_any_part_and_the_folder_mean_the_whole_model(tmp_path: Path):
    whole = engine.load(write_gguf(tmp_path / "whole.gguf", TINY), precision="float32")
    paths = split(tmp_path / "parts")

    for source in (paths[0], paths[2], paths[-1], tmp_path / "parts"):
        found = resolve(source)
        assert (found.name, found.path) == ("tiny", paths[0])
    model = engine.load(paths[1], precision="float32")

    ids = [1, 7, 200, 42]
    assert model.logits(ids).tolist() == whole.logits(ids).tolist()
    assert model.weights_bytes == whole.weights_bytes


def test_several_models_in_one_folder_are_told_apart(tmp_path: Path):
    paths = split(tmp_path / "m")
    other = write_gguf(tmp_path / "m" / "other.gguf", TINY)

    assert [resolve(path).path for path in (paths[1], other)] == [paths[0], other]
    with pytest.raises(EngineError, match=r"holds 2 \.gguf models; give one"):
        resolve(tmp_path / "m")


@pytest.mark.parametrize("lost", [0, 1, -1])
def test_a_missing_part_is_named(tmp_path: Path, lost: int):
    paths = split(tmp_path / "m")
    snapshot = into_cache(tmp_path, "org/tiny", tmp_path / "m")
    kept = snapshot / paths[2].name
    (snapshot / paths[lost].name).unlink()

    for source in (kept, snapshot):
        with pytest.raises(ModelFileError, match=f"^{paths[lost].name} is missing"):
            resolve(source)
    with pytest.raises(ModelFileError, match="is missing"):
        GGUFFile.open(kept)


def test_a_part_that_is_cut_off_is_named(tmp_path: Path):
    paths = split(tmp_path)
    paths[2].write_bytes(paths[2].read_bytes()[:-40_000])

    with pytest.raises(ModelFileError, match=f"^{paths[2].name} is truncated"):
        GGUFFile.open(paths[0])


def test_a_part_that_is_no_gguf_file_is_named(tmp_path: Path):
    paths = split(tmp_path)
    paths[3].write_bytes(b"<html>")

    with pytest.raises(ModelFileError, match=f"^{paths[3].name} is not a GGUF file"):
        GGUFFile.open(paths[0])


def test_parts_in_each_others_place_are_named(tmp_path: Path):
    paths = split(tmp_path)
    shutil.copy(paths[2], paths[1])

    with pytest.raises(ModelFileError, match=rf"^{paths[1].name} says that it is part 3 of"):
        GGUFFile.open(paths[0])


def test_a_part_of_another_model_is_named(tmp_path: Path):
    paths = split(tmp_path / "m")
    # As many parts, but of a model with other tensors.
    other = TinyLlama(tied=False)
    shutil.copy(split(tmp_path / "other", other)[1], paths[1])

    with pytest.raises(ModelFileError, match=rf"^{paths[1].name} is a part of another model"):
        GGUFFile.open(paths[0])


def test_a_whole_file_under_a_parts_name_is_named(tmp_path: Path):
    paths = split(tmp_path)
    shutil.copy(write_gguf(tmp_path / "whole" / "m.gguf", TINY), paths[1])

    with pytest.raises(ModelFileError, match=rf"^{paths[1].name} is named as part 2 of .* not one"):
        GGUFFile.open(paths[0])


def test_a_tensor_in_two_parts_is_named(tmp_path: Path):
    paths = split(tmp_path)
    earlier = {len(name): name for name in _names(paths[1])}
    twin, name = next((n, earlier[len(n)]) for n in _names(paths[2]) if len(n) in earlier)
    paths[2].write_bytes(paths[2].read_bytes().replace(twin.encode(), name.encode()))

    with pytest.raises(ModelFileError, match=f"another part has its tensor {name} too"):
        GGUFFile.open(paths[0])


def test_too_few_tensors_in_all_are_said(tmp_path: Path):
    paths = split(tmp_path)
    count = len(GGUFFile.open(paths[0]).tensors)
    key = b"split.tensors.count"
    for path in paths:
        data = path.read_bytes()
        at = data.index(key) + len(key) + 4
        path.write_bytes(data[:at] + (count + 1).to_bytes(4, "little") + data[at + 4 :])

    with pytest.raises(ModelFileError, match=f"hold {count} tensors, not the {count + 1}"):
        GGUFFile.open(paths[0])


def test_a_part_under_a_name_of_its_own_is_refused(tmp_path: Path):
    paths = split(tmp_path)
    renamed = paths[0].rename(tmp_path / "model.gguf")

    with pytest.raises(ModelFileError, match=f"one of {len(paths)} parts, but its name"):
        GGUFFile.open(renamed)


@pytest.mark.parametrize("ending", ["00004-of-00003", "00000-of-00003", "00000-of-00000"])
def test_an_impossible_count_in_the_name_is_refused(tmp_path: Path, ending: str):
    file = write_gguf(tmp_path / f"m-{ending}.gguf", TINY)

    with pytest.raises(ModelFileError, match="rename it"):
        resolve(file)


def test_one_part_of_one_is_the_file_itself(tmp_path: Path):
    file = write_gguf(tmp_path / "m-00001-of-00001.gguf", TINY)

    assert resolve(file).name == "m"
    assert GGUFFile.open(file).path == file


def _names(path: Path) -> list[str]:
    """Names of the tensors of one part."""
    every = GGUFFile.open(path).tensors.values()
    return [info.name for info in every if info.path == path]
