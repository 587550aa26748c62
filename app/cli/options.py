"""From parsed options to the engine's values."""

import argparse

import engine


def sampling(options: argparse.Namespace) -> engine.Sampling:
    """How tokens are chosen."""
    return engine.Sampling(
        temperature=options.temp,
        top_k=options.top_k,
        top_p=options.top_p,
        min_p=options.min_p,
        seed=options.seed,
    )


def cache_policy(options: argparse.Namespace) -> engine.CachePolicy:
    """How keys and values are held."""
    return engine.CachePolicy(window=options.window, bits=options.kv_bits)
