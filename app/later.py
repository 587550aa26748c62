"""Results of another thread's work, delivered on the main thread."""

from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

from PySide6.QtCore import QObject, Signal

T = TypeVar("T")


class Later(QObject):
    """Delivers futures' results; make it on the main thread and keep it for the app's life."""

    _ready = Signal(object)

    def __init__(
        self, on_error: Callable[[Exception], None], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._on_error = on_error
        self._ready.connect(self._on_ready)

    def deliver(
        self,
        future: Future[T],
        on_result: Callable[[T], None] | None = None,
        on_failed: Callable[[], None] | None = None,
    ) -> None:
        """Call `on_result` on the main thread once `future` is done.

        Where it failed, the error exit is called, and `on_failed` before it.
        """

        def call(done: Future[T]) -> None:
            if done.cancelled():
                return
            error = done.exception()
            if isinstance(error, Exception):
                if on_failed is not None:
                    self._ready.emit(on_failed)
                self._ready.emit(lambda: self._on_error(error))
            elif error is None and on_result is not None:
                result = on_result
                self._ready.emit(lambda: result(done.result()))

        future.add_done_callback(call)

    def _on_ready(self, call: Callable[[], None]) -> None:
        call()
