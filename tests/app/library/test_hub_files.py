"""Which files of a repository are chosen, on lists as they are on the hub."""

from __future__ import annotations

import pytest

from app.library.hub_errors import HubError
from app.library.hub_files import LARGEST_FILE_BYTES, RemoteFile, best_variant, choose, variants

GB = 10**9


def _files(*names: str, size: int = 1000) -> list[RemoteFile]:
    return [RemoteFile(name, size, f"{at:040x}") for at, name in enumerate(names)]


def _gguf() -> list[RemoteFile]:
    return [
        RemoteFile("model-Q8_0.gguf", 8 * GB, "8" * 64),
        RemoteFile("model-Q4_K_M.gguf", 4 * GB, "4" * 64),
        RemoteFile("model.IQ2_XS.gguf", 2 * GB, "2" * 64),
        RemoteFile("BF16/model-BF16-00001-of-00002.gguf", 8 * GB, "a" * 64),
        RemoteFile("BF16/model-BF16-00002-of-00002.gguf", 8 * GB, "b" * 64),
        RemoteFile("model-UD-Q6_K-00001-of-00002.gguf", 3 * GB, "c" * 64),
        RemoteFile("mmproj-model-f16.gguf", 1 * GB, "d" * 64),
        RemoteFile("config.json", 100, "e" * 40),
        RemoteFile("README.md", 100, "f" * 40),
    ]


def _names(files: list[RemoteFile], *shards: str, variant: str = "") -> set[str]:
    return {file.name for file in choose(files, shards or None, variant, repo="o/n").files}


def test_an_index_decides() -> None:
    shards = [f"model-0000{at}-of-00002.safetensors" for at in (1, 2)]
    files = _files(
        "config.json",
        "model.safetensors.index.json",
        *shards,
        "consolidated.safetensors",
        "pytorch_model-00001-of-00001.bin",
        "tokenizer.model",
        "tekken.json",
        "LICENSE",
        "onnx/model.onnx",
        "model.py",
    )
    fetched = {
        "config.json",
        "model.safetensors.index.json",
        *shards,
        "tokenizer.model",
        "LICENSE",
    }
    assert _names(files, *shards) == fetched
    with pytest.raises(HubError, match=r"^o/n is not whole on the hub: more.safetensors is missin"):
        _names(files, *shards, "more.safetensors")


def test_without_an_index_the_one_file_or_all_parts() -> None:
    files = _files("config.json", "model.safetensors", "model-1.safetensors", "pytorch_model.bin")
    assert _names(files) == {"config.json", "model.safetensors"}
    parts = _files("config.json", "a-00001-of-00002.safetensors", "a-00002-of-00002.safetensors")
    assert len(_names(parts)) == 3
    with pytest.raises(HubError, match="parts of its weights are missing"):
        _names(parts[:2])


@pytest.mark.parametrize(
    ("names", "sentence"),
    [
        (("config.json", "pytorch_model.bin"), "only pickled weights, which can run code"),
        (("config.json", "model.pt"), "only pickled weights"),
        (("config.json", "weights.npz"), "MLX's old format"),
        (("config.json", "README.md"), "o/n has no weights: neither safetensors nor GGUF files."),
        ((), "has no weights"),
        (("model.safetensors",), "no config.json: it is not a language model"),
        (("m-Q4_0-00001-of-00002.gguf",), "no whole GGUF model: parts of it are missing"),
        (("config.json", "model.safetensors", "../LICENSE.model"), None),
        (("m/../../m-Q4_0.gguf",), "a file outside its folder"),
        (("/etc/m.gguf",), "a file outside its folder"),
    ],
)
def test_what_cannot_be_used_is_refused(names: tuple[str, ...], sentence: str | None) -> None:
    if sentence is None:
        assert _names(_files(*names)) == {"config.json", "model.safetensors"}
        return
    with pytest.raises(HubError) as caught:
        _names(_files(*names))
    assert sentence in str(caught.value)
    assert caught.value.kind == "unusable"


@pytest.mark.parametrize("name", ["a\0b.safetensors", "\ud800.safetensors", "a\n.safetensors"])
def test_names_that_no_disk_takes_are_refused(name: str) -> None:
    with pytest.raises(HubError, match="in a way that not every disk takes"):
        choose(_files("config.json", name), None, repo="o/n")


def test_empty_and_huge_files_are_refused() -> None:
    config = _files("config.json")
    empty = RemoteFile("model.safetensors", 0, "0" * 64)
    with pytest.raises(HubError, match=r"^model.safetensors of o/n is empty on the hub\.$"):
        choose([*config, empty], None, repo="o/n")
    whole = _files("config.json", "model.safetensors", "tokenizer_config.json")
    for name in ("tokenizer.json", "tokenizer.model"):
        with pytest.raises(HubError, match=rf"^{name} of o/n is empty on the hub\.$"):
            choose([*whole, RemoteFile(name, 0, "0" * 40)], None, repo="o/n")
    choose([*whole, RemoteFile("README.md", 0, "0" * 40)], None, repo="o/n")
    huge = RemoteFile("model.safetensors", LARGEST_FILE_BYTES + 1, "0" * 64)
    with pytest.raises(HubError, match="larger than 50 GB"):
        choose([*config, huge], None, repo="o/n")


def test_the_quantisations_of_a_repository() -> None:
    found = variants(_gguf())
    assert [(v.name, v.size_bytes // GB) for v in found] == [
        ("IQ2_XS", 2),
        ("Q4_K_M", 4),
        ("Q8_0", 8),
        ("BF16", 16),
    ]


@pytest.mark.parametrize(
    ("budget", "name"),
    [(None, "Q4_K_M"), (1, "IQ2_XS"), (5 * GB, "Q4_K_M"), (9 * GB, "Q8_0"), (99 * GB, "Q8_0")],
)
def test_the_best_that_fits_is_chosen(budget: int | None, name: str) -> None:
    best = best_variant(variants(_gguf()), budget)
    assert best is not None
    assert best.name == name
    chosen = choose(_gguf(), None, "", budget)
    assert chosen.variant == name
    assert [file.name for file in chosen.files] == ["README.md", best.files[0].name]


def test_odd_repositories_have_a_best_too() -> None:
    assert best_variant((), None) is None
    for names, expected in ((("a-F16.gguf",), "F16"), (("a-Q3_K.gguf", "b.gguf"), "B")):
        best = best_variant(variants(_files(*names)), None)
        assert best is not None
        assert best.name.upper() == expected


def test_a_quantisation_can_be_named() -> None:
    assert "model-Q8_0.gguf" in _names(_gguf(), variant="q8_0")
    parts = _names(_gguf(), variant="BF16")
    assert {name for name in parts if name.startswith("BF16/")} == {
        f"BF16/model-BF16-0000{at}-of-00002.gguf" for at in (1, 2)
    }
    with pytest.raises(HubError) as caught:
        _names(_gguf(), variant="Q5_0")
    assert str(caught.value) == (
        "o/n has no quantisation Q5_0; there are: IQ2_XS, Q4_K_M, Q8_0, BF16."
    )
