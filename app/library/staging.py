"""New models come into being in a hidden folder and appear whole, by one renaming."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from app.library.errors import LibraryError
from app.text import bytes_text

if TYPE_CHECKING:
    from collections.abc import Generator

_PREFIX = ".cutaway-new-"
_MADE_BY = re.compile(rf"{re.escape(_PREFIX)}(\d+)-.*")
_SPARE_BYTES = 256 << 20

translate = QCoreApplication.translate


@contextmanager
def staging(target: Path) -> Generator[Path]:
    """An empty folder beside `target` that becomes it when the block ends well.

    Otherwise it is removed. Folders that a process left behind when it was killed go too.

    Raises:
        LibraryError: The folder cannot be made, or `target` came to be meanwhile.
    """
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        _clear(target.parent)
        folder = Path(tempfile.mkdtemp(dir=target.parent, prefix=f"{_PREFIX}{os.getpid()}-"))
    except OSError as error:
        raise unwritable(target.parent, error) from error
    try:
        yield folder
        folder.chmod(0o755)
        if target.exists():
            raise LibraryError(
                translate("Library", "{0} is there already; nothing was changed.").format(target)
            )
        folder.rename(target)
    except OSError as error:
        raise unwritable(target, error) from error
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def free_path(folder: Path, name: str) -> Path:
    """A path in `folder` that nothing has yet: `name`, or with a number behind it."""
    safe = re.sub(r"[/\\\0:]+", "-", name).strip(" .") or "model"
    path, number = folder / safe, 2
    while path.exists() or path.is_symlink():
        path, number = folder / f"{safe} {number}", number + 1
    return path


def check_space(folder: Path, size_bytes: int) -> None:
    """Refuse to begin what the disk has no room for.

    Args:
        folder: Where it is to go; need not exist.
        size_bytes: What it is going to take.

    Raises:
        LibraryError: There is too little room; how much is missing is said.
    """
    try:
        free = free_bytes(folder)
    except OSError as error:
        raise unwritable(folder, error) from error
    if size_bytes + _SPARE_BYTES > free:
        raise LibraryError(
            translate(
                "Library", "The disk has {0} left and {1} are needed; free some space first."
            ).format(bytes_text(free), bytes_text(size_bytes + _SPARE_BYTES))
        )


def free_bytes(folder: Path) -> int:
    """What the disk has left where a folder is, or is going to be.

    Raises:
        OSError: It cannot be asked.
    """
    there = folder
    while not there.exists() and there != there.parent:
        there = there.parent
    return shutil.disk_usage(there).free


def unwritable(path: Path, error: OSError) -> LibraryError:
    """The sentence for what the system refused while writing."""
    return LibraryError(
        translate("Library", "{0} cannot be written: {1}.").format(
            path, error.strerror or str(error)
        )
    )


def _clear(folder: Path) -> None:
    for left in folder.glob(f"{_PREFIX}*"):
        made_by = _MADE_BY.fullmatch(left.name)
        if made_by is not None and not _runs(int(made_by[1])):
            shutil.rmtree(left, ignore_errors=True)


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True
