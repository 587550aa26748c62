"""What the question that is being written takes, counted a moment after it was written.

While a reply is written nothing is counted: that would hold it up, and its end changes all.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from app.chats.model import new_message
from app.replies import spoken_messages
from app.requests import CountRequest
from ui.state import BudgetView

if TYPE_CHECKING:
    from app.drafting import Drafting
    from app.replies import Replies
    from app.requests import Count
    from app.shown import ShownChat
    from app.worker import Worker

WAIT_MS = 150
_LONGEST_WAIT_MS = 3000
_SHARE = 3
"""A count that takes long comes seldom: it may take one part in so many of the time."""


class Budget(QObject):
    """Asks the engine for counts and tells the composer of them."""

    changed = Signal(object)
    """A `ui.state.BudgetView`, or None where nothing is known."""

    def __init__(
        self,
        worker: Worker,
        replies: Replies,
        shown: ShownChat,
        drafting: Drafting,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._worker = worker
        self._replies = replies
        self._shown = shown
        self._drafting = drafting
        self._asked = 0
        self._ids: tuple[str, ...] = ()
        self._chat_id = ""
        self._is_blank = False
        self._limit = 0
        self._asked_at_s = 0.0
        self._timer = QTimer(self, singleShot=True, interval=WAIT_MS)
        self._timer.timeout.connect(self._ask)

    def refresh(self) -> None:
        """Count soon: the question, the chat, its settings or the model are others."""
        self._asked += 1  # an answer that is on its way is that to another question
        self._timer.start()

    def clear(self) -> None:
        """The model is gone: what was to be counted is of no use any more."""
        self._drop()
        self._limit = 0
        self.changed.emit(None)

    def on_asked(self) -> None:
        """The question is sent: what the model sees at once stays, its prompt is another one."""
        self._drop()
        self.changed.emit(BudgetView(0, self._limit) if self._limit else None)

    def _drop(self) -> None:
        self._asked += 1
        self._timer.stop()
        self._worker.drop_counts()

    def on_counted(self, count: Count) -> None:
        """Tell what was counted, unless it was about another question."""
        took_ms = round((time.perf_counter() - self._asked_at_s) * 1000)
        self._timer.setInterval(min(max(WAIT_MS, _SHARE * took_ms), _LONGEST_WAIT_MS))
        if count.count_id != self._asked or self._chat_id != self._shown.chat_id:
            return
        if self._ids and not count.problem:
            self._shown.remember(self._chat_id, self._ids, count.unseen_messages)
        self._limit = count.limit or self._limit
        is_other = self._ids != self._replies.cached_ids(self._chat_id)
        if self._is_blank:
            blank = BudgetView(0, self._limit, cache_is_other=is_other)
            self.changed.emit(blank if self._limit else None)
            return
        self.changed.emit(
            BudgetView(
                tokens=count.tokens,
                limit=count.limit,
                reused=count.reused,
                leaving_messages=count.leaving_messages,
                problem=count.problem,
                can_forget=not count.rotates,
                cache_is_other=is_other,
            )
        )

    def _ask(self) -> None:
        shown, drafting = self._shown, self._drafting
        if self._replies.is_busy:
            return
        messages, question = shown.messages, new_message("", None, "user", drafting.text)
        if drafting.text.strip() or drafting.attachments:
            messages = (*messages, replace(question, attachments=drafting.attachments))
        spoken, ids = spoken_messages(messages, shown.settings)
        answered = tuple(each for each in ids if each != question.id)
        self._is_blank = not any(message["role"] == "user" for message in spoken)
        if self._is_blank:  # any question tells what the model sees at once
            spoken.append({"role": "user", "content": ""})
        self._chat_id, self._ids = shown.chat_id, answered
        self._asked_at_s = time.perf_counter()
        self._worker.count(
            CountRequest(self._asked, shown.chat_id, spoken, shown.settings.context, len(answered))
        )
