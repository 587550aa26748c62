"""How MLX packs matrices, and what a config.json says about it.

The modes and their settings are those of `mx.quantize`: integers with a scale and a bias per
group (affine), or small floats with one 8-bit scale per group (mxfp4, mxfp8, nvfp4).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from engine.config_values import Json, shown, whole
from engine.errors import ModelFileError, UnsupportedError
from engine.sentence import Sentence


@dataclass(frozen=True)
class Mode:
    """What a mode of `mx.quantize` can be set to.

    Attributes:
        group_sizes: How many values may share a scale.
        bits: How many bits a value may have.
        group_bits: What a group takes besides its values.
        has_biases: Whether a group has a bias too; its scales then are floats, else bytes.
    """

    group_sizes: tuple[int, ...]
    bits: tuple[int, ...]
    group_bits: int
    has_biases: bool = False


MODES: Mapping[str, Mode] = {
    "affine": Mode((32, 64, 128), (1, 2, 3, 4, 5, 6, 8), group_bits=32, has_biases=True),
    "mxfp4": Mode((32,), (4,), group_bits=8),
    "mxfp8": Mode((32,), (8,), group_bits=8),
    "nvfp4": Mode((16,), (4,), group_bits=8),
}


@dataclass(frozen=True)
class Quantization:
    """How one linear or embedding is held: groups of `group_size` values at `bits` bits each."""

    group_size: int
    bits: int
    mode: str = "affine"

    @property
    def name(self) -> str:
        """What it is called: `4-bit` in groups of whole numbers, else the mode, as in `mxfp4`."""
        return f"{self.bits}-bit" if self.mode == "affine" else self.mode

    @property
    def bits_per_value(self) -> float:
        """What a value takes, its share of the group's scale and bias included."""
        return self.bits + MODES[self.mode].group_bits / self.group_size


def parse_quantization(
    raw: Json,
) -> tuple[Quantization | None, dict[str, Quantization | None]]:
    """MLX's `quantization` entry: one setting for all, and settings by module path.

    Raises:
        ModelFileError: It is damaged.
        UnsupportedError: The weights are quantised in a way that is not read here.
    """
    entry = raw.get("quantization")
    if entry is None:
        if method := raw.get("quantization_config"):
            name = cast("Json", method).get("quant_method") if isinstance(method, Mapping) else None
            raise UnsupportedError(
                "Weights quantised by {method} are not supported; use an MLX-quantised or an "
                "unquantised copy of this model.",
                method=shown(name) if name else Sentence("'another method'"),
            )
        return None, {}
    if not isinstance(entry, Mapping):
        raise ModelFileError("The config's quantization is not an object; fetch the model again.")
    entries = cast("Json", entry)
    layers = {
        name: _setting(cast("Json", setting)) if isinstance(setting, Mapping) else None
        for name, setting in entries.items()
        if isinstance(setting, Mapping) or setting is False
    }
    return _setting(entries), layers


def check_quantization(module: str, how: Quantization, columns: int) -> None:
    """Refuse a setting that MLX does not have, or that rows of `columns` values cannot have.

    Raises:
        ModelFileError: Groups do not divide the rows.
        UnsupportedError: MLX does not have the setting.
    """
    mode = MODES[how.mode]
    if how.group_size not in mode.group_sizes or how.bits not in mode.bits:
        raise UnsupportedError(
            "{module} is quantised to {bits} bits in groups of {group_size}; MLX's {mode} mode "
            "has {known_bits} bits and groups of {known_sizes}.",
            module=module,
            bits=how.bits,
            group_size=how.group_size,
            mode=how.mode,
            known_bits=_listed(mode.bits),
            known_sizes=_listed(mode.group_sizes),
        )
    if columns % how.group_size:
        raise ModelFileError(
            "{module} has rows of {columns}, which groups of {group_size} do not divide.",
            module=module,
            columns=columns,
            group_size=how.group_size,
        )


def _setting(entry: Json) -> Quantization:
    name: object = entry.get("mode") or "affine"
    mode = MODES.get(name) if isinstance(name, str) else None
    if mode is None:
        raise UnsupportedError(
            "The quantisation mode {mode} is not supported; MLX has {modes}.",
            mode=shown(name),
            modes=", ".join(MODES),
        )
    # Where a mode leaves no choice, a setting may be left out.
    bits, group_size = (
        choices[0] if len(choices) == 1 else None for choices in (mode.bits, mode.group_sizes)
    )
    return Quantization(
        bits=whole(entry, "bits", bits, most=8),
        group_size=whole(entry, "group_size", group_size, most=65_536),
        mode=cast("str", name),
    )


def _listed(numbers: tuple[int, ...]) -> str:
    return ", ".join(map(str, numbers))
