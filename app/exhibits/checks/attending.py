"""What exhibit 4 claims and where it needs care, in the language of the window."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

translate = QCoreApplication.translate


def claims() -> dict[str, str]:
    """A sentence for each claim, by the engine's name."""
    return {
        "rows": translate(
            "Exhibits",
            "In every head each token hands out exactly one: its weights sum to one.",
        ),
        "no_future": translate(
            "Exhibits",
            "Nothing stands to the right of the diagonal: no token looks at a later one.",
        ),
        "softmax": translate(
            "Exhibits",
            "The weights are the softmax of the scores query · key / √D.",
        ),
        "sum_of_values": translate(
            "Exhibits",
            "What the head hands on is the sum of the values, each times its weight, but for "
            "rounding.",
        ),
    }


def notes() -> dict[str, str]:
    """A sentence for each note, by the engine's name."""
    return {
        "not_an_explanation": translate(
            "Exhibits",
            "A weight tells how much of a token's value enters the sum, not why the model says "
            "what it says. The vectors that are mixed hold much of their own past, most of the "
            "work is done elsewhere, and a head can often look away without changing the "
            "answer.",
        ),
        "sink": translate(
            "Exhibits",
            "Many heads take most from the first token, whatever it is: the weights must sum to "
            "one, and the first token, whose value is often short there, serves as a place to "
            "put what is not needed. In the grid, look past its column.",
        ),
        "as_found": translate(
            "Exhibits",
            "Which heads lead from the pronoun to the word that it stands for is shown as it is "
            "found. No head was made for that, some happen to do it in some sentences, and a "
            "strong link does not show that the model understood.",
        ),
        "question_sign_content": translate(
            "Exhibits",
            "Query, key and value are called question, sign and content to have something to "
            "hold on to. They are rows of numbers, learnt without names; only their products "
            "count.",
        ),
        "averages_hide": translate(
            "Exhibits",
            "The mean over heads hides that different heads look at different things.",
        ),
        "shared_keys": translate(
            "Exhibits",
            "In this model several query heads share the same keys and values: they ask "
            "different questions of the same signs.",
        ),
        "windows": translate(
            "Exhibits",
            "Some layers of this model see only a window of recent tokens.",
        ),
    }
