"""The thread that owns the store of chats, and the queue of calls in front of it."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

from PySide6.QtCore import QCoreApplication

from app.chats.errors import DamagedError, StoreError
from app.chats.model import Figures, State

if TYPE_CHECKING:
    from app.chats.recover import Recovery
    from app.chats.store import Store

T = TypeVar("T")

IDLE_S = 10.0
RETRY_S = 3.0
BUSY_S = 2.0
_PATIENCE_S = 0.05
"""How long a later try waits for whoever holds the file: what is asked for waits meanwhile."""


@dataclass
class _Call(Generic[T]):
    work: Callable[[Store], T]
    future: Future[T]
    saves: str | None = None  # the id of the reply that the call saves, where it saves one


class StoreThread:
    """Runs calls on a store, one after the other, on one thread for as long as the app lives.

    Results and errors come back in futures; a callback added to one runs on the store's thread.
    The thread ends with `close`, which first does everything that was asked for.

    Attributes:
        opened: Tells whether the file could be opened: if not, calls read from it where it can be
            read, or go to a file beside it, or fail with its error where there can be none. Its
            result says what was recovered where the file was damaged, None where it was not.
        reopened: Done once the file could be opened after all, as when another program has let go
            of it; tells whether it holds what was said meanwhile. Cancelled where that did not
            come to pass.
        joined: Done once what an earlier run has left beside the file is in it; its error says
            why that cannot be. Cancelled where the file could not be opened.
        checked: Done once the whole file was looked through while nobody asked for anything; its
            error says that the file is damaged. Cancelled where the thread ended before.
    """

    def __init__(
        self,
        path: Path | None,
        *,
        idle_s: float = IDLE_S,
        retry_s: float = RETRY_S,
        busy_s: float = BUSY_S,
        late: bool = False,
    ) -> None:
        """Start the thread; without a path its chats live in memory and end with it.

        Args:
            path: The file.
            idle_s: How long nobody asks for anything before the file is looked through.
            retry_s: How long after a file could not be opened that is tried again.
            busy_s: How long the first try waits for another program that has the file open.
            late: Whether the thread starts with the first thing that is asked for, not at once.
        """
        self.opened: Future[Recovery | None] = Future()
        self.reopened: Future[bool] = Future()
        self.joined: Future[None] = Future()
        self.checked: Future[None] = Future()
        self._idle_s = idle_s
        self._retry_s = retry_s
        self._busy_s = busy_s
        self._path = path
        self._calls: deque[_Call[Any]] = deque()
        self._closing = False
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._run, name="chats")
        if not late:
            self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def submit(self, work: Callable[[Store], T]) -> Future[T]:
        """Run `work` on the store after everything asked for before; return its result to come."""
        return self._enqueue(_Call(work, Future()))

    def save_reply(
        self,
        message_id: str,
        text: str,
        state: State,
        token_ids: Sequence[int] = (),
        figures: Figures | None = None,
        model: str | None = None,
    ) -> Future[bool]:
        """Save what a reply has grown to, as Store.save_reply does.

        A save that still waits, with nothing asked for after it but this one for the same reply,
        is left out: the two share a future, and the newer one is written.
        """
        ids = tuple(token_ids)  # the caller's list goes on growing

        def work(store: Store) -> bool:
            return store.save_reply(message_id, text, state, ids, figures, model)

        return self._enqueue(_Call(work, Future(), saves=message_id))

    def close(self) -> None:
        """Do what was asked for, close the file and end the thread; may be called again."""
        with self._changed:
            self._closing = True
            self._changed.notify()
        if self._thread.ident is not None:
            self._thread.join()

    def _enqueue(self, call: _Call[T]) -> Future[T]:
        call.future.set_running_or_notify_cancel()  # what was asked for is done, never cancelled
        with self._changed:
            if self._closing:
                translate = QCoreApplication.translate
                sentence = translate("Chats", "The chats are closed: start Cutaway again.")
                call.future.set_exception(StoreError(sentence))
                return call.future
            last = self._calls[-1] if self._calls else None
            if last is not None and last.saves is not None and last.saves == call.saves:
                last.work = call.work
                return last.future
            self._calls.append(call)
            if self._thread.ident is None:
                self._thread.start()
            self._changed.notify()
        return call.future

    def _next(self) -> _Call[Any] | None:
        """Wait for a call; return None when there will be none."""
        with self._changed:
            self._changed.wait_for(self._is_wanted)
            return self._calls.popleft() if self._calls else None

    def _is_wanted(self) -> bool:
        return bool(self._calls) or self._closing

    def _run(self) -> None:
        store = self._open()
        if store is None:
            return
        try:
            while True:
                if not self.checked.done():
                    self._check_when_idle(store)
                call = self._next()
                if call is None:
                    break
                _answer(call, store)
        finally:
            self.checked.cancel()
            store.close()

    def _open(self) -> Store | None:
        """Open the file, in the end; None where the thread is to end before."""
        try:
            store, recovery = _opened(self._path, self._busy_s)
        except BaseException as error:  # noqa: BLE001  # whoever waits for a future gets it
            self.checked.cancel()
            self.joined.cancel()
            later = self._open_later(error)
            if later is None:
                self.reopened.cancel()
            return later
        self.opened.set_result(recovery)
        self.reopened.cancel()
        if self._path is None:
            self.joined.cancel()
        else:
            self._join_from_before(store, self._path)
        return store

    def _join_from_before(self, store: Store, path: Path) -> None:
        from app.chats.apart import join_from_before  # as late as the store itself

        try:
            join_from_before(store, path)
        except StoreError as error:
            self.joined.set_exception(error)
        else:
            self.joined.set_result(None)

    def _open_later(self, error: BaseException) -> Store | None:
        """Open the file once that is possible; None where the thread is to end before."""
        if self._path is None or not isinstance(error, StoreError):  # that does not pass
            self.opened.set_exception(error)
            self._serve(error, None, None)
            return None
        from app.chats.apart import open_beside, open_to_read

        seen = open_to_read(self._path, error)
        apart = open_beside(self._path) if seen is None else None
        self.opened.set_exception(error if apart is None else _kept_apart(error))
        try:
            while self._serve(error, seen or apart, self._retry_s):
                try:
                    store = _joined(self._path, apart)
                except StoreError as latest:
                    error = latest
                else:
                    self.reopened.set_result(apart is not None)
                    return store
        finally:
            for other in (seen, apart):
                if other is not None:
                    other.close()
        return None

    def _serve(self, error: BaseException, other: Store | None, for_s: float | None) -> bool:
        """Have another store answer calls, or the error where there is none.

        Returns:
            False once the thread is to end, True after `for_s` seconds.
        """
        end = None if for_s is None else time.monotonic() + for_s
        while True:
            with self._changed:
                left_s = None if end is None else max(end - time.monotonic(), 0)
                wanted = self._changed.wait_for(self._is_wanted, timeout=left_s)
                call = self._calls.popleft() if self._calls else None
            if call is None:
                return not wanted
            if other is None:
                call.future.set_exception(error)
            else:
                _answer(call, other)

    def _check_when_idle(self, store: Store) -> None:
        with self._changed:
            if self._changed.wait_for(self._is_wanted, timeout=self._idle_s):
                return
        try:
            if store.check(self._is_wanted):
                self.checked.set_result(None)
        except StoreError as error:
            self.checked.set_exception(error)


def _opened(path: Path | None, busy_s: float) -> tuple[Store, Recovery | None]:
    from app.chats.store import Store  # on this thread, so that the window need not wait

    try:
        return Store(path, busy_s=busy_s), None
    except DamagedError:
        if path is None:
            raise
        from app.chats.recover import recover  # late: it is seldom needed, start-up always

        recovery = recover(path)
        return Store(path), recovery


def _kept_apart(error: StoreError) -> StoreError:
    translate = QCoreApplication.translate
    sentence = translate(
        "Chats", "{problem} What you say until then is kept beside them, and joined in."
    )
    return type(error)(sentence.format(problem=error))


def _joined(path: Path, apart: Store | None) -> Store:
    """Open the file after all, with what was said meanwhile."""
    from app.chats.apart import join, join_from_before, remove
    from app.chats.store import Store

    store = Store(path, busy_s=_PATIENCE_S)
    try:
        if apart is None:
            join_from_before(store, path)
        else:
            join(store, apart)
            apart.close()
            remove(path)
    except BaseException:
        store.close()
        raise
    return store


def _answer(call: _Call[Any], store: Store) -> None:
    try:
        result = call.work(store)
    except BaseException as error:  # noqa: BLE001  # whoever waits for the future gets it
        if isinstance(error, DamagedError):
            store.note_damage()
        call.future.set_exception(error)
    else:
        call.future.set_result(result)
