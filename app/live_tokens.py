"""The tokens of a reply while it is written: how likely each was, and what else could have come.

A reply is asked for its log-probabilities only while somebody looks at its tokens.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from ui.state import TokensView

if TYPE_CHECKING:
    from app.replies import Replies
    from app.requests import ReplyBegin, ReplyEnd, ReplyPiece
    from app.shown import ShownChat
    from ui.state import TokenView

ALTERNATIVES = 10
EVERY_MS = 200
MOST = 128
"""So many of the latest tokens are shown while there are more to come: each update lays out all."""


class LiveTokens(QObject):
    """Collects the tokens of the shown chat's reply; hands them out at most five times a second."""

    begun = Signal()
    """A reply of the shown chat begins, whose tokens will come."""
    grown = Signal(TokensView)

    def __init__(self, replies: Replies, shown: ShownChat, parent: QObject) -> None:
        super().__init__(parent)
        self._replies = replies
        self._shown = shown
        self._reply_id = ""
        self._nll = 0.0
        self._tokens: list[TokenView] = []
        self._timer = QTimer(self, singleShot=True, interval=EVERY_MS)
        self._timer.timeout.connect(self._tell)

    @property
    def is_watched(self) -> bool:
        """Whether somebody looks at tokens."""
        return self._replies.logprobs > 0

    @property
    def reply_id(self) -> str:
        """The reply that is collected; empty for none."""
        return self._reply_id

    def on_watched(self, watched: bool) -> None:  # noqa: FBT001 - a Qt slot
        """Ask the replies to come for their alternatives, or not any more."""
        self._replies.logprobs = ALTERNATIVES if watched else 0

    def on_began(self, begin: ReplyBegin) -> None:
        """Turn to a reply of the shown chat."""
        if self.is_watched and self._shown.message(begin.reply_id) is not None:
            self._reply_id = begin.reply_id
            self._tokens.clear()
            self._nll = 0.0
            self.begun.emit()

    def on_produced(self, piece: ReplyPiece) -> None:
        """Collect a token."""
        if piece.told is None or piece.reply_id != self._reply_id:
            return
        self._tokens.append(piece.told)
        self._nll -= math.log(max(piece.told.probability, 1e-300))
        if not self._timer.isActive():
            self._timer.start()

    def on_ended(self, end: ReplyEnd) -> None:
        """Hand out the last of it, all in one where it is the whole reply."""
        if end.reply_id != self._reply_id:
            return
        self._timer.stop()
        self._tell(ended=True)
        self._reply_id = ""

    def on_chat_changed(self) -> None:
        """Let go of a reply whose chat is shown no more."""
        if self._shown.message(self._reply_id) is None:
            self._reply_id = ""
            self._timer.stop()

    def _tell(self, *, ended: bool = False) -> None:
        tokens = self._tokens
        if not tokens:
            return
        reply = self._shown.message(self._reply_id)
        # One that was gone on with, or begun elsewhere, has tokens that were not told of.
        whole = ended and reply is not None and reply.token_ids == tuple(t.token for t in tokens)
        shown = tuple(tokens if whole else tokens[-MOST:])
        self.grown.emit(
            TokensView(
                self._reply_id,
                self._replies.model,
                shown,
                self._nll / len(tokens),
                unseen=len(tokens) - len(shown),
                live=not whole,
            )
        )
