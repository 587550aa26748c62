"""`cutaway pull`: fetch a model from the hub; what was begun is resumed."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

from app.cli import FAILURE, USER_ERROR
from app.cli.library import preferred
from app.cli.status import Status, status_line
from app.library.curated import USABLE_SHARE
from app.library.download import fetch
from app.library.download_records import Record, Records
from app.library.hub_errors import HubError
from app.library.hub_network import Network, default_cache
from app.library.hub_repo import read_repository
from app.library.hub_token import Tokens
from app.paths import folders
from app.text import bytes_text

if TYPE_CHECKING:
    import argparse

    from app.library.download_progress import Progress

_GIVEN = ("missing", "denied", "unusable", "token")


def run(options: argparse.Namespace) -> int:
    """Fetch, and print what to give as MODEL."""
    network = Network(offline=True if preferred("offline") is True else None)
    try:
        source = _pull(network, options.repo, options.quant or "")
    except HubError as error:
        sys.stderr.write(f"{error}\n")
        return USER_ERROR if error.kind in _GIVEN else FAILURE
    finally:
        network.close()
    sys.stdout.write(f"{source}\n")
    return 0


def _pull(network: Network, repo: str, quant: str) -> str:
    network.check()
    token = Tokens().load()
    repository = read_repository(network, repo, token)
    if repository.repo != repo:
        sys.stderr.write(f"{repo} is now called {repository.repo}.\n")
    plan = repository.plan(quant, _budget_bytes())
    records = Records(folders().data / "downloads")
    # Only the window goes on by itself with what is queued.
    record = Record(plan, "paused", time.time())
    records.save(record)
    with status_line(sys.stdout) as status:
        path = fetch(plan, default_cache(), network, token=token, report=_Shown(status))
        status.finish(f"{bytes_text(plan.size_bytes)} are here and verified.")
    records.remove(record.key)
    return str(path) if plan.variant else plan.repo


class _Shown:
    """Shows progress in the last row of the terminal, and each delay as a line of its own."""

    def __init__(self, status: Status) -> None:
        self._status = status
        self._note = ""

    def __call__(self, progress: Progress) -> None:
        if progress.note != self._note:
            self._note = progress.note
            if progress.note:
                sys.stderr.write(f"{progress.note}\n")
        self._status.show(_line(progress))


def _line(progress: Progress) -> str:
    done, size = bytes_text(progress.done_bytes), bytes_text(progress.size_bytes)
    line = f"{progress.repo}   {done} of {size}"
    if progress.speed_bps is None or progress.left_s is None:
        return line
    left = time.strftime("%H:%M:%S", time.gmtime(min(progress.left_s, 86_399)))
    return f"{line}   {bytes_text(int(progress.speed_bps))}/s   {left} left"


def _budget_bytes() -> int:
    """What the weights may take on this machine."""
    import psutil

    import engine

    memory = engine.read_memory().limit_bytes or psutil.virtual_memory().total
    return int(memory * USABLE_SHARE)
