"""The icon: the files are what the script draws, and macOS's format holds them."""

from __future__ import annotations

import struct
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QColor, QImage, QImageReader

from resources.icon import draw, icns
from resources.icon.window import window_icon


@pytest.fixture
def pictures() -> dict[int, bytes]:
    return {size: draw.png(draw.FOLDER, size).read_bytes() for size in draw.SIZES}


@pytest.mark.usefixtures("qapp")
def test_the_files_are_what_the_script_draws(tmp_path: Path) -> None:
    for file in draw.render(tmp_path):
        there = draw.FOLDER / file.name
        if file.suffix == ".svg":
            assert there.read_text(encoding="utf-8") == file.read_text(encoding="utf-8")
        else:
            assert QImage(str(there)).size() == QImage(str(file)).size()


@pytest.mark.parametrize("size", draw.SIZES)
def test_a_picture_shows_ground_skin_and_cut_and_has_clear_corners(size: int) -> None:
    image = QImage(str(draw.png(draw.FOLDER, size)))
    assert image.pixelColor(0, 0).alpha() == 0
    skin = image.pixelColor(int(size * 0.3), int(size * 0.6))
    cut = image.pixelColor(int(size * 0.785), int(size * 0.45))
    assert skin.lightnessF() > 0.9
    assert _near(cut, QColor("#e0602f"), 60)


def _near(one: QColor, other: QColor, most: int) -> bool:
    gaps = (one.red() - other.red(), one.green() - other.green(), one.blue() - other.blue())
    return all(abs(gap) <= most for gap in gaps)


def test_qt_reads_every_size_of_the_icns(tmp_path: Path, pictures: dict[int, bytes]) -> None:
    file = tmp_path / "Cutaway.icns"
    file.write_bytes(icns.icns(pictures))
    reader = QImageReader(str(file))
    edges: list[int] = []
    for index in range(reader.imageCount()):
        reader.jumpToImage(index)
        edges.append(reader.read().width())
    assert edges == list(icns.TYPES.values())


def test_lengths_count_everything(pictures: dict[int, bytes]) -> None:
    data = icns.icns(pictures)
    assert data[:4] == b"icns"
    assert struct.unpack(">I", data[4:8])[0] == len(data)
    place, kinds = 8, list[bytes]()
    while place < len(data):
        kinds.append(data[place : place + 4])
        place += struct.unpack(">I", data[place + 4 : place + 8])[0]
    assert (place, kinds) == (len(data), list(icns.TYPES))


@pytest.mark.parametrize("wrong", [b"", b"no picture at all, but long enough"])
def test_a_missing_or_wrong_picture_is_refused(pictures: dict[int, bytes], wrong: bytes) -> None:
    with pytest.raises(ValueError, match="512 × 512"):
        icns.icns({**pictures, 512: wrong})
    with pytest.raises(ValueError, match="512 × 512"):
        icns.icns({**pictures, 512: pictures[256]})


@pytest.mark.usefixtures("qapp")
def test_windows_have_every_size_and_an_app_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [size.width() for size in window_icon().availableSizes()] == list(draw.SIZES)
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert window_icon().isNull()
