"""A conversion appears whole, is listed, and leaves nothing where it was stopped or failed."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

import engine
from app.jobs.benchmark import benchmark
from app.jobs.convert import conversion
from app.library import convert as converting
from app.library.convert import convert_model, plan_conversion
from app.library.errors import LibraryError
from app.library.library import Library
from engine.convert import Check
from tests.app.library.shelves import TINY, file, folder, new_library

SHAPE = replace(TINY, tied=False)


class Bench:
    """A workbench of the test's own."""

    def __init__(self, model: Path | None = None, stop_after: int = 1 << 30) -> None:
        self._source, self._left = model, stop_after
        self.shares: list[float] = []
        self.partials: list[object] = []

    @property
    def model(self) -> engine.Model:
        if self._source is None:
            raise engine.EngineError("There is no model loaded.")
        return engine.load(self._source)

    def borrow(self, source: str) -> engine.Model:
        return engine.load(source)

    def session(self, chat_id: str) -> engine.Session | None:
        del chat_id

    def cancelled(self) -> bool:
        self._left -= 1
        return self._left < 0

    def report(self, share: float, partial: object = None) -> None:
        self.shares.append(share)
        self.partials.append(partial)


@pytest.fixture
def library(own_folders: Path) -> Library:
    return new_library(own_folders)


def test_the_result_is_ours_and_listed(library: Library, tmp_path: Path) -> None:
    source = folder(tmp_path / "My_Model", SHAPE)
    planned = plan_conversion(library, str(source), 8)
    assert planned.target == library.places.models / "My-Model-8bit"
    bench = Bench()
    done = conversion(library, planned)(bench)
    assert bench.shares == sorted(bench.shares)
    assert bench.shares[-1] == 1.0
    assert done.check.source_nll == pytest.approx(done.check.result_nll, abs=0.1)
    facts = library.find(str(planned.target))
    assert (facts.quantization, facts.ready, facts.is_ours) == ("8-bit", True, True)
    assert facts.size_bytes == done.size_bytes
    assert plan_conversion(library, str(source), 8).target.name == "My-Model-8bit 2"


def test_a_folder_elsewhere_is_added(library: Library, tmp_path: Path) -> None:
    source = file(tmp_path / "tiny.gguf", "F16")
    planned = plan_conversion(library, str(source), 16, tmp_path / "new" / "out")
    convert_model(library, planned)
    assert library.added.paths() == (tmp_path / "new" / "out",)
    assert library.find(str(tmp_path / "new" / "out")).quantization == "bfloat16"
    with pytest.raises(LibraryError, match="there already") as refusal:
        plan_conversion(library, str(source), 16, tmp_path / "new" / "out")
    assert refusal.value.given
    with pytest.raises(LibraryError, match="cannot be written") as refusal:
        plan_conversion(library, str(source), 16, Path("~nobody of that name/out"))
    assert refusal.value.given


@pytest.mark.parametrize("after", [0, 3, 20])
def test_a_stop_leaves_nothing(library: Library, tmp_path: Path, after: int) -> None:
    planned = plan_conversion(library, str(folder(tmp_path / "model", SHAPE)), 4)
    with pytest.raises(engine.CancelledError):
        conversion(library, planned)(Bench(stop_after=after))
    assert list(library.places.models.iterdir()) == []


def test_what_computes_no_numbers_is_dropped(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> Check:
        return Check(1.0, float("nan"))

    monkeypatch.setattr(converting, "check", broken)
    planned = plan_conversion(library, str(folder(tmp_path / "model", SHAPE)), 4)
    with pytest.raises(LibraryError, match="no numbers"):
        convert_model(library, planned)
    assert list(library.places.models.iterdir()) == []


def test_a_target_that_comes_meanwhile_is_left_alone(library: Library, tmp_path: Path) -> None:
    planned = plan_conversion(library, str(folder(tmp_path / "model", SHAPE)), 4)
    planned.target.mkdir(parents=True)
    with pytest.raises(LibraryError, match="there already"):
        convert_model(library, planned)
    assert list(planned.target.iterdir()) == []


@pytest.mark.slow
def test_a_kill_leaves_nothing_that_looks_like_a_model(library: Library, own_folders: Path) -> None:
    command = [sys.executable, "-m", "app", "convert", "starter", "--bits", "8"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        until = time.monotonic() + 60
        models = library.places.models
        while not list(models.glob(".cutaway-new-*/*")) and time.monotonic() < until:
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
    assert list(models.glob(".cutaway-new-*"))
    assert [facts.source for facts in library.models()] == ["starter"]
    source = folder(own_folders / "model", SHAPE)
    convert_model(library, plan_conversion(library, str(source), 4))
    assert [path.name for path in models.iterdir()] == ["model-4bit"]


def test_a_benchmark_is_kept_with_the_model(library: Library, tmp_path: Path) -> None:
    model = folder(tmp_path / "model", SHAPE)
    bench = Bench(model)
    found = benchmark(bench)
    assert [row.context for row in found.rows] == [64]
    assert all(row.prefill_tps > 0 and (row.decode_tps or 0) > 0 for row in found.rows)
    assert bench.partials[-1] == found.rows
    assert bench.shares[-1] == 1.0
    assert found.measured_at > 1e9
    library.notes.set_benchmark(str(model), found)
    assert library.notes.of(str(model)).benchmark == found
    with pytest.raises(engine.CancelledError):
        benchmark(Bench(model, stop_after=5))
    with pytest.raises(engine.EngineError, match="no model"):
        benchmark(Bench())


FULL = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (10_000_000, 10_000_000))
sys.argv = ["cutaway", "convert", "starter"]
from app.__main__ import program
sys.exit(program())
"""


@pytest.mark.slow
def test_a_write_that_fails_in_the_middle_is_a_sentence_and_leaves_nothing(
    library: Library,
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", FULL], capture_output=True, text=True, timeout=100, check=False
    )
    assert done.returncode == 1
    assert "cannot be written" in done.stderr
    assert done.stderr.count("\n") == 1
    assert list(library.places.models.iterdir()) == []
