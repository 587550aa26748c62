"""Weights of a folder's safetensors files → the parameters of a model that mlx-lm built.

Names and shapes must be exactly those that the model has; what is missing or left over is named.
"""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, cast

import mlx.core as mx
from mlx import nn, utils

from engine.config import Json, Quantization
from engine.errors import EngineError, ModelFileError, UnsupportedError
from engine.quantization import MODES
from engine.safetensors import held_bytes, read_headers, weight_files
from engine.sentence import first_names

OnPart = Callable[[float], None]

_MOST_DIGITS = 5
_HUB_MODES = {"mxfp4": (32, 4), "mxfp8": (32, 8)}


def fill(
    model: nn.Module, raw: Json, folder: Path, *, widen: bool, on_part: OnPart | None = None
) -> None:
    """Load the weights into a model, quantised where they are stored so.

    Args:
        model: As mlx-lm built it.
        raw: The config it was built from.
        folder: Where the files are.
        widen: Widen what is not quantised to float32.
        on_part: Called with the loaded share, 0 to 1; may raise to stop.

    Raises:
        ModelNotFoundError: There are no weights.
        ModelFileError: A file is damaged, or weights are missing, left over or of another shape.
        UnsupportedError: The weights are quantised in a way that is not read.
    """
    files = weight_files(folder)
    _check_names(read_headers(files))  # and every size against its file, before MLX sees it
    arrays: dict[str, mx.array] = {}
    for file in files:
        arrays |= cast("dict[str, mx.array]", mx.load(str(file)))
    arrays = _sanitised(model, arrays)
    _quantise(model, raw, arrays)
    _put_in(model, arrays, folder.name, widen=widen)
    del arrays
    _evaluate(model, on_part)


def loaded_bytes(folder: Path, *, widen: bool) -> int:
    """What the weights of a folder are going to take in memory, by the headers of its files.

    Raises:
        ModelNotFoundError: There are no weights.
        ModelFileError: A file is damaged.
    """
    return held_bytes(read_headers(weight_files(folder)), widen=widen)


def quantization_of(raw: Json) -> Quantization | None:
    """How most quantised weights are held.

    Raises:
        UnsupportedError: In a way that is not read.
    """
    entries = _quantization(raw)
    return None if entries is None else Quantization(**_setting(entries))


def parameters(model: nn.Module) -> dict[str, mx.array]:
    """The arrays of a model by name."""
    return dict(cast("list[tuple[str, mx.array]]", utils.tree_flatten(model.parameters())))


def _check_names(names: Iterable[str]) -> None:
    """Refuse numbers that no layer or expert has: mlx-lm makes lists as long as they say."""
    for name in names:
        if any(part.isdigit() and len(part) > _MOST_DIGITS for part in name.split(".")):
            raise ModelFileError(
                "The weights are damaged: a tensor is called {name}.", name=name[:64]
            )


def _sanitised(model: nn.Module, arrays: dict[str, mx.array]) -> dict[str, mx.array]:
    """Arrays by mlx-lm's names: each of its models maps the checkpoint's to its own."""
    sanitize = getattr(model, "sanitize", None)
    if sanitize is None:
        return arrays
    try:
        return sanitize(arrays)
    except KeyError as error:
        raise ModelFileError(
            "The weights lack {reason}; fetch the model again.", reason=str(error)
        ) from error
    except Exception as error:
        raise ModelFileError(
            "The weights do not fit the config: {reason}.", reason=str(error)
        ) from error


def _quantise(model: nn.Module, raw: Json, arrays: Mapping[str, mx.array]) -> None:
    """Make the modules that have scales quantised ones, as the config says for each."""
    entries = _quantization(raw)
    if entries is None:
        return

    def how(path: str, module: nn.Module) -> bool | dict[str, Any]:
        if f"{path}.scales" not in arrays or not hasattr(module, "to_quantized"):
            return False
        own: object = entries.get(path, entries)
        if not isinstance(own, dict):
            raise ModelFileError("{path} is quantised, but the config says it is not.", path=path)
        return _setting(cast("dict[str, Any]", own))

    try:
        nn.quantize(model, class_predicate=how)
    except EngineError:
        raise
    except Exception as error:
        raise ModelFileError(
            "The weights cannot be held quantised: {reason}.", reason=str(error)
        ) from error


def _quantization(raw: Json) -> dict[str, Any] | None:
    entry: object = raw.get("quantization")
    if isinstance(entry, dict):
        return cast("dict[str, Any]", entry)
    hub: object = raw.get("quantization_config")
    if not isinstance(hub, dict):
        return None
    method = str(cast("dict[str, object]", hub).get("quant_method"))
    if method not in _HUB_MODES:
        raise UnsupportedError(
            "Weights quantised by {method!r} are not supported; use an MLX-quantised or an "
            "unquantised copy of this model.",
            method=method[:32],
        )
    group_size, bits = _HUB_MODES[method]
    return {"group_size": group_size, "bits": bits, "mode": method}


def _setting(entry: Json) -> dict[str, Any]:
    mode = str(entry.get("mode") or "affine")
    bits, group_size = entry.get("bits"), entry.get("group_size")
    if mode not in MODES or type(bits) is not int or type(group_size) is not int:
        raise UnsupportedError("The quantisation {mode!r} is not supported.", mode=mode[:32])
    return {"group_size": group_size, "bits": bits, "mode": mode}


def _put_in(model: nn.Module, arrays: dict[str, mx.array], where: str, *, widen: bool) -> None:
    """Put the arrays in, once names and shapes are exactly those the model has."""
    wanted = parameters(model)
    if missing := sorted(wanted.keys() - arrays.keys()):
        raise ModelFileError(
            "{where} has no {names}; fetch the model again.",
            where=where,
            names=first_names(missing),
        )
    if left := sorted(arrays.keys() - wanted.keys()):
        raise ModelFileError(
            "{where} holds weights that its configuration has no place for: {names}.",
            where=where,
            names=first_names(left),
        )
    for name, array in arrays.items():
        if array.shape != wanted[name].shape:
            raise ModelFileError(
                "{name} has the shape {shape}; the config asks for {asked}.",
                name=name,
                shape=array.shape,
                asked=wanted[name].shape,
            )
    filled = [
        (name, a.astype(mx.float32) if widen and mx.issubdtype(a.dtype, mx.floating) else a)
        for name, a in arrays.items()
    ]
    model.eval()
    model.load_weights(filled, strict=True)


def _evaluate(model: nn.Module, on_part: OnPart | None) -> None:
    arrays = list(parameters(model).values())
    for index, array in enumerate(arrays):
        if on_part is not None:
            on_part(index / len(arrays))
        mx.eval(array)
