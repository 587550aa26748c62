"""What exhibit 7 claims and where it needs care, in the language of the window."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

translate = QCoreApplication.translate


def claims() -> dict[str, str]:
    """A sentence for each claim, by the engine's name."""
    return {
        "hashes": translate(
            "Exhibits",
            "Running a token leaves the keys and values of all earlier tokens as they are: "
            "their hash is the same before and after.",
        ),
        "stored": translate("Exhibits", "No bit of what the cache stores changes later on."),
        "replay": translate(
            "Exhibits",
            "The run repeated from an empty cache, one token at a time, gives the same logits "
            "and the same keys and values, bit for bit.",
        ),
        "same_tokens": translate("Exhibits", "Both ways choose the same token at every position."),
        "seconds": translate(
            "Exhibits",
            "It saves time as well: in a long text one more token comes sooner than when all of "
            "it is run again.",
        ),
        "one_shot": translate(
            "Exhibits",
            "Computed in one go without a cache, the logits differ by no more than rounding.",
        ),
        "operations": translate(
            "Exhibits",
            "The cache saves work: without it every step would run the whole text again.",
        ),
        "copied": translate(
            "Exhibits",
            "A copy of the cache that nobody touched says exactly the same.",
        ),
        "changed_logits": translate(
            "Exhibits",
            "One changed number among all that the cache holds changes what the model says.",
        ),
        "changed_answer": translate(
            "Exhibits",
            "With the chosen change the answer is another one.",
        ),
    }


def notes() -> dict[str, str]:
    """A sentence for each note, by the engine's name."""
    return {
        "same_shapes": translate(
            "Exhibits",
            "Bit for bit holds for the same computation at the same shapes: one token at a time "
            "against one token at a time. A prompt run in one go, or in other chunks, adds up "
            "the same sums in another order, so its last bits differ; that is rounding, not an "
            "error of the cache.",
        ),
        "argmax": translate(
            "Exhibits",
            "A rounding difference can tip the choice where two tokens are almost equally "
            "likely; it does so more easily in bfloat16 than in float32.",
        ),
        "other_devices": translate(
            "Exhibits",
            "The hashes belong to this device and this precision: another chip or library gives "
            "other last bits, and its runs agree among themselves just the same.",
        ),
        "small_changes": translate(
            "Exhibits",
            "Not every change makes the answer wrong: a small one changes the logits a little, "
            "and one in the last bit may be lost in rounding. The exhibit shows how large it "
            "must be.",
        ),
        "windows": translate(
            "Exhibits",
            "Some layers of this model see only a window of recent tokens. A number of an older "
            "token changes nothing there any more.",
        ),
        "runs_through_mlx_lm": translate(
            "Exhibits",
            "This model runs through mlx-lm, whose caches are not taken apart here: nothing is "
            "changed in them on purpose, and operations are not counted.",
        ),
    }
