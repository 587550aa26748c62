"""Texts cut by the loaded model's tokenizer and by one that is read from disk, side by side."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.errands import LatestErrand
from app.later import Later
from app.spoken import spoken

if TYPE_CHECKING:
    from app.errands import Errands
    from app.jobs.playground_tokens import TokenizerOnDisk
    from ui.playground.state import Tokenized
    from ui.playground.wishes import TokensWish


class PlaygroundTokenizers(QObject):
    """Answers the tokenizer view; the other tokenizer is read on a thread of its own."""

    own_found = Signal(object)
    other_found = Signal(object)
    own_refused = Signal(str)
    other_refused = Signal(str)

    def __init__(self, errands: Errands, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._errand = LatestErrand(errands)
        self._later = Later(self._on_error, self)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="tokenizer")
        self._tokenizer: TokenizerOnDisk | None = None  # of that thread
        self._asked = 0

    def on_wanted(self, wish: TokensWish) -> None:
        """Cut a text."""
        from app.jobs.playground_tokens import own_tokens

        self._errand.run(
            lambda bench: own_tokens(bench, wish.text), self.own_found.emit, self.own_refused.emit
        )
        self._asked += 1
        number = self._asked
        if not wish.other:
            return

        def tell(found: Tokenized | None) -> None:
            if found is not None and number == self._asked:
                self.other_found.emit(found)

        self._later.deliver(self._thread.submit(self._cut, wish, number), tell)

    def close(self) -> None:
        """End the thread; what waits is given up."""
        self._asked += 1
        self._thread.shutdown()

    def _cut(self, wish: TokensWish, number: int) -> Tokenized | None:
        if number != self._asked:  # another text is asked about by now
            return None
        from app.jobs.playground_tokens import TokenizerOnDisk

        if self._tokenizer is None or self._tokenizer.source != wish.other:
            self._tokenizer = None
            self._tokenizer = TokenizerOnDisk(wish.other)
        return self._tokenizer.cut(wish.text)

    def _on_error(self, error: Exception) -> None:
        self.other_refused.emit(spoken(error))
