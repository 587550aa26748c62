"""A process that is killed while it fetches: nothing is offered, and the next one goes on."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from app.library.download import fetch
from app.library.hub_repo import read_repository
from tests.app.library.conftest import REPO
from tests.app.library.shelves import offered

if TYPE_CHECKING:
    from app.library.hub_network import Network
    from tests.app.library.hub_server import HubServer

WEIGHTS = "model.safetensors"
SIZE = 445_769
ROOT = Path(__file__).parents[3]
FETCH = f"""
import sys
from pathlib import Path
from app.library.download import fetch
from app.library.hub_network import Network
from app.library.hub_repo import read_repository
network = Network(offline=False)
fetch(read_repository(network, {REPO!r}).plan(), Path(sys.argv[1]), network)
"""


def _kill_at(talking: HubServer, cache: Path, name: str, at: int) -> None:
    """Have a process fetch, and kill it when that many bytes of a file were sent."""
    talking.hold()
    talking.faults.clear()
    talking.fail(name, "slow", at=at)
    process = subprocess.Popen(
        [sys.executable, "-c", FETCH, str(cache)],
        cwd=ROOT,
        env={**os.environ, "HF_HUB_OFFLINE": "0"},
    )
    try:
        assert talking.waiting.wait(60)
    finally:
        process.kill()
        process.wait()
        talking.let_go()
        talking.faults.clear()


def _check_resumes(talking: HubServer, network: Network, cache: Path) -> None:
    assert offered(cache) == []
    path = fetch(read_repository(network, REPO).plan(), cache, network)
    files = talking.repos[REPO].files
    assert all(file.read_bytes() == files[file.name] for file in path.iterdir())
    assert [facts.source for facts in offered(cache)] == [REPO]
    assert not list(cache.rglob("*.incomplete"))


@pytest.mark.parametrize(("name", "at"), [("tokenizer.json", 1000), (WEIGHTS, 300_000)])
def test_a_killed_download_goes_on(
    name: str, at: int, talking: HubServer, network: Network, cache: Path
) -> None:
    _kill_at(talking, cache, name, at)
    _check_resumes(talking, network, cache)


@pytest.mark.slow
def test_a_download_survives_being_killed_again_and_again(
    talking: HubServer, network: Network, cache: Path
) -> None:
    for share in range(1, 12):
        _kill_at(talking, cache, WEIGHTS, SIZE // 20)
        partial = next(cache.rglob("*.incomplete"), None)
        assert partial is None or partial.stat().st_size <= share * SIZE // 20
    for name in ("README.md", "config.json", "tokenizer_config.json"):
        _kill_at(talking, cache.parent / name, name, 3)
        _check_resumes(talking, network, cache.parent / name)
    _check_resumes(talking, network, cache)
