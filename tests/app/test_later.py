"""Results of other threads arrive on the main thread, errors at the one exit for them."""

from __future__ import annotations

import threading
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING

from app.later import Later

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


def test_results_and_errors_arrive_on_the_main_thread(qtbot: QtBot) -> None:
    came: list[tuple[str, str]] = []

    def keep(value: object) -> None:
        came.append((str(value), threading.current_thread().name))

    later = Later(keep)
    go = threading.Event()

    def work() -> int:
        go.wait(10)
        return 1 // int(threading.current_thread().name.endswith("_0"))

    with ThreadPoolExecutor(2) as pool:
        results = [pool.submit(work), pool.submit(work)]
        for result in results:
            later.deliver(result, keep)
            later.deliver(result)
        assert came == []
        go.set()
        qtbot.waitUntil(lambda: len(came) == 3, timeout=10_000)
    assert {thread for _, thread in came} == {threading.main_thread().name}
    values = [value for value, _ in came]
    assert sorted(values) == ["1", *["integer division or modulo by zero"] * 2]


def test_what_is_no_error_of_the_work_is_told_to_nobody(qtbot: QtBot) -> None:
    came: list[object] = []
    later = Later(came.append)
    future: Future[int] = Future()
    later.deliver(future, came.append)
    future.set_exception(KeyboardInterrupt())
    qtbot.wait(20)
    assert came == []
