"""What can go wrong with the models on disk: one sentence each."""

from __future__ import annotations


class LibraryError(Exception):
    """Something was refused or failed; the text is one sentence for the user.

    Attributes:
        given: Whether what the user gave is wrong, rather than something that failed.
    """

    def __init__(self, sentence: str, *, given: bool = False) -> None:
        super().__init__(sentence)
        self.given = given
