"""The spell checker of macOS for the composer, through PyObjC.

Other systems have none that every program shares (on Linux each brings dictionaries of its own),
so nothing is offered there.

NSSpellChecker belongs to the main thread. It is asked there for an answer that comes on a thread
of the system's; that one only puts it into a future, whose result `Later` delivers.
"""

from __future__ import annotations

from concurrent.futures import Future
from importlib import import_module
from threading import Thread
from typing import TYPE_CHECKING, Any, Protocol

from PySide6.QtCore import QObject

from app.later import Later
from ui.chat.spelling import Span, utf16_length

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

_FRAMEWORK = "AppKit"
"""PyObjC's module, which is installed on macOS only."""

_SPELLING = 1 << 1
"""NSTextCheckingTypeSpelling, of NSTextCheckingResult.h."""


class _Range(Protocol):
    """NSRange, in UTF-16 units."""

    @property
    def location(self) -> int: ...

    @property
    def length(self) -> int: ...


class _Result(Protocol):
    """What is needed of NSTextCheckingResult."""

    def resultType(self) -> int: ...  # noqa: N802 - Cocoa's name

    def range(self) -> _Range: ...


def spans_of(results: Iterable[_Result] | None) -> list[Span]:
    """The misspelt words among what a check found."""
    return [
        Span(int(result.range().location), int(result.range().length))
        for result in results or ()
        if result.resultType() == _SPELLING
    ]


def import_framework() -> Any:
    """Import PyObjC's AppKit, which has no types; it takes a while.

    Raises:
        ImportError: It is not there.
    """
    return import_module(_FRAMEWORK)


class MacSpelling(QObject):
    """Asks NSSpellChecker; a `ui.chat.spelling.Spelling`. Until it is there no word is wrong."""

    def __init__(self, parent: QObject, load: Callable[[], Any] = import_framework) -> None:
        """Nothing is loaded before the first text is checked.

        Args:
            parent: Owns this object.
            load: Returns the framework; runs on a thread of its own.
        """
        super().__init__(parent)
        self._load = load
        self._loading = False
        self._checker: Any = None
        self._tag = 0
        self._waiting: tuple[str, Callable[[Sequence[Span]], None]] | None = None
        # Without the framework a text has no underlines; that is no reason to disturb.
        self._later = Later(lambda _: None, self)

    def check(self, text: str, answer: Callable[[Sequence[Span]], None]) -> None:
        """Find the misspelt words of a text; the answer comes later, on the main thread."""
        if self._checker is None:
            self._waiting = text, answer
            self._begin()
            return
        found: Future[list[Span]] = Future()
        self._later.deliver(found, answer)

        def complete(_number: int, results: Iterable[_Result], _script: object, _n: int) -> None:
            found.set_result(spans_of(results))

        ask = self._checker.requestCheckingOfString_range_types_options_inSpellDocumentWithTag_completionHandler_  # noqa: E501 - Cocoa's name
        ask(text, (0, utf16_length(text)), _SPELLING, None, self._tag, complete)

    def suggestions(self, word: str) -> Sequence[str]:
        """What a word may have been meant to be; asks the system's service and waits for it."""
        if self._checker is None:
            return ()
        ask = self._checker.guessesForWordRange_inString_language_inSpellDocumentWithTag_
        guesses = ask((0, utf16_length(word)), word, None, self._tag)
        return tuple(str(guess) for guess in guesses or ())

    def learn(self, word: str) -> None:
        """Put a word into the user's own dictionary, which all programs share."""
        if self._checker is not None:
            self._checker.learnWord_(word)

    def ignore(self, word: str) -> None:
        """Take a word as right until the application ends."""
        if self._checker is not None:
            self._checker.ignoreWord_inSpellDocumentWithTag_(word, self._tag)

    def _begin(self) -> None:
        """Import the framework off the main thread, once."""
        if self._loading:
            return
        self._loading = True
        framework: Future[Any] = Future()
        self._later.deliver(framework, self._on_loaded)

        def work() -> None:
            try:
                framework.set_result(self._load())
            except ImportError as error:
                framework.set_exception(error)

        Thread(target=work, name="spelling", daemon=True).start()

    def _on_loaded(self, framework: Any) -> None:
        self._tag = framework.NSSpellChecker.uniqueSpellDocumentTag()
        self._checker = framework.NSSpellChecker.sharedSpellChecker()
        waiting, self._waiting = self._waiting, None
        if waiting is not None:
            self.check(*waiting)
