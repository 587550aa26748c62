"""A file that is written as a whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ui.whole_file import write

if TYPE_CHECKING:
    from pathlib import Path


def test_a_file_is_written_as_a_whole(tmp_path: Path) -> None:
    target = tmp_path / "chart.csv"
    target.write_text("before")
    write(str(target), b"after")
    assert target.read_bytes() == b"after"
    assert [each.name for each in tmp_path.iterdir()] == ["chart.csv"]
    with pytest.raises(OSError, match="directory"):
        write(str(tmp_path / "missing" / "chart.csv"), b"x")
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError, match="directory"):
        write(str(tmp_path / "folder"), b"x")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["chart.csv", "folder"]
