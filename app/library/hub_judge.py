"""Whether the engine computes a model, from its config.json alone; touches no MLX array."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QCoreApplication

from app.library.hub_card import Judgement
from app.spoken import spoken

if TYPE_CHECKING:
    from collections.abc import Mapping


def judge(raw: Mapping[str, Any], weights_bytes: int = 0) -> Judgement:
    """Judge a config.json, or `{"gguf": architecture}`; for any thread.

    Args:
        raw: The config.
        weights_bytes: Of the files of weights that go with it.
    """
    import engine
    from engine.config import parse_config
    from engine.describe import foreseen
    from engine.source import runs_through_mlx_lm
    from engine.zoo_config import check_untrusted, context_of

    if "gguf" in raw:
        return _judge_gguf(raw["gguf"])
    try:
        footprint = foreseen(raw, weights_bytes)
        if runs_through_mlx_lm(raw):
            check_untrusted(raw)
            return Judgement(
                runs=True,
                context=context_of(raw),
                kv_bytes_per_token=footprint and engine.kv_bytes(footprint.config, 1),
                footprint=footprint,
            )
        config = parse_config(raw)
    except engine.EngineError as error:
        return Judgement(runs=False, reason=spoken(error))
    return Judgement(
        runs=True,
        parameters=config.parameters,
        context=config.max_position_embeddings,
        kv_bytes_per_token=engine.kv_bytes(config, 1),
        footprint=footprint,
    )


def _judge_gguf(architecture: object) -> Judgement:
    """The hub tells no more of a GGUF file before it is here."""
    from engine.gguf import ARCHITECTURES

    if architecture is None or architecture in ARCHITECTURES:
        return Judgement(runs=True)
    sentence = QCoreApplication.translate(
        "Hub",
        "The architecture {name} is not supported in a GGUF file; this version runs {names}.",
    )
    name, names = repr(str(architecture)[:64]), ", ".join(ARCHITECTURES)
    return Judgement(runs=False, reason=sentence.format(name=name, names=names))
