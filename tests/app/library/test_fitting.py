"""The fit of a model follows its settings, its context and what its cache can be."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from app.library.facts import USUAL_TOKENS, ModelFacts
from app.library.fitting import model_fit
from app.library.settings import LoadSettings
from tests.app.library.shelves import folder, new_library
from tests.engine.checkpoints import TinyLlama


@pytest.fixture
def starter(own_folders: Path) -> ModelFacts:
    return new_library(own_folders).find("starter")


def test_settings_decide(starter: ModelFacts) -> None:
    usual = model_fit(starter.footprint, 1 << 40)
    assert usual is not None
    assert (usual.tokens, usual.bits, usual.verdict) == (USUAL_TOKENS, None, "comfortable")
    small = model_fit(starter.footprint, 1 << 40, LoadSettings(window=512, bits=8, chunk=32))
    assert small is not None
    assert (small.tokens, small.bits, small.chunk) == (512, 8, 32)
    assert small.needed_bytes < usual.needed_bytes
    short = model_fit(starter.footprint, None, tokens=100)
    assert short is not None
    assert (short.tokens, short.verdict) == (100, "unknown")
    longest = model_fit(starter.footprint, None, tokens=1 << 30)
    assert longest is not None
    assert longest.tokens == 8192, "the context it is trained for"


def test_what_a_cache_cannot_be_is_left_out(own_folders: Path, tmp_path: Path) -> None:
    narrow = folder(tmp_path / "narrow", TinyLlama(head_dim=16))
    library = new_library(own_folders)
    library.added.add(narrow)
    facts = library.find(str(narrow))
    plain = model_fit(facts.footprint, None, LoadSettings(bits=8))
    assert plain is not None
    assert plain.bits is None
    assert facts.footprint is not None
    foreign = replace(facts.footprint, rotates=False)
    whole = model_fit(foreign, None, LoadSettings(window=64))
    assert whole is not None
    assert whole.tokens == 512
    assert model_fit(None, 1) is None
