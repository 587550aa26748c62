"""What exhibit 6 claims and where it needs care, in the language of the window."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

translate = QCoreApplication.translate


def claims() -> dict[str, str]:
    """A sentence for each claim, by the engine's name."""
    return {
        "no_order": translate(
            "Exhibits",
            "Without RoPE, what attention of one layer makes of a set of tokens is the same in "
            "whatever order they stand, but for rounding.",
        ),
        "rope_knows": translate(
            "Exhibits",
            "With RoPE every other order changes it by more than it ever changes without.",
        ),
        "without_both": translate(
            "Exhibits",
            "Without RoPE and without the causal mask the whole network cannot tell both orders "
            "apart: they give the same logits but for rounding.",
        ),
        "mask_leaks_order": translate(
            "Exhibits",
            "Without RoPE alone it still can: the logits differ by more than that. So it is the "
            "mask that tells the order.",
        ),
        "network_knows": translate(
            "Exhibits",
            "The network as it is says something else after the other order.",
        ),
        "only_distance": translate(
            "Exhibits",
            "The score depends on the distance alone: moving both tokens together through the "
            "text changes it by no more than rounding.",
        ),
        "distance_matters": translate(
            "Exhibits",
            "At other distances the same query and key have other scores.",
        ),
        "in_text": translate(
            "Exhibits",
            "At the distance that they have in the text, the curve is at the score that "
            "attention really gave.",
        ),
    }


def notes() -> dict[str, str]:
    """A sentence for each note, by the engine's name."""
    return {
        "one_layer": translate(
            "Exhibits",
            "Attention alone adds up what it finds, and a sum knows no order; that is true of "
            "one layer and the vectors that it is given. The popular sentence that a network "
            "without positions sees a bag of words is true only without the causal mask.",
        ),
        "leak": translate(
            "Exhibits",
            "The mask lets the first word see itself alone, the second one two, and so on. So "
            "from the second layer on each word's vector tells how many words stood before it "
            "and which ones, and the order leaks. Networks trained without RoPE learn to use "
            "this.",
        ),
        "not_trained_so": translate(
            "Exhibits",
            "This model was trained with RoPE. Without it its answers are poor; the exhibit "
            "asks only whether they depend on the order.",
        ),
        "rounding": translate(
            "Exhibits",
            "In another order the same sums are added up in another order, so the last bits may "
            "differ; how many numbers do is shown.",
        ),
        "not_always_nearer": translate(
            "Exhibits",
            "RoPE makes scores depend on the distance, but not always fall with it: the curve "
            "is a sum of waves, and it looks different for each query and key.",
        ),
        "same_tokens": translate(
            "Exhibits",
            "Each text gets a space before it, so that its first word is the same token as "
            "elsewhere in a sentence.",
        ),
        "windows": translate(
            "Exhibits",
            "Some layers of this model see only a window of recent tokens, which tells order as "
            "well, in texts that are longer.",
        ),
    }
