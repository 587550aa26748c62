"""A whole download, from plan to a model that can be loaded; knows no window and no engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from app.library.download_cache import RepoCache
from app.library.download_file import Fetching, Patience, fetch_file
from app.library.download_progress import Meter, Progress
from app.library.hub_errors import HubError, explain
from app.library.hub_network import Network, Stop
from app.library.staging import free_bytes
from app.text import bytes_text

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from pathlib import Path

    from app.library.hub_repo import Plan

SPARE_BYTES = 128 << 20
"""What is left free on the disk."""

translate = QCoreApplication.translate


def fetch(
    plan: Plan,
    cache_folder: Path,
    network: Network,
    *,
    token: str | None = None,
    stop: Stop | None = None,
    report: Callable[[Progress], None] | None = None,
    patience: Patience | None = None,
) -> Path:
    """Fetch what is missing of a plan, and make it a model.

    Whatever ends it, killing the process included: what arrived is kept, and the model is not
    there before all of its files are, each verified by size and hash.

    Args:
        plan: What to fetch.
        cache_folder: The Hugging Face cache.
        network: The way to the hub.
        token: For gated and private repositories.
        stop: Ends it when asked.
        report: Is told how far it is, on this thread.
        patience: How often to try again.

    Returns:
        What can be loaded: the snapshot's folder, or the first .gguf file in it.

    Raises:
        HubError: It cannot be done; the sentence says why.
        StoppedError: `stop` was asked.
    """
    cache = RepoCache(cache_folder, plan.repo)
    meter = Meter(plan, cache, report)
    work = Fetching(plan, cache, network, token, stop or Stop(), meter, patience or Patience())
    try:
        missing = cache.missing_bytes(plan)
        if missing:
            network.check()
            _check_space(missing, free_bytes(cache.folder))
        meter.tell()
        is_whole = False
        while not is_whole:  # another program may have thrown away what was there
            for file in plan.files:
                fetch_file(work, file)
            is_whole = not cache.missing_bytes(plan)
        path = model_path(plan, cache.publish(plan))
    except OSError as error:
        raise explain(error, plan.repo) from None
    meter.tell()
    return path


def model_path(plan: Plan, snapshot: Path) -> Path:
    """What can be loaded of a snapshot: its folder, or the first .gguf file of the plan."""
    if not plan.variant:
        return snapshot
    names = sorted(file.name for file in plan.files if file.name.lower().endswith(".gguf"))
    return snapshot / names[0]


def discard(plan: Plan, cache_folder: Path, keep: Collection[str] = ()) -> None:
    """Remove what was gathered for a plan, except what belongs to a model that is there.

    Args:
        plan: What was fetched.
        cache_folder: The Hugging Face cache.
        keep: Etags of what else is fetched of this repository.

    Raises:
        HubError: It cannot be removed.
    """
    try:
        RepoCache(cache_folder, plan.repo).discard(plan, keep)
    except OSError as error:
        raise explain(error, plan.repo) from None


def _check_space(missing: int, free: int) -> None:
    if missing + SPARE_BYTES > free:
        raise HubError(
            translate(
                "Hub", "The disk has {0} free and {1} more are needed; free some space and resume."
            ).format(bytes_text(free), bytes_text(missing + SPARE_BYTES)),
            "space",
        )
