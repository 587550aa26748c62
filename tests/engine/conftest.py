"""Models that many tests of the engine share, loaded once."""

from pathlib import Path

import pytest

import engine
from tests.engine.checkpoints import TinyLlama, write_folder

# Untied, so that a reply does not only repeat the prompt's last token.
TINY = TinyLlama(tied=False, num_key_value_heads=1, head_dim=32)


@pytest.fixture(scope="session")
def starter() -> engine.Model:
    """The starter model in float32, whatever the device."""
    return engine.load("starter", precision="float32")


@pytest.fixture(scope="session")
def tiny_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny random llama on disk, with a context of 512 tokens."""
    return write_folder(tmp_path_factory.mktemp("models") / "tiny-llama", TINY)


@pytest.fixture(scope="session")
def tiny(tiny_folder: Path) -> engine.Model:
    """That tiny llama, loaded."""
    return engine.load(tiny_folder)
