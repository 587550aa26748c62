"""ggml's tensor types: their sizes, and how their blocks become numbers or MLX's packing.

The block layouts are those of ggml-common.h. Types made of one scale (and perhaps one minimum) per
32 values are MLX's affine quantisation with group size 32 under another name, so they can be held
as they are; everything else is unpacked by the `gguf` package.
"""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.errors import UnsupportedError

GROUP = 32

Bytes = NDArray[np.uint8]
Floats = NDArray[np.float32]


@dataclass(frozen=True)
class TensorType:
    """A ggml type: `block_bytes` bytes hold `block` values."""

    name: str
    block: int
    block_bytes: int


TENSOR_TYPES = {
    0: TensorType("F32", 1, 4),
    1: TensorType("F16", 1, 2),
    2: TensorType("Q4_0", 32, 18),
    3: TensorType("Q4_1", 32, 20),
    6: TensorType("Q5_0", 32, 22),
    7: TensorType("Q5_1", 32, 24),
    8: TensorType("Q8_0", 32, 34),
    9: TensorType("Q8_1", 32, 40),
    10: TensorType("Q2_K", 256, 84),
    11: TensorType("Q3_K", 256, 110),
    12: TensorType("Q4_K", 256, 144),
    13: TensorType("Q5_K", 256, 176),
    14: TensorType("Q6_K", 256, 210),
    15: TensorType("Q8_K", 256, 292),
    16: TensorType("IQ2_XXS", 256, 66),
    17: TensorType("IQ2_XS", 256, 74),
    18: TensorType("IQ3_XXS", 256, 98),
    19: TensorType("IQ1_S", 256, 50),
    20: TensorType("IQ4_NL", 32, 18),
    21: TensorType("IQ3_S", 256, 110),
    22: TensorType("IQ2_S", 256, 82),
    23: TensorType("IQ4_XS", 256, 136),
    24: TensorType("I8", 1, 1),
    25: TensorType("I16", 1, 2),
    26: TensorType("I32", 1, 4),
    27: TensorType("I64", 1, 8),
    28: TensorType("F64", 1, 8),
    29: TensorType("IQ1_M", 256, 56),
    30: TensorType("BF16", 1, 2),
    34: TensorType("TQ1_0", 256, 54),
    35: TensorType("TQ2_0", 256, 66),
    39: TensorType("MXFP4", 32, 17),
    40: TensorType("NVFP4", 64, 36),
    41: TensorType("Q1_0", 128, 18),
}


@dataclass(frozen=True)
class AffineLayout:
    """A block type whose values are scale × q + minimum, q an unsigned integer of `bits` bits.

    Attributes:
        fields: The block as a NumPy record: `d` the scale, `m` the minimum where there is one,
            `qs` the low bits, `qh` the fifth bits.
        bits: Width of q.
        zero: The q that stands for 0; the minimum is −zero × scale where the block has none.
    """

    fields: np.dtype[np.void]
    bits: int
    zero: int

    def unpack(self, raw: Bytes) -> tuple[Bytes, NDArray[np.float16], NDArray[np.float16] | None]:
        """Take blocks apart.

        Args:
            raw: Whole blocks (rows, bytes per row).

        Returns:
            q (rows, blocks, 32), scales and minima (rows, blocks); no minima where the type has
            none.
        """
        blocks = raw.view(self.fields)
        q = np.empty((*blocks.shape, GROUP), np.uint8)
        low = blocks["qs"]
        if self.bits == 8:
            np.bitwise_xor(low, 0x80, out=q)
        else:
            np.bitwise_and(low, 0x0F, out=q[..., :16])
            np.right_shift(low, 4, out=q[..., 16:])
        if self.bits == 5:
            q |= np.unpackbits(blocks["qh"], axis=-1, bitorder="little") << 4
        return q, blocks["d"], blocks["m"] if "m" in (self.fields.names or ()) else None

    def values(self, raw: Bytes) -> Floats:
        """The numbers of whole blocks (rows, bytes per row) as float32 (rows, columns)."""
        q, d, m = self.unpack(raw)
        values = q.astype(np.float32)
        if self.zero:
            values -= np.float32(self.zero)
        values *= d.astype(np.float32)[..., None]
        if m is not None:
            values += m.astype(np.float32)[..., None]
        return values.reshape(len(raw), -1)

    def pack(
        self, raw: Bytes
    ) -> tuple[NDArray[np.uint32], NDArray[np.float16], NDArray[np.float16]]:
        """Whole blocks in MLX's affine packing with group size 32, losing nothing.

        MLX packs the values of a row into a little-endian stream of bits, first value lowest.

        Args:
            raw: Whole blocks (rows, bytes per row).

        Returns:
            Packed integers (rows, columns × bits / 32), scales and biases (rows, columns / 32).
            Biases that float16 cannot hold come out infinite.
        """
        q, d, m = self.unpack(raw)
        rows = len(raw)
        if self.bits == 8:
            stream = q
        elif self.bits == 4:
            stream = q[..., 0::2] | (q[..., 1::2] << 4)
        else:
            stream = _five_bit_stream(q)
        with np.errstate(all="ignore"):
            biases = d * np.float16(-self.zero) if m is None else m
        return stream.reshape(rows, -1).view("<u4"), d, biases


def _five_bit_stream(q: Bytes) -> Bytes:
    """Eight values of 5 bits in 5 bytes each: (…, 32) becomes (…, 4, 5)."""
    pairs = q[..., 0::2] | q[..., 1::2].astype(np.uint16) << 5
    fours = pairs[..., 0::2] | pairs[..., 1::2].astype(np.uint32) << 10
    eights = fours[..., 0::2] | fours[..., 1::2].astype(np.uint64) << 20
    return eights[..., None].view(np.uint8)[..., :5]


def _block(*fields: tuple[str, str] | tuple[str, str, int]) -> np.dtype[np.void]:
    return np.dtype(list(fields))


AFFINE = {
    "Q4_0": AffineLayout(_block(("d", "<f2"), ("qs", "u1", 16)), bits=4, zero=8),
    "Q4_1": AffineLayout(_block(("d", "<f2"), ("m", "<f2"), ("qs", "u1", 16)), bits=4, zero=0),
    "Q5_0": AffineLayout(_block(("d", "<f2"), ("qh", "u1", 4), ("qs", "u1", 16)), bits=5, zero=16),
    "Q5_1": AffineLayout(
        _block(("d", "<f2"), ("m", "<f2"), ("qh", "u1", 4), ("qs", "u1", 16)), bits=5, zero=0
    ),
    "Q8_0": AffineLayout(_block(("d", "<f2"), ("qs", "u1", 32)), bits=8, zero=128),
}


def float_values(raw: Bytes) -> Floats:
    """F32 rows (rows, bytes per row) as they are."""
    return raw.view("<f4")


def half_values(raw: Bytes) -> Floats:
    """F16 rows (rows, bytes per row) as float32."""
    return raw.view("<f2").astype(np.float32)


def brain_values(raw: Bytes) -> Floats:
    """BF16 rows (rows, bytes per row) as float32: the upper half of its bits."""
    return (raw.view("<u2").astype(np.uint32) << 16).view(np.float32)


def decoder(name: str) -> Callable[[Bytes], Floats]:
    """What turns rows of raw bytes of the ggml type `name` into float32 (rows, columns).

    Raises:
        UnsupportedError: The type holds no weights, or nothing here can unpack it.
    """
    plain = {"F32": float_values, "F16": half_values, "BF16": brain_values}
    if name in plain:
        return plain[name]
    if name in AFFINE:
        return AFFINE[name].values
    return _decoder_of_gguf_package(name)


def _decoder_of_gguf_package(name: str) -> Callable[[Bytes], Floats]:
    # Imported by name and late: it takes 0.25 s, and type checkers take it for engine.gguf.
    quants: Any = import_module("gguf.quants")
    types: Any = import_module("gguf.constants").GGMLQuantizationType
    refusal = UnsupportedError("Weights of the GGUF type {name} are not supported.", name=name)
    kind = types.__members__.get(name)
    if kind is None:
        raise refusal
    size = next(entry.block_bytes for entry in TENSOR_TYPES.values() if entry.name == name)
    try:
        quants.dequantize(np.zeros((1, size), np.uint8), kind)
    except NotImplementedError:
        raise refusal from None

    def decode(raw: Bytes) -> Floats:
        return quants.dequantize(raw, kind)

    return decode
