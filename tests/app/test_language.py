"""Which language the window speaks."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import PySide6
import pytest
from PySide6.QtCore import QCoreApplication, QLocale, QTranslator

from app.language import chosen, install

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtWidgets import QApplication

SOURCE = """<?xml version="1.0" encoding="utf-8"?><!DOCTYPE TS>
<TS version="2.1" language="zh_CN"><context><name>Places</name><message>
<source>Chat</source><translation>聊天</translation></message></context></TS>"""


@pytest.fixture(autouse=True)
def own_locale(qapp: QApplication) -> Iterator[None]:
    """Take back what a test installs."""
    before = QLocale()
    yield
    for translator in qapp.findChildren(QTranslator):
        qapp.removeTranslator(translator)
        translator.deleteLater()
    QLocale.setDefault(before)


@pytest.mark.parametrize(
    ("wanted", "system", "code"),
    [
        ("system", ["zh-Hans-CN", "en-US"], "zh_CN"),
        ("system", ["zh_CN"], "zh_CN"),
        ("system", ["de-DE", "zh-CN"], "zh_CN"),
        ("system", ["zh-Hant-TW", "en"], "en"),
        ("system", ["zh-TW", "zh-Hant"], "en"),
        ("system", ["fr"], "en"),
        ("system", [], "en"),
        ("zh_CN", ["en"], "zh_CN"),
        ("en", ["zh-CN"], "en"),
    ],
)
def test_language_is_the_wanted_or_the_first_that_there_is(
    wanted: str, system: list[str], code: str
) -> None:
    assert chosen(wanted, system) == code


def compiled(folder: Path) -> Path:
    """A file of translations."""
    (folder / "a.ts").write_text(SOURCE, encoding="utf-8")
    tool = Path(PySide6.__file__).parent / "lrelease"
    made = folder / "cutaway_zh_CN.qm"
    command = [str(tool), str(folder / "a.ts"), "-qm", str(made), "-silent"]
    subprocess.run(command, check=True, capture_output=True)
    return made


def test_texts_and_figures_speak_the_language(qapp: QApplication, tmp_path: Path) -> None:
    compiled(tmp_path)
    assert install(qapp, "zh_CN", tmp_path) == "zh_CN"
    assert QCoreApplication.translate("Places", "Chat") == "聊天"
    assert QLocale().language() == QLocale.Language.Chinese


def test_a_file_that_is_written_anew_leaves_the_window_alone(
    qapp: QApplication, tmp_path: Path
) -> None:
    made = compiled(tmp_path)
    install(qapp, "zh_CN", tmp_path)
    size = made.stat().st_size
    with made.open("r+b") as file:
        file.write(b"\xff" * size)
    assert QCoreApplication.translate("Places", "Chat") == "聊天"
    made.write_bytes(b"")
    assert QCoreApplication.translate("Places", "Chat") == "聊天"


def test_a_file_that_holds_no_translations_leaves_english(
    qapp: QApplication, tmp_path: Path
) -> None:
    (tmp_path / "cutaway_zh_CN.qm").write_bytes(b"rubbish")
    install(qapp, "zh_CN", tmp_path)
    assert QCoreApplication.translate("Places", "Chat") == "Chat"


def test_a_translation_that_is_missing_leaves_english(qapp: QApplication, tmp_path: Path) -> None:
    assert install(qapp, "zh_CN", tmp_path) == "zh_CN"
    assert QCoreApplication.translate("Places", "Chat") == "Chat"
