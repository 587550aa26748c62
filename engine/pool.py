"""The sessions of one model that are kept at the same time, within budgets of memory and disk."""

from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path

from engine.cache import CachePolicy
from engine.errors import MemoryLimitError
from engine.model import Model
from engine.session import Session
from engine.session_folder import SessionFolder

WORTH_TOKENS = 64


class SessionPool:
    """Sessions by key: recent chats, branches. The least recently used go first.

    They go to disk, where a folder was given, and come back from there by themselves.
    """

    def __init__(
        self,
        model: Model,
        budget_bytes: int,
        folder: Path | None = None,
        disk_budget_bytes: int = 0,
    ) -> None:
        """Begin with what is on disk.

        Args:
            model: Whose sessions.
            budget_bytes: What their caches may take in memory.
            folder: Where to put those that do not fit; nothing else should be in it.
            disk_budget_bytes: What all files in it may take.
        """
        self._model = model
        self._budget_bytes = budget_bytes
        self._folder = None if folder is None else SessionFolder(folder, disk_budget_bytes)
        self._sessions: OrderedDict[str, Session] = OrderedDict()
        self._saved: dict[str, list[int]] = {}
        self._private: set[str] = set()

    def keep_off_disk(self, key: str) -> None:
        """Never write the session of `key`; where there is no memory for it, it is dropped."""
        self._private.add(key)

    def session(
        self, key: str, policy: CachePolicy | None = None, prompt: Sequence[int] = ()
    ) -> Session:
        """The session of `key`, from memory, from disk, or a new one; it is now the most recent.

        Args:
            key: Which, such as a chat's id.
            policy: How it has to hold keys and values; where left out, any way will do.
            prompt: What it is going to be asked. If another session holds a good deal more of it,
                as that of the chat from which this one was forked, a copy of that is the start.
        """
        own = self._sessions.get(key) or self._restored(key)
        if own is not None and policy is not None and own.policy != policy and not own.running:
            own = None
        if own is None or not own.running:
            own = self._better(key, own, policy, prompt) or own
        self._sessions[key] = self._model.session(policy) if own is None else own
        self._sessions.move_to_end(key)
        self.shrink()
        self._make_room(self._sessions[key], prompt)
        return self._sessions[key]

    def held(self, key: str) -> Session | None:
        """The session of `key` where it is in memory."""
        return self._sessions.get(key)

    def shrink(self) -> None:
        """Put sessions away until the budget holds; the most recent and running ones stay."""
        allocated = {key: held.memory().allocated_bytes for key, held in self._sessions.items()}
        excess = sum(allocated.values()) - self._budget_bytes
        for key in self._idle():
            if excess <= 0:
                return
            self._put_away(key)
            excess -= allocated[key]

    def save(self) -> None:
        """Write to disk what is only in memory, as before the model is freed."""
        for key, session in self._sessions.items():
            self._save(key, session)

    def forget(self, key: str) -> None:
        """Drop the session of `key`, on disk too, as when a chat is deleted."""
        self._sessions.pop(key, None)
        self._saved.pop(key, None)
        self._private.discard(key)
        if self._folder is not None:
            self._folder.forget(key)

    def _better(
        self, key: str, own: Session | None, policy: CachePolicy | None, prompt: Sequence[int]
    ) -> Session | None:
        """A copy of another session that saves a good deal of the prompt, if there is one."""
        if not prompt:
            return None
        wanted = policy or (CachePolicy() if own is None else own.policy)
        others = [
            (other.common_prefix(prompt), name)
            for name, other in self._sessions.items()
            if name != key and other.policy == wanted and not other.running
        ]
        most, name = max(others, default=(0, ""))
        if most - (0 if own is None else own.common_prefix(prompt)) < WORTH_TOKENS:
            return None
        try:
            return self._sessions[name].copy(most)
        except MemoryLimitError:
            return None

    def _make_room(self, session: Session, prompt: Sequence[int]) -> None:
        """Put others away where this session's next prompt would be refused."""
        for key in self._idle():
            if session.has_room(prompt):
                return
            self._put_away(key)

    def _idle(self) -> list[str]:
        """The keys that may be put away, the least recent first."""
        return [key for key in list(self._sessions)[:-1] if not self._sessions[key].running]

    def _restored(self, key: str) -> Session | None:
        session = None if self._folder is None else self._folder.restore(key, self._model)
        if session is not None:
            self._saved[key] = session.tokens
        return session

    def _put_away(self, key: str) -> None:
        self._save(key, self._sessions.pop(key))
        self._saved.pop(key, None)

    def _save(self, key: str, session: Session) -> None:
        """Write a session that is worth it and is not on disk as it is."""
        tokens = session.tokens
        if self._folder is None or session.running or len(tokens) < WORTH_TOKENS:
            return
        if key in self._private:
            return
        if self._saved.get(key) != tokens and self._folder.save(key, session, self._model):
            self._saved[key] = tokens
