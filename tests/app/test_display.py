"""Whether there is a display, and the sentence where there is none."""

from __future__ import annotations

import pytest

from app.display import display_problem

NONE = "There is no display here; `cutaway chat` works in the terminal."
DEAD = "The display :64999 does not answer; `cutaway chat` works in the terminal."


@pytest.mark.parametrize(
    ("platform", "environ", "problem"),
    [
        ("linux", {}, NONE),
        ("linux", {"DISPLAY": "", "WAYLAND_DISPLAY": ""}, NONE),
        ("linux", {"DISPLAY": ":64999"}, DEAD),
        ("linux", {"DISPLAY": ":64999", "WAYLAND_DISPLAY": "wayland-0"}, ""),
        ("linux", {"QT_QPA_PLATFORM": "offscreen"}, ""),
        ("darwin", {}, ""),
    ],
)
@pytest.mark.skipif("sys.platform != 'linux'", reason="asks Linux's own library")
def test_a_display_is_needed(platform: str, environ: dict[str, str], problem: str) -> None:
    assert display_problem(platform, environ) == problem
