"""What a file or folder that someone wants to open is, and which arguments of a start are such."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Kind = Literal["model", "chats", "nothing", "missing"]

_CHATS = {".json", ".zip"}
_IN_A_MODEL_FOLDER = {".safetensors"}
_CONFIG = "config.json"


@dataclass(frozen=True)
class Opening:
    """One thing to open.

    Attributes:
        path: Of the model, or of the file with chats.
        kind: "model" is a .gguf file or a folder, "chats" an export of some program, "nothing"
            neither, "missing" that there is no such file.
    """

    path: Path
    kind: Kind


def opening(path: Path) -> Opening:
    """Look at what is on the disk; never on the main thread.

    A file of a model folder stands for the folder.
    """
    try:
        if path.is_dir():
            return Opening(path, "model" if _is_model_folder(path) else "nothing")
        if not path.exists():
            return Opening(path, "missing")
    except OSError:  # a name that is too long, a folder that must not be entered
        return Opening(path, "missing")
    suffix = path.suffix.lower()
    if suffix == ".gguf":
        return Opening(path, "model")
    if suffix in _IN_A_MODEL_FOLDER or path.name == _CONFIG:
        return Opening(path.parent, "model" if _is_model_folder(path.parent) else "nothing")
    return Opening(path, "chats" if suffix in _CHATS else "nothing")


def _is_model_folder(folder: Path) -> bool:
    return (folder / _CONFIG).is_file()


def files_to_open(arguments: Sequence[str], folder: Path) -> list[str] | None:
    """The paths where all arguments of a start name files or folders; None where one does not.

    A word without a slash is a command's unless it ends like a file that is opened, or is the
    folder one is in. Whether the file is there is looked at, and said, in the window.

    Args:
        arguments: Those after the program's name.
        folder: What relative paths start from.
    """
    if not arguments or not all(_names_a_file(argument) for argument in arguments):
        return None
    return [str(folder / argument) for argument in arguments]


def _names_a_file(argument: str) -> bool:
    if argument.startswith("-") or "\0" in argument:
        return False
    return "/" in argument or argument == "." or Path(argument).suffix.lower() in {".gguf", *_CHATS}


def split(openings: Iterable[Opening]) -> tuple[Path | None, list[Path], list[Opening]]:
    """The model to open, the files with chats, and what cannot be opened; of models the last."""
    model: Path | None = None
    chats: list[Path] = []
    refused: list[Opening] = []
    for one in openings:
        if one.kind == "model":
            model = one.path
        elif one.kind == "chats":
            chats.append(one.path)
        else:
            refused.append(one)
    return model, chats, refused
