"""Downloads from a hub that fails in every way: what arrives is whole, or kept and not offered."""

from __future__ import annotations

import shutil
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import engine
from app.library.download import SPARE_BYTES, discard, fetch
from app.library.download_cache import RepoCache
from app.library.download_file import Patience
from app.library.hub_errors import HubError, StoppedError
from app.library.hub_files import RemoteFile
from app.library.hub_network import Network, Stop
from app.library.hub_repo import Plan, read_repository
from tests.app.library.conftest import REPO
from tests.app.library.shelves import offered

if TYPE_CHECKING:
    from app.library.download_progress import Progress
    from tests.app.library.hub_server import FaultKind, HubServer

WEIGHTS = "model.safetensors"
HALF = 200_000
QUICK = Patience(attempts=2, first_wait_s=0.01)


@pytest.fixture
def plan(talking: HubServer, network: Network) -> Plan:
    """What to fetch of the tiny model; what was asked until now is forgotten."""
    plan = read_repository(network, REPO).plan()
    talking.requests.clear()
    return plan


def _weights(plan: Plan) -> RemoteFile:
    return next(file for file in plan.files if file.name == WEIGHTS)


def _offered(cache: Path) -> list[str]:
    return [facts.source for facts in offered(cache)]


def _kept(cache: Path, plan: Plan) -> int:
    return RepoCache(cache, REPO).arrived_bytes(_weights(plan), plan.commit)


def _check_fetched(path: Path, talking: HubServer, plan: Plan, cache: Path) -> None:
    """Every file is there as it is on the hub, nothing else is, and the model is offered."""
    files = talking.repos[REPO].files
    assert {p.name for p in path.iterdir()} == {file.name for file in plan.files}
    assert all((path / file.name).read_bytes() == files[file.name] for file in plan.files)
    assert not list(cache.rglob("*.incomplete"))
    assert _offered(cache) == [REPO]


def test_only_what_is_needed_is_fetched_and_other_tools_find_it(
    talking: HubServer, network: Network, plan: Plan, cache: Path
) -> None:
    path = fetch(plan, cache, network)
    _check_fetched(path, talking, plan, cache)
    names = {path.name for path in path.iterdir()}
    assert {"config.json", "tokenizer.json", WEIGHTS, "README.md"} <= names
    assert not {"pytorch_model.bin", "modeling_talker.py", ".gitattributes", "original"} & names
    from huggingface_hub import scan_cache_dir, try_to_load_from_cache

    assert try_to_load_from_cache(REPO, WEIGHTS, cache) == str(path / WEIGHTS)
    scanned = scan_cache_dir(cache)
    assert scanned.size_on_disk == plan.size_bytes
    assert not scanned.warnings
    talking.requests.clear()
    assert fetch(plan, cache, network) == path
    assert not talking.requests


def test_what_was_fetched_loads_and_writes(network: Network, plan: Plan, cache: Path) -> None:
    model = engine.load(fetch(plan, cache, network))
    session = model.session()
    ids = model.prompt_tokens([{"role": "user", "content": "Hello"}])
    text = "".join(chunk.text for chunk in session.generate(ids, max_tokens=12))
    assert len(text) > 5


def test_a_gguf_file_is_fetched_alone(
    hub: HubServer, network: Network, cache: Path, starter_path: Path
) -> None:
    starter = starter_path.read_bytes()
    names = ("SmolLM2-135M-Instruct-Q4_1.gguf", "SmolLM2-135M-Instruct-F16.gguf")
    hub.add("tiny/starter", {names[0]: starter, names[1]: starter[:1000], "config.json": b"{}"})
    plan = read_repository(network, "tiny/starter").plan()
    assert plan.variant == "Q4_1"
    path = fetch(plan, cache, network)
    assert path.name == names[0]
    assert [p.name for p in path.parent.iterdir()] == [names[0]]
    assert engine.model_config(path).model_type == "llama"
    assert len(offered(cache)) == 1


def test_progress_tells_bytes_of_each_file_and_in_all(
    network: Network, plan: Plan, cache: Path
) -> None:
    told: list[Progress] = []
    fetch(plan, cache, network, report=told.append)
    assert told[0].done_bytes == 0
    assert told[-1].done_bytes == told[-1].size_bytes == plan.size_bytes
    assert [f.done_bytes for f in told[-1].files] == [f.size_bytes for f in plan.files]
    totals = [progress.done_bytes for progress in told]
    assert totals == sorted(totals)
    assert {progress.state for progress in told} == {"running"}


def test_a_resumed_download_asks_for_the_rest_only(
    talking: HubServer, network: Network, plan: Plan, cache: Path
) -> None:
    talking.fail(WEIGHTS, "stall", at=HALF)
    stop = Stop()
    errors: list[BaseException] = []

    def run() -> None:
        try:
            fetch(plan, cache, network, stop=stop)
        except StoppedError as error:
            errors.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    assert talking.waiting.wait(10)
    while _kept(cache, plan) < HALF:
        pass
    stop.ask()
    thread.join(5)
    assert not thread.is_alive(), "a stop waits for no server"
    assert errors
    assert _kept(cache, plan) == HALF
    assert _offered(cache) == []
    _check_fetched(fetch(plan, cache, network), talking, plan, cache)
    assert talking.asked_for(WEIGHTS)[-1].headers["Range"] == f"bytes={HALF}-"


@pytest.mark.parametrize("kind", ["stall", "cut", "whole", "wrong", "empty", "page"])
def test_a_fault_that_passes_is_survived(
    kind: FaultKind, talking: HubServer, plan: Plan, hasty: Network, cache: Path
) -> None:
    if kind == "whole":
        talking.fail(WEIGHTS, "cut", at=HALF)
    talking.fail(WEIGHTS, kind, at=HALF)
    told: list[Progress] = []
    path = fetch(plan, cache, hasty, report=told.append, patience=QUICK)
    _check_fetched(path, talking, plan, cache)
    stalled = [progress.note for progress in told if progress.state == "stalled"]
    assert stalled
    assert all(note.endswith("Trying again in 0 s.") for note in stalled)
    assert told[-1].state == "running"


@pytest.mark.parametrize("kind", ["range", "long", "short"])
def test_an_answer_of_another_length_is_not_taken(
    kind: FaultKind, talking: HubServer, network: Network, plan: Plan, cache: Path
) -> None:
    if kind == "range":
        talking.fail(WEIGHTS, "cut", at=HALF)
    talking.fail(WEIGHTS, kind, at=HALF)
    told: list[Progress] = []
    path = fetch(plan, cache, network, report=told.append, patience=QUICK)
    _check_fetched(path, talking, plan, cache)
    notes = " ".join(progress.note for progress in told)
    assert ("ended too early" if kind == "short" else "Something else than") in notes


@pytest.mark.parametrize("status", [429, 503])
def test_a_hub_that_is_busy_is_asked_again(
    status: int, talking: HubServer, network: Network, plan: Plan, cache: Path
) -> None:
    talking.fail(WEIGHTS, "status", status=status, times=2)
    _check_fetched(fetch(plan, cache, network, patience=QUICK), talking, plan, cache)


def test_the_time_that_the_hub_names_is_waited(
    talking: HubServer, network: Network, plan: Plan, cache: Path
) -> None:
    talking.fail(WEIGHTS, "status", status=429, headers={"Retry-After": "600"})
    stop = Stop()
    notes: list[str] = []

    def report(progress: Progress) -> None:
        if progress.state == "stalled":
            notes.append(progress.note)
            stop.ask()

    with pytest.raises(StoppedError):
        fetch(plan, cache, network, report=report, stop=stop, patience=QUICK)
    assert notes == [
        "The hub says that too much was asked of it; try again in a while. Trying again in 600 s."
    ]


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        ("cut", "The connection was cut."),
        ("stall", "The hub does not answer."),
        ("empty", "Something else than model.safetensors was sent; is a sign-in page in between?"),
        ("page", "Something else than model.safetensors was sent; is a sign-in page in between?"),
        (
            "wrong",
            "model.safetensors arrived damaged: its hash is not the one that the hub names.",
        ),
        ("loop", "The hub sends in circles, from one address to the next; try later."),
        ("status", "The hub has a problem of its own (error 500); try again later."),
    ],
)
def test_a_fault_that_stays_is_said_in_a_sentence(
    kind: FaultKind, sentence: str, talking: HubServer, plan: Plan, hasty: Network, cache: Path
) -> None:
    talking.fail(WEIGHTS, kind, times=-1, at=1000 if kind in {"cut", "stall"} else 0)
    quick = Patience(attempts=0, first_wait_s=0.01)
    with pytest.raises(HubError) as caught:
        fetch(plan, cache, hasty, patience=QUICK if kind == "wrong" else quick)
    assert str(caught.value) == sentence
    assert _offered(cache) == []
    assert (_kept(cache, plan) == 1000) == (kind in {"cut", "stall"})
    talking.faults.clear()
    _check_fetched(fetch(plan, cache, hasty), talking, plan, cache)


@pytest.mark.parametrize(
    "at",
    [0, 443_000, *(pytest.param(at, marks=pytest.mark.slow) for at in range(1, 445_769, 9973))],
)
def test_a_connection_cut_at_any_byte_loses_none(
    at: int, talking: HubServer, network: Network, plan: Plan, cache: Path
) -> None:
    talking.fail(WEIGHTS, "cut", at=at)
    _check_fetched(fetch(plan, cache, network, patience=QUICK), talking, plan, cache)
    asked = talking.asked_for(WEIGHTS)[-1].headers
    assert asked.get("Range") == (f"bytes={at}-" if at else None)


def test_damage_on_disk_is_found_when_it_is_resumed(
    talking: HubServer, network: Network, plan: Plan, cache: Path
) -> None:
    partial = RepoCache(cache, REPO).partial(_weights(plan))
    partial.parent.mkdir(parents=True)
    partial.write_bytes(b"\0" * HALF)
    told: list[Progress] = []
    path = fetch(plan, cache, network, report=told.append, patience=QUICK)
    _check_fetched(path, talking, plan, cache)
    assert any("arrived damaged" in progress.note for progress in told)


@pytest.mark.parametrize("extra", [0, 1])
def test_what_is_whole_or_too_long_is_verified(
    extra: int, talking: HubServer, network: Network, plan: Plan, cache: Path
) -> None:
    partial = RepoCache(cache, REPO).partial(_weights(plan))
    partial.parent.mkdir(parents=True)
    partial.write_bytes(talking.repos[REPO].files[WEIGHTS] + b"x" * extra)
    _check_fetched(fetch(plan, cache, network, patience=QUICK), talking, plan, cache)
    assert len(talking.asked_for(WEIGHTS)) == bool(extra)


def test_a_disk_that_is_too_small_is_seen_first(
    network: Network, plan: Plan, cache: Path, talking: HubServer
) -> None:
    free = shutil.disk_usage(cache.parent).free
    huge = RemoteFile(WEIGHTS, free + SPARE_BYTES, "a" * 64)
    with pytest.raises(HubError, match=r"^The disk has .* free and .* more are needed") as caught:
        fetch(Plan(REPO, plan.commit, (huge,)), cache, network)
    assert caught.value.kind == "space"
    assert not cache.exists()
    assert not talking.requests


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a disk that is full")
def test_a_disk_that_fills_up_is_said(network: Network, plan: Plan, cache: Path) -> None:
    partial = RepoCache(cache, REPO).partial(_weights(plan))
    partial.parent.mkdir(parents=True)
    partial.symlink_to("/dev/full")
    with pytest.raises(HubError, match=r"^The disk is full; what was fetched is kept") as caught:
        fetch(plan, cache, network)
    assert caught.value.kind == "space"
    assert _offered(cache) == []
    partial.unlink()
    fetch(plan, cache, network)
    assert _offered(cache) == [REPO]


def test_a_folder_that_cannot_be_written_is_said(
    network: Network, plan: Plan, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("not a folder", encoding="utf-8")
    with pytest.raises(HubError, match=r"cannot be written \(.*\); check the folder") as caught:
        fetch(plan, tmp_path / "file" / "hub", network)
    assert caught.value.kind == "folder"


def test_a_second_program_waits_and_fetches_nothing_twice(
    talking: HubServer, network: Network, plan: Plan, cache: Path
) -> None:
    talking.fail(WEIGHTS, "slow", at=HALF)
    first = threading.Thread(target=fetch, args=(plan, cache, network))
    first.start()
    assert talking.waiting.wait(10)
    told: list[Progress] = []

    def report(progress: Progress) -> None:
        told.append(progress)
        if progress.state == "waiting":
            talking.let_go()

    path = fetch(plan, cache, network, report=report)
    first.join()
    _check_fetched(path, talking, plan, cache)
    assert len(talking.asked_for(WEIGHTS)) == 1
    waiting = [progress.note for progress in told if progress.state == "waiting"]
    assert set(waiting) == {"Another program fetches the same file; waiting."}


def test_a_wait_for_another_program_can_be_stopped(
    network: Network, plan: Plan, cache: Path
) -> None:
    stop = Stop()

    def report(progress: Progress) -> None:
        if progress.state == "waiting":
            stop.ask()

    with (
        RepoCache(cache, REPO).lock(plan.files[0], Stop(), lambda: None),
        pytest.raises(StoppedError),
    ):
        fetch(plan, cache, network, stop=stop, report=report)


def test_a_snapshot_that_another_tool_began_is_completed(
    talking: HubServer, network: Network, plan: Plan, cache: Path
) -> None:
    snapshot = RepoCache(cache, REPO).snapshot(plan.commit)
    snapshot.mkdir(parents=True)
    (snapshot / "config.json").write_bytes(talking.repos[REPO].files["config.json"])
    (snapshot / WEIGHTS).symlink_to("../../blobs/gone")
    _check_fetched(fetch(plan, cache, network), talking, plan, cache)
    assert not talking.asked_for("config.json")


def test_a_disk_without_links_holds_the_files_themselves(
    talking: HubServer,
    network: Network,
    plan: Plan,
    cache: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(path: Path, *_: object) -> None:
        raise PermissionError(1, "no links here", str(path))

    talking.add(REPO, {**talking.repos[REPO].files, "LICENSE": b"same", "NOTICE": b"same"})
    twice = read_repository(network, REPO).plan()
    assert len(twice.files) == len(plan.files) + 2
    monkeypatch.setattr(Path, "symlink_to", refuse)
    path = fetch(twice, cache, network)
    _check_fetched(path, talking, twice, cache)
    assert not any(file.is_symlink() for file in path.iterdir())
    assert sum(f.stat().st_size for f in (cache / "models--tiny--talker" / "blobs").iterdir()) < 9
    talking.requests.clear()
    assert fetch(twice, cache, network) == path
    assert not talking.requests


def test_a_newer_version_takes_the_place_of_the_older(
    talking: HubServer, network: Network, plan: Plan, cache: Path
) -> None:
    fetch(plan, cache, network)
    files = talking.repos[REPO].files
    talking.add(REPO, {**files, "README.md": b"# Newer\n"})
    talking.requests.clear()
    newer = read_repository(network, REPO).plan()
    path = fetch(newer, cache, network)
    assert not talking.asked_for(WEIGHTS), "unchanged files are not fetched again"
    assert offered(cache)[0].path == path
    with pytest.raises(HubError, match=r"^The version of tiny/talker that was asked for is gone"):
        fetch(plan, cache.parent / "other", network)


def test_what_arrived_can_be_thrown_away(
    talking: HubServer, network: Network, plan: Plan, cache: Path
) -> None:
    talking.fail(WEIGHTS, "cut", at=HALF, times=-1)
    with pytest.raises(HubError):
        fetch(plan, cache, network, patience=Patience(attempts=0))
    assert _kept(cache, plan) == HALF
    discard(plan, cache, keep=[_weights(plan).etag])
    assert _kept(cache, plan) == HALF
    discard(plan, cache)
    assert _kept(cache, plan) == 0


def test_offline_nothing_is_asked_and_what_is_there_is_found(
    talking: HubServer, network: Network, plan: Plan, cache: Path
) -> None:
    network.set_offline(offline=True)
    with pytest.raises(HubError, match=r"^Offline mode is on") as caught:
        fetch(plan, cache, network)
    assert caught.value.kind == "offline"
    assert not talking.requests
    network.set_offline(offline=False)
    path = fetch(plan, cache, network)
    talking.requests.clear()
    network.set_offline(offline=True)
    assert fetch(plan, cache, network) == path
    assert not talking.requests
