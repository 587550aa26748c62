"""The parts of the playground, made once with the application."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.playground import Playground
from app.playground_branches import PlaygroundBranches
from app.playground_files import PlaygroundFiles
from app.playground_keeping import PlaygroundKeeping
from app.playground_tokenizers import PlaygroundTokenizers

if TYPE_CHECKING:
    from pathlib import Path

    from app.errands import Errands


class PlaygroundParts(QObject):
    """What holds, keeps and answers for the playground's document."""

    def __init__(self, errands: Errands, kept_path: Path, parent: QObject | None = None) -> None:
        """Make the parts; nothing is read before the playground is gone to.

        Args:
            errands: For the engine's thread.
            kept_path: The file in which the document is kept between times.
            parent: Owns this object.
        """
        super().__init__(parent)
        self.play = Playground(errands, self)
        self.files = PlaygroundFiles(kept_path, self)
        self.keeping = PlaygroundKeeping(self.play, self.files, self)
        self.branches = PlaygroundBranches(errands, self.play, self)
        self.tokenizers = PlaygroundTokenizers(errands, self)

    def close(self) -> None:
        """Keep what is not kept yet, and end the threads."""
        self.keeping.close()
        self.tokenizers.close()
