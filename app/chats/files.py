"""What is looked at before a file that the user chose is read."""

import errno
from pathlib import Path
from stat import S_ISREG

from PySide6.QtCore import QCoreApplication


def file_size(path: Path) -> int:
    """Return the size of a file in bytes.

    Raises:
        OSError: It is not there, or no file: a device or a pipe may never end.
    """
    status = path.stat()
    if not S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, QCoreApplication.translate("Attaching", "it is no file"))
    return status.st_size
