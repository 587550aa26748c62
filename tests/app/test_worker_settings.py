"""What a chat is set to reaches the engine; prompts are counted before they are asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.chats.settings import ContextSettings, ReplySettings, SamplingSettings
from app.requests import Count, CountRequest, ReplyRequest
from tests.app.driving import GREEDY
from tests.app.talkers import write_talker

if TYPE_CHECKING:
    from pathlib import Path

    from tests.app.driving import Log

HELLO = [{"role": "user", "content": "hello"}]


def reply(
    log: Log,
    name: str,
    sampling: SamplingSettings = GREEDY,
    limits: ReplySettings | None = None,
    context: ContextSettings | None = None,
) -> str:
    request = ReplyRequest(
        name, name, HELLO, sampling, limits or ReplySettings(20), context or ContextSettings()
    )
    log.worker.reply(request)
    end = log.end(name)
    return end.error or log.text(name)


def count(log: Log, number: int, chat_id: str, texts: list[str], context: ContextSettings) -> Count:
    roles = ("user", "assistant")
    messages = [{"role": roles[n % 2], "content": text} for n, text in enumerate(texts)]
    log.worker.count(CountRequest(number, chat_id, messages, context, len(messages) - 1))
    return log.wait("counted", number)


def test_sampling_and_limits_reach_the_engine(log: Log, talker: Path) -> None:
    log.load(talker)
    plain = reply(log, "plain")
    letter = plain[3]
    assert letter not in reply(log, "banned", SamplingSettings(temperature=0, banned=(letter,)))
    biased = SamplingSettings(temperature=0, logit_bias=((ord("q"), 100.0),))
    assert reply(log, "biased", biased) == "q" * 20
    stopped = reply(log, "stopped", limits=ReplySettings(20, stop=(letter,)))
    assert stopped == plain[: plain.index(letter)]
    schema = ReplySettings(40, schema='{"enum": ["yes"]}')
    assert reply(log, "schema", limits=schema) == '"yes"'
    assert "no JSON object" in reply(log, "no schema", limits=ReplySettings(schema="[1]"))


def test_quantised_keys_are_asked_for_or_refused_in_a_sentence(log: Log, tmp_path: Path) -> None:
    log.load(write_talker(tmp_path / "wide", head_dim=32))
    eight = ContextSettings(bits=8)
    assert len(reply(log, "eight", context=eight)) == 20
    small = log.latest().kv_used_bytes
    reply(log, "own")
    assert 0 < small < log.latest().kv_used_bytes
    log.load(write_talker(tmp_path / "narrow"))
    assert "cannot be quantised" in reply(log, "refused", context=eight)


def test_a_window_of_the_users_own_rotates(log: Log, talker: Path) -> None:
    log.load(talker)
    reply(log, "short", limits=ReplySettings(200), context=ContextSettings("window", 64))
    assert log.latest().context_tokens < 200


def test_a_prompt_is_counted_before_it_is_asked(log: Log, talker: Path) -> None:
    log.load(talker)
    reply(log, "chat")
    first = count(log, 1, "chat", ["hello"], ContextSettings())
    assert first.tokens > len("hello")
    assert first.reused == first.tokens - 1
    assert (first.problem, first.rotates, first.leaving_messages) == ("", True, 0)
    longer = count(log, 2, "chat", ["hello there"], ContextSettings())
    assert longer.tokens > first.tokens
    assert 0 < longer.reused < longer.tokens


def test_what_leaves_the_window_is_counted_in_messages(log: Log, talker: Path) -> None:
    log.load(talker)
    small = ContextSettings("window", 64)
    texts = ["q" * 20] * 7  # of which two to three fit
    leaving = count(log, 1, "chat", texts, small)
    assert 1 <= leaving.unseen_messages < 6
    assert 1 <= leaving.leaving_messages <= 2
    assert leaving.problem == ""
    too_long = count(log, 2, "chat", ["a" * 20, "b" * 20, "c" * 500], small)
    assert "shorten it" in too_long.problem


def test_a_prompt_beyond_a_context_that_ends_is_said(log: Log, terse: Path) -> None:
    log.load(terse)
    found = count(log, 1, "chat", ["a" * 200], ContextSettings("all"))
    assert (found.rotates, found.limit) == (False, 96)
    assert "holds 96" in found.problem


def test_a_count_that_nobody_waits_for_any_more_is_dropped(log: Log, talker: Path) -> None:
    log.load(talker)
    for number in range(1, 6):
        log.worker.count(CountRequest(number, "chat", HELLO, ContextSettings(), 0))
    log.worker.drop_counts()
    reply(log, "after")
    numbers = [found.count_id for found in log.all("counted")]
    assert len(numbers) <= 1


def test_nothing_of_a_private_chat_reaches_the_disk(tmp_path: Path, qtbot: object) -> None:
    from tests.app.driving import Log as Started

    folder = tmp_path / "sessions"
    log = Started(qtbot, sessions=folder)  # pyright: ignore[reportArgumentType]  a fixture
    log.load(write_talker(tmp_path / "talker"))
    for name, private in (("secret", True), ("open", False)):
        limits = ReplySettings(100)
        log.worker.reply(ReplyRequest(name, name, HELLO, GREEDY, limits, private=private))
        log.end(name)
    log.close()
    saved = list(folder.rglob("*.safetensors"))
    assert len(saved) == 1
