"""What exhibit 8 claims and where it needs care, in the language of the window."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

translate = QCoreApplication.translate


def claims() -> dict[str, str]:
    """A sentence for each claim, by the engine's name."""
    return {
        "classroom_token": translate(
            "Exhibits",
            "32 layers with 8 KV heads of dimension 128 at 16 bits take 128 KiB for each token.",
        ),
        "classroom_conversation": translate(
            "Exhibits",
            "A conversation of 8,192 tokens takes 1 GiB.",
        ),
        "classroom_users": translate("Exhibits", "Ten of them take 10 GiB."),
        "gqa": translate(
            "Exhibits",
            "Sharing KV heads among query heads divides the bill by how many share one.",
        ),
        "mqa": translate(
            "Exhibits",
            "With one KV head for all, the bill is divided by the number of query heads.",
        ),
        "measured": translate(
            "Exhibits",
            "The bytes of the loaded model's real cache are those of the formula.",
        ),
        "allocated": translate(
            "Exhibits",
            "The buffers are at least as large, as they grow in steps.",
        ),
    }


def notes() -> dict[str, str]:
    """A sentence for each note, by the engine's name."""
    return {
        "query_heads": translate(
            "Exhibits",
            "The number of query heads is not in the formula: only keys and values are kept, "
            "and queries are used once.",
        ),
        "fits": translate(
            "Exhibits",
            "How many conversations fit is counted with what the machine has for a model, its "
            "weights and full contexts. What other programs use, and what a prefill needs for a "
            "moment, comes on top.",
        ),
        "float32": translate(
            "Exhibits",
            "On this processor the model computes in 32-bit numbers, so its real cache takes "
            "twice what 16 bits would.",
        ),
        "scales": translate(
            "Exhibits",
            "At 8 and 4 bits every 64 numbers share a 16-bit scale and a 16-bit bias, which is "
            "half a bit more for each number.",
        ),
        "windows": translate(
            "Exhibits",
            "Some layers of the loaded model see only a window of recent tokens; beyond it "
            "their part of the cache stops growing, and the formula holds for the others.",
        ),
        "runs_through_mlx_lm": translate(
            "Exhibits",
            "This model runs through mlx-lm; what its layers keep was measured on its network, "
            "and its cache is held with at least 16 bits.",
        ),
    }
