"""Draws the icon as SVG and renders it: `python -m resources.icon.draw`.

A speech bubble with its right side cut away, as engines are shown in museums: the skin is
bright, the cut wall is painted warm, and inside lie the cells of a KV cache in the colours that
the window gives them: pinned, held, and the one that is being written now.

The drawing stands on the grid of macOS: 1024 units, of which a rounded square takes the middle
824. Small sizes have a plainer drawing with heavier parts.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent
SIZES = (16, 32, 64, 128, 256, 512, 1024)
"""Edges of the PNG files, in pixels."""

SMALL = 32
"""Up to this edge the plainer drawing is used."""

_GROUND = ("#3c69b8", "#1f3f7d")
_SKIN, _CUT, _CAVITY = "#fcfcfa", "#e0602f", "#16305f"
_PINNED, _HELD, _NEW, _FREE = "#5f8ddb", "#a9c5f0", "#f0794b", "#27477f"


@dataclass(frozen=True)
class Style:
    """What differs between the drawings.

    Attributes:
        bubble: Left, top, right and bottom of the bubble.
        radius: Of its corners.
        wall: Thickness of the cut wall.
        cells: Rows and columns of the cavity's grid.
        gap: Between two cells, and between cells and wall.
        words: Whether the skin bears lines of writing.
    """

    bubble: tuple[int, int, int, int]
    radius: int
    wall: int
    cells: tuple[int, int]
    gap: int
    words: bool


LARGE_STYLE = Style((206, 254, 818, 690), 116, 40, (4, 4), 26, words=True)
SMALL_STYLE = Style((180, 232, 844, 696), 120, 64, (2, 2), 40, words=False)


def svg(style: Style) -> str:
    """The drawing as SVG that stays within what Qt renders (no clips, no filters)."""
    left, top, right, _ = style.bubble
    middle = (left + right) // 2
    parts = [
        '<rect x="100" y="100" width="824" height="824" rx="186" fill="url(#ground)"/>',
        _path(_outline(style, style.radius, 0), _CUT),
        _path(_outline(style, style.radius - style.wall, style.wall), _CAVITY),
        *_cells(style),
        _path(_skin(style), _SKIN),
    ]
    if style.words:
        for row, end in enumerate((middle - 62, middle - 92, middle - 152)):
            y = top + 112 + 94 * row
            parts.append(_line(left + 78, y, end, y, 34, "#c4d3ea"))
    body = "\n  ".join(parts)
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1024 1024">\n'
        '  <defs><linearGradient id="ground" x1="0" y1="0" x2="0" y2="1">'
        f'<stop offset="0" stop-color="{_GROUND[0]}"/>'
        f'<stop offset="1" stop-color="{_GROUND[1]}"/></linearGradient></defs>\n'
        f"  {body}\n</svg>\n"
    )


def _outline(style: Style, radius: int, inset: int) -> str:
    """The right part of the bubble, from its middle on; the skin covers where it begins."""
    left, top, right, bottom = style.bubble
    start, top, right, bottom = (left + right) // 2 - 80, top + inset, right - inset, bottom - inset
    return (
        f"M{start} {top}H{right - radius}A{radius} {radius} 0 0 1 {right} {top + radius}"
        f"V{bottom - radius}A{radius} {radius} 0 0 1 {right - radius} {bottom}H{start}Z"
    )


def _skin(style: Style) -> str:
    """The left part of the bubble with its tail, up to the slanted cut."""
    left, top, right, bottom = style.bubble
    radius, middle = style.radius, (left + right) // 2
    tail = left + radius
    return (
        f"M{middle + 44} {top}H{left + radius}A{radius} {radius} 0 0 0 {left} {top + radius}"
        f"V{bottom - radius}A{radius} {radius} 0 0 0 {tail} {bottom}"
        f"V{bottom + 96}Q{tail} {bottom + 128} {tail + 26} {bottom + 106}L{tail + 134} {bottom}"
        f"H{middle - 76}Z"
    )


def _cells(style: Style) -> list[str]:
    """The grid of the cavity: the oldest are pinned, one is new, what follows it is free."""
    _, top, right, bottom = style.bubble
    rows, columns = style.cells
    inset, gap = style.wall + style.gap, style.gap
    height = (bottom - top - 2 * inset - (rows - 1) * gap) / rows
    newest = (rows - 1, columns - 2)
    parts: list[str] = []
    for row in range(rows):
        for column in range(columns):
            x = right - inset - (columns - column) * height - (columns - column - 1) * gap
            y = top + inset + row * (height + gap)
            place = (row, column)
            color = _HELD if place < newest else _NEW if place == newest else _FREE
            if row == 0:
                color = _PINNED
            parts.append(
                f'<rect x="{x:g}" y="{y:g}" width="{height:g}" height="{height:g}"'
                f' rx="{height / 5:g}" fill="{color}"/>'
            )
    return parts


def _path(data: str, fill: str) -> str:
    return f'<path d="{data}" fill="{fill}"/>'


def _line(x1: int, y1: int, x2: int, y2: int, width: int, color: str) -> str:
    return (
        f'<path d="M{x1} {y1}L{x2} {y2}" stroke="{color}" stroke-width="{width}"'
        ' stroke-linecap="round" fill="none"/>'
    )


def render(folder: Path) -> list[Path]:
    """Write the drawings and their PNG files.

    Args:
        folder: Where to; `cutaway.svg`, `cutaway-small.svg` and one PNG per size.

    Returns:
        The files, in the order of writing.
    """
    from PySide6.QtCore import QByteArray, QRectF
    from PySide6.QtGui import QImage, QPainter
    from PySide6.QtSvg import QSvgRenderer

    written: list[Path] = []
    for name, style in (("cutaway", LARGE_STYLE), ("cutaway-small", SMALL_STYLE)):
        written.append(folder / f"{name}.svg")
        written[-1].write_text(svg(style), encoding="utf-8")
    for size in SIZES:
        image = QImage(size, size, QImage.Format.Format_ARGB32_Premultiplied)
        image.fill(0)
        painter = QPainter(image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        drawing = svg(SMALL_STYLE if size <= SMALL else LARGE_STYLE)
        QSvgRenderer(QByteArray(drawing.encode())).render(painter, QRectF(image.rect()))
        painter.end()
        written.append(png(folder, size))
        if not image.save(str(written[-1])):
            raise OSError(f"{written[-1]} cannot be written.")
    return written


def png(folder: Path, size: int) -> Path:
    """The PNG file of an edge in pixels."""
    return folder / f"cutaway-{size}.png"


if __name__ == "__main__":
    render(FOLDER)
