"""The page of models as a widget: what it shows, what it asks for, how one gets around in it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QLabel

from tests.ui.test_accessibility import nameless
from ui.models.compare import SideWish
from ui.models.drawers import ConvertDrawer, RemovalDrawer, SettingsDrawer
from ui.models.page import ModelsPage
from ui.models.values import (
    AnswerView,
    CardView,
    ComparisonView,
    ConversionView,
    DetailView,
    DownloadView,
    FileView,
    FitPart,
    FitView,
    FoundView,
    RemovalView,
    VariantView,
    WorkView,
)
from ui.state import ModelChoice
from ui.tab_order import tab_stops

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QAbstractButton, QWidget
    from pytestqt.qtbot import QtBot

    from ui.entries import Entry
    from ui.window import MainWindow

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")

FIT = FitView(
    "too big",
    "Too big.",
    (FitPart("weights", "4 GiB", 0.7), FitPart("KV cache", "1 GiB", 0.2)),
    0.5,
)
STARTER = CardView(
    "starter",
    "Starter",
    state="loaded",
    fit=FIT,
    undeletable="It stays.",
    convertible=True,
    settings={"window": None, "bits": None, "chunk": None},
)
OTHER = CardView("a/b", "B", "llama", "cache", fit=FIT, settings=STARTER.settings)
BROKEN = CardView("a/c", "C", problem="It is not whole.", ready=False)
DOWNLOAD = DownloadView(
    "a/d", "a/d", "running", 0.3, "3 of 10", "1 MiB/s", (FileView("x", "3 of 10", 0.3),)
)


@pytest.fixture
def page(window: MainWindow) -> ModelsPage:
    window.go("models")
    page = window.places.page("models")
    assert isinstance(page, ModelsPage)
    page.here.set_models([STARTER, OTHER, BROKEN], "3 models", True)
    return page


def teller(told: list[str], word: str) -> Callable[[str], None]:
    """A slot that notes a signal's value behind a word."""

    def tell(value: str) -> None:
        told.append(f"{word} {value}")

    return tell


def press(qtbot: QtBot, button: QAbstractButton) -> None:
    qtbot.waitUntil(button.isVisible)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def test_a_card_offers_what_can_be_done(page: ModelsPage, qtbot: QtBot) -> None:
    here = page.here
    asked: list[str] = []
    here.load_requested.connect(teller(asked, "load"))
    here.unload_requested.connect(teller(asked, "unload"))
    here.reveal_requested.connect(teller(asked, "reveal"))
    here.benchmark_requested.connect(teller(asked, "bench"))
    here.cancelled.connect(teller(asked, "cancel"))
    starter, other, broken = here.cards
    press(qtbot, starter.load)
    press(qtbot, other.load)
    press(qtbot, other.reveal)
    press(qtbot, other.benchmark)
    here.set_models([STARTER, replace(OTHER, work=WorkView("Measuring", 0.2)), BROKEN], "", True)
    assert other.work.sentence.text() == "Measuring · 20 %"
    assert not other.load.isEnabled()
    press(qtbot, other.work.cancel)
    wanted = "unload starter, load a/b, reveal a/b, bench a/b, cancel a/b"
    assert asked == wanted.split(", ")
    assert not starter.delete.isVisible()
    assert not broken.load.isEnabled()
    assert broken.note.text() == "It is not whole."
    assert other.fit.sentence.text() == "Too big."


def test_drawers_open_and_close_where_the_keyboard_is(page: ModelsPage, qtbot: QtBot) -> None:
    starter, other, _ = page.here.cards
    planned: list[tuple[str, int]] = []
    confirmed: list[object] = []

    def on_planned(source: str, bits: int) -> None:
        planned.append((source, bits))

    def on_confirmed(source: str, bits: int) -> None:
        confirmed.append((source, bits))

    page.here.conversion_requested.connect(on_planned)
    page.here.conversion_confirmed.connect(on_confirmed)
    page.here.removal_confirmed.connect(confirmed.append)
    press(qtbot, starter.settings)
    assert isinstance(starter.drawer, SettingsDrawer)
    press(qtbot, starter.settings)
    assert starter.drawer is None
    press(qtbot, starter.convert)
    drawer = starter.drawer
    assert isinstance(drawer, ConvertDrawer)
    assert planned == [("starter", 4)]
    page.here.show_conversion(ConversionView("starter", 8, "other", possible=True))
    assert not drawer.start.isEnabled()
    page.here.show_conversion(ConversionView("starter", 4, "no room", possible=False))
    assert not drawer.start.isEnabled()
    page.here.show_conversion(ConversionView("starter", 4, "fine", possible=True))
    press(qtbot, drawer.start)
    page.here.ask_removal(RemovalView("a/b", "Frees 4 GiB.", "Sure?"))
    removal = other.drawer
    assert isinstance(removal, RemovalDrawer)
    assert removal.close_button.hasFocus()
    qtbot.keyClick(removal.close_button, Qt.Key.Key_Escape)
    assert other.drawer is None
    assert other.delete.hasFocus()
    page.here.ask_removal(RemovalView("a/b", "Frees 4 GiB."))
    assert isinstance(other.drawer, RemovalDrawer)
    press(qtbot, other.drawer.start)
    assert confirmed == [("starter", 4), "a/b"]


def test_focus_stays_on_the_page(page: ModelsPage, qtbot: QtBot) -> None:
    _, other, _ = page.here.cards
    other.benchmark.setFocus()
    working = replace(OTHER, work=WorkView("Measuring"))
    page.here.set_models([STARTER, working, BROKEN], "", True)
    assert other.work.cancel.hasFocus()
    page.here.set_models([STARTER, OTHER, BROKEN], "", True)
    assert other.benchmark.hasFocus()
    page.here.set_models([STARTER], "", True)
    assert page.here.add_folder.hasFocus()
    press(qtbot, page.here.hint.find_button)
    assert page.section == "find"
    assert page.finder.field.hasFocus()
    page.segments.chosen.emit(2)
    assert page.isAncestorOf(page.window().focusWidget())


def test_what_is_found_is_gone_through_by_keyboard(page: ModelsPage, qtbot: QtBot) -> None:
    finder = page.finder
    chosen: list[str] = []
    finder.chosen.connect(chosen.append)
    page.show_section("find")
    finder.set_found([FoundView(f"a/{n}", f"M{n}", "", "fits") for n in range(3)], "Found")
    qtbot.waitUntil(finder.found[2].isVisible)
    qtbot.keyClick(finder.field, Qt.Key.Key_Down)
    qtbot.keyClick(finder.found[0], Qt.Key.Key_Down)
    assert finder.found[1].hasFocus()
    qtbot.keyClick(finder.found[1], Qt.Key.Key_Return)
    finder.show_detail(DetailView("a/0", sentence="late"))
    assert finder.detail.view.repo != "a/0"
    variants = (VariantView("Q4", "Q4 · 1"), VariantView("Q8", "Q8 · 2"))
    finder.show_detail(
        DetailView("a/1", (("Family", "llama"),), fit=FIT, variants=variants, variant="Q4")
    )
    assert finder.detail.variant is not None
    qtbot.keyClick(finder.found[1], Qt.Key.Key_Return)
    assert finder.detail.isHidden()
    qtbot.keyClick(finder.found[1], Qt.Key.Key_Up)
    qtbot.keyClick(finder.found[0], Qt.Key.Key_Up)
    assert finder.field.hasFocus()
    finder.field.setText("x")
    qtbot.keyClick(finder.field, Qt.Key.Key_Escape)
    assert not finder.query.words
    assert chosen == ["a/1", ""]


def test_marks_that_change_move_neither_focus_nor_sight(
    page: ModelsPage, window: MainWindow, qtbot: QtBot
) -> None:
    window.resize(800, 560)
    finder = page.finder
    page.show_section("find")

    def show(mark: str) -> None:
        finder.set_found([FoundView(f"a/{n}", f"M{n}", "", mark) for n in range(30)], "Found")

    show("fits")
    qtbot.waitUntil(finder.found[2].isVisible)
    qtbot.keyClick(finder.field, Qt.Key.Key_Down)
    qtbot.keyClick(finder.found[0], Qt.Key.Key_Return)
    figures = tuple((f"Name {number}", "figure") for number in range(9))
    finder.show_detail(DetailView("a/0", loading=True))
    finder.show_detail(DetailView("a/0", figures, wants_token=True))
    seen = finder.viewport().rect()
    field = finder.detail.token.line
    qtbot.waitUntil(lambda: seen.contains(field.mapTo(finder.viewport(), field.rect().center())))
    bar = finder.verticalScrollBar()
    bar.setValue(bar.maximum())
    place = bar.value()
    show("being downloaded")
    assert finder.found[0].hasFocus()
    qtbot.waitUntil(finder.found[29].isVisible)
    assert bar.value() == place


def test_downloads_say_what_can_be_done(page: ModelsPage, qtbot: QtBot) -> None:
    section = page.downloads
    asked: list[str] = []
    section.paused.connect(teller(asked, "pause"))
    section.resumed.connect(teller(asked, "resume"))
    section.cancelled.connect(teller(asked, "cancel"))
    section.dismissed.connect(teller(asked, "dismiss"))
    section.load_requested.connect(teller(asked, "load"))
    page.show_section("downloads")
    section.set_downloads([], "")
    press(qtbot, section.find_button)
    page.show_section("downloads")
    section.set_downloads([DOWNLOAD], "1 download")
    row = section.shown[0]
    press(qtbot, row.more)
    press(qtbot, row.act)
    for state in ("paused", "failed"):
        section.set_downloads([replace(DOWNLOAD, state=state)], "")
        press(qtbot, row.act)
    press(qtbot, row.cancel)
    section.set_downloads([replace(DOWNLOAD, state="done", source="a/d")], "")
    press(qtbot, row.act)
    press(qtbot, row.cancel)
    wanted = "pause a/d, resume a/d, resume a/d, cancel a/d, load a/d, dismiss a/d"
    assert asked == wanted.split(", ")


def test_two_or_three_sides_are_compared(page: ModelsPage, qtbot: QtBot) -> None:
    compare = page.compare
    asked: list[tuple[object, ...]] = []

    def on_requested(prompt: str, sides: list[SideWish], tokens: int) -> None:
        asked.append((prompt, sides, tokens))

    compare.requested.connect(on_requested)
    page.show_section("compare")
    compare.set_choices([ModelChoice("starter", "Starter"), ModelChoice("a/b", "B")])
    press(qtbot, compare.third)
    compare.sides[1].form.set_values({"temperature": 1.5, "window": 512, "bits": 8})
    compare.form.set_values({"prompt": "Hi", "tokens": 5})
    press(qtbot, compare.start)
    sides = [
        SideWish("starter", 0.0, None, None),
        SideWish("a/b", 1.5, 512, 8),
        SideWish("a/b", 0.0, None, None),
    ]
    assert asked == [("Hi", sides, 5)]
    answers = (AnswerView("Starter", "Hello", (("Tokens", "1"),)), AnswerView("B", problem="No."))
    compare.show_comparison(ComparisonView(answers, 0.5, running=True))
    assert not compare.start.isEnabled()
    assert compare.sides[0].text.toPlainText() == "Hello"
    assert compare.sides[1].problem.isVisible()
    compare.show_comparison(ComparisonView(answers, 1.0, sentence="Done."))
    assert compare.start.isEnabled()
    compare.set_choices([ModelChoice("starter", "Starter")])
    assert compare.sides[1].wish.source == "starter"
    press(qtbot, compare.third)
    assert len(compare.shown_sides) == 2


def test_sides_take_models_of_their_own_until_one_is_chosen(page: ModelsPage) -> None:
    compare = page.compare
    rows = [ModelChoice(name, name.upper()) for name in ("a", "b", "c")]
    compare.set_choices(rows[:1])
    compare.set_choices(rows)
    assert [side.wish.source for side in compare.sides] == ["a", "b", "c"]
    model = compare.sides[1].model
    assert model is not None
    model.set_value("c")
    model.changed.emit("model", "c")
    compare.set_choices([ModelChoice("d", "D"), *rows])
    assert [side.wish.source for side in compare.sides] == ["d", "c", "b"]


@pytest.mark.parametrize("width", [800, 1440])
def test_nothing_is_cut_off_in_drawers_and_sides(
    page: ModelsPage, window: MainWindow, qtbot: QtBot, width: int
) -> None:
    window.resize(width, 900)
    window.show()
    card = page.here.card("a/b")
    card.settings.click()
    drawer = card.drawer
    assert isinstance(drawer, SettingsDrawer)
    labels = [label for label in drawer.form.findChildren(QLabel) if label.isVisible()]
    assert len(labels) == 6
    qtbot.waitUntil(
        lambda: all(each.height() >= each.heightForWidth(each.width()) for each in labels)
    )
    page.show_section("compare")
    page.compare.set_choices([ModelChoice(name, name) for name in ("a", "b", "c")])
    page.compare.third.click()
    for side in page.compare.shown_sides:
        entries = [side.form.row(name).entry for name in side.form.values]
        entries += [] if side.model is None else [side.model.entry]
        assert len(entries) == 4
        most = side.column.contentsMargins().right()
        qtbot.waitUntil(lambda entries=entries, side=side, most=most: _end(entries, side) >= most)


def _end(entries: list[Entry], side: QWidget) -> int:
    """How much room there is beside the widest of them."""
    return side.width() - max(each.mapTo(side, each.rect().topRight()).x() for each in entries)


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_every_section_has_names_and_a_way_there(
    page: ModelsPage, window: MainWindow, mode: str
) -> None:
    window._theme.set_mode("dark" if mode == "dark" else "light")
    window.resize(800, 560)
    page.set_offline(True)
    page.set_busy("1 download")
    page.here.card("starter").settings.click()
    page.finder.set_found([FoundView("a/1", "M", "c", "too big", is_good=False)], "Found", "More.")
    page.downloads.set_downloads([DOWNLOAD], "1 download")
    page.compare.set_choices([ModelChoice("starter", "Starter")])
    page.compare.show_comparison(ComparisonView((AnswerView("S", "x"),), 0.2, running=True))
    for section in ("here", "find", "downloads", "compare"):
        page.show_section(section)
        if section == "find":
            page.finder.found[0].click()
            page.finder.show_detail(DetailView("a/1", wants_token=True, state="can"))
        page.grab()
        assert nameless(window) == []
        stops = [stop for stop in tab_stops(window) if page.isAncestorOf(stop)]
        assert len(stops) >= 4
        for stop in stops:
            assert QAccessible.queryAccessibleInterface(stop) is not None
