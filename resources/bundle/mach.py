"""Reads from Mach-O files which macOS they need at least, and which libraries they load.

The layout is that of <mach-o/loader.h> and <mach-o/fat.h>; only little-endian 64-bit code is
looked at, which is all that runs on Apple silicon.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

Version = tuple[int, int]

_FAT, _MACH_64 = b"\xca\xfe\xba\xbe", b"\xcf\xfa\xed\xfe"
_ARM64 = 0x0100000C
_MIN_MACOS, _BUILD_VERSION = 0x24, 0x32
_LOADS = {0x0C, 0x80000018, 0x8000001F}  # LC_LOAD_DYLIB, weak, re-exported
_MOST_ARCHITECTURES = 16  # Java's class files begin like fat binaries, with a larger number


@dataclass(frozen=True)
class Code:
    """What an arm64 Mach-O file asks for.

    Attributes:
        lowest: The lowest macOS as (major, minor); None where it does not say.
        libraries: Install names of the libraries it loads.
    """

    lowest: Version | None
    libraries: tuple[str, ...]


def read(data: bytes) -> Code | None:
    """The arm64 code in a file's bytes; None when there is none."""
    start = _arm64_start(data)
    if start is None or data[start : start + 4] != _MACH_64:
        return None
    count = struct.unpack_from("<I", data, start + 16)[0]
    if struct.unpack_from("<I", data, start + 4)[0] != _ARM64:
        return None
    place, lowest, libraries = start + 32, None, list[str]()
    for _ in range(count):
        command, size = struct.unpack_from("<II", data, place)
        if command in {_MIN_MACOS, _BUILD_VERSION}:
            offset = 12 if command == _BUILD_VERSION else 8
            packed = struct.unpack_from("<I", data, place + offset)[0]
            lowest = (packed >> 16, packed >> 8 & 0xFF)
        elif command in _LOADS:
            name = place + struct.unpack_from("<I", data, place + 8)[0]
            libraries.append(data[name : place + size].split(b"\0")[0].decode())
        place += size
    return Code(lowest, tuple(libraries))


def _arm64_start(data: bytes) -> int | None:
    if data[:4] != _FAT:
        return 0
    count = struct.unpack_from(">I", data, 4)[0]
    if count > _MOST_ARCHITECTURES:
        return None
    for index in range(count):
        kind, _, offset = struct.unpack_from(">III", data, 8 + 20 * index)
        if kind == _ARM64:
            return offset
    return None
