"""Files that are written as a whole; used on any thread."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path


def write(path: str, content: bytes) -> None:
    """Write a file as a whole: what stood there before stays until all is written.

    Raises:
        OSError: Where it cannot be written.
    """
    target = Path(path)
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=".cutaway-", suffix=target.suffix)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        mask = os.umask(0)
        os.umask(mask)
        Path(name).chmod(0o666 & ~mask)  # mkstemp lets nobody else read
        Path(name).replace(target)
    except OSError:
        with suppress(OSError):
            Path(name).unlink()
        raise
