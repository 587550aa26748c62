"""Sliders, steppers, buttons and cards that stand beside charts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QAccessible, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from ui import figures
from ui.controls_buttons import ActionButton
from ui.controls_card import CardFrame
from ui.controls_values import LabelledSlider, Stepper, stepped

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from ui.theme import Theme


@pytest.fixture
def slider(theme: Theme, qtbot: QtBot) -> LabelledSlider:
    slider = LabelledSlider(
        theme, "Temperature", stepped(0, 2, 0.05), lambda number: figures.decimal(number, 2)
    )
    qtbot.addWidget(slider)
    slider.resize(400, slider.sizeHint().height())
    with qtbot.waitExposed(slider):
        slider.show()
    return slider


def test_steps_have_no_crumbs() -> None:
    assert stepped(0, 1, 0.1) == (0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1)
    assert stepped(128, 512, 128) == (128, 256, 384, 512)
    assert stepped(3, 3, 1) == (3,)


def test_a_slider_is_stepped_by_keyboard(slider: LabelledSlider) -> None:
    told: list[float] = []
    slider.changed.connect(told.append)
    slider.set_number(0.79)
    assert slider.number == 0.8
    slider.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(slider, Qt.Key.Key_Right)
    QTest.keyClick(slider, Qt.Key.Key_Down)
    QTest.keyClick(slider, Qt.Key.Key_PageUp)
    QTest.keyClick(slider, Qt.Key.Key_End)
    QTest.keyClick(slider, Qt.Key.Key_Home)
    QTest.keyClick(slider, Qt.Key.Key_Left)
    assert told == [0.8, 0.85, 0.8, 1.0, 2.0, 0.0]
    slider.grab()


def test_a_slider_is_dragged(slider: LabelledSlider) -> None:
    left = Qt.MouseButton.LeftButton
    QTest.mousePress(slider, left, pos=QPoint(200, 30))
    assert slider.number == 1.0
    QTest.mouseMove(slider, QPoint(900, 30))
    assert slider.number == 2.0
    QTest.mouseRelease(slider, left, pos=QPoint(-50, 30))
    assert slider.number == 2.0
    assert not slider.isSliderDown()
    QTest.mouseClick(slider, left, pos=QPoint(10, 3))
    assert slider.number == 2.0  # the line above the track is no track


def test_a_slider_is_told(slider: LabelledSlider) -> None:
    slider.set_number(0.8)
    told = QAccessible.queryAccessibleInterface(slider)
    assert told.role() == QAccessible.Role.Slider
    assert told.text(QAccessible.Text.Name) == "Temperature"
    assert slider.accessibleDescription() == "0.80"


def test_other_numbers_keep_the_nearest(slider: LabelledSlider) -> None:
    slider.set_number(1.9)
    slider.set_values((0.5, 1.0, 2.0))
    assert slider.number == 2.0
    assert slider.maximum() == 2
    assert slider.text == "2.00"
    with pytest.raises(ValueError, match="number"):
        LabelledSlider(slider._theme, "none", ())


def test_a_number_that_was_not_offered_is_shown_as_it_is(slider: LabelledSlider) -> None:
    slider.show_number(2.5)
    assert (slider.number, slider.text, slider.maximum()) == (2.5, "2.50", 41)
    slider.show_number(0.8)
    assert (slider.number, slider.maximum()) == (0.8, 41)


def test_the_track_is_filled_from_nothing(theme: Theme, qtbot: QtBot) -> None:
    slider = LabelledSlider(theme, "Penalty", stepped(-2, 2, 0.1))
    qtbot.addWidget(slider)
    slider.resize(400, slider.sizeHint().height())

    def filled(x: int) -> bool:
        return slider.grab().toImage().pixelColor(x, 29).name() == theme.colors.accent

    seen: list[tuple[bool, bool]] = []
    for number in (-1.0, 0.0, 1.0):
        slider.set_number(number)
        seen.append((filled(150), filled(250)))
    assert seen == [(True, False), (False, False), (False, True)]


def test_a_stepper_steps(theme: Theme, qtbot: QtBot) -> None:
    stepper = Stepper(theme, "Layer", tuple(range(30)))
    qtbot.addWidget(stepper)
    stepper.resize(stepper.sizeHint())
    with qtbot.waitExposed(stepper):
        stepper.show()
    told: list[float] = []
    stepper.changed.connect(told.append)
    left = Qt.MouseButton.LeftButton
    box = stepper._box()
    QTest.mouseClick(stepper, left, pos=QPoint(box.right() - 4, 14))
    QTest.mouseClick(stepper, left, pos=QPoint(box.right() - 4, 14))
    QTest.mouseClick(stepper, left, pos=QPoint(box.x() + 4, 14))
    QTest.mouseClick(stepper, left, pos=QPoint(box.x() + 4, 14))
    QTest.mouseClick(stepper, left, pos=QPoint(box.x() + 4, 14))
    assert told == [1, 2, 1, 0]
    stepper.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(stepper, Qt.Key.Key_Up)
    assert stepper.number == 1
    assert stepper.accessibleName() == "Layer"
    width = stepper.sizeHint().width()
    stepper.set_number(29)
    assert stepper.sizeHint().width() == width
    stepper.grab()


def test_a_stepper_shows_the_shortest_of_names(theme: Theme, qtbot: QtBot) -> None:
    """As a layer's in Chinese, which is one character."""
    pictures = list[QImage]()
    for name in ("层", " "):
        stepper = Stepper(theme, name, tuple(range(30)))
        qtbot.addWidget(stepper)
        stepper.resize(stepper.sizeHint())
        box = stepper._box()
        pictures.append(stepper.grab(QRect(0, 0, min(box.x(), 12), box.height())).toImage())
    assert len({pictures[0].pixel(x, y) for x in range(12) for y in range(28)}) > 1
    assert len({pictures[1].pixel(0, y) for y in range(28)}) == 1


def test_buttons_act_and_have_names(theme: Theme, qtbot: QtBot) -> None:
    button = ActionButton(theme, "Run", main=True, shortcut_words="⌘⏎")
    qtbot.addWidget(button)
    button.resize(button.sizeHint())
    with qtbot.waitExposed(button):
        button.show()
    pressed: list[int] = []
    button.clicked.connect(lambda: pressed.append(1))
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    button.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(button, Qt.Key.Key_Space)
    assert len(pressed) == 2
    assert button.accessibleName() == "Run"
    accent = button.grab().toImage().pixelColor(4, 15).name()
    assert accent == theme.colors.accent
    button.setEnabled(False)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert len(pressed) == 2
    assert button.grab().toImage().pixelColor(4, 15).name() != accent
    before = button.sizeHint().width()
    button.set_label("Run on SmolLM2")
    assert button.sizeHint().width() > before
    plain = ActionButton(theme, "Reset")
    qtbot.addWidget(plain)
    plain.resize(30, 30)
    plain.grab()


def test_a_card_frames_its_widgets(theme: Theme, qtbot: QtBot) -> None:
    card = CardFrame(theme)
    qtbot.addWidget(card)
    card.column.addWidget(QLabel("words"))
    card.resize(200, 80)
    image = card.grab().toImage()
    assert image.pixelColor(100, 0).name() == theme.colors.hairline
