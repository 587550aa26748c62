"""The Mac's spell checker is asked in Cocoa's way; a stand-in answers on a thread, as it does."""

from __future__ import annotations

from dataclasses import dataclass
from threading import Thread, current_thread, main_thread
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import QObject

from app.mac_spelling import MacSpelling, import_framework, spans_of
from app.macos import system_spelling
from ui.chat.spelling import Span

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pytestqt.qtbot import QtBot

SPELLING, GRAMMAR = 1 << 1, 1 << 2


@dataclass(frozen=True)
class Range:
    location: int
    length: int


@dataclass(frozen=True)
class Result:
    """An NSTextCheckingResult."""

    kind: int
    found: Range

    def resultType(self) -> int:  # noqa: N802 - Cocoa's name
        return self.kind

    def range(self) -> Range:
        return self.found


class Checker:
    """An NSSpellChecker that finds "teh" in its text."""

    def __init__(self) -> None:
        self.learnt: list[str] = []
        self.ignored: list[tuple[str, int]] = []
        self.ranges: list[tuple[int, int]] = []

    def requestCheckingOfString_range_types_options_inSpellDocumentWithTag_completionHandler_(  # noqa: N802
        self,
        text: str,
        part: tuple[int, int],
        kinds: int,
        options: object,
        tag: int,
        complete: Callable[[int, Sequence[Result], object, int], None],
    ) -> int:
        assert (kinds, options, tag) == (SPELLING, None, 7)
        assert current_thread() is main_thread()
        self.ranges.append(part)
        results = [Result(SPELLING, Range(text.index("teh"), 3)), Result(GRAMMAR, Range(0, 9))]
        Thread(target=complete, args=(1, results, object(), 2)).start()
        return 1

    def guessesForWordRange_inString_language_inSpellDocumentWithTag_(  # noqa: N802
        self, part: tuple[int, int], text: str, language: object, tag: int
    ) -> list[str] | None:
        assert (part, language, tag) == ((0, len(text)), None, 7)
        return ["the", "ten"] if text == "teh" else None

    def learnWord_(self, word: str) -> None:  # noqa: N802
        self.learnt.append(word)

    def ignoreWord_inSpellDocumentWithTag_(self, word: str, tag: int) -> None:  # noqa: N802
        self.ignored.append((word, tag))


class Framework:
    """AppKit with that checker."""

    def __init__(self, checker: Checker) -> None:
        class NSSpellChecker:
            @staticmethod
            def sharedSpellChecker() -> Checker:  # noqa: N802
                return checker

            @staticmethod
            def uniqueSpellDocumentTag() -> int:  # noqa: N802
                return 7

        self.NSSpellChecker = NSSpellChecker


@pytest.fixture
def owner() -> QObject:
    return QObject()


def test_a_text_is_checked_and_the_answer_comes_on_the_main_thread(
    owner: QObject, qtbot: QtBot
) -> None:
    checker, loads = Checker(), list[object]()

    def load() -> Any:
        loads.append(current_thread())
        return Framework(checker)

    spelling = MacSpelling(owner, load)
    answers: list[tuple[object, Sequence[Span]]] = []

    def answer(spans: Sequence[Span]) -> None:
        answers.append((current_thread(), spans))

    assert spelling.suggestions("teh") == ()
    spelling.learn("too early")
    spelling.ignore("too early")
    spelling.check("an earlier teh", answer)
    spelling.check("teh cat 🐈", answer)  # the earlier one need not be answered any more
    qtbot.waitUntil(lambda: bool(answers))
    spelling.check("a teh", answer)
    qtbot.waitUntil(lambda: len(answers) == 2)
    assert answers == [(main_thread(), [Span(0, 3)]), (main_thread(), [Span(2, 3)])]
    assert checker.ranges == [(0, 10), (0, 5)]
    assert len(loads) == 1
    assert loads[0] is not main_thread()
    assert spelling.suggestions("teh") == ("the", "ten")
    assert spelling.suggestions("xyz") == ()
    spelling.learn("teh")
    spelling.ignore("xyz")
    assert (checker.learnt, checker.ignored) == (["teh"], [("xyz", 7)])


def test_without_the_framework_no_word_is_wrong(owner: QObject, qtbot: QtBot) -> None:
    tried: list[bool] = []

    def load() -> Any:
        tried.append(True)
        raise ImportError("No module named AppKit")

    spelling = MacSpelling(owner, load)
    for _ in range(2):
        spelling.check("teh", lambda _: pytest.fail("there is nothing to answer with"))
    qtbot.waitUntil(lambda: bool(tried))
    qtbot.wait(5)
    assert tried == [True]


def test_only_spelling_counts() -> None:
    assert spans_of(None) == []
    assert spans_of([Result(GRAMMAR, Range(0, 4)), Result(SPELLING, Range(5, 6))]) == [Span(5, 6)]


def test_only_a_mac_has_one(owner: QObject) -> None:
    assert system_spelling("linux", owner) is None
    assert isinstance(system_spelling("darwin", owner), MacSpelling)


@pytest.mark.skipif("sys.platform == 'darwin'", reason="there it is installed")
def test_the_framework_is_looked_for_by_name() -> None:
    with pytest.raises(ImportError, match="AppKit"):
        import_framework()
