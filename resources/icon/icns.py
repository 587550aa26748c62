"""Writes PNG files as one .icns, the icon format of macOS.

The format: `icns`, the length of everything, then per picture a type, its length and a PNG
(https://en.wikipedia.org/wiki/Apple_Icon_Image_format). Lengths are big-endian and count
their own eight bytes. The type says the edge in points and the scale.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

TYPES = {
    b"ic11": 32, b"ic12": 64, b"ic07": 128, b"ic13": 256,
    b"ic08": 256, b"ic14": 512, b"ic09": 512, b"ic10": 1024,
}  # fmt: skip
"""Edge in pixels of each type: 16 and 32 points doubled, then 128, 256 and 512 plain and doubled.

Plain 16 and 32 points are left out: as PNG they do not show properly inside an .app, and macOS
makes them from the doubled ones.
"""

_PNG = b"\x89PNG\r\n\x1a\n"


def icns(pictures: Mapping[int, bytes]) -> bytes:
    """The .icns of PNG files by their edge in pixels.

    Raises:
        ValueError: A size is missing, or a picture is no PNG of its size.
    """
    entries: list[bytes] = []
    for kind, edge in TYPES.items():
        picture = pictures.get(edge, b"")
        if picture[:8] != _PNG or struct.unpack(">II", picture[16:24]) != (edge, edge):
            raise ValueError(f"There is no PNG of {edge} × {edge} pixels.")
        entries.append(kind + struct.pack(">I", 8 + len(picture)) + picture)
    body = b"".join(entries)
    return b"icns" + struct.pack(">I", 8 + len(body)) + body
