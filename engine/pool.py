"""The sessions of one model that are kept at the same time, within a memory budget."""

from collections import OrderedDict

from engine.model import Model
from engine.session import Session


class SessionPool:
    """Sessions by key; the least recently used go first when the budget is exceeded."""

    def __init__(self, model: Model, budget_bytes: int) -> None:
        self._model = model
        self._budget_bytes = budget_bytes
        self._sessions: OrderedDict[str, Session] = OrderedDict()

    def session(self, key: str) -> Session:
        """The session of `key`, a new one where there is none; it is now the most recent."""
        if key not in self._sessions:
            self._sessions[key] = self._model.session()
        self._sessions.move_to_end(key)
        return self._sessions[key]

    def held(self, key: str) -> Session | None:
        """The session of `key` where there is one."""
        return self._sessions.get(key)

    def shrink(self) -> None:
        """Drop sessions until the budget holds; the most recent one always stays."""
        allocated = [session.memory().allocated_bytes for session in self._sessions.values()]
        excess = sum(allocated) - self._budget_bytes
        for size in allocated[:-1]:
            if excess <= 0:
                return
            self._sessions.popitem(last=False)
            excess -= size
