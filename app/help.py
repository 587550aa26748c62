"""The menu Help: the help, About, the log with its report, updates, the command in the terminal."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QGuiApplication

from app import __version__
from app.later import Later

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.log import Journal
    from app.macos import Link
    from app.report import Facts
    from app.updates import News
    from ui.about import AboutPanel
    from ui.help_window import HelpWindow
    from ui.log_window import LogWindow
    from ui.theme import Theme
    from ui.window import MainWindow

_LOOK_EVERY_MS = 500


class Help(QObject):
    """Opens the windows of the menu, one of each, and fills them from a thread of its own."""

    told = Signal(str)
    """A sentence for the quiet bar."""
    offered = Signal(str, str)
    """A sentence for it, and the word of a button; `on_accepted` does what that says."""
    device_wanted = Signal()
    """`set_device` takes what models run on."""

    def __init__(self, window: MainWindow, theme: Theme, journal: Journal, parent: QObject) -> None:
        super().__init__(parent)
        self._window = window
        self._theme = theme
        self._journal = journal
        self._later = Later(lambda error: self.told.emit(str(error)), self)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="help")
        self._log: LogWindow | None = None
        self._shown = 0
        self._timer = QTimer(self, interval=_LOOK_EVERY_MS)
        self._timer.timeout.connect(self._on_timeout)
        self._accept: Callable[[], object] | None = None
        self._help: HelpWindow | None = None
        self._about: AboutPanel | None = None
        self._facts: Facts | None = None
        self._device = ""

    def set_device(self, device: str) -> None:
        """Take the name of what models run on."""
        self._device = device
        self._fill_about()

    def close(self) -> None:
        """End what is still being looked up."""
        self._timer.stop()
        self._thread.shutdown(wait=True, cancel_futures=True)

    def on_help(self, data: Path, models: Path) -> None:
        """Open the help, or bring it to the front.

        Args:
            data: The folder of the application's data.
            models: The folder of Cutaway's own models.
        """
        from ui.help_window import Folders, HelpWindow, chapters

        if self._help is None:
            logs = self._journal.folder
            folders = Folders(_readable(data), _readable(models), _readable(logs) if logs else "")
            actions = self._window.actions_of_menus
            self._help = HelpWindow(self._theme, chapters(actions, folders), self._window)
            self._help.shortcuts_wanted.connect(actions.shortcuts.trigger)
            self._help.destroyed.connect(self._on_help_closed)
        self._help.show()
        self._help.raise_()
        self._help.activateWindow()

    def on_about(self) -> None:
        """Open the About panel; what takes a moment to find out comes after it."""
        from app.report import gather
        from ui.about import AboutPanel, AboutView

        if self._about is None:
            self._about = AboutPanel(self._theme, self._window)
            self._about.set_view(AboutView(__version__))
            self._about.destroyed.connect(self._on_about_closed)
            self._later.deliver(self._thread.submit(gather), self._on_gathered)
            self._ask_device()
        self._about.show()
        self._about.raise_()
        self._about.activateWindow()

    def on_log(self) -> None:
        """Open the log, or bring it to the front."""
        from ui.log_window import LogWindow

        if self._log is None:
            log = self._log = LogWindow(self._theme, self._window)
            log.folder.setVisible(self._journal.folder is not None)
            log.report_wanted.connect(self.on_report)
            log.folder_wanted.connect(self._on_folder)
            log.destroyed.connect(self._on_log_closed)
            self._shown = 0
            self._on_timeout()
            self._timer.start()
            self._ask_device()
        self._log.show()
        self._log.raise_()
        self._log.activateWindow()

    def on_report(self) -> None:
        """Put the report on the clipboard."""
        from app.report import gather, report

        device, lines = self._device, self._journal.lines.since(0)[1]

        def on_written(text: str) -> None:
            QGuiApplication.clipboard().setText(text)
            if self._log is not None:
                self._log.tell_copied()

        written = self._thread.submit(lambda: report(gather(), device, lines))
        self._later.deliver(written, on_written)

    def on_crash(self) -> None:
        """Say that something went wrong that nobody expected."""
        sentence = self.tr("Something went wrong that should not; your chats are safe.")
        self._offer(sentence, self.tr("Show Log"), self.on_log)

    def on_newer(self, news: News) -> None:
        """Tell of a newer version, and offer its page."""
        sentence = self.tr("Cutaway {version} is there.").format(version=news.version)
        if not news.page:
            self.told.emit(sentence)
            return
        page = QUrl(news.page)
        self._offer(sentence, self.tr("Show Page"), lambda: QDesktopServices.openUrl(page))

    def on_install_tool(self) -> None:
        """Link the program where the terminal finds it, and tell how that went."""
        from app.macos import install_tool, link_sentence

        executable = Path(sys.executable)

        def on_linked(link: Link) -> None:
            self.told.emit(link_sentence(link, PurePosixPath(executable)))

        self._later.deliver(self._thread.submit(lambda: install_tool(executable)), on_linked)

    def on_accepted(self) -> None:
        """Do what was offered last."""
        accept, self._accept = self._accept, None
        if accept is not None:
            accept()

    def come_forward(self) -> None:
        """Bring the window to the front, also from the Dock or the taskbar."""
        window = self._window
        window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
        window.show()
        window.raise_()
        window.activateWindow()

    def _ask_device(self) -> None:
        if not self._device:
            self.device_wanted.emit()

    def _on_gathered(self, facts: Facts) -> None:
        self._facts = facts
        self._fill_about()

    def _fill_about(self) -> None:
        from app.report import lines_of
        from ui.about import AboutView

        facts, device = self._facts, self._device
        if self._about is None or facts is None:
            return
        view = AboutView(
            facts.version,
            facts.commit,
            facts.system,
            facts.machine,
            device,
            facts.python,
            facts.libraries,
            "\n".join([*lines_of(facts, device), ""]),
        )
        self._about.set_view(view)

    def _on_help_closed(self) -> None:
        self._help = None

    def _on_about_closed(self) -> None:
        self._about = None

    def _offer(self, sentence: str, word: str, accept: Callable[[], object]) -> None:
        self._accept = accept
        self.offered.emit(sentence, word)

    def _on_timeout(self) -> None:
        if self._log is not None:
            self._shown, lines = self._journal.lines.since(self._shown)
            self._log.add_lines(lines)

    def _on_log_closed(self) -> None:
        self._log = None
        self._timer.stop()

    def _on_folder(self) -> None:
        if self._journal.folder is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._journal.folder)))


def _readable(folder: Path) -> str:
    """A folder as one writes it, with ~ for the home folder."""
    home = Path.home()
    return f"~/{folder.relative_to(home)}" if folder.is_relative_to(home) else str(folder)
