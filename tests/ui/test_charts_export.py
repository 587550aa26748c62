"""Charts as files: pictures that open again, and the exact numbers."""

from __future__ import annotations

import base64
import csv
import io
import json
import re
import struct
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from PySide6.QtCore import QByteArray, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog

from tests.ui.chart_samples import EMPTY, NAN, ODD, SAMPLES
from ui.charts import values as v
from ui.charts.export import Export, ExportButton, Form, rendered
from ui.charts.ink import Ink

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from ui.theme import Mode, Theme

ALL = tuple(SAMPLES.values())


def table(chart: v.Chart, theme: Theme) -> list[list[str]]:
    text = rendered((chart,), "csv", Ink.of(theme)).decode()
    return list(csv.reader(io.StringIO(text)))


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_pictures_open_again(mode: Mode, theme: Theme) -> None:
    theme.set_mode(mode)
    ink = Ink.of(theme)
    png = QImage.fromData(rendered(ALL[:5], "png", ink))
    assert png.width() == 2 * (720 + 48)
    assert png.pixelColor(2, 2).name() == theme.colors.page
    svg = rendered(ALL, "svg", ink)
    root = ET.fromstring(svg)
    texts = {"".join(each.itertext()) for each in root.iter("{http://www.w3.org/2000/svg}text")}
    assert {"Exactness", "Next token", "2.9e-6", "38.1 %", "window full"} <= texts
    title = root.find("{http://www.w3.org/2000/svg}title")
    assert title is not None
    assert title.text == "Exactness"
    drawing = QSvgRenderer(QByteArray(svg))
    assert drawing.isValid()
    image = QImage(drawing.viewBox().size(), QImage.Format.Format_RGB32)
    painter = QPainter(image)
    drawing.render(painter)
    painter.end()
    assert image.pixelColor(1, 1).name() == theme.colors.page
    seen = np.unique(np.frombuffer(image.constBits(), np.uint32))
    assert QColor(theme.colors.cache_pinned).rgb() in seen


def test_a_drawing_holds_each_map_as_its_own_image(theme: Theme) -> None:
    maps = (v.HeatMap((1.0, 0.0), 1, 2), v.HeatMap((0.0, 1.0), 1, 2))
    svg = rendered(maps, "svg", Ink.of(theme)).decode()
    encoded = re.findall(r"data:image/png;base64,([^\"]+)", svg)
    images = [QImage.fromData(base64.b64decode(each)) for each in encoded]
    strong = theme.colors.cache_pinned
    first, second = images
    assert first.pixelColor(first.width() // 4, 9).name() == strong
    assert second.pixelColor(second.width() * 3 // 4, 9).name() == strong
    assert first.pixelColor(first.width() * 3 // 4, 9).name() != strong


def test_numbers_are_exact(theme: Theme) -> None:
    rows = table(SAMPLES["bars"], theme)
    assert rows[0] == ["label", "after", "before", "faded"]
    assert float(rows[1][1]) == 0.3812345678901234
    assert rows[2] == [" large", "0.21", "0.3", "0"]
    rows = table(SAMPLES["cards"], theme)
    assert float(rows[2][2]) == 2.9384e-6
    rows = table(SAMPLES["table"], theme)
    assert rows[1] == ["trophy", "913", "0.9999999"]
    rows = table(SAMPLES["lines"], theme)
    assert rows[0] == ["series", "prompt (tokens)", "time (s)"]
    assert rows[4] == ["measured", "8.0", "1.9"]
    rows = table(SAMPLES["histogram"], theme)
    assert rows[1] == [" big", "41", "0.38", "38.0"]


def test_maps_keep_their_empty_triangle(theme: Theme) -> None:
    rows = table(SAMPLES["heat"], theme)
    assert rows[0][1:3] == ["The", " trophy"]
    assert rows[1][1:] == ["1.0", "", "", "", "", "", ""]
    assert float(rows[3][2]) == 1 / 3 + 0.01
    single = v.HeatMap(struct.pack("2f", 0.1, NAN), 1, 2)
    value = table(single, theme)[1]
    assert struct.unpack("f", struct.pack("f", float(value[1]))) == struct.unpack(
        "f", struct.pack("f", 0.1)
    )
    assert value[2] == ""


def test_json_holds_everything(theme: Theme) -> None:
    document = json.loads(rendered(ALL, "json", Ink.of(theme)))
    assert document["cutaway_charts"] == 1
    charts = document["charts"]
    assert [chart["kind"] for chart in charts] == [type(chart).__name__ for chart in ALL]
    bars = next(chart for chart in charts if chart["kind"] == "Bars")
    assert bars["bars"][0]["value"] == 0.3812345678901234
    heat = next(chart for chart in charts if chart["kind"] == "HeatMap")
    assert heat["values"][0] == [1.0, None, None, None, None, None, None]
    assert all(chart["summary"] for chart in charts)


@pytest.mark.parametrize("form", ["csv", "json"])
def test_any_chart_can_be_exported(form: Form, theme: Theme) -> None:
    content = rendered((*EMPTY, *ODD), form, Ink.of(theme)).decode()
    if form == "json":
        json.loads(content, parse_constant=pytest.fail)
    else:
        assert len(list(csv.reader(io.StringIO(content)))) > len(ODD)


def test_several_charts_stand_below_each_other(theme: Theme) -> None:
    text = rendered((SAMPLES["bars"], SAMPLES["steps"]), "csv", Ink.of(theme)).decode()
    first, second = text.split("\n\n")
    assert first.startswith("Next token\nlabel,after,before,faded\n")
    assert second.startswith("Block 3\nstep,length,unit,caption\nRMSNorm,24.125,")


def test_it_is_written_in_the_background(tmp_path: Path, theme: Theme, qtbot: QtBot) -> None:
    export = Export()
    ink = Ink.of(theme)
    for form in ("png", "svg", "csv", "json"):
        path = tmp_path / f"chart.{form}"
        with qtbot.waitSignal(export.exported) as told:
            export.start((SAMPLES["heat"], SAMPLES["strip"]), str(path), form, ink)
        assert told.args == [str(path)]
        assert path.read_bytes() == rendered((SAMPLES["heat"], SAMPLES["strip"]), form, ink)
    with qtbot.waitSignal(export.failed) as told:
        export.start(ALL, str(tmp_path / "none" / "x.csv"), "csv", ink)
    assert told.args == ["The file cannot be written: No such file or directory."]
    endless = v.Bars(tuple(v.Bar(str(n), n) for n in range(1000)))
    with qtbot.waitSignal(export.failed) as told:
        export.start((endless,), str(tmp_path / "x.png"), "png", ink)
    assert told.args == ["This picture is too long for PNG: choose SVG."]


@pytest.mark.qt_log_ignore("This plugin does not support")  # dialogs without a display
def test_the_button_asks_for_a_file(tmp_path: Path, theme: Theme, qtbot: QtBot) -> None:
    charts: list[v.Chart] = []
    button = ExportButton(theme, lambda: charts)
    qtbot.addWidget(button)
    assert button.text() == "Export…"
    with qtbot.waitSignal(button.failed) as told:
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert told.args == ["There is nothing to export yet."]
    charts.append(SAMPLES["steps"])
    with qtbot.waitExposed(button):
        button.show()
    cases: tuple[tuple[str, int, Form], ...] = (
        ("a.svg", 0, "svg"),
        ("b", 2, "csv"),
        ("c.json", 1, "json"),
    )
    for name, filter_number, form in cases:
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        (dialog,) = button.window().findChildren(QFileDialog)
        assert dialog.selectedFiles()[0].endswith("Block 3.png")
        dialog.filterSelected.emit(dialog.nameFilters()[filter_number])
        dialog.selectNameFilter(dialog.nameFilters()[filter_number])
        path = tmp_path / name
        with qtbot.waitSignal(button.exported) as told:
            dialog.fileSelected.emit(str(path))
        dialog.done(1)
        assert path.read_bytes() == rendered((SAMPLES["steps"],), form, Ink.of(theme))
        qtbot.waitUntil(lambda: not button.window().findChildren(QFileDialog))
