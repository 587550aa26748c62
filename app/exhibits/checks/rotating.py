"""What exhibit 10 claims and where it needs care, in the language of the window."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

translate = QCoreApplication.translate


def claims() -> dict[str, str]:
    """A sentence for each claim, by the engine's name."""
    return {
        "out_of_sight": translate(
            "Exhibits",
            "When the question is asked, the fact has left the window.",
        ),
        "forgotten": translate(
            "Exhibits",
            "What left the window is forgotten: the answer is far less likely than with "
            "everything held.",
        ),
        "pinned_remembers": translate(
            "Exhibits",
            "What stands in the pinned beginning is kept: there the answer is far more likely.",
        ),
        "bounded": translate(
            "Exhibits",
            "However long the text, the ring never has more slots than pinned tokens, window "
            "and one chunk.",
        ),
        "held": translate(
            "Exhibits",
            "Every token that the next one may see is held: the pinned ones and the window.",
        ),
        "seen": translate(
            "Exhibits",
            "Other numbers in a slot that is seen change what the model says.",
        ),
        "unseen": translate(
            "Exhibits",
            "What left the window has no effect on the next token any more, even while it still "
            "lies in its slot: other numbers there change nothing, to the last bit.",
        ),
        "pins_help": translate(
            "Exhibits",
            "Without the first tokens the model loses its footing; with a few of them pinned a "
            "long text is predicted better.",
        ),
        "close_to_everything": translate(
            "Exhibits",
            "With pins a bounded window comes close to holding everything.",
        ),
        "bounded_reading": translate(
            "Exhibits",
            "While the long text is read, memory stays bounded.",
        ),
    }


def notes() -> dict[str, str]:
    """A sentence for each note, by the engine's name."""
    return {
        "layers": translate(
            "Exhibits",
            "An evicted key is not seen any more, but what it told later tokens while they saw "
            "it lives on in their keys and values, layer upon layer. So a model can keep a "
            "trace of what left its window; it cannot look the words up again.",
        ),
        "unseen": translate(
            "Exhibits",
            "The ring is a chunk longer than the window, so that a prompt can be run in chunks. "
            "A key that is out of the window can therefore still lie in its slot; the mask "
            "hides it, and a later token overwrites it.",
        ),
        "sinks": translate(
            "Exhibits",
            "The first tokens matter whatever they say: models put attention there that they "
            "have no other use for (Xiao et al. 2023, arXiv:2309.17453). Four of them are "
            "enough to keep a long text readable; they do not help to remember what it said.",
        ),
        "moved": translate(
            "Exhibits",
            "Beyond the trained context the pinned keys are moved up behind the window, so that "
            "no query stands further from them than it did in training. In texts as short as "
            "these that is not needed.",
        ),
        "one_fact": translate(
            "Exhibits",
            "One fact and one question are an example, not a measure of memory; try others.",
        ),
    }
