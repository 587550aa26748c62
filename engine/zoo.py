"""Architectures that Cutaway's own decoder does not compute, through mlx-lm.

mlx-lm's model classes are built from the config alone and filled with arrays that were checked by
name and shape: no code of a model's folder runs, and nothing touches the network. Importing this
module takes seconds, as it imports mlx-lm; only what needs it does.
"""

import contextlib
import io
from collections.abc import Callable, Generator
from dataclasses import dataclass
from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import Any, cast

import mlx.core as mx
from mlx import nn
from mlx_lm.models.cache import make_prompt_cache

from engine.cache import CachePolicy
from engine.config import Json, token_ids
from engine.errors import EngineError, ModelFileError, SettingError
from engine.zoo_cache import ZooCache, grows, kv_shape, layer_states, rotating_windows
from engine.zoo_config import (
    ZooConfig,
    check_untrusted,
    context_of,
    held_context,
    older_style,
    refuse_ignored,
    text_part,
)
from engine.zoo_names import module_of
from engine.zoo_probe import check_rope, check_windows, mend_yarn
from engine.zoo_weights import OnPart, fill, loaded_bytes, parameters, quantization_of

OnMeasured = Callable[[ZooConfig, int], None]
"""Called with the shape of a model and the bytes that its weights are going to take."""

_USUAL_CONTEXT, _BOUNDLESS_CONTEXT = 2048, 1 << 20


class ZooNetwork:
    """A model of mlx-lm as sessions use it. What `hidden` returns are logits already."""

    def __init__(self, model: nn.Module, config: ZooConfig, dtype: mx.Dtype) -> None:
        self.model: Any = model
        self.dtype = dtype
        self._config = config

    def new_cache(self, policy: CachePolicy) -> ZooCache:
        """An empty cache, of the kinds that mlx-lm's model makes.

        Raises:
            SettingError: A window or a quantised cache is asked for.
        """
        if policy.window is not None:
            raise SettingError(
                "{model_type} runs through mlx-lm with its own caches and cannot have a window; "
                "leave that setting out.",
                model_type=self._config.model_type,
            )
        if policy.bits is not None:
            raise SettingError(
                "{model_type} runs through mlx-lm with its own caches and cannot have a quantised "
                "cache; leave that setting out.",
                model_type=self._config.model_type,
            )
        return ZooCache(self._config, lambda: make_prompt_cache(self.model))

    def hidden(self, ids: mx.array, cache: ZooCache | None = None) -> mx.array:
        """Run token ids (B, L): logits (B, L, V), lazy; the cache is extended by L."""
        if cache is None:
            return self.model(ids)
        logits = self.model(ids, cache=cache.layers)
        cache.advance(ids.shape[1])
        return logits

    def project(self, x: mx.array) -> mx.array:
        """Logits are what `hidden` returned."""
        return x


@dataclass(frozen=True)
class _Built:
    """An mlx-lm model before its weights are in, and the config it was built from."""

    model: Any
    raw: dict[str, Any]
    context: int
    notes: tuple[str, ...]


def read_zoo_config(raw: Json) -> ZooConfig:
    """The shape of a model, measured on the network that mlx-lm builds, without its weights.

    Raises:
        ModelFileError: The config is damaged, or mlx-lm cannot build from it.
        UnsupportedError: It asks for something that mlx-lm does not compute.
    """
    with _read_as_said(raw):
        return _measured(_build(raw), evaluates=False)


def load_zoo(
    folder: Path,
    raw: Json,
    *,
    widen: bool,
    on_measured: OnMeasured | None = None,
    on_part: OnPart | None = None,
) -> tuple[ZooConfig, ZooNetwork]:
    """Load a folder of safetensors files.

    Args:
        folder: Where config.json is.
        raw: Its content.
        widen: Widen what is not quantised to float32.
        on_measured: Called before weights are loaded; may raise to refuse.
        on_part: Called with the loaded share, 0 to 1; may raise to stop.

    Raises:
        ModelNotFoundError: There are no weights.
        ModelFileError: A file is damaged, or weights are missing, left over or of another shape.
        UnsupportedError: The model asks for something that is not computed.
    """
    with _read_as_said(raw):
        built = _build(raw)
        config = _measured(built, evaluates=False)
    if on_measured is not None:
        on_measured(config, loaded_bytes(folder, widen=widen))
    fill(built.model, built.raw, folder, widen=widen, on_part=on_part)
    with _read_as_said(raw):
        config = _measured(built, evaluates=True)
    dtype = _dtype(built.model)
    return config, ZooNetwork(built.model, config, dtype)


def _build(raw: Json) -> _Built:
    check_untrusted(raw)
    module = import_module(f"mlx_lm.models.{module_of(raw)}")
    accepted = set(signature(module.ModelArgs).parameters) | _accepted_for_text(raw)
    config = older_style(raw, reads_newer="rope_parameters" in accepted)
    context, notes = held_context(config, context_of(config))
    refuse_ignored(text_part(config), accepted)
    # Some models print what they ignore; the checks below find it out.
    with contextlib.redirect_stdout(io.StringIO()):
        model = module.Model(module.ModelArgs.from_dict(config))
    caches = make_prompt_cache(model)
    text = text_part(config)
    context = _default_context(model, caches) if context is None else context
    context, more = check_windows(text, rotating_windows(caches), context)
    check_rope(text, model, accepted)
    mend_yarn(text, model)
    return _Built(model, config, context, (*notes, *more))


def _default_context(model: Any, caches: list[Any]) -> int:
    """The context where a config leaves it out: what mlx-lm's model takes it to be.

    A recurrent state has no bound, whatever mlx-lm writes down for it.
    """
    if not grows(caches):
        return _BOUNDLESS_CONTEXT
    for owner in (model, getattr(model, "language_model", None)):
        for name in ("args", "config"):
            found: object = getattr(getattr(owner, name, None), "max_position_embeddings", None)
            if type(found) is int:
                return found
    return _USUAL_CONTEXT


def _accepted_for_text(raw: Json) -> set[str]:
    """The entries that the language model of a multimodal one reads."""
    own: object = raw.get("text_config")
    name = module_of(cast("Json", own)) if isinstance(own, dict) else None
    if name is None:
        return set()
    return set(signature(import_module(f"mlx_lm.models.{name}").ModelArgs).parameters)


@contextlib.contextmanager
def _read_as_said(raw: Json) -> Generator[None]:
    """Turn whatever goes wrong over a config's odd values into a sentence."""
    try:
        yield
    except EngineError:
        raise
    except Exception as error:
        said = " ".join(str(error).split())[:200].rstrip(".")
        raise ModelFileError(
            "mlx-lm cannot build a {model_type} from this config ({kind}: {reason}).",
            model_type=str(raw.get("model_type"))[:64],
            kind=type(error).__name__,
            reason=said,
        ) from error


def _dtype(model: nn.Module) -> mx.Dtype:
    """What most of the numbers that are not packed are made of."""
    sizes: dict[mx.Dtype, int] = {}
    for array in parameters(model).values():
        if mx.issubdtype(array.dtype, mx.floating):
            sizes[array.dtype] = sizes.get(array.dtype, 0) + array.size
    return max(sizes, key=lambda dtype: sizes[dtype], default=mx.float32)


def _measured(built: _Built, *, evaluates: bool) -> ZooConfig:
    """Run one token through the model: what comes out of it, and what its layers keep.

    Args:
        built: The model.
        evaluates: Compute the logits; otherwise only shapes are looked at.
    """
    raw, text = built.raw, text_part(built.raw)
    caches = make_prompt_cache(built.model)
    logits = built.model(mx.array([[0]]), cache=caches)
    if evaluates:
        mx.eval(logits)
    kv_heads, head_dim = kv_shape(caches)

    def number(*keys: str) -> int:
        found = (text.get(key) for key in keys)
        return next((value for value in found if type(value) is int), 0)

    return ZooConfig(
        model_type=str(raw["model_type"]),
        hidden_size=number("hidden_size", "n_embd", "d_model", "model_dim"),
        num_hidden_layers=len(caches),
        num_attention_heads=number("num_attention_heads", "n_head", "n_heads"),
        num_key_value_heads=kv_heads,
        head_dim=head_dim,
        intermediate_size=number("intermediate_size", "n_inner", "ffn_hidden_size"),
        vocab_size=int(logits.shape[-1]),
        max_position_embeddings=built.context,
        tie_word_embeddings=bool(text.get("tie_word_embeddings")),
        bos_token_id=next(iter(token_ids(text.get("bos_token_id"))), None),
        eos_token_ids=tuple(
            sorted({*token_ids(raw.get("eos_token_id")), *token_ids(text.get("eos_token_id"))})
        ),
        torch_dtype=str(text.get("dtype") or text.get("torch_dtype") or "bfloat16"),
        quantization=quantization_of(raw),
        layer_states=layer_states(caches),
        counted_parameters=_count(built.model),
        notes=built.notes,
    )


def _count(model: nn.Module) -> int:
    """Number of weights; packed ones are counted by the numbers they stand for."""
    count = 0
    for _, module in cast("list[tuple[str, Any]]", model.named_modules()):
        entries = cast("dict[str, object]", module)
        own = {k: v for k, v in entries.items() if isinstance(v, mx.array) and k[:1] != "_"}
        for name, array in own.items():
            if name == "weight" and "scales" in own:
                count += array.size * 32 // int(module.bits)
            elif name not in {"scales", "biases"} or "scales" not in own:
                count += array.size
    return count
