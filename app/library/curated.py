"""A dozen models to start with, from 0.1 to 70 billion parameters, and in which order."""

from __future__ import annotations

from dataclasses import dataclass

USABLE_SHARE = 0.7
"""Of the memory that a model may take, the rest being for its cache and for everything else."""


@dataclass(frozen=True)
class Start:
    """A model that is known to be good for its size.

    Attributes:
        repo: Its repository on the hub.
        title: To show.
        family: As its config.json calls it.
        parameters: Number of weights, rounded.
        quantisation: How its weights are held.
        approximate_bytes: Of the download, within a few percent; its card has the exact size.
        licence: As its repository says.
    """

    repo: str
    title: str
    family: str
    parameters: int
    quantisation: str
    approximate_bytes: int
    licence: str


def _four_bit(name: str, title: str, family: str, billions: float, licence: str) -> Start:
    """In groups of 64 with a scale and a bias of 16 bits each: 4.5 bits a weight."""
    parameters = round(billions * 1e9)
    size = round(parameters * 4.5 / 8)
    return Start(f"mlx-community/{name}", title, family, parameters, "4-bit", size, licence)


_LLAMA = "llama3.2"
_APACHE = "apache-2.0"

START = (
    Start(
        "mlx-community/SmolLM2-135M-Instruct",
        "SmolLM2 135M",
        "llama",
        134_515_008,
        "bfloat16",
        272_000_000,
        _APACHE,
    ),
    _four_bit("Qwen3-0.6B-4bit", "Qwen3 0.6B", "qwen3", 0.596, _APACHE),
    _four_bit("Llama-3.2-1B-Instruct-4bit", "Llama 3.2 1B", "llama", 1.236, _LLAMA),
    _four_bit("Qwen3-1.7B-4bit", "Qwen3 1.7B", "qwen3", 1.72, _APACHE),
    _four_bit("Llama-3.2-3B-Instruct-4bit", "Llama 3.2 3B", "llama", 3.213, _LLAMA),
    _four_bit("Qwen3-4B-Instruct-2507-4bit", "Qwen3 4B 2507", "qwen3", 4.02, _APACHE),
    _four_bit("Mistral-7B-Instruct-v0.3-4bit", "Mistral 7B v0.3", "mistral", 7.25, _APACHE),
    _four_bit("Qwen3-8B-4bit", "Qwen3 8B", "qwen3", 8.19, _APACHE),
    _four_bit("Qwen3-14B-4bit", "Qwen3 14B", "qwen3", 14.77, _APACHE),
    _four_bit("Qwen3-30B-A3B-Instruct-2507-4bit", "Qwen3 30B A3B", "qwen3_moe", 30.53, _APACHE),
    _four_bit("Qwen3-32B-4bit", "Qwen3 32B", "qwen3", 32.76, _APACHE),
    _four_bit("Llama-3.3-70B-Instruct-4bit", "Llama 3.3 70B", "llama", 70.55, "llama3.3"),
)


def fits(model: Start, memory_bytes: int) -> bool:
    """Whether its weights leave room for a cache in that much memory."""
    return model.approximate_bytes <= memory_bytes * USABLE_SHARE


def in_order(memory_bytes: int) -> tuple[Start, ...]:
    """The smallest that fits first; those that do not fit come last, the nearest first.

    Args:
        memory_bytes: What the machine has for models.
    """
    return tuple(sorted(START, key=lambda m: (not fits(m, memory_bytes), m.approximate_bytes)))
