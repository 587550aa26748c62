"""A form hands out values that fit and nothing else; every control is reached by keyboard."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QScrollArea

from ui.entries import ChoiceEntry, LinesEntry, NumberEntry, SwitchEntry
from ui.fields import Choice, ChoiceField, FieldError, NumberField, SwitchField, TextField
from ui.form import Form

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot

    from ui.fields import Value
    from ui.theme import Theme

KEY = Qt.Key
WARMTH = NumberField(
    name="warmth", title="Warmth", help="How warm.", usual=0.7, high=2, step=0.1, decimals=2
)
SEED = NumberField(name="seed", title="Seed", usual=None, high=(1 << 63) - 1, empty="Random")
FIELDS = (
    WARMTH,
    SEED,
    SwitchField(name="loud", title="Loud", usual=False),
    ChoiceField(
        name="bits", title="Bits", usual=None, choices=(Choice(None, "Own"), Choice(8, "8"))
    ),
    TextField(name="prompt", title="Prompt", lines=3),
)


@pytest.fixture
def form(theme: Theme, qtbot: QtBot) -> Iterator[Form]:
    form = Form(theme, FIELDS)
    area = QScrollArea()
    area.setWidget(form)
    qtbot.addWidget(area)
    with qtbot.waitExposed(area):
        area.show()
    yield form
    area.hide()  # and keep it until here


def told(form: Form) -> list[tuple[str, Value]]:
    """Collects what is handed out from now on."""
    values: list[tuple[str, Value]] = []

    def keep(name: str, value: Value) -> None:
        values.append((name, value))

    form.changed.connect(keep)
    return values


def number(form: Form, name: str) -> NumberEntry:
    entry = form.row(name).entry
    assert isinstance(entry, NumberEntry)
    return entry


def write(form: Form, name: str, text: str, qtbot: QtBot) -> None:
    line = number(form, name).line
    line.selectAll()
    qtbot.keyClicks(line, text)
    qtbot.keyClick(line, KEY.Key_Return)


def test_a_number_that_fits_is_handed_out_once(form: Form, qtbot: QtBot) -> None:
    values = told(form)
    write(form, "warmth", "1.25", qtbot)
    form.take_in()
    assert values == [("warmth", 1.25)]
    assert form.values["warmth"] == 1.25


def test_what_does_not_fit_gets_a_sentence_and_esc_takes_it_back(form: Form, qtbot: QtBot) -> None:
    values = told(form)
    write(form, "warmth", "9", qtbot)
    row = form.row("warmth")
    assert row.problem == "A number from 0 to 2 fits."
    assert number(form, "warmth").line.accessibleDescription() == row.problem
    qtbot.keyClick(number(form, "warmth").line, KEY.Key_Escape)
    assert (row.problem, number(form, "warmth").line.text()) == ("", "0.7")
    assert values == []


def test_arrow_keys_step_within_the_bounds(form: Form, qtbot: QtBot) -> None:
    values = told(form)
    line = number(form, "warmth").line
    qtbot.keyClick(line, KEY.Key_Up)
    qtbot.keyClick(line, KEY.Key_Down)
    assert values == [("warmth", 0.8), ("warmth", 0.7)]
    assert WARMTH.stepped(1.95, 1) == 2.0
    assert SEED.stepped(None, -1) == 0


def test_nothing_typed_is_none_where_that_means_something(form: Form, qtbot: QtBot) -> None:
    values = told(form)
    write(form, "seed", str((1 << 63) - 1), qtbot)
    number(form, "seed").line.clear()
    form.take_in()
    assert values == [("seed", (1 << 63) - 1), ("seed", None)]
    write(form, "warmth", " ", qtbot)
    assert form.row("warmth").problem


def test_reset_brings_the_usual_value_back(form: Form, qtbot: QtBot) -> None:
    row = form.row("warmth")
    assert row.reset.isHidden()
    write(form, "warmth", "1.5", qtbot)
    values = told(form)
    assert not row.reset.isHidden()
    qtbot.mouseClick(row.reset, Qt.MouseButton.LeftButton)
    assert values == [("warmth", 0.7)]
    assert row.reset.isHidden()


def test_switch_choice_and_lines(form: Form, qtbot: QtBot) -> None:
    values = told(form)
    switch, choice, lines = (form.row(name).entry for name in ("loud", "bits", "prompt"))
    assert isinstance(switch, SwitchEntry)
    assert isinstance(choice, ChoiceEntry)
    assert isinstance(lines, LinesEntry)
    qtbot.keyClick(switch.switch, KEY.Key_Space)
    qtbot.keyClick(choice.choices, KEY.Key_Down)
    qtbot.keyClicks(lines.text, "Be")
    qtbot.keyClick(lines.text, KEY.Key_Return)
    form.take_in()
    assert values == [("loud", True), ("bits", 8), ("prompt", "Be\n")]


def test_values_that_are_set_are_not_told(form: Form) -> None:
    values = told(form)
    form.set_values({"warmth": 0.1, "prompt": "Hi", "bits": 8, "loud": True, "seed": 5})
    form.take_in()
    assert form.values == {"warmth": 0.1, "seed": 5, "loud": True, "bits": 8, "prompt": "Hi"}
    assert values == []


def test_every_control_has_a_name(form: Form) -> None:
    for field in FIELDS:
        control = form.row(field.name).entry.focusProxy()
        assert control is not None
        assert control.accessibleName() == field.title
        assert control.focusPolicy() & Qt.FocusPolicy.TabFocus


@pytest.mark.parametrize("text", ["1e999", "nan", "-0.01", "x", "0x1"])
def test_odd_numbers_are_refused(text: str) -> None:
    with pytest.raises(FieldError):
        WARMTH.read(text)


def test_a_text_can_be_checked() -> None:
    field = TextField(name="a", title="A", longest=3, check=lambda text: "No." if text else "")
    with pytest.raises(FieldError, match=r"No\."):
        field.read("x")
    with pytest.raises(FieldError, match="At most 3"):
        field.read("xxxx")
