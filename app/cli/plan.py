"""`cutaway plan`: what a model takes in memory, from its config alone."""

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import engine
from app.library.facts import USUAL_TOKENS
from app.text import bytes_text
from engine.cache import CachePolicy
from engine.describe import describe
from engine.fit import Fit, Footprint, can_quantize, fit, machine_limit
from engine.source import resolve


def run(options: argparse.Namespace) -> int:
    """Plan and print."""
    path = Path(options.model)
    is_config = path.suffix == ".json"
    config = engine.read_config(path) if is_config else engine.model_config(options.model)
    usual = min(USUAL_TOKENS, config.max_position_embeddings)
    plan = engine.plan(
        config,
        context=usual if options.context is None else options.context,
        users=options.users,
        bits=options.kv_bits,
        memory=options.memory,
    )
    here = None if is_config else _here(options, plan)
    if options.json:
        report = {**asdict(plan), "here": None if here is None else _parts(here)}
        sys.stdout.write(json.dumps(report) + "\n")
        return 0
    lines = _lines(config, plan) + ([] if here is None else [_peak(here)])
    sys.stdout.write("\n".join(lines) + "\n")
    return 0


def _here(options: argparse.Namespace, plan: engine.Plan) -> Fit | None:
    """What a model on disk takes on this device, one conversation and its prefill included."""
    footprint: Footprint | None = describe(resolve(options.model)).footprint
    if footprint is None:
        return None
    quantized = plan.bits < 16 and can_quantize(footprint.config)
    return fit(
        footprint,
        tokens=plan.context,
        policy=CachePolicy(bits=plan.bits if quantized else None),
        limit_bytes=machine_limit() if options.memory is None else options.memory,
    )


def _parts(here: Fit) -> dict[str, Any]:
    return {**asdict(here), "needed_bytes": here.needed_bytes}


def _peak(here: Fit) -> str:
    limit = "" if here.limit_bytes is None else f" of {bytes_text(here.limit_bytes)}"
    line = f"Peak here, 1 user  {bytes_text(here.needed_bytes)}{limit}   {here.verdict}"
    if here.verdict == "too big" and here.fitting_tokens is not None:
        line += f"; {here.fitting_tokens:,} tokens would fit"
    return line


def _lines(config: engine.ModelConfig, plan: engine.Plan) -> list[str]:
    lines = [
        f"Weights            {bytes_text(plan.weights_bytes)}",
        f"Cache per token    {bytes_text(plan.bytes_per_token)}   {_formula(config, plan)}",
        f"Cache per user     {bytes_text(plan.bytes_per_user)}   {plan.context:,} tokens",
        f"Cache in all       {bytes_text(plan.total_bytes)}   {plan.users:,} at once",
        f"Needed             {bytes_text(plan.needed_bytes)}",
    ]
    if plan.memory_bytes is not None:
        verdict = "fits" if plan.fits else "does not fit"
        lines += [
            f"Memory             {bytes_text(plan.memory_bytes)}   {verdict}",
            f"That holds         {plan.users_that_fit:,} users of {plan.context:,} tokens,"
            f" or {_tokens_that_fit(plan)} for each of {plan.users:,}",
        ]
    return lines


def _formula(config: engine.ModelConfig, plan: engine.Plan) -> str:
    if not config.num_key_value_heads:
        return "layers differ in what they keep"
    return (
        f"2 × {config.num_hidden_layers} layers × {config.num_key_value_heads} KV heads"
        f" × {config.head_dim} × {plan.bits} bits"
    )


def _tokens_that_fit(plan: engine.Plan) -> str:
    most = plan.context_that_fits
    return "any number of tokens" if most is None else f"{most:,} tokens"
