"""The queue of downloads: one after the other, paused, resumed, cancelled, and over a restart."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.library.download_file import Patience
from app.library.download_progress import Progress, overall
from app.library.download_queue import Downloads
from app.library.download_records import Record, Records
from app.library.hub_repo import Plan, read_repository
from app.library.hub_token import Tokens
from tests.app.library.conftest import REPO
from tests.app.library.shelves import found_in, offered

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from app.library.hub_network import Network
    from tests.app.library.hub_server import HubServer

WEIGHTS = "model.safetensors"
OTHER = "tiny/other"
HALF = 200_000


class Heard:
    """A queue and what it said, in order."""

    def __init__(self, downloads: Downloads, qtbot: QtBot) -> None:
        self.downloads = downloads
        self.told: list[Progress] = []
        self.removed: list[str] = []
        self.discarded: list[object] = []
        self.failed: list[str] = []
        self.qtbot = qtbot
        downloads.changed.connect(self.told.append)
        downloads.removed.connect(self.removed.append)
        downloads.discarded.connect(self._on_discarded)
        downloads.failed.connect(self.failed.append)
        downloads.start()

    def wait(self, key: str, state: str) -> Progress:
        """Until a download is in a state."""
        self.qtbot.waitUntil(
            lambda: any(each.state == state for each in self._told_of(key)[-1:]), timeout=20_000
        )
        return self._told_of(key)[-1]

    def _on_discarded(self) -> None:
        self.discarded.append(None)

    def until(self, condition: Callable[[], bool]) -> None:
        self.qtbot.waitUntil(condition, timeout=20_000)

    def _told_of(self, key: str) -> list[Progress]:
        return [progress for progress in self.told if progress.key == key]


@pytest.fixture
def plans(talking: HubServer, network: Network) -> tuple[Plan, Plan]:
    """What to fetch of two models."""
    files = talking.repos[REPO].files
    talking.add(OTHER, {**files, "README.md": b"# Other\n"})
    return read_repository(network, REPO).plan(), read_repository(network, OTHER).plan()


@pytest.fixture
def begin(
    qtbot: QtBot, network: Network, cache: Path, tmp_path: Path
) -> Iterator[Callable[[], Heard]]:
    """A function that starts a queue, as an app that starts does."""
    started: list[Downloads] = []

    def start() -> Heard:
        patience = Patience(attempts=1, first_wait_s=0.01)
        downloads = Downloads(network, Tokens(), cache, tmp_path / "records", patience=patience)
        started.append(downloads)
        return Heard(downloads, qtbot)

    yield start
    for downloads in started:
        downloads.close()


def _offered(cache: Path) -> list[str]:
    return [facts.source for facts in offered(cache)]


def test_several_are_fetched_one_after_the_other(
    begin: Callable[[], Heard], plans: tuple[Plan, Plan], cache: Path, tmp_path: Path
) -> None:
    heard = begin()
    keys = [heard.downloads.add(plan) for plan in plans]
    assert keys == [REPO, OTHER]
    done = [heard.wait(key, "done") for key in keys]
    assert [progress.source for progress in done] == keys
    assert all(progress.done_bytes == progress.size_bytes for progress in done)
    running = [p.key for p in heard.told if p.state == "running"]
    assert running == sorted(running, key=keys.index)
    assert _offered(cache) == [OTHER, REPO]
    assert heard.downloads.rows() == ()
    heard.until(lambda: not list((tmp_path / "records").glob("*.json")))


def test_a_download_is_paused_and_resumed(
    talking: HubServer, begin: Callable[[], Heard], plans: tuple[Plan, Plan], cache: Path
) -> None:
    talking.fail(WEIGHTS, "slow", at=HALF)
    heard = begin()
    heard.downloads.add(plans[0])
    heard.until(talking.waiting.is_set)
    heard.downloads.pause(REPO)
    assert heard.downloads.rows()[0].state == "paused"
    heard.downloads.add(plans[1])
    heard.wait(OTHER, "done")
    assert heard.wait(REPO, "paused").done_bytes < plans[0].size_bytes
    assert _offered(cache) == [OTHER]
    assert overall(heard.downloads.rows()).count == 0
    heard.downloads.resume(REPO)
    heard.wait(REPO, "done")
    assert _offered(cache) == [OTHER, REPO]


def test_a_cancelled_download_leaves_nothing(
    talking: HubServer,
    begin: Callable[[], Heard],
    plans: tuple[Plan, Plan],
    cache: Path,
    tmp_path: Path,
) -> None:
    talking.fail(WEIGHTS, "slow", at=HALF)
    heard = begin()
    for plan in plans:
        heard.downloads.add(plan)
    heard.until(talking.waiting.is_set)
    assert overall(heard.downloads.rows()).count == 2
    heard.downloads.cancel(OTHER)
    heard.downloads.cancel(REPO)
    heard.downloads.cancel("tiny/unknown")
    heard.until(lambda: heard.removed == [OTHER, REPO])
    assert heard.downloads.rows() == ()
    heard.until(lambda: len(heard.discarded) == 2)
    assert not list((tmp_path / "records").glob("*.json"))
    assert not list(cache.glob("models--*"))
    assert found_in(cache) == []


@pytest.mark.slow
def test_what_a_model_that_is_here_is_made_of_outlives_a_cancelled_download(
    talking: HubServer, begin: Callable[[], Heard], network: Network, cache: Path
) -> None:
    heard = begin()
    heard.wait(heard.downloads.add(read_repository(network, REPO).plan()), "done")
    files = talking.repos[REPO].files
    talking.add(REPO, {**files, WEIGHTS: b"newer" + files[WEIGHTS], "README.md": b"# Newer\n"})
    talking.fail(WEIGHTS, "slow", at=HALF)
    heard.downloads.add(read_repository(network, REPO).plan())
    heard.until(talking.waiting.is_set)
    with heard.qtbot.waitSignal(heard.downloads.discarded):
        heard.downloads.cancel(REPO)
    assert _offered(cache) == [REPO]
    assert all(path.is_file() for path in cache.rglob("snapshots/*/*"))
    assert len(list(cache.rglob("blobs/*"))) == 5


def test_what_was_under_way_goes_on_after_a_restart(
    talking: HubServer, begin: Callable[[], Heard], plans: tuple[Plan, Plan], cache: Path
) -> None:
    talking.fail(WEIGHTS, "slow", at=HALF)
    first = begin()
    for plan in plans:
        first.downloads.add(plan)
    first.downloads.pause(OTHER)
    first.until(talking.waiting.is_set)
    first.until(lambda: HALF in [part.stat().st_size for part in cache.rglob("*.incomplete")])
    first.downloads.close()
    talking.requests.clear()
    second = begin()
    second.wait(REPO, "done")
    assert second.wait(OTHER, "paused").size_bytes == plans[1].size_bytes
    asked = [request.headers.get("Range") for request in talking.asked_for(WEIGHTS)]
    assert asked == [f"bytes={HALF}-"]
    assert _offered(cache) == [REPO]


def test_a_failure_is_told_and_the_next_one_is_fetched(
    talking: HubServer, begin: Callable[[], Heard], plans: tuple[Plan, Plan]
) -> None:
    talking.fail(WEIGHTS, "wrong", times=2)
    heard = begin()
    for plan in plans:
        heard.downloads.add(plan)
    assert "arrived damaged" in heard.wait(REPO, "failed").note
    heard.wait(OTHER, "done")
    assert heard.downloads.add(plans[0]) == REPO
    heard.wait(REPO, "done")


def test_offline_the_queue_waits_and_then_goes_on_by_itself(
    begin: Callable[[], Heard], plans: tuple[Plan, Plan], network: Network
) -> None:
    network.set_offline(offline=True)
    heard = begin()
    heard.downloads.add(plans[0])
    assert heard.wait(REPO, "queued").note.startswith("Offline mode is on")
    network.set_offline(offline=False)
    heard.downloads.on_offline()
    assert heard.wait(REPO, "done").note == ""


def test_going_offline_ends_what_comes_in_at_once_and_keeps_it(
    talking: HubServer,
    begin: Callable[[], Heard],
    plans: tuple[Plan, Plan],
    network: Network,
    cache: Path,
) -> None:
    talking.fail(WEIGHTS, "slow", at=HALF)
    heard = begin()
    heard.downloads.add(plans[0])
    heard.until(talking.waiting.is_set)
    heard.until(lambda: any(p.stat().st_size == HALF for p in cache.rglob("*.incomplete")))
    network.set_offline(offline=True)
    heard.downloads.on_offline()
    assert heard.wait(REPO, "queued").note.startswith("Offline mode is on")
    asked = len(talking.requests)
    talking.let_go()
    small = plans[0].size_bytes - max(file.size_bytes for file in plans[0].files)
    heard.until(lambda: heard.downloads.rows()[0].done_bytes == small + HALF)
    heard.downloads.add(plans[1])
    assert heard.wait(OTHER, "queued").note.startswith("Offline mode is on")
    assert len(talking.requests) == asked
    assert [path.stat().st_size for path in cache.rglob("*.incomplete")] == [HALF]
    network.set_offline(offline=False)
    heard.downloads.on_offline()
    heard.wait(REPO, "done")
    heard.wait(OTHER, "done")
    assert talking.asked_for(WEIGHTS)[1].headers["Range"] == f"bytes={HALF}-"


def test_what_arrived_is_called_as_the_library_calls_it(
    talking: HubServer, begin: Callable[[], Heard], network: Network, cache: Path
) -> None:
    heard = begin()
    for name in ("a-Q4_0.gguf", "a-Q8_0.gguf"):
        talking.add("tiny/quants", {"a-Q4_0.gguf": b"4", "a-Q8_0.gguf": b"8"})
        plan = read_repository(network, "tiny/quants").plan(name[2:6])
        source = heard.wait(heard.downloads.add(plan), "done").source
        assert source in {facts.source for facts in found_in(cache)}
        assert (source == "tiny/quants") == (name == "a-Q4_0.gguf"), "a second one needs its path"


def test_a_queue_that_cannot_be_written_down_says_so(
    begin: Callable[[], Heard], plans: tuple[Plan, Plan], tmp_path: Path
) -> None:
    (tmp_path / "records").write_text("not a folder", encoding="utf-8")
    heard = begin()
    heard.downloads.add(plans[0])
    heard.wait(REPO, "done")
    heard.until(lambda: bool(heard.failed))
    assert "cannot be written" in heard.failed[0]


def test_records_that_are_damaged_are_left_out(tmp_path: Path, plans: tuple[Plan, Plan]) -> None:
    records = Records(tmp_path / "records")
    assert records.load() == []
    kept = [Record(plans[1], "paused", 1.0, "note"), Record(plans[0], "queued", 2.0)]
    for record in reversed(kept):
        records.save(record)
    (tmp_path / "records" / "a.json").write_text("{", encoding="utf-8")
    (tmp_path / "records" / "b.json").write_text('{"format": 2}', encoding="utf-8")
    assert records.load() == kept
    records.remove(kept[0].key)
    assert records.load() == kept[1:]
