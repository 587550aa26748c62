"""`cutaway pull`: a model from a local hub, which then writes; refusals in one sentence."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from huggingface_hub import close_session, constants

from app.library.download_records import Records
from app.paths import folders
from tests.app.library.hub_server import HubServer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Cutaway = Callable[..., Any]

ROOT = Path(__file__).parents[3]
REPO = "tiny/talker"


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, talker: Path) -> Iterator[HubServer]:
    """A hub with the tiny model, which may be asked, and a cache that is empty."""
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.delenv("HF_TOKEN", raising=False)
    with HubServer() as server:
        monkeypatch.setenv("HF_ENDPOINT", server.url)
        server.add(REPO, {path.name: path.read_bytes() for path in talker.iterdir()})
        yield server
        close_session()


def test_a_model_is_pulled_and_writes(cutaway: Cutaway, hub: HubServer) -> None:
    hub.renamed["old/talker"] = REPO
    pulled = cutaway("pull", "old/talker")
    assert (pulled.status, pulled.out) == (0, f"{REPO}\n")
    assert pulled.err.startswith(f"old/talker is now called {REPO}.\n")
    assert pulled.err.endswith("are here and verified.\n")
    assert REPO in cutaway("models").out
    written = cutaway("generate", REPO, "--prompt", "Hi", "--max-tokens", 8, "--json").json
    assert written["tokens"]
    assert Records(folders().data / "downloads").load() == []
    hub.requests.clear()
    assert cutaway("pull", REPO).status == 0
    assert not hub.asked_for("model.safetensors")


def test_one_quantisation_is_pulled(cutaway: Cutaway, hub: HubServer) -> None:
    hub.add("tiny/files", {"m-Q4_0.gguf": b"GGUF4", "m-Q8_0.gguf": b"GGUF8"})
    pulled = cutaway("pull", "tiny/files", "--quant", "Q4_0")
    assert Path(pulled.out.strip()).read_bytes() == b"GGUF4"
    best = cutaway("pull", "tiny/files")
    assert best.out.strip().endswith("m-Q8_0.gguf")
    refused = cutaway("pull", "tiny/files", "--quant", "Q9")
    assert refused.status == 2
    assert refused.sentence == "tiny/files has no quantisation Q9; there are: Q4_0, Q8_0."


@pytest.mark.parametrize(
    ("repo", "status", "start"),
    [
        ("tiny/missing", 2, "tiny/missing does not exist or is private;"),
        ("no name", 2, "'no name' is not the name of a repository;"),
        ("tiny/pickle", 2, "tiny/pickle has only pickled weights, which can run code"),
    ],
)
def test_refusals(repo: str, status: int, start: str, cutaway: Cutaway, hub: HubServer) -> None:
    hub.add("tiny/pickle", {"config.json": b"{}", "pytorch_model.bin": b"p"})
    refused = cutaway("pull", repo)
    assert refused.status == status
    assert refused.sentence.startswith(start)


def test_offline_it_says_so(
    cutaway: Cutaway, hub: HubServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    preferences = folders().config / "preferences.json"
    preferences.parent.mkdir(parents=True)
    preferences.write_text('{"version": 1, "offline": true}', encoding="utf-8")
    for forbidden in (False, True):
        monkeypatch.setattr(constants, "HF_HUB_OFFLINE", forbidden)
        refused = cutaway("pull", REPO)
        assert refused.status == 1
        assert refused.sentence.startswith("Offline mode is on")
        assert not hub.requests
        preferences.write_text("damaged", encoding="utf-8")


def test_what_fails_is_written_down_for_the_window(cutaway: Cutaway, hub: HubServer) -> None:
    hub.fail("model.safetensors", "wrong", times=2)
    failed = cutaway("pull", REPO)
    assert failed.status == 1
    lines = failed.err.splitlines()
    assert lines[0].endswith("Trying again in 1 s.")
    assert lines[-1].startswith("model.safetensors arrived damaged")
    records = Records(folders().data / "downloads").load()
    assert [(record.plan.repo, record.state) for record in records] == [(REPO, "paused")]
    assert f"{REPO} is not whole" in cutaway("models").out
    assert cutaway("generate", REPO, "--raw", "Hi").status == 2


@pytest.mark.slow
def test_a_pull_is_interrupted_and_resumed(hub: HubServer, tmp_path: Path) -> None:
    hub.fail("model.safetensors", "slow", at=300_000)
    environment = {**os.environ, "HF_HUB_OFFLINE": "0", "HF_HUB_CACHE": str(tmp_path / "hub")}
    command = [sys.executable, "-m", "app", "pull", REPO]
    first = subprocess.Popen(
        command, cwd=ROOT, env=environment, stderr=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert hub.waiting.wait(60)
    while sum(path.stat().st_size for path in tmp_path.rglob("*.incomplete")) < 300_000:
        time.sleep(0.05)
    first.send_signal(2)
    out, err = first.communicate(timeout=60)
    assert (first.returncode, out) == (1, b"")
    assert err.decode().splitlines()[-1] == "Stopped."
    hub.let_go()
    second = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=True)
    assert second.stdout.decode() == f"{REPO}\n"
    asked = hub.asked_for("model.safetensors")[-1].headers
    assert asked["Range"] == "bytes=300000-"
