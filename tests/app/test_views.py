"""What the transcript says below a reply."""

from __future__ import annotations

from dataclasses import replace

from app.chats.model import Figures, new_message
from app.views import message_view

REPLY = replace(new_message("chat", "question", "assistant", "Hello"), model="Tiny")
WHOLE = Figures(prompt_tokens=1103, reused_tokens=1089, tokens=66, ttft_s=0.16, decode_tps=12.94)


def test_a_reply_tells_how_it_went() -> None:
    caption = message_view(replace(REPLY, state="complete", figures=WHOLE)).caption
    assert caption == (
        "Tiny · 12.9 tokens/s · 0.16 s to first token · 66 tokens · 1,089 of 1,103 reused"
    )


def test_what_is_not_known_or_nothing_is_left_out() -> None:
    bare = replace(REPLY, state="complete", figures=Figures(prompt_tokens=9))
    assert message_view(bare).caption == "Tiny"
    assert message_view(replace(bare, state="streaming")).caption == ""
    assert message_view(replace(bare, figures=None)).caption == ""
