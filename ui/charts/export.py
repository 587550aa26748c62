"""Charts as files: PNG, SVG, CSV and JSON, written in the background."""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import (
    QBuffer,
    QByteArray,
    QCoreApplication,
    QIODevice,
    QObject,
    QRect,
    QRectF,
    QRunnable,
    QSize,
    QThreadPool,
    Signal,
)
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QFileDialog, QWidget
from typing_extensions import override

from ui import theme as look
from ui.charts.ink import Ink
from ui.charts.numbers import csv_bytes, json_bytes
from ui.charts.summaries import kind_name, summary
from ui.charts.view import picture_of
from ui.controls import QuietButton
from ui.whole_file import write

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ui.charts.picture import Picture
    from ui.charts.values import Chart
    from ui.theme import Theme

Form = Literal["png", "svg", "csv", "json"]

_FORMS: tuple[Form, ...] = ("png", "svg", "csv", "json")
_WIDTH = 720
_MARGIN = 24
_GAP = 28
_RATIO = 2
_MOST_PIXELS = 16_000
_LONGEST_NAME = 80


def rendered(charts: Sequence[Chart], form: Form, ink: Ink, width: float = _WIDTH) -> bytes:
    """Charts as the content of a file; can be used on any thread.

    Args:
        charts: One or several; pictures of several stand below each other.
        form: PNG at double density, SVG, CSV or JSON.
        ink: Colours and fonts of the pictures.
        width: Of the pictures, in logical pixels.

    Raises:
        ValueError: With a sentence, where a picture would be larger than a PNG can be.
    """
    if form == "csv":
        return csv_bytes(charts)
    if form == "json":
        return json_bytes(charts)
    pictures = [picture_of(chart, ink, width) for chart in charts]
    return _svg(charts, pictures, ink) if form == "svg" else _png(pictures, ink)


class Export(QObject):
    """Writes charts into a file without keeping the window waiting."""

    exported = Signal(str)
    """The path of the file that was written."""
    failed = Signal(str)
    """Why there is none, as one sentence."""

    def start(self, charts: Sequence[Chart], path: str, form: Form, ink: Ink) -> None:
        """Begin; `exported` or `failed` tells how it ended.

        Args:
            charts: What to write.
            path: Where to.
            form: What kind of file.
            ink: Colours and fonts, for pictures.
        """
        QThreadPool.globalInstance().start(_Task(self, tuple(charts), path, form, ink))

    def on_ended(self, path: str, sentence: str) -> None:
        """Tell how it ended; an empty sentence is a success."""
        if sentence:
            self.failed.emit(sentence)
        else:
            self.exported.emit(path)


class _Outcome(QObject):
    """Carries the outcome to the main thread, even where the asker is gone by then."""

    ended = Signal(str, str)


class _Task(QRunnable):
    """One export, on a thread of the pool; the program waits for it when it quits."""

    def __init__(
        self, export: Export, charts: tuple[Chart, ...], path: str, form: Form, ink: Ink
    ) -> None:
        super().__init__()
        self._charts = charts
        self._path = path
        self._form: Form = form
        self._ink = ink
        self._outcome = _Outcome()
        self._outcome.ended.connect(export.on_ended)

    @override
    def run(self) -> None:
        sentence = ""
        try:
            write(self._path, rendered(self._charts, self._form, self._ink))
        except OSError as error:
            template = QCoreApplication.translate("Charts", "The file cannot be written: {reason}.")
            sentence = template.format(reason=error.strerror or str(error))
        except (ValueError, MemoryError) as error:
            sentence = str(error) or QCoreApplication.translate(
                "Charts", "There is not enough memory for this picture."
            )
        self._outcome.ended.emit(self._path, sentence)


class ExportButton(QuietButton):
    """Asks for a file and writes charts into it."""

    exported = Signal(str)
    """The path of the file that was written."""
    failed = Signal(str)
    """Why there is none, as one sentence."""

    def __init__(self, theme: Theme, charts: Callable[[], Sequence[Chart]]) -> None:
        """Make the button.

        Args:
            theme: Colours and fonts, of the pictures too.
            charts: Asked when it is pressed; what is shown then is exported.
        """
        super().__init__(theme, size=look.CAPTION)
        self._charts = charts
        self._export = Export(self)
        self.set_label(self.tr("Export…"))
        self.setToolTip(self.tr("Save the picture (PNG, SVG) or its numbers (CSV, JSON)"))
        self._export.exported.connect(self.exported)
        self._export.failed.connect(self.failed)
        self.clicked.connect(self.ask)

    def ask(self) -> QFileDialog | None:
        """Ask for the file; None where there is nothing to export yet."""
        charts = tuple(self._charts())
        if not charts:
            self.failed.emit(self.tr("There is nothing to export yet."))
            return None
        ink = Ink.of(self._theme)

        def on_chosen(path: str, form: Form) -> None:
            self._export.start(charts, path, form, ink)

        return ask_file(self.window(), charts[0].title or kind_name(charts[0]), on_chosen)


def ask_file(parent: QWidget, title: str, on_chosen: Callable[[str, Form], None]) -> QFileDialog:
    """Ask for a file and a form.

    Args:
        parent: The window.
        title: What the file is called where nothing else is wanted.
        on_chosen: Called with the path and the form.
    """
    translate = QCoreApplication.translate
    filters: dict[str, Form] = {
        translate("Charts", "Picture (*.png)"): "png",
        translate("Charts", "Drawing (*.svg)"): "svg",
        translate("Charts", "Numbers for spreadsheets (*.csv)"): "csv",
        translate("Charts", "Numbers as JSON (*.json)"): "json",
    }
    dialog = QFileDialog(parent, translate("Charts", "Export"), str(Path.home()))
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setNameFilters(list(filters))
    dialog.setDefaultSuffix("png")
    safe = "".join(" " if letter in '\\/:*?"<>|\n' else letter for letter in title).strip(" .")
    dialog.selectFile(safe[:_LONGEST_NAME] or translate("Charts", "Chart"))

    def on_filter(name: str) -> None:
        dialog.setDefaultSuffix(filters[name])

    def on_file(path: str) -> None:
        ending = Path(path).suffix.lower().lstrip(".")
        chosen = filters[dialog.selectedNameFilter()]
        by_ending: dict[str, Form] = {form: form for form in _FORMS}
        on_chosen(path, by_ending.get(ending, chosen))

    dialog.filterSelected.connect(on_filter)
    dialog.fileSelected.connect(on_file)
    dialog.finished.connect(dialog.deleteLater)
    dialog.open()
    return dialog


def _png(pictures: Sequence[Picture], ink: Ink) -> bytes:
    size = _size(pictures)
    if max(size.width(), size.height()) * _RATIO > _MOST_PIXELS:
        raise ValueError(
            QCoreApplication.translate("Charts", "This picture is too long for PNG: choose SVG.")
        )
    image = QImage(size * _RATIO, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(_RATIO)
    image.fill(QColor(ink.colors.page))
    painter = QPainter(image)
    _paint(painter, pictures)
    painter.end()
    return _encoded(image)


def _svg(charts: Sequence[Chart], pictures: Sequence[Picture], ink: Ink) -> bytes:
    content = QByteArray()
    buffer = QBuffer(content)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    size = _size(pictures)
    drawing = QSvgGenerator()
    drawing.setOutputDevice(buffer)
    drawing.setSize(size)
    drawing.setViewBox(QRect(0, 0, size.width(), size.height()))
    drawing.setTitle(charts[0].title if charts else "")
    drawing.setDescription(" ".join(summary(chart) for chart in charts))
    drawing.setResolution(96)
    painter = QPainter(drawing)
    painter.fillRect(QRect(0, 0, size.width(), size.height()), QColor(ink.colors.page))
    _paint(painter, pictures)
    painter.end()
    svg = bytes(content.data())
    for stand_in, image in (inlay for picture in pictures for inlay in picture.inlays):
        svg = svg.replace(b64encode(_encoded(stand_in)), b64encode(_encoded(image)))
    return svg


def _encoded(image: QImage) -> bytes:
    """An image as PNG; other threads go on meanwhile."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")  # pyright: ignore[reportCallIssue, reportArgumentType]
    return bytes(buffer.data().data())


def _size(pictures: Sequence[Picture]) -> QSize:
    width = max((picture.width for picture in pictures), default=0.0)
    height = sum(picture.height for picture in pictures) + _GAP * max(len(pictures) - 1, 0)
    return QSize(round(width + 2 * _MARGIN), round(height + 2 * _MARGIN + 0.49))


def _paint(painter: QPainter, pictures: Sequence[Picture]) -> None:
    painter.translate(_MARGIN, _MARGIN)
    for number, picture in enumerate(pictures):
        picture.number = number
        painter.save()
        picture.paint(painter, QRectF(0, 0, picture.width, picture.height))
        painter.restore()
        painter.translate(0, picture.height + _GAP)
