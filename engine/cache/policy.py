"""What the user may choose about a KV cache."""

from dataclasses import dataclass

from engine.errors import SettingError

GROUP_SIZES = (64, 32)


@dataclass(frozen=True)
class CachePolicy:
    """How a session holds keys and values.

    Attributes:
        window: How many recent tokens each query may look at; older ones are evicted. None keeps
            and sees all.
        pinned: How many leading tokens are never evicted and always seen; needs a window.
        bits: 8 or 4 to hold keys and values quantised, None for the model's own precision.
    """

    window: int | None = None
    pinned: int = 0
    bits: int | None = None

    def __post_init__(self) -> None:
        """Refuse what no cache can hold.

        Raises:
            SettingError: A number is outside its bounds.
        """
        if self.window is not None and not _is_whole(self.window, least=1):
            raise SettingError(
                "The window must be a whole number of tokens from 1 to 2^32, not {window}.",
                window=self.window,
            )
        if not _is_whole(self.pinned, least=0):
            raise SettingError(
                "Pinned tokens must be a whole number from 0 to 2^32, not {pinned}.",
                pinned=self.pinned,
            )
        if self.bits is not None and not (_is_whole(self.bits, least=4) and self.bits in (4, 8)):
            raise SettingError("A quantised cache has 8 or 4 bits, not {bits}.", bits=self.bits)


def _is_whole(value: object, *, least: int) -> bool:
    return type(value) is int and least <= value <= 1 << 32


def group_size(head_dim: int) -> int:
    """How many values share a scale in a quantised cache.

    Raises:
        SettingError: No group size divides the head dimension.
    """
    for size in GROUP_SIZES:
        if head_dim % size == 0:
            return size
    raise SettingError(
        "This model's head dimension {head_dim} cannot be quantised; use an unquantised cache.",
        head_dim=head_dim,
    )
