"""Models are found wherever they lie, and whatever is broken becomes a sentence."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from app.library.deletion import plan_removal, remove
from app.library.facts import ModelFacts
from app.library.found import Finder
from engine import source as source_module
from engine.source import resolve
from tests.app.library.shelves import (
    file,
    folder,
    new_library,
    offered,
    own_places,
    put_in_hub,
)
from tests.engine.checkpoints import TinyLlama, write_gguf, write_quantized_folder


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One tiny folder that tests copy."""
    return folder(tmp_path_factory.mktemp("library") / "tiny", shards=2)


def found(home: Path, *added: Path) -> dict[str, ModelFacts]:
    models = list(Finder(own_places(home)).models(added))
    assert models[0].source == "starter"
    return {facts.source: facts for facts in models[1:]}


def test_the_starter_is_described_without_loading_it(own_folders: Path) -> None:
    (starter,) = Finder(own_places(own_folders)).models()
    assert (starter.family, starter.quantization) == ("llama", "Q4_1")
    assert (starter.parameters, starter.context) == (134_515_008, 8192)
    assert starter.token_bytes == 2 * 30 * 3 * 64 * 2
    assert starter.licence == "apache-2.0"
    assert starter.size_bytes == starter.path.stat().st_size
    assert starter.ready
    assert not starter.is_ours
    assert starter.footprint is not None
    assert starter.footprint.weights_bytes > starter.size_bytes


def test_a_place_that_cannot_be_asked_for_hides_no_other(own_folders: Path, tiny: Path) -> None:
    impossible = Path("/") / ("x" * 300)
    models = found(own_folders, impossible, tiny)
    assert "cannot be read" in models[str(impossible)].reason
    assert models[str(tiny)].ready
    library = new_library(own_folders)
    library.added.add(impossible)
    remove(library, plan_removal(library, models[str(impossible)]))
    assert library.added.paths() == ()


def test_a_model_without_a_tokenizer_is_not_ready(own_folders: Path, tiny: Path) -> None:
    model = own_places(own_folders).models / "mine"
    shutil.copytree(tiny, model)
    assert found(own_folders)[str(model)].ready
    for path in model.glob("tokenizer.*"):
        path.write_bytes(b"")
    assert "its tokenizer is missing" in found(own_folders)[str(model)].reason


def test_every_place_is_looked_through_and_each_model_comes_once(
    own_folders: Path, tiny: Path
) -> None:
    home, machine = own_folders, own_places(own_folders)
    shutil.copytree(tiny, machine.models / "mine")
    put_in_hub(machine.hub, "org/hubbed", tiny)
    shutil.copytree(tiny, machine.lm_studio[0] / "maker" / "studio")
    elsewhere = home / "elsewhere"
    file(elsewhere / "deep" / "er" / "small.gguf")
    models = found(home, elsewhere, machine.models, elsewhere / "deep")
    origins = {facts.origin: source for source, facts in models.items()}
    assert list(origins) == ["own", "hub", "lm-studio", "added"]
    assert len(models) == 4
    assert origins["hub"] == "org/hubbed"
    assert all(facts.ready and not facts.reason for facts in models.values())
    assert [facts.is_ours for facts in models.values()] == [True, False, False, False]
    hubbed = models["org/hubbed"]
    assert hubbed.name == "hubbed"
    assert hubbed.path == resolve("org/hubbed", machine.hub).path
    assert hubbed.root == machine.hub / "models--org--hubbed"
    assert hubbed.size_bytes == sum(path.stat().st_size for path in tiny.iterdir())
    small = models[str(elsewhere / "deep" / "er" / "small.gguf")]
    assert (small.kind, small.quantization, small.root) == ("gguf", "Q8_0", elsewhere)


def test_a_repository_of_several_files_is_several_models(own_folders: Path, tmp_path: Path) -> None:
    for kind in ("Q8_0", "F16"):
        file(tmp_path / f"tiny-{kind}.gguf", kind)
    hub = own_places(own_folders).hub
    repo = put_in_hub(hub, "org/ggufs", tmp_path)
    models = found(own_folders)
    assert [Path(source).name for source in models] == ["tiny-F16.gguf", "tiny-Q8_0.gguf"]
    assert {facts.root for facts in models.values()} == {repo}
    assert all(facts.ready for facts in models.values())


def test_models_of_the_hub_are_ready_or_say_why(own_folders: Path, tmp_path: Path) -> None:
    hub = own_places(own_folders).hub
    quantized = write_quantized_folder(tmp_path / "tiny", TinyLlama())
    put_in_hub(hub, "org/tiny", quantized)
    other = folder(tmp_path / "other")
    config = {**TinyLlama().config(), "model_type": "bert"}
    (other / "config.json").write_text(json.dumps(config), encoding="utf-8")
    put_in_hub(hub, "org/other", other)
    for name, kind in (("a-Q8_0.gguf", "Q8_0"), ("b-F16.gguf", "F16")):
        file(tmp_path / "ggufs" / name, kind)
    several = put_in_hub(hub, "org/ggufs", tmp_path / "ggufs") / "snapshots" / "c0ffee"
    (hub / "models--org--empty").mkdir()
    (hub / "datasets--org--data").mkdir()
    models = found(own_folders)
    ggufs = [str(several / "a-Q8_0.gguf"), str(several / "b-F16.gguf")]
    assert list(models) == [*ggufs, "org/other", "org/tiny"]
    assert models["org/tiny"].ready
    assert models["org/tiny"].name == "tiny"
    assert models["org/tiny"].size_bytes == sum(each.stat().st_size for each in quantized.iterdir())
    assert models["org/other"].family == "bert"
    assert not models["org/other"].ready
    assert "'bert'" in models["org/other"].reason


def test_parts_are_one_model_with_the_size_of_all(own_folders: Path, tmp_path: Path) -> None:
    first = write_gguf(tmp_path / "m" / "tiny.gguf", TinyLlama(), part_tensors=8)
    size = sum(path.stat().st_size for path in first.parent.iterdir())
    hub = own_places(own_folders).hub
    put_in_hub(hub, "org/tiny", first.parent)
    (whole,) = offered(hub)
    assert (whole.source, whole.size_bytes) == ("org/tiny", size)
    file(tmp_path / "m" / "other.gguf")
    repo = put_in_hub(hub, "org/both", first.parent)
    both = [facts.path.name for facts in offered(hub) if facts.root == repo]
    assert sorted(both) == sorted(["other.gguf", first.name])


@pytest.mark.parametrize("lost", [0, 1, -1])
def test_a_model_that_lacks_a_part_is_not_ready(
    own_folders: Path, tmp_path: Path, lost: int
) -> None:
    first = write_gguf(tmp_path / "m" / "tiny.gguf", TinyLlama(), part_tensors=8)
    sorted(first.parent.iterdir())[lost].unlink()
    put_in_hub(own_places(own_folders).hub, "org/tiny", first.parent)
    (facts,) = found(own_folders).values()
    assert not facts.ready
    assert "is missing" in facts.reason


@pytest.mark.parametrize("package", ["no_such_package_here", "json"])
def test_a_starter_that_is_not_installed_is_left_out(
    own_folders: Path, monkeypatch: pytest.MonkeyPatch, package: str
) -> None:
    monkeypatch.setattr(source_module, "_STARTER_PACKAGE", package)
    assert list(Finder(own_places(own_folders)).models()) == []


def test_a_card_names_the_licence(own_folders: Path, tiny: Path) -> None:
    copy = shutil.copytree(tiny, own_places(own_folders).models / "carded")
    card = copy / "README.md"
    for text, named in (
        ("---\nlanguage: en\nlicense: mit\n---\nlicense: none\n", "mit"),
        ("---\nlicense: other\nlicense_name: house\n---\n", "house"),
        ("license: mit\n", ""),
        ("", ""),
    ):
        card.write_text(text, encoding="utf-8")
        (carded,) = found(own_folders).values()
        assert carded.licence == named


def test_quantised_folders_say_their_bits(own_folders: Path) -> None:
    shape = TinyLlama(hidden_size=64, head_dim=32)
    write_quantized_folder(own_places(own_folders).models / "four", shape, (32, 4))
    (four,) = found(own_folders).values()
    assert (four.quantization, four.ready) == ("4-bit", True)
    assert four.parameters == 64 * 288 + 2 * (64 * 32 * 12 + 3 * 64 * 128 + 128) + 64


def broken_shard(copy: Path) -> None:
    next(copy.glob("*-00002-of-00002.safetensors")).unlink()


def truncated(copy: Path) -> None:
    path = next(copy.glob("*-00002-of-00002.safetensors"))
    os.truncate(path, path.stat().st_size - 1)


def empty(copy: Path) -> None:
    os.truncate(next(copy.glob("*-00001-of-00002.safetensors")), 0)


def no_tokenizer(copy: Path) -> None:
    (copy / "tokenizer.json").unlink()


def empty_config(copy: Path) -> None:
    (copy / "config.json").write_bytes(b"")


def wrong_index(copy: Path) -> None:
    index = copy / "model.safetensors.index.json"
    entries = json.loads(index.read_text(encoding="utf-8"))
    entries["weight_map"]["model.norm.weight"] = "model-00001-of-00002.safetensors"
    entries["weight_map"]["nothing"] = "model-00001-of-00002.safetensors"
    index.write_text(json.dumps(entries), encoding="utf-8")


def foreign(copy: Path) -> None:
    path = copy / "config.json"
    config = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**config, "model_type": "bert"}), encoding="utf-8")


def pickled(copy: Path) -> None:
    for path in copy.glob("*.safetensors*"):
        path.unlink()
    (copy / "pytorch_model.bin").write_bytes(b"\x80\x04.")


def dangling(copy: Path) -> None:
    path = next(copy.glob("*-00002-of-00002.safetensors"))
    path.unlink()
    path.symlink_to(copy / "nowhere")


@pytest.mark.parametrize(
    ("damage", "word"),
    [
        (broken_shard, "incomplete"),
        (truncated, "truncated"),
        (empty, "truncated"),
        (no_tokenizer, "tokenizer is missing"),
        (empty_config, "not valid JSON"),
        (wrong_index, "incomplete"),
        (foreign, "bert"),
        (pickled, "pickled"),
        (dangling, "missing"),
    ],
)
def test_what_is_not_whole_is_never_ready_and_says_why(
    own_folders: Path, tiny: Path, damage: object, word: str
) -> None:
    copy = shutil.copytree(tiny, own_places(own_folders).models / "copy")
    assert callable(damage)
    damage(copy)
    (facts,) = found(own_folders).values()
    assert not facts.ready
    assert word in facts.reason
    assert facts.reason.endswith(".")


@pytest.mark.parametrize("cut", [0, 3, 20, 2000])
def test_a_gguf_file_that_ends_too_early_is_not_ready(own_folders: Path, cut: int) -> None:
    path = file(own_places(own_folders).models / "cut.gguf")
    os.truncate(path, cut)
    (facts,) = found(own_folders).values()
    assert (facts.ready, facts.size_bytes) == (False, cut)
    assert facts.reason.endswith(".")


def test_a_download_that_has_not_finished_is_not_ready(own_folders: Path, tiny: Path) -> None:
    hub = own_places(own_folders).hub
    repo = put_in_hub(hub, "org/part", tiny)
    shutil.rmtree(repo / "snapshots")
    (repo / "blobs" / "abc.incomplete").write_bytes(b"half")
    facts = found(own_folders)["org/part"]
    assert not facts.ready
    assert "not finished" in facts.reason
    assert facts.size_bytes > 4


def test_folders_that_are_circular_unreadable_or_gone_do_no_harm(
    own_folders: Path, tiny: Path
) -> None:
    models = own_places(own_folders).models
    shutil.copytree(tiny, models / "b" / "real")
    (models / "b" / "loop").symlink_to(models)
    (models / "a").symlink_to(models / "a")
    os.mkfifo(models / "pipe.gguf")
    (models / "dir.gguf").mkdir()
    gone, empty_folder = own_folders / "gone", own_folders / "empty"
    empty_folder.mkdir()
    found_there = found(own_folders, gone, empty_folder)
    assert [facts.ready for facts in found_there.values()] == [True, False, False]
    assert "is gone" in found_there[str(gone)].reason
    assert "There is no model" in found_there[str(empty_folder)].reason


def test_headers_are_read_again_only_where_files_changed(own_folders: Path, tiny: Path) -> None:
    copy = shutil.copytree(tiny, own_places(own_folders).models / "copy")
    finder = Finder(own_places(own_folders))
    first = list(finder.models())[1]
    assert list(finder.models())[1].footprint is first.footprint
    truncated(copy)
    assert not list(finder.models())[1].ready


@pytest.mark.slow
def test_a_thousand_models_are_found(own_folders: Path, tiny: Path) -> None:
    models = own_places(own_folders).models
    for number in range(1000):
        copy = models / f"m{number:04}"
        copy.mkdir(parents=True)
        for path in tiny.iterdir():
            os.link(path, copy / path.name)
    assert sum(facts.ready for facts in found(own_folders).values()) == 1000
