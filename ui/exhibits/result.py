"""What an exhibit measured: its charts, what should be seen in them, and how they are computed."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QVBoxLayout, QWidget
from typing_extensions import override

from ui import theme as look
from ui.charts.export import ExportButton
from ui.charts.view import ChartView
from ui.controls import QuietButton
from ui.exhibits.words import Words, head

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent

    from ui.charts.values import Chart
    from ui.exhibits.values import Finding, ResultView, Source
    from ui.theme import Theme

_BETWEEN = 26
_ASIDE = 40
_NARROW = 720


class Charts(QWidget):
    """Charts below each other; they are changed in place, so that nothing flickers."""

    activated = Signal(str)
    """The key of a part of a chart that was clicked."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._views: list[ChartView] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(_BETWEEN)

    @property
    def views(self) -> tuple[ChartView, ...]:
        """The widgets of the charts."""
        return tuple(self._views)

    def set_charts(self, charts: Sequence[Chart]) -> None:
        """Show other charts."""
        while len(self._views) > len(charts):
            view = self._views.pop()
            view.hide()
            self._column.removeWidget(view)
            view.deleteLater()
        for view, chart in zip(self._views, charts, strict=False):
            view.set_chart(chart)
        for chart in charts[len(self._views) :]:
            view = ChartView(chart, self._theme)
            view.activated.connect(self.activated)
            self._views.append(view)
            self._column.addWidget(view)
        self.setVisible(bool(charts))


class Verdict(QWidget):
    """What should be seen, and whether it was; the single checks when they are wanted."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._result: ResultView | None = None
        self.claim = Words(theme)
        self.claim.setTextFormat(Qt.TextFormat.RichText)
        self.differing = Words(theme, size=look.TEXT - 1, tone="accent")
        self.all = QuietButton(theme, size=look.CAPTION)
        self.all.setCheckable(True)
        self.checks = _Checks(theme)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(head(theme, self.tr("What you should see")))
        column.addWidget(self.claim)
        column.addWidget(self.differing)
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.all)
        row.addStretch(1)
        column.addLayout(row)
        column.addWidget(self.checks)
        self.all.toggled.connect(self._show)
        theme.changed.connect(self._show)

    def set_result(self, result: ResultView) -> None:
        """Show what was found."""
        if result != self._result:
            self._result = result
            self._show()

    def _show(self) -> None:
        result = self._result
        if result is None:
            return
        sentence = f"{html.escape(result.claim)} {self._verdict(result)}"
        self.claim.setText(f"<p style='margin:0; line-height:140%'>{sentence}</p>")
        unseen = [finding for finding in result.findings if not finding.is_seen]
        self.differing.set_words("\n".join(f"{each.sentence} {each.figures}" for each in unseen))
        self.differing.setVisible(bool(unseen))
        self.all.set_label(self.tr("Check by check ({count})").format(count=len(result.findings)))
        self.all.setVisible(bool(result.findings))
        self.checks.set_findings(result.findings if self.all.isChecked() else ())

    def _verdict(self, result: ResultView) -> str:
        """One word, in the colour of what it says."""
        colors = self._theme.colors
        if not result.findings and result.complete:
            if result.pictures.main or result.pictures.aside:
                return ""
            nothing = self.tr("There is nothing of it to show for this model or this text.")
            return f"<span style='color:{colors.dim}'>{nothing}</span>"
        if not result.findings:
            unknown = self.tr("Not measured yet.")
            return f"<span style='color:{colors.dim}'>{unknown}</span>"
        begin = self.tr("Seen here:") if result.complete else self.tr("Seen so far:")
        seen = sum(finding.is_seen for finding in result.findings)
        if seen == len(result.findings):
            yes = _strong(self.tr("yes"), colors.good)
            return self.tr("{begin} {verdict}.").format(begin=begin, verdict=yes)
        some = self.tr("{seen} of {all} checks").format(seen=seen, all=len(result.findings))
        differing = _strong(self.tr("Not here:"), colors.accent)
        told = self.tr("{begin} {verdict}.").format(begin=begin, verdict=some)
        return f"{told} {differing}"


def _strong(words: str, color: str) -> str:
    return f"<b style='color:{color}'>{words}</b>"


class _Checks(QWidget):
    """The findings one by one, with their figures."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._findings: tuple[Finding, ...] = ()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(8)

    def set_findings(self, findings: Sequence[Finding]) -> None:
        """Show other findings; none hides them."""
        self.setVisible(bool(findings))
        if tuple(findings) == self._findings:
            return
        self._findings = tuple(findings)
        while (item := self._column.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for finding in findings:
            mark = "✓" if finding.is_seen else "✗"
            words = Words(
                self._theme,
                f"{mark} {finding.sentence}\n{finding.figures}",
                size=look.CAPTION,
                tone="dim" if finding.is_seen else "accent",
            )
            self._column.addWidget(words)


class Sources(QWidget):
    """How the figures are computed: formulas, and the functions that do it."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._sources: tuple[Source, ...] = ()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(6)
        self.more = QuietButton(theme, self.tr("All formulas"), size=look.CAPTION)
        self.more.setCheckable(True)
        self._rows: list[Words] = []
        self._column.addWidget(head(theme, self.tr("How this is computed")))
        self._end = QHBoxLayout()
        self._end.setContentsMargins(0, 0, 0, 0)
        self._end.addWidget(self.more)
        self._end.addStretch(1)
        self._column.addLayout(self._end)
        self.more.toggled.connect(self._arrange)

    def add_button(self, button: QWidget) -> None:
        """Put a button at the end of the line below the formulas."""
        self._end.insertWidget(self._end.count() - 1, button)

    def set_sources(self, sources: Sequence[Source]) -> None:
        """Show other formulas; the first stands for itself, the others when they are wanted."""
        if tuple(sources) == self._sources:
            return
        self._sources = tuple(sources)
        for row in self._rows:
            self._column.removeWidget(row)
            row.hide()
            row.deleteLater()
        self._rows = []
        for number, source in enumerate(sources):
            formula = Words(self._theme, source.formula, size=look.TEXT - 1)
            function = Words(self._theme, source.function, tone="dim", code=True)
            function.setFont(self._theme.code_font(look.CAPTION))
            for each in (function, formula):
                self._column.insertWidget(1 + len(self._rows), each)
                self._rows.append(each)
            if number:
                function.setContentsMargins(0, 6, 0, 0)
        self._arrange()

    def _arrange(self) -> None:
        for number, row in enumerate(self._rows):
            row.setVisible(number < 2 or self.more.isChecked())
        self.more.setVisible(len(self._sources) > 1)


class ResultPanel(QWidget):
    """All of it. `failed` tells in a sentence why an export was not written."""

    activated = Signal(str)
    failed = Signal(str)
    exported = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.main = Charts(theme)
        self.aside = Charts(theme)
        self.verdict = Verdict(theme)
        self.sources = Sources(theme)
        self.export = ExportButton(theme, self._charts)
        self.sources.add_button(self.export)
        words = QVBoxLayout()
        words.setContentsMargins(0, 0, 0, 0)
        words.setSpacing(18)
        words.addWidget(self.verdict)
        words.addWidget(self.sources)
        words.addStretch(1)
        charts = QVBoxLayout()
        charts.setContentsMargins(0, 0, 0, 0)
        charts.addWidget(self.aside)
        charts.addStretch(1)
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(_ASIDE)
        self._row.addLayout(charts, 1)
        self._row.addLayout(words, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(_BETWEEN)
        column.addWidget(self.main)
        column.addLayout(self._row)
        self.main.activated.connect(self.activated)
        self.aside.activated.connect(self.activated)
        self.export.failed.connect(self.failed)
        self.export.exported.connect(self.exported)

    def set_result(self, result: ResultView) -> None:
        """Show what was measured so far."""
        self.main.set_charts(result.pictures.main)
        self.aside.set_charts(result.pictures.aside)
        self.verdict.set_result(result)
        self.sources.set_sources(result.sources)
        self.sources.setVisible(bool(self._charts()))
        self._turn()

    def _charts(self) -> Sequence[Chart]:
        return [view.chart for view in (*self.main.views, *self.aside.views)]

    def _turn(self) -> None:
        """Side by side where there is room and something to stand beside."""
        apart = bool(self.aside.views) and self.width() < _NARROW
        wanted = QBoxLayout.Direction.TopToBottom if apart else QBoxLayout.Direction.LeftToRight
        self._row.setDirection(wanted)
        self._row.setStretch(0, 1 if self.aside.views else 0)
        self._row.setSpacing(_BETWEEN if apart else _ASIDE if self.aside.views else 0)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._turn()
