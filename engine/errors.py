"""What can go wrong in the engine: one base class, few kinds, each message a sentence to act on."""

from pathlib import Path

from engine.sentence import Sentence


class EngineError(Exception):
    """Something the engine refuses or could not do; `str(error)` is one sentence for the user.

    It is raised with a literal template, and the values for the places in it.

    Attributes:
        sentence: The sentence, which can be said in another language.
    """

    def __init__(self, text: str = "", /, **values: object) -> None:
        self.sentence = Sentence.of(text, values)
        super().__init__(self.sentence)


class ModelNotFoundError(EngineError):
    """The source names no model on this machine."""


class ModelFileError(EngineError):
    """A model's file is missing, truncated, damaged or not what its name says."""


class UnsupportedError(EngineError):
    """The model asks for something that this engine does not compute; the message names it."""


class PromptError(EngineError):
    """The prompt is empty, too long or not made of this model's tokens."""


class TemplateError(EngineError):
    """The chat template is missing, failed, or refused the messages."""


class SettingError(EngineError):
    """A sampling, cache or planning value is outside its bounds."""


class MemoryLimitError(EngineError):
    """Memory would not suffice.

    Attributes:
        fitting_window: The largest window that would fit; None where that is no way out.
    """

    def __init__(
        self, text: str = "", /, fitting_window: int | None = None, **values: object
    ) -> None:
        super().__init__(text, **values)
        self.fitting_window = fitting_window


class SessionFileError(EngineError):
    """A saved session is damaged, of another model or version, or cannot be read or written."""


class CancelledError(EngineError):
    """The caller asked to stop while a model was loading."""


def unreadable(path: Path, error: OSError) -> ModelFileError:
    """What to raise where a model's file is there and cannot be read."""
    return ModelFileError(
        "{path} cannot be read: {reason}.", path=path, reason=error.strerror or str(error)
    )
