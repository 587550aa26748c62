"""What limits the next token by the text so far: one protocol, and several of them together."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import mlx.core as mx
import numpy as np
from numpy.typing import NDArray

from engine.errors import SettingError
from engine.token_sets import on_device

Schema = Mapping[str, Any]
"""A JSON schema, draft 2020-12, as `json.loads` gives it."""


class Constraint(Protocol):
    """Says before each token which ones may come.

    It runs on the host and needs every token before the next is drawn, but not before the next
    forward pass begins: that keeps both busy (see `engine.generate`).
    """

    @property
    def finished(self) -> bool:
        """Whether the text is whole and nothing can follow."""
        ...

    def allowed(self) -> NDArray[np.bool_]:
        """Which tokens (V,) may come next; the array is not to be changed."""
        ...

    def advance(self, token: int) -> None:
        """Take the token that was drawn, which was allowed and ends no reply."""
        ...


class Constraints:
    """Several constraints, all of which hold."""

    def __init__(self, parts: Sequence[Constraint], never: Sequence[int] = ()) -> None:
        """Put them together.

        Args:
            parts: At least one.
            never: Tokens that cannot come anyway, as by a bias of -inf; they are left to the bias,
                and only known here so that a dead end is noticed.
        """
        self._parts = parts
        self._never = np.array(never, np.int64)

    @property
    def finished(self) -> bool:
        """Whether the text is whole and nothing can follow."""
        return any(part.finished for part in self._parts)

    def allowed(self) -> NDArray[np.bool_]:
        """Which tokens (V,) may come next.

        Raises:
            SettingError: None may.
        """
        first, *others = self._parts
        found = first.allowed().copy()
        for part in others:
            found &= part.allowed()
        found[self._never] = False
        if not found.any():
            raise SettingError(
                "Nothing can be written here: the schema, the banned texts and the banned tokens "
                "together leave no token; loosen one of them."
            )
        return found

    def mask(self) -> mx.array:
        """`allowed` as an array (V,) bool on the device."""
        return on_device(self.allowed())

    def advance(self, token: int) -> None:
        """Take the token that was drawn."""
        for part in self._parts:
            part.advance(token)
