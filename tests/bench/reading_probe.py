"""What reading costs the main thread: long replies, long chats, hostile texts. Prints JSON.

Costs are seconds of the main thread's own processor time, so that what else runs on the machine
is not counted; memory is what the process holds.
"""

import json
import os
import sys
import time
from collections.abc import Iterator

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import psutil
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication

from app.collector import Collector
from tests.hostile_texts import TEXTS
from ui.chat.markdown import parser
from ui.state import MessageView
from ui.theme import Theme
from ui.window import MainWindow

_TOKENS = 20_000
_SPEED_TPS = 200
_FRAMES_PER_S = 60
_PART = 2000
_MESSAGES = 1000
_PATIENCE_S = 60
_PARAGRAPH = (
    "The **causal mask** means that token *i* never sees what comes after it, so its key and "
    "value depend on `tokens[:i]` only; see [the paper](https://example.org/paper).\n\n"
)
_CODE = "```python\ndef layer(x, cache):\n    return x + attn(norm(x), cache)  # adds one\n```\n\n"
_TABLE = "| layer | bytes |\n|---|---|\n| 0 | 1024 |\n| 1 | 2048 |\n\n"
_LIST = "- keys are kept\n- values are kept\n\n"


def main() -> int:
    """Measure and print."""
    application = QApplication(sys.argv[:1])
    window = MainWindow(Theme(application))
    window.resize(1360, 860)
    window.show()
    parser()  # as the window itself does while it is idle
    Collector().on_loaded()
    _settle(application, window)
    report = {
        "growing": _growing(application, window),
        "opening": _opening(application, window),
        "hostile_ms": {name: _hostile(application, window, text) for name, text in TEXTS.items()},
    }
    sys.stdout.write(json.dumps(report) + "\n")
    return 0


def _tokens() -> Iterator[str]:
    """A long reply in pieces of about four characters, as a model writes them."""
    text = (_PARAGRAPH * 3 + _CODE + _LIST + _PARAGRAPH + _TABLE) * 200
    for start in range(0, 4 * _TOKENS, 4):
        yield text[start : start + 4]


def _growing(application: QApplication, window: MainWindow) -> dict[str, float]:
    """A reply of many tokens at a high speed, frame by frame."""
    window.show_chat([MessageView("q", "user", "Why?")], "Growing")
    window.add_message(MessageView("r", "assistant", "", "streaming"))
    tokens = list(_tokens())
    per_frame = round(_SPEED_TPS / _FRAMES_PER_S)
    costs: list[float] = []
    for start in range(0, len(tokens), per_frame):
        begun = time.thread_time()
        for token in tokens[start : start + per_frame]:
            window.append_text("r", token)
        window.page.transcript.draw_now()
        application.processEvents()
        costs.append(time.thread_time() - begun)
    part = _PART // per_frame
    return {
        "first_ms": sum(costs[part : 2 * part]) / _PART * 1000,
        "last_ms": sum(costs[-part:]) / _PART * 1000,
        "share": sum(costs) / (_TOKENS / _SPEED_TPS),
        "p99_ms": sorted(costs)[int(len(costs) * 0.99)] * 1000,
        "longest_ms": max(costs) * 1000,
    }


def _opening(application: QApplication, window: MainWindow) -> dict[str, float]:
    """A chat of many long messages, and one of few."""
    reply = (_PARAGRAPH * 4 + _CODE + _LIST) * 2
    views = [
        MessageView(str(n), "user" if n % 2 == 0 else "assistant", reply) for n in range(_MESSAGES)
    ]
    few = [MessageView(f"few {n}", view.role, reply) for n, view in enumerate(views[:20])]
    window.show_chat([], "")
    _settle(application, window)
    process = psutil.Process()
    spent: dict[str, float] = {}
    for name, shown in (("few", few), ("many", views), ("few", few), ("many", views)):
        begun = time.thread_time()
        window.show_chat(shown, name)
        window.grab()
        spent[name] = time.thread_time() - begun
        _settle(application, window)
    before = process.memory_info().rss
    window.show_chat([], "")
    _settle(application, window)
    window.show_chat(views, "many")
    _settle(application, window)
    opened = process.memory_info().rss
    transcript = window.page.transcript
    while transcript.earlier:
        transcript.verticalScrollBar().setValue(0)
        _turn(application)
    read = process.memory_info().rss
    transcript.jump_to_end()
    _settle(application, window)
    return {
        "few_ms": spent["few"] * 1000,
        "many_ms": spent["many"] * 1000,
        "opened_mb": (opened - before) / 1e6,
        "read_through_mb": (read - before) / 1e6,
        "left_mb": (process.memory_info().rss - before) / 1e6,
    }


def _hostile(application: QApplication, window: MainWindow, text: str) -> float:
    """The longest that the main thread is busy with a text, in ms, streamed and then opened."""
    window.show_chat([], "")
    _settle(application, window)
    begun = time.thread_time()
    window.show_chat([MessageView("q", "user", text)], "Hostile")
    longest = max(time.thread_time() - begun, _settle(application, window))
    window.add_message(MessageView("r", "assistant", "", "streaming"))
    begun = time.thread_time()
    window.append_text("r", text)
    longest = max(longest, time.thread_time() - begun, _settle(application, window))
    begun = time.thread_time()
    window.update_message(MessageView("r", "assistant", text))
    longest = max(longest, time.thread_time() - begun, _settle(application, window))
    return longest * 1000


def _settle(application: QApplication, window: MainWindow) -> float:
    """Live until nothing is left to do; returns the longest turn of the event loop, in s."""
    longest = 0.0
    deadline = time.perf_counter() + _PATIENCE_S
    quiet = 0
    while quiet < 5 and time.perf_counter() < deadline:
        longest = max(longest, _turn(application))
        quiet = 0 if window.page.transcript.is_drawing else quiet + 1
        time.sleep(0.004)
    return longest


def _turn(application: QApplication) -> float:
    """One turn of the event loop; returns the longer of its two parts, in s."""
    begun = time.thread_time()
    application.processEvents()
    drawn = time.thread_time()
    # What was given up is deleted by a loop that runs alone, which none does here.
    application.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    return max(drawn - begun, time.thread_time() - drawn)


if __name__ == "__main__":
    sys.exit(main())
