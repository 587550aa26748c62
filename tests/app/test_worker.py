"""The engine's thread: order, stops, figures, failures, and its end in every state."""

from __future__ import annotations

import dataclasses
import json
import sys
import threading
from typing import TYPE_CHECKING, cast

import pytest

from app.chats.settings import SamplingSettings
from app.requests import LoadedModel, ReplyEnd, ReplyPiece, ReplyRequest
from tests.app.driving import Log
from tests.app.talkers import write_talker
from tests.engine.checkpoints import TinyLlama, write_gguf
from ui.state import Telemetry

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytestqt.qtbot import QtBot

LONG = "the words of a long question " * 100


def is_plain(value: object) -> bool:
    """Whether a value is made of Python's own types and frozen dataclasses alone."""
    if dataclasses.is_dataclass(value):
        names = (field.name for field in dataclasses.fields(value))
        return all(is_plain(getattr(value, name)) for name in names)
    if type(value) is tuple:
        return all(map(is_plain, cast("tuple[object, ...]", value)))
    return value is None or type(value) in {str, int, float, bool}


def test_everything_arrives_on_the_main_thread_as_plain_values(log: Log, terse: Path) -> None:
    log.load(terse)
    log.ask("hello")
    log.end()
    log.worker.load("/nowhere/at/all")
    log.wait("load_refused")
    log.worker.unload()
    log.wait("unloaded")
    log.worker.load("/nowhere/at/all")
    log.wait("load_failed")
    log.close()
    assert log.threads == {"main"}
    assert all(is_plain(value) for _, value in log.events)
    kinds = {name for name, _ in log.events}
    assert kinds == {
        "loading", "loaded", "load_failed", "load_refused", "unloaded",
        "produced", "ended", "measured", "closed",
    }  # fmt: skip


def test_a_loaded_model_is_described(log: Log, talker: Path, tmp_path: Path) -> None:
    assert log.load(talker) == LoadedModel(str(talker), "talker", "float32 · 64k", 65536)
    odd = write_talker(tmp_path / "odd-one", context=1000)
    assert log.load(odd) == LoadedModel(str(odd), "odd one", "float32 · 1,000", 1000)
    assert log.names("loading", "loaded") == ["loading", "loaded"] * 2


def test_a_reply_comes_piece_by_piece_and_ends_with_its_figures(log: Log, terse: Path) -> None:
    log.load(terse)
    log.ask("hello", max_tokens=12)
    end = log.end()
    pieces: list[ReplyPiece] = log.all("produced")
    assert len(pieces) == 12
    assert all(piece.reply_id == "reply" for piece in pieces)
    assert log.text() == "".join(chr(piece.token or 0) for piece in pieces)
    assert (end.finish_reason, end.error, end.tokens) == ("length", "", 12)
    assert (end.prompt_tokens, end.reused_tokens) == (24, 0)
    assert end.ttft_s is not None
    assert end.ttft_s > 0
    assert end.prefill_tps is not None
    assert end.prefill_tps > 0
    assert end.decode_tps is not None
    assert end.decode_tps > 0
    assert log.names("produced", "ended") == ["produced", "ended"]


def test_a_reply_takes_the_rest_of_the_context_and_no_more(log: Log, terse: Path) -> None:
    log.load(terse)
    log.ask("hello")
    end = log.end()
    assert end.finish_reason == "length"
    assert end.prompt_tokens + end.tokens == 96


def test_the_same_seed_gives_the_same_words(log: Log, terse: Path) -> None:
    log.load(terse)
    warm = SamplingSettings(temperature=1.0, seed=7)
    log.ask("hello", "first", chat_id="a", sampling=warm)
    log.ask("hello", "second", chat_id="b", sampling=warm)
    log.ask("hello", "third", chat_id="c", sampling=SamplingSettings(temperature=1.0))
    assert (log.end("first").seed, log.end("second").seed) == (7, 7)
    assert log.end("third").seed != 7
    assert log.text("first") == log.text("second") != log.text("third")


def test_requests_are_answered_in_order(log: Log, terse: Path) -> None:
    log.load(terse)
    for number in range(4):
        log.ask("hello", str(number), chat_id=str(number), max_tokens=5)
    log.worker.measure("0")
    log.end("3")
    order = [value.reply_id for name, value in log.events if name in {"produced", "ended"}]
    assert order == sorted(order)
    assert [end.reply_id for end in log.all("ended")] == ["0", "1", "2", "3"]


def test_a_question_asked_while_the_model_loads_is_answered(log: Log, talker: Path) -> None:
    log.worker.load(str(talker))
    log.ask("hello", max_tokens=3)
    assert log.end().finish_reason == "length"


def test_a_second_turn_reuses_the_first(log: Log, talker: Path) -> None:
    log.load(talker)
    log.ask("hello there", "one", max_tokens=4)
    first = log.end("one")
    log.ask("hello there", "two", max_tokens=4)
    second = log.end("two")
    assert second.reused_tokens == first.prompt_tokens - 1
    log.ask("hello there", "three", chat_id="another", max_tokens=4)
    assert log.end("three").reused_tokens == 0


def test_a_stop_ends_the_reply_and_keeps_its_figures(log: Log, talker: Path) -> None:
    log.load(talker)
    log.ask("hello")
    log.wait("produced", 20)
    log.worker.stop_reply("another")
    log.wait("produced", 40)
    log.worker.stop_reply("reply")
    end = log.end()
    assert end.finish_reason == "cancelled"
    assert end.tokens == len(log.all("produced")) >= 40
    log.worker.stop_reply("reply")
    log.ask("hello again", "next", max_tokens=2)
    assert log.end("next").finish_reason == "length"


def test_a_stop_is_answered_during_prefill(log: Log, talker: Path) -> None:
    log.load(talker)

    def stop(telemetry: Telemetry) -> None:
        if telemetry.phase == "prefill" and telemetry.prefill_done > 0:
            log.worker.stop_reply("reply")

    log.worker.measured.connect(stop)
    log.ask(LONG * 4)
    end = log.end()
    assert (end.finish_reason, end.tokens, log.text()) == ("cancelled", 0, "")
    assert 0 < log.latest().prefill_done < end.prompt_tokens
    log.worker.measured.disconnect(stop)
    log.ask(LONG * 4, "again", max_tokens=1)
    assert log.end("again").reused_tokens > 0


def test_a_stop_is_answered_while_the_reply_waits_for_another(log: Log, talker: Path) -> None:
    log.load(talker)
    log.ask("hello", "first", chat_id="a")
    log.ask("hello", "waiting", chat_id="b")
    log.wait("produced", 5)
    log.worker.stop_reply("waiting")
    assert log.end("waiting") == ReplyEnd("waiting", "cancelled")
    assert [end.reply_id for end in log.all("ended")] == ["waiting"]
    log.worker.stop_reply("first")
    assert log.end("first").finish_reason == "cancelled"
    assert log.text("waiting") == ""
    assert len(log.all("ended")) == 2


def test_a_stop_is_answered_while_the_model_loads(log: Log, starter_path: Path) -> None:
    log.worker.load(str(starter_path))
    log.ask("hello")
    log.wait("loading")
    log.worker.stop_reply("reply")
    assert log.all("ended") == [ReplyEnd("reply", "cancelled")]
    assert log.all("loaded") == []
    log.wait("loaded")
    log.close()
    assert len(log.all("ended")) == 1


def test_loading_another_model_ends_the_reply_first(log: Log, talker: Path, terse: Path) -> None:
    log.load(talker)
    log.ask("hello")
    log.ask("hello", "waiting", chat_id="b")
    log.wait("produced", 5)
    log.load(terse)
    names = log.names("produced", "ended", "loaded")
    assert names == ["loaded", "produced", "ended", "loaded"]
    assert [end.finish_reason for end in log.all("ended")] == ["cancelled", "cancelled"]
    log.ask("hello", "next")
    assert log.end("next").finish_reason == "length"


def test_a_load_is_stopped_by_the_next_one(log: Log, starter_path: Path, terse: Path) -> None:
    log.worker.load(str(starter_path))
    log.wait("loading")
    log.worker.load(str(terse))
    assert log.wait("loaded").name == "terse"
    assert log.names("loading", "loaded", "unloaded") == [
        "loading", "unloaded", "loading", "loaded",
    ]  # fmt: skip


def test_unloading_stops_the_reply_and_frees_the_memory(log: Log, talker: Path) -> None:
    before = log.load(talker)
    weights = log.wait("measured", 2)
    assert before.name == "talker"
    log.ask("hello")
    log.wait("produced", 5)
    log.worker.unload()
    log.wait("unloaded")
    assert log.end().finish_reason == "cancelled"
    log.ask("anyone there?", "alone")
    end = log.end("alone")
    assert (end.finish_reason, end.error) == ("failed", "No model is loaded; choose one first.")
    latest = log.latest()
    assert latest.phase == "none"
    assert latest.active_bytes < weights.active_bytes + weights.weights_bytes
    assert latest.cached_bytes == 0


def test_a_load_is_stopped_by_unloading(log: Log, starter_path: Path) -> None:
    log.worker.load(str(starter_path))
    log.wait("loading")
    log.worker.unload()
    log.wait("unloaded", 2)
    assert log.all("loaded") == []
    assert log.latest().phase == "none"


def test_every_phase_has_its_figures(log: Log, talker: Path) -> None:
    log.load(talker)
    log.ask(LONG, max_tokens=400)
    end = log.end()
    log.worker.measure("chat")
    log.worker.measure("unknown")
    log.worker.unload()
    log.wait("unloaded")
    log.close()  # the last figures follow
    assert log.phases() == ["loading", "idle", "prefill", "decode", "idle", "none"]
    by_phase: dict[str, Telemetry] = {}
    measured: list[Telemetry] = log.all("measured")
    for telemetry in measured:
        by_phase[telemetry.phase] = telemetry
        assert (telemetry.active_bytes > 0) or telemetry.phase in {"loading", "none"}
    loading, prefill, decode = (by_phase[name] for name in ("loading", "prefill", "decode"))
    assert loading.load_progress is not None
    assert prefill.prefill_done == prefill.prefill_total == end.prompt_tokens
    assert prefill.prefill_tps is not None
    assert prefill.ttft_s is None
    assert decode.decode_tps is not None
    assert decode.ttft_s == end.ttft_s
    assert end.prompt_tokens < decode.context_tokens <= end.prompt_tokens + 400
    assert decode.context_limit == 65536
    assert (decode.layers, decode.kv_heads, decode.head_dim) == (2, 2, 16)
    assert decode.bytes_per_value == 4
    assert decode.kv_used_bytes == decode.kv_formula_bytes
    assert decode.kv_allocated_bytes >= decode.kv_used_bytes > 0
    assert decode.weights_bytes > 0
    assert decode.peak_bytes >= decode.weights_bytes
    idle = [telemetry for telemetry in measured if telemetry.phase == "idle"]
    blank, held, unknown = idle[0], idle[-2], idle[-1]
    assert held.prompt_tokens == end.prompt_tokens
    assert held.decode_tps == end.decode_tps
    assert (blank.context_tokens, unknown.context_tokens) == (0, 0)
    assert unknown.context_limit == 65536


def test_figures_are_not_asked_of_a_model_that_is_not_there(log: Log) -> None:
    log.worker.measure("chat")
    log.close()
    assert log.all("measured") == []


def test_figures_come_at_most_some_ten_times_a_second(log: Log, talker: Path) -> None:
    log.load(talker)
    log.ask("hello", max_tokens=500)
    log.end()
    decoding = [entry for entry in log.all("measured") if entry.phase == "decode"]
    assert len(decoding) < len(log.all("produced")) / 10


def foreign(folder: Path) -> Path:
    path = folder / "notes.gguf"
    path.write_text("Dear diary", encoding="utf-8")
    return path


def truncated(folder: Path) -> Path:
    whole = write_gguf(folder / "whole.gguf", TinyLlama())
    path = folder / "cut.gguf"
    path.write_bytes(whole.read_bytes()[:-5000])
    return path


def unsupported(folder: Path) -> Path:
    return write_talker(folder / "other", architectures=["MambaForCausalLM"], model_type="mamba")


def impossible(folder: Path) -> Path:
    return write_talker(folder / "odd", num_attention_heads=-3)


def immense(folder: Path) -> Path:
    return write_talker(folder / "big", hidden_size=1 << 40)


def without_weights(folder: Path) -> Path:
    path = write_talker(folder / "hollow")
    (path / "model.safetensors").unlink()
    return path


def without_tokenizer(folder: Path) -> Path:
    path = write_talker(folder / "mute")
    (path / "tokenizer.json").unlink()
    return path


def scrambled(folder: Path) -> Path:
    path = write_talker(folder / "scrambled")
    (path / "tokenizer.json").write_text(json.dumps({"model": 3}), encoding="utf-8")
    return path


def missing(folder: Path) -> Path:
    return folder / "nothing" / "here.gguf"


BROKEN = [
    (missing, "here.gguf"),
    (foreign, "notes.gguf"),
    (truncated, "cut.gguf"),
    (unsupported, "mamba"),
    (impossible, "-3"),
    (immense, ""),
    (without_weights, ""),
    (without_tokenizer, ""),
    (scrambled, ""),
]


@pytest.mark.parametrize(("make", "named"), BROKEN)
def test_a_model_that_cannot_be_loaded_is_refused_in_a_sentence(
    log: Log, terse: Path, tmp_path: Path, make: Callable[[Path], Path], named: str
) -> None:
    source = str(make(tmp_path))
    log.worker.load(source)
    failed, sentence = log.wait("load_failed")
    assert failed == source
    assert named in sentence
    assert "unexpected" not in sentence
    assert "\n" not in sentence
    assert sentence.endswith(".")
    log.ask("hello", "refused")
    assert log.end("refused").error == "No model is loaded; choose one first."
    assert log.load(terse).name == "terse"
    log.ask("hello", "answered", max_tokens=2)
    assert log.end("answered").finish_reason == "length"


TEMPLATES = {
    "refuses": "{{ raise_exception('Roles must alternate') }}",
    "fails": "{{ messages[7].content }}",
    "endless": "{% for i in range(100000000) %}x{% endfor %}",
    "broken": "{% for %}",
}


@pytest.mark.parametrize("kind", TEMPLATES)
def test_a_template_that_fails_ends_the_turn_and_nothing_else(
    log: Log, terse: Path, tmp_path: Path, kind: str
) -> None:
    log.worker.load(str(write_talker(tmp_path / kind, template=TEMPLATES[kind])))
    log.ask("hello")
    end = log.end()
    assert (end.finish_reason, end.tokens) == ("failed", 0)
    assert end.error.endswith(".")
    assert "unexpected" not in end.error
    assert "\n" not in end.error
    log.load(terse)
    log.ask("hello", "answered", max_tokens=2)
    assert log.end("answered").finish_reason == "length"


def test_a_prompt_that_does_not_fit_is_refused_with_its_length(log: Log, terse: Path) -> None:
    log.load(terse)
    log.ask("word " * 50)
    end = log.end()
    assert end.finish_reason == "failed"
    assert "269 tokens" in end.error
    assert "96" in end.error
    assert log.latest().phase == "idle"
    log.ask("word", "short", max_tokens=2)
    assert log.end("short").finish_reason == "length"


def test_impossible_settings_are_refused(log: Log, terse: Path) -> None:
    log.load(terse)
    log.ask("hello", sampling=SamplingSettings(temperature=-1))
    assert "temperature" in log.end().error
    log.ask("hello", "none", max_tokens=0)
    assert "at least 1" in log.end("none").error


def test_what_nobody_expected_ends_the_turn_with_a_sentence(log: Log, terse: Path) -> None:
    log.load(terse)
    log.ask("hello", sampling=SamplingSettings(temperature=None))  # pyright: ignore[reportArgumentType] - wrong on purpose
    refused = log.end()
    assert refused.finish_reason == "failed"
    log.worker.reply(ReplyRequest("odd", "chat", [3]))  # pyright: ignore[reportArgumentType] - wrong on purpose
    odd = log.end("odd")
    assert odd.finish_reason == "failed"
    assert odd.error.endswith(".")
    assert "\n" not in odd.error
    log.ask("hello", "next", max_tokens=2)
    assert log.end("next").finish_reason == "length"


def test_an_engine_that_cannot_be_imported_is_told_of(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "engine", None)
    log = Log(qtbot, start=False)
    log.worker.load("starter")
    log.ask("hello")
    log.worker.measure("chat")
    log.worker.unload()
    log.ask("hello", "second")
    log.worker.start()
    assert "cannot start" in log.end("second").error
    assert log.wait("load_failed")[0] == "starter"
    log.close()
    assert log.names("load_failed", "ended", "unloaded", "closed") == [
        "load_failed", "ended", "unloaded", "ended", "closed",
    ]  # fmt: skip
    assert [end.finish_reason for end in log.all("ended")] == ["cancelled", "failed"]


def test_closing_before_the_start_ends_the_thread_at_its_start(qtbot: QtBot, terse: Path) -> None:
    log = Log(qtbot, start=False)
    log.worker.join()
    log.worker.load(str(terse))
    log.worker.close()
    log.worker.start()
    log.close()
    assert log.all("loaded") == []
    assert log.events[-1] == ("closed", None)


@pytest.mark.parametrize("state", ["idle", "loading", "prefill", "decode", "waiting", "empty"])
def test_closing_ends_the_thread_in_every_state(
    qtbot: QtBot, talker: Path, starter_path: Path, state: str
) -> None:
    log = Log(qtbot)
    if state == "loading":
        log.worker.load(str(starter_path))
        log.wait("loading")
    elif state != "empty":
        log.load(talker)
    if state == "prefill":
        log.ask(LONG)
        qtbot.waitUntil(lambda: log.latest().prefill_done > 0)
    elif state in {"decode", "waiting"}:
        log.ask("hello")
        log.wait("produced", 5)
    if state == "waiting":
        log.ask("hello", "waiting", chat_id="b")
    log.close()
    assert log.events[-1] == ("closed", None)
    assert all(end.finish_reason == "cancelled" for end in log.all("ended"))
    assert len(log.all("ended")) == {"prefill": 1, "decode": 1, "waiting": 2}.get(state, 0)
    assert "engine" not in {thread.name for thread in threading.enumerate()}
