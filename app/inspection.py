"""What the inspector shows of the chat that is shown: its cache as text, and a reply's tokens."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, Signal

from app.errands import LatestErrand
from app.replies import request_up_to, spoken_messages
from ui.state import TokensView

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.chats.model import Message
    from app.errands import Errands
    from app.jobs.inspect import Beginning, HeldText
    from app.live_tokens import LiveTokens
    from app.shown import ShownChat
    from ui.state import LayerView

_NEARBY = 12


class Inspection(QObject):
    """Answers the inspector, with what the engine says.

    The text of a cache is read once and kept until the chat goes on: while a reply is being
    written the engine has no time, and what stood there before is still true.
    """

    text_found = Signal(int, int, str, str)
    """Tokens from and to, whose message they are in, and their text."""
    message_found = Signal(str)
    layers_found = Signal(list)
    tokens_found = Signal(TokensView)
    tokens_progressed = Signal(str, float)
    """The reply that is read once more, and how much of it is, 0 to 1."""
    tokens_stopped = Signal()
    tokens_refused = Signal(str)
    """Why there are no tokens to show; empty where nothing has been said yet."""
    branch_wanted = Signal(str, str, tuple)
    """A reply of the shown chat, and the text and tokens with which another version begins."""
    failed = Signal(str)

    def __init__(
        self, errands: Errands, shown: ShownChat, live: LiveTokens, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._shown = shown
        self._live = live
        self._text_errand = LatestErrand(errands)
        self._layers_errand = LatestErrand(errands)
        self._tokens_errand = LatestErrand(errands)
        self._branch_errand = LatestErrand(errands)
        self._text: HeldText | None = None
        self._text_of = ""
        self._ids: tuple[str, ...] = ()
        self._roles: tuple[str, ...] = ()
        self._asked: tuple[int, int] | None = None
        self._reply_id = ""
        self._looked_at = ""

    def on_text_asked(self, start: int, end: int) -> None:
        """Find what stands at some tokens of the shown chat's session."""
        self._asked = (start, end)
        known = self._known_text()
        if known is not None and end <= len(known.pieces):
            self._tell_text(start, end)
        else:
            self._read_text(partial(self._tell_text, start, end))

    def on_position_chosen(self, position: int) -> None:
        """Bring the message of a token into sight."""
        if self._known_text() is not None:
            self._tell_message(position)
        else:
            self._read_text(partial(self._tell_message, position))

    def on_layers_asked(self) -> None:
        """Measure the layers of the shown chat's cache."""
        from app.jobs.inspect import layers_of

        chat_id = self._shown.chat_id

        def tell(layers: tuple[LayerView, ...]) -> None:
            self.layers_found.emit(list(layers))

        self._layers_errand.run(lambda bench: layers_of(bench, chat_id), tell, _ignore)

    def on_reply_chosen(self, message_id: str) -> None:
        """Look at one reply from now on, and at its tokens now."""
        self._reply_id = message_id
        self.on_tokens_wanted()

    def on_tokens_wanted(self) -> None:
        """Read the chosen reply once more, or the latest one."""
        if self._shown.is_busy:
            self._tokens_errand.drop()
            if not self._live.reply_id:
                self.tokens_refused.emit(
                    self.tr(
                        "This reply is looked at when it has ended; the next ones as they come."
                    )
                )
            return
        reply = self._reply()
        if reply is None:
            self._tokens_errand.drop()
            self.tokens_refused.emit("")
            return
        from app.jobs.inspect import reply_tokens

        request = request_up_to(reply, self._shown.messages, self._shown.settings)
        self._looked_at = reply.id
        self.tokens_progressed.emit(reply.id, 0.0)
        self._tokens_errand.run(
            lambda bench: reply_tokens(bench, request),
            self.tokens_found.emit,
            self.tokens_refused.emit,
            progress=lambda share, _: self.tokens_progressed.emit(reply.id, share),
            cancelled=self.tokens_stopped.emit,
        )

    def on_tokens_cancelled(self) -> None:
        """Stop reading."""
        self._tokens_errand.stop()

    def on_live_begun(self) -> None:
        """A reply is written whose tokens come by themselves: the one that is looked at now."""
        self._reply_id, self._looked_at = "", self._live.reply_id
        self.tokens_refused.emit(self.tr("The tokens come here as they are written."))

    def on_settled(self, chat_id: str) -> None:
        """Where tokens are looked at, read a reply that has ended for what only that tells."""
        if self._live.is_watched and chat_id == self._shown.chat_id:
            self.on_tokens_wanted()

    def on_alternative_chosen(self, view: TokensView, number: int, token: int) -> None:
        """Have a reply gone on with from another token than the one at a place."""
        from app.jobs.inspect import beginning

        self._tokens_errand.stop()  # nobody waits for it now
        ids = [*(each.token for each in view.tokens[:number]), token]

        def tell(begun: Beginning) -> None:
            self.branch_wanted.emit(view.message_id, begun.text, begun.token_ids)

        self._branch_errand.run(lambda bench: beginning(bench, ids), tell, self.failed.emit)

    def on_chat_changed(self) -> None:
        """Forget what was known of another chat, or of this one before it went on."""
        self._text = None
        self._text_errand.drop()
        if self._shown.message(self._looked_at) is None:
            self._looked_at = self._reply_id = ""
            self._tokens_errand.drop()
            self.tokens_refused.emit(
                self.tr("The tokens of this chat's replies can be looked at.")
                if self._reply() is not None
                else ""
            )

    def on_busy_changed(self, busy: bool) -> None:  # noqa: FBT001 - a Qt slot
        """When a reply has ended its cache holds another text; one that begins need not wait."""
        if not busy:
            self._text = None
        elif self._tokens_errand.is_running:
            self._tokens_errand.stop()

    def _known_text(self) -> HeldText | None:
        return self._text if self._text_of == self._shown.chat_id else None

    def _reply(self) -> Message | None:
        """The chosen reply, or the latest one that says something."""
        replies = [each for each in self._shown.messages if each.role == "assistant" and each.text]
        chosen = next((each for each in replies if each.id == self._reply_id), None)
        return chosen or (replies[-1] if replies else None)

    def _read_text(self, then: Callable[[], None]) -> None:
        from app.jobs.inspect import held_text

        chat_id = self._shown.chat_id
        messages = self._shown.messages
        spoken, ids = spoken_messages(messages, self._shown.settings) if messages else ([], ())
        roles = tuple(each["role"] for each in spoken)

        def keep(text: HeldText) -> None:
            self._text, self._text_of = text, chat_id
            self._ids, self._roles = ids, roles
            then()

        self._text_errand.run(lambda bench: held_text(bench, chat_id, spoken), keep, _ignore)

    def _tell_text(self, start: int, end: int) -> None:
        text = self._text
        if text is None or self._asked != (start, end):
            return
        pieces = text.pieces[start:end]
        if len(pieces) < _NEARBY:  # one token alone says little
            pieces = text.pieces[max(start - _NEARBY // 2, 0) : end + _NEARBY // 2]
        self.text_found.emit(start, end, self._speaker(text.message_at(start)), "".join(pieces))

    def _speaker(self, number: int | None) -> str:
        if number is None or number >= len(self._roles):
            return ""
        translate = QCoreApplication.translate
        return {
            "system": translate("Inspection", "System prompt"),
            "user": translate("Inspection", "You"),
            "assistant": translate("Inspection", "Reply"),
        }.get(self._roles[number], "")

    def _tell_message(self, position: int) -> None:
        number = None if self._text is None else self._text.message_at(position)
        if number is not None and number < len(self._ids) and self._ids[number]:
            self.message_found.emit(self._ids[number])


def _ignore(_: str) -> None:
    """What cannot be shown when hovering is not worth a sentence."""
