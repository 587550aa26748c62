"""`cutaway models`: what is on this machine, and why some of it cannot be run."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from huggingface_hub import constants

from tests.app.talkers import write_talker

if TYPE_CHECKING:
    from collections.abc import Callable

    Cutaway = Callable[..., Any]


@pytest.fixture
def hub(talker: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A hub cache with one model that runs and one that does not."""
    cache = tmp_path / "hub"
    shutil.copytree(talker, cache / "models--org--talker" / "snapshots" / "abc")
    write_talker(cache / "models--org--bert" / "snapshots" / "abc", model_type="bert")
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(cache))
    return cache


def test_the_starter_is_always_there(cutaway: Cutaway) -> None:
    outcome = cutaway("models")
    assert (outcome.status, outcome.err) == (0, "")
    assert outcome.out.split()[:1] == ["starter"]
    assert "llama   135M   Q4_1   8,192 tokens" in outcome.out


def test_models_of_the_hub_are_listed_with_what_they_lack(cutaway: Cutaway, hub: Path) -> None:
    lines = cutaway("models").out.splitlines()
    assert [line.split()[0] for line in lines] == ["starter", "org/bert", "org/talker"]
    assert "bert" in lines[1].split("bert", 2)[2]
    assert lines[2].endswith("comfortable")
    assert len({line.index("iB") for line in lines}) == 1
    assert hub.is_dir()


def test_the_json_list_holds_every_field(cutaway: Cutaway, hub: Path) -> None:
    starter, bert, talker = cutaway("models", "--json").json
    assert starter["name"] == "starter"
    assert starter["kind"] == "gguf"
    assert (starter["origin"], starter["licence"]) == ("starter", "apache-2.0")
    fit = starter["fit"]
    parts = ("weights_bytes", "cache_bytes", "prefill_bytes")
    assert fit["needed_bytes"] == sum(fit[part] for part in parts)
    assert Path(starter["path"]).is_file()
    assert starter["size_bytes"] == Path(starter["path"]).stat().st_size
    assert (talker["name"], talker["supported"], talker["reason"]) == ("org/talker", True, "")
    assert not bert["supported"]
    assert bert["reason"].endswith(".")
    assert hub in Path(talker["path"]).parents
    outcome = cutaway("generate", "org/talker", "--prompt", "hi", "--max-tokens", 2)
    assert (outcome.status, len(outcome.out)) == (0, 3)


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (("models",), 0, "starter"),
        (("generate", "org/tiny", "--prompt", "x"), 2, "check HF_ENDPOINT."),
    ],
)
def test_an_impossible_address_of_the_hub_hides_nothing_on_disk(
    words: tuple[str, ...], status: int, said: str
) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "app", *words],
        env={**os.environ, "HF_ENDPOINT": "http://[::1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == status
    assert said in done.stdout + done.stderr
    assert "Traceback" not in done.stderr
