"""`cutaway plan`: what a model takes in memory, from its config alone."""

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path

import engine
from app.text import bytes_text

DEFAULT_CONTEXT = 8192


def run(options: argparse.Namespace) -> int:
    """Plan and print."""
    path = Path(options.model)
    config = (
        engine.read_config(path) if path.suffix == ".json" else engine.model_config(options.model)
    )
    usual = min(DEFAULT_CONTEXT, config.max_position_embeddings)
    plan = engine.plan(
        config,
        context=usual if options.context is None else options.context,
        users=options.users,
        bits=options.kv_bits,
        memory=options.memory,
    )
    if options.json:
        sys.stdout.write(json.dumps(asdict(plan)) + "\n")
        return 0
    sys.stdout.write("\n".join(_lines(config, plan)) + "\n")
    return 0


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
