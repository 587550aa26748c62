"""What the log tells of the engine's work: figures and names of models, never words of a chat."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.log import OWN

if TYPE_CHECKING:
    from app.requests import JobEnd, LoadedModel, ReplyEnd

_LOG = logging.getLogger(f"{OWN}.engine")


class Diary(QObject):
    """Writes down what the worker tells."""

    def on_loaded(self, model: LoadedModel) -> None:
        """A model is there."""
        _LOG.info("Loaded %s (%s).", model.name, model.detail)

    def on_load_failed(self, source: str, sentence: str) -> None:
        """A model could not be loaded; the sentence is about its files."""
        _LOG.info("%s could not be loaded: %s", source, sentence)

    def on_unloaded(self) -> None:
        """The model was freed."""
        _LOG.info("Unloaded.")

    def on_ended(self, end: ReplyEnd) -> None:
        """A reply is over; what a template says of a failure may quote the chat, so it is left."""
        _LOG.info(
            "A reply ended (%s): %d tokens in the prompt, %d reused, %d written; "
            "first after %.2f s, %.0f tokens/s prefill, %.1f tokens/s decode.",
            end.finish_reason,
            end.prompt_tokens,
            end.reused_tokens,
            end.tokens,
            end.ttft_s or 0.0,
            end.prefill_tps or 0.0,
            end.decode_tps or 0.0,
        )

    def on_job_ended(self, end: JobEnd) -> None:
        """A job that failed is worth a line."""
        if end.error:
            _LOG.info("A job failed.")

    def on_woke(self, slept_s: float) -> None:
        """The machine slept."""
        _LOG.info("The machine slept for %.0f s.", slept_s)
