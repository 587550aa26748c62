"""What exhibit 9 claims and where it needs care, in the language of the window."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

translate = QCoreApplication.translate


def claims() -> dict[str, str]:
    """A sentence for each claim, by the engine's name."""
    return {
        "quiet": translate(
            "Exhibits",
            "The machine was quiet enough to measure on: rounds of one length took about the same.",
        ),
        "fit": translate(
            "Exhibits",
            "The time of a prefill is a fixed part, one that grows with the tokens and one that "
            "grows with their square; what is left over is small, or no more than this "
            "measurement's noise.",
        ),
        "quadratic": translate(
            "Exhibits",
            "The quadratic part, attention, is there, unless it is so small that the noise "
            "hides it.",
        ),
        "four_times_ttft": translate(
            "Exhibits",
            "Four times the prompt takes at least about four times as long to the first token, "
            "without the fixed part.",
        ),
        "four_times_cache": translate(
            "Exhibits",
            "It takes four times the memory for keys and values.",
        ),
        "four_times_decode": translate(
            "Exhibits",
            "It slows decoding too, but by much less than it slows the first token.",
        ),
        "arithmetic": translate(
            "Exhibits",
            "Decoding does not wait for arithmetic: the same machine does more than twice as "
            "much of it per second in a prefill.",
        ),
        "bandwidth": translate(
            "Exhibits",
            "Decoding reads memory at a good part of the speed at which this machine can.",
        ),
    }


def notes() -> dict[str, str]:
    """A sentence for each note, by the engine's name."""
    return {
        "short_prompts": translate(
            "Exhibits",
            "In short prompts the quadratic part is small, and a fit of it takes in whatever "
            "else grows faster than the prompt. Its share in seconds need not be its share in "
            "operations: attention runs at another speed than the large matrices.",
        ),
        "memory_bound": translate(
            "Exhibits",
            "Decoding is bound by memory when one conversation runs at a time. A server that "
            "decodes many at once reads the weights once for all of them, and becomes bound by "
            "arithmetic and by the caches. A very small model is read so soon that starting the "
            "steps of its many layers takes longer.",
        ),
        "quadratic_memory": translate(
            "Exhibits",
            "Time for attention grows with the square of the prompt; the cache grows in "
            "proportion, and of the scores only those of one chunk are held in memory at a "
            "time.",
        ),
        "noise": translate(
            "Exhibits",
            "Other programs make a machine slower, never faster, so the best of several rounds "
            "counts. By how much rounds of one length still differ is the noise, and the checks "
            "allow for as much. The small quadratic part can drown in it: take more rounds or "
            "longer prompts. The figures are of this machine at this moment.",
        ),
        "cpu": translate(
            "Exhibits",
            "This runs on the processor. On the graphics cores of a Mac a prefill is faster by "
            "far, while decoding gains as much as memory is faster.",
        ),
        "windows": translate(
            "Exhibits",
            "Some layers see only a window of recent tokens: beyond it their attention grows in "
            "proportion to the prompt, and their cache not at all.",
        ),
        "runs_through_mlx_lm": translate(
            "Exhibits",
            "This model runs through mlx-lm: its operations are not counted, and what its "
            "layers keep may be bounded by a window or be a state of fixed size, which four "
            "times the prompt does not make four times larger.",
        ),
    }
