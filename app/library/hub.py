"""The hub as the window uses it: questions on the main thread, answers as signals."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from app.library.hub_card import Card, Judge, card_of
from app.library.hub_errors import HubError, StoppedError, offline_error
from app.library.hub_network import Network, Stop
from app.library.hub_repo import Plan, config_of, read_repository
from app.library.hub_search import Query, search

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from app.library.hub_token import Tokens


@dataclass(frozen=True)
class _Question:
    """What is being asked: how to stop it, and whether it goes over the network."""

    stop: Stop
    is_remote: bool


class Hub(QObject):
    """Asks the hub in the background; every question has a number, which its answer repeats.

    Args:
        network: The way there.
        tokens: For gated and private repositories.
        judge: Says whether the engine computes a config; called on a thread of its own.
        parent: The Qt parent.
    """

    found = Signal(int, tuple)
    """What a search found: a tuple of `HubModel`."""
    card_read = Signal(int, Card)
    planned = Signal(int, Plan)
    failed = Signal(int, str, str)
    """A sentence, and its kind: `denied` and `token` ask for a token."""
    token_changed = Signal(str)
    """The token is kept or forgotten; a sentence on where it is."""
    offline_changed = Signal(bool)
    _answered = Signal(int, object)

    def __init__(
        self, network: Network, tokens: Tokens, judge: Judge, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._network = network
        self._tokens = tokens
        self._judge = judge
        self._numbers = count(1)
        self._questions: dict[int, _Question] = {}
        self._search = 0
        self._answered.connect(self._on_answered)

    @property
    def offline(self) -> bool:
        """Whether offline mode is on."""
        return self._network.offline

    def set_offline(self, *, offline: bool) -> None:
        """Switch offline mode; nothing touches the network while it is on."""
        self._network.set_offline(offline=offline)
        if offline:
            self._refuse_all(offline_error())
        self.offline_changed.emit(offline)

    def search(self, query: Query) -> int:
        """Look for models; an earlier search that has no answer yet is given up."""
        self.cancel(self._search)

        def ask(stop: Stop) -> Callable[[int], None]:
            rows = search(self._network, query, self._token(), stop)
            return lambda number: self.found.emit(number, rows)

        self._search = self._ask(ask)
        return self._search

    def read_card(self, repo: str, variant: str = "", budget_bytes: int | None = None) -> int:
        """Read what is needed to choose a model; arguments as with `hub_card.card_of`."""

        def ask(_: Stop) -> Callable[[int], None]:
            repository = read_repository(self._network, repo, self._token())
            card = card_of(repository, self._judge, variant, budget_bytes)
            return lambda number: self.card_read.emit(number, card)

        return self._ask(ask)

    def read_config(
        self,
        repo: str,
        then: Callable[[Mapping[str, Any]], None],
        refused: Callable[[str], None],
    ) -> int:
        """Read a repository's config.json.

        Args:
            repo: Such as `mlx-community/Qwen3-4B-4bit`.
            then: Is given what it says, parsed.
            refused: Is given the sentence that says why it cannot be had.
        """

        def ask(_: Stop) -> Callable[[int], None]:
            try:
                config = config_of(read_repository(self._network, repo, self._token()))
            except HubError as error:
                sentence = str(error)
                return lambda _: refused(sentence)
            return lambda _: then(config)

        return self._ask(ask, is_remote=False)  # who asked is told why, not whoever searches

    def plan(self, repo: str, variant: str = "", budget_bytes: int | None = None) -> int:
        """Find out what to fetch, for `Downloads.add`."""

        def ask(_: Stop) -> Callable[[int], None]:
            repository = read_repository(self._network, repo, self._token())
            made = repository.plan(variant, budget_bytes)
            return lambda number: self.planned.emit(number, made)

        return self._ask(ask)

    def keep_token(self, token: str) -> int:
        """Put a token into the keychain."""
        return self._ask_keychain(lambda: self._tokens.save(token))

    def forget_token(self) -> int:
        """Remove the token from the keychain."""
        return self._ask_keychain(self._tokens.forget)

    def cancel(self, number: int) -> None:
        """Give a question up: no answer comes."""
        if (question := self._questions.pop(number, None)) is not None:
            question.stop.ask()

    def cancel_all(self) -> None:
        """Give all questions up."""
        for number in list(self._questions):
            self.cancel(number)

    def _refuse_all(self, error: HubError) -> None:
        """Give up what goes over the network, and say why."""
        for number, question in list(self._questions.items()):
            if question.is_remote:
                self.cancel(number)
                self.failed.emit(number, str(error), error.kind)

    def _token(self) -> str | None:
        self._network.check()
        return self._tokens.load()

    def _ask_keychain(self, change: Callable[[], str]) -> int:
        def ask(_: Stop) -> Callable[[int], None]:
            sentence = change()
            return lambda _: self.token_changed.emit(sentence)

        return self._ask(ask, is_remote=False)

    def _ask(self, work: Callable[[Stop], Callable[[int], None]], *, is_remote: bool = True) -> int:
        number, stop = next(self._numbers), Stop()
        self._questions[number] = _Question(stop, is_remote)

        def run() -> None:
            try:
                answer: Any = work(stop)
            except StoppedError:
                return
            except HubError as error:
                answer = error
            if not stop.asked:
                self._answered.emit(number, answer)

        # It ends with the process: a quit need not wait for a server.
        threading.Thread(target=run, name=f"hub question {number}", daemon=True).start()
        return number

    def _on_answered(self, number: int, answer: Any) -> None:
        if self._questions.pop(number, None) is None:
            return
        if isinstance(answer, HubError):
            self.failed.emit(number, str(answer), answer.kind)
        else:
            answer(number)
