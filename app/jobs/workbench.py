"""What a job gets to work with, on the engine's thread."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import engine


class Workbench(Protocol):
    """The model, and the way to tell how far a job is.

    A job is a function that takes a workbench and returns plain values: frozen dataclasses,
    Python's own types, NumPy arrays. It runs on the engine's thread, after what was asked before
    it and before what is asked after it.
    """

    @property
    def model(self) -> engine.Model:
        """The model that is loaded.

        Raises:
            engine.EngineError: None is; the sentence says so.
        """
        ...

    def borrow(self, source: str) -> engine.Model:
        """Another model, for this job only.

        It takes the place of the one that is loaded, which comes back after the job; where it is
        that one already, nothing is loaded. A model that was borrowed before is freed: the job
        keeps nothing of it.

        Raises:
            engine.EngineError: It cannot be loaded.
            engine.CancelledError: The job is to stop.
        """
        ...

    def session(self, chat_id: str) -> engine.Session | None:
        """The session of a chat while it is in memory; it must be left as it was found."""
        ...

    def cancelled(self) -> bool:
        """Whether to stop; a job that does raises `engine.CancelledError`."""
        ...

    def report(self, share: float, partial: object = None) -> None:
        """Tell how far the job is, from 0 to 1; reports that come too often are dropped.

        Args:
            share: The part that is done. At 1, `partial` always arrives.
            partial: What is known already.
        """
        ...
