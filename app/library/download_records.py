"""What is being fetched, written down so that it goes on after a restart or a crash."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal, cast

from app.library.download_progress import key_of
from app.library.hub_files import RemoteFile
from app.library.hub_repo import Plan

if TYPE_CHECKING:
    from pathlib import Path

RecordState = Literal["queued", "paused", "failed"]

_FORMAT = 1


@dataclass(frozen=True)
class Record:
    """A download that is not done.

    Attributes:
        plan: What it fetches.
        state: Whether it goes on by itself after a restart; a running one is `queued`.
        order: Place in the queue, rising.
        note: Why it does not, one sentence.
    """

    plan: Plan
    state: RecordState
    order: float
    note: str = ""

    @property
    def key(self) -> str:
        """What tells it from others."""
        return key_of(self.plan)


class Records:
    """A folder with one small file for each download, so that programs do not write into one.

    Args:
        folder: Made where it is missing, at the first write.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def save(self, record: Record) -> None:
        """Write a record, in one step.

        Raises:
            OSError: It cannot be written.
        """
        self._folder.mkdir(parents=True, exist_ok=True)
        path = self._path(record.key)
        new = path.with_suffix(f".{os.getpid()}.new")
        new.write_text(json.dumps({"format": _FORMAT, **asdict(record)}), encoding="utf-8")
        new.replace(path)

    def remove(self, key: str) -> None:
        """Forget a download."""
        self._path(key).unlink(missing_ok=True)

    def load(self) -> list[Record]:
        """All records that can be read, in their order."""
        records: list[Record] = []
        for path in self._folder.glob("*.json"):
            record = _read(path)
            if record is not None:
                records.append(record)
        return sorted(records, key=lambda record: record.order)

    def _path(self, key: str) -> Path:
        name = hashlib.sha256(key.encode()).hexdigest()[:24]
        return self._folder / f"{name}.json"


def _read(path: Path) -> Record | None:
    """A record; None where it is damaged or of a later version."""
    try:
        raw: Any = json.loads(path.read_text(encoding="utf-8"))
        if raw["format"] != _FORMAT or raw["state"] not in {"queued", "paused", "failed"}:
            return None
        plan = raw["plan"]
        files = tuple(
            RemoteFile(str(file["name"]), int(file["size_bytes"]), str(file["etag"]))
            for file in plan["files"]
        )
        made = Plan(
            str(plan["repo"]),
            str(plan["commit"]),
            files,
            str(plan["revision"]),
            str(plan["variant"]),
        )
        state = cast("RecordState", raw["state"])
        return Record(made, state, float(raw["order"]), str(raw["note"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None
