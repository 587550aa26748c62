"""What the tests of the hub share: a local hub, the way to it, a repository to fetch."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from huggingface_hub import close_session

from app.library.hub_network import Network
from tests.app.library.hub_server import HubServer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

REPO = "tiny/talker"


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[HubServer]:
    """A hub on this machine, which HF_ENDPOINT names."""
    with HubServer() as server:
        monkeypatch.setenv("HF_ENDPOINT", server.url)
        monkeypatch.delenv("HF_TOKEN", raising=False)
        yield server
        close_session()


@pytest.fixture(scope="session")
def _one_network() -> Iterator[Network]:
    """One for all tests, as the library has one client; making it takes a while."""
    network = Network(offline=False)
    yield network
    network.close()


@pytest.fixture
def network(_one_network: Network) -> Network:
    """The way to it."""
    _one_network.set_offline(offline=False)
    _one_network.timeout_s = 10.0
    # An application that was tested before in this process has given the library its own client.
    _one_network._installed = False
    return _one_network


@pytest.fixture
def hasty(network: Network) -> Network:
    """The way to it of somebody who waits for a silent server for half a second only."""
    network.timeout_s = 0.5
    return network


@pytest.fixture(scope="session")
def talker_files(talker: Path) -> dict[str, bytes]:
    """The files of a tiny model that can be loaded, and some that are not needed."""
    files = {path.name: path.read_bytes() for path in sorted(talker.iterdir())}
    return {
        **files,
        "README.md": b"---\nlicense: apache-2.0\n---\n# A talker\n",
        ".gitattributes": b"*.safetensors filter=lfs\n",
        "pytorch_model.bin": b"pickled",
        "modeling_talker.py": b"raise SystemExit\n",
        "original/consolidated.00.pth": b"pickled",
    }


@pytest.fixture
def talking(hub: HubServer, talker_files: dict[str, bytes]) -> HubServer:
    """The hub with the tiny model at `tiny/talker`."""
    hub.add(REPO, talker_files)
    return hub


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    """A folder that is to become a Hugging Face cache."""
    return tmp_path / "hub"
