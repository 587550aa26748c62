"""Where keys or values of one layer are: buffers (1, Hkv, slots, D), plain or quantised."""

from typing import Protocol

import mlx.core as mx

STEP = 256


class Store(Protocol):
    """Slots that are written and read in ranges."""

    @property
    def slots(self) -> int:
        """How many tokens there is room for."""
        ...

    @property
    def dtype(self) -> mx.Dtype:
        """Of what is read, once there is room."""
        ...

    def reserve(self, slots: int, like: mx.array) -> None:
        """Make room for `slots` tokens of the shape and dtype of `like` (1, Hkv, L, D)."""
        ...

    def write(self, slot: int, x: mx.array) -> None:
        """Put x (1, Hkv, L, D) into the slots from `slot` on."""
        ...

    def read(self, start: int, end: int) -> mx.array:
        """The content of the slots `start` to `end`: (1, Hkv, end - start, D)."""
        ...

    def copy(self, start: int, end: int) -> list[mx.array]:
        """The slots `start` to `end` bit for bit, as `paste` takes them."""
        ...

    def paste(self, slot: int, parts: list[mx.array]) -> None:
        """Put what `copy` took into the slots from `slot` on."""
        ...

    def arrays(self) -> list[mx.array]:
        """The buffers."""
        ...


class PlainStore:
    """Keys or values as the model computes them."""

    __slots__ = ("_buffer",)

    def __init__(self) -> None:
        self._buffer: mx.array | None = None

    @property
    def slots(self) -> int:
        """How many tokens there is room for."""
        return 0 if self._buffer is None else self._buffer.shape[2]

    @property
    def dtype(self) -> mx.Dtype:
        """Of the buffer."""
        assert self._buffer is not None
        return self._buffer.dtype

    def reserve(self, slots: int, like: mx.array) -> None:
        """Grow the buffer to `slots`, keeping what is in it."""
        self._buffer = _grown(self._buffer, slots, like)

    def write(self, slot: int, x: mx.array) -> None:
        """Put x (1, Hkv, L, D) into the slots from `slot` on."""
        assert self._buffer is not None
        self._buffer[:, :, slot : slot + x.shape[2], :] = x

    def read(self, start: int, end: int) -> mx.array:
        """A view of the slots `start` to `end`."""
        assert self._buffer is not None
        return self._buffer[:, :, start:end, :]

    def copy(self, start: int, end: int) -> list[mx.array]:
        """The slots `start` to `end`, in memory of their own."""
        return [mx.contiguous(self.read(start, end))]

    def paste(self, slot: int, parts: list[mx.array]) -> None:
        """Put what `copy` took into the slots from `slot` on."""
        self.write(slot, parts[0])

    def arrays(self) -> list[mx.array]:
        """The buffer, once there is one."""
        return [] if self._buffer is None else [self._buffer]


class QuantizedStore:
    """Keys or values in groups of `group_size` at `bits` bits, scales and biases in float16."""

    __slots__ = ("_biases", "_bits", "_dtype", "_group_size", "_packed", "_scales")

    def __init__(self, bits: int, group_size: int) -> None:
        self._bits = bits
        self._group_size = group_size
        self._dtype = mx.float32
        self._packed = PlainStore()
        self._scales = PlainStore()
        self._biases = PlainStore()

    @property
    def slots(self) -> int:
        """How many tokens there is room for."""
        return self._packed.slots

    @property
    def dtype(self) -> mx.Dtype:
        """Of what is read: the model's."""
        return self._dtype

    def reserve(self, slots: int, like: mx.array) -> None:
        """Grow the three buffers to `slots`, keeping what is in them."""
        self._dtype = like.dtype
        parts = self._quantized(like[:, :, :1, :])
        for store, part in zip(self._stores, parts, strict=True):
            store.reserve(slots, part)

    def write(self, slot: int, x: mx.array) -> None:
        """Quantise x (1, Hkv, L, D) into the slots from `slot` on."""
        for store, part in zip(self._stores, self._quantized(x), strict=True):
            store.write(slot, part)

    def read(self, start: int, end: int) -> mx.array:
        """The slots `start` to `end`, unpacked to the model's dtype."""
        # A slice is made contiguous first: unpacking a strided one has been wrong in MLX before.
        packed, scales, biases = (mx.contiguous(s.read(start, end)) for s in self._stores)
        return mx.dequantize(
            packed,
            scales.astype(self._dtype),
            biases.astype(self._dtype),
            group_size=self._group_size,
            bits=self._bits,
        )

    def copy(self, start: int, end: int) -> list[mx.array]:
        """The slots `start` to `end`, still quantised."""
        return [part for store in self._stores for part in store.copy(start, end)]

    def paste(self, slot: int, parts: list[mx.array]) -> None:
        """Put what `copy` took into the slots from `slot` on."""
        for store, part in zip(self._stores, parts, strict=True):
            store.write(slot, part)

    def arrays(self) -> list[mx.array]:
        """The three buffers, once there are any."""
        return [array for store in self._stores for array in store.arrays()]

    @property
    def _stores(self) -> tuple[PlainStore, PlainStore, PlainStore]:
        return self._packed, self._scales, self._biases

    def _quantized(self, x: mx.array) -> tuple[mx.array, mx.array, mx.array]:
        packed, scales, biases = mx.quantize(x, group_size=self._group_size, bits=self._bits)
        return packed, scales.astype(mx.float16), biases.astype(mx.float16)


def _grown(held: mx.array | None, slots: int, like: mx.array) -> mx.array:
    batch, heads, _, size = like.shape
    if held is None:
        return mx.zeros((batch, heads, slots, size), like.dtype)
    more = mx.zeros((batch, heads, slots - held.shape[2], size), held.dtype)
    return mx.concatenate([held, more], axis=2)
