"""`cutaway generate`: the contract of its text, its JSON and its errors."""

from __future__ import annotations

import json
import math
import os
import signal
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest

from engine import load
from tests.app.talkers import LETTERS, write_talker
from tests.engine.checkpoints import TinyLlama, write_gguf

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Cutaway = Callable[..., Any]

CONTRACT = {
    "text", "tokens", "prompt_tokens", "reused_tokens", "finish_reason", "ttft_s", "prefill_tps",
    "decode_tps", "kv_used_bytes", "kv_allocated_bytes", "kv_formula_bytes", "kv_slots",
    "kv_peak_slots",
}  # fmt: skip
BYTES_PER_TOKEN = 2 * 2 * 2 * 16 * 4


def test_text_is_printed_as_it_comes(cutaway: Cutaway, talker: Path) -> None:
    outcome = cutaway("generate", talker, "--prompt", "hello", "--max-tokens", 9, "--temp", 0)
    assert (outcome.status, outcome.err) == (0, "")
    assert len(outcome.out) == 10
    assert outcome.out.endswith("\n")
    assert set(outcome.out[:-1]) <= set(LETTERS)


def test_json_holds_the_whole_contract(cutaway: Cutaway, talker: Path) -> None:
    words = ("generate", talker, "--prompt", "hello", "--max-tokens", 9, "--temp", 0)
    report = cutaway(*words, "--json").json
    assert report.keys() >= CONTRACT
    assert "logprobs" not in report
    assert report["text"] == cutaway(*words).out.rstrip("\n")
    assert report["text"] == "".join(map(chr, report["tokens"]))
    assert len(report["tokens"]) == 9
    assert (report["prompt_tokens"], report["reused_tokens"]) == (24, 0)
    assert report["finish_reason"] == "length"
    assert all(report[name] > 0 for name in ("ttft_s", "prefill_tps", "decode_tps"))
    # The last token is chosen and handed out, but not fed back.
    assert report["kv_used_bytes"] == report["kv_formula_bytes"] == (24 + 8) * BYTES_PER_TOKEN
    assert report["kv_allocated_bytes"] == report["kv_slots"] * BYTES_PER_TOKEN
    assert report["kv_peak_slots"] == report["kv_slots"] >= 32


def test_greedy_tokens_are_the_reference_path_s(cutaway: Cutaway, talker: Path) -> None:
    report = cutaway(
        "generate", talker, "--raw", "hello", "--max-tokens", 6, "--temp", 0, "--json"
    ).json
    model = load(talker)
    ids = model.raw_tokens("hello")
    assert report["prompt_tokens"] == len(ids) == 5
    for token in report["tokens"]:
        assert model.logits(ids)[-1].argmax().item() == token
        ids.append(token)


def test_the_prompt_goes_through_the_template_and_raw_text_does_not(
    cutaway: Cutaway, talker: Path
) -> None:
    model = load(talker)
    words = ("--max-tokens", 1, "--json")
    report = cutaway("generate", talker, "--prompt", "hi", *words).json
    templated = model.prompt_tokens([{"role": "user", "content": "hi"}])
    assert report["prompt_tokens"] == len(templated) > 2
    assert cutaway("generate", talker, "--raw", "hi", *words).json["prompt_tokens"] == 2


def test_messages_come_from_a_file(cutaway: Cutaway, talker: Path, tmp_path: Path) -> None:
    messages = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "hi"},
        {"role": "assistant", "content": "hello"},
        {"role": "user", "content": "bye 👋"},
    ]
    path = tmp_path / "messages.json"
    path.write_text(json.dumps(messages, ensure_ascii=False), encoding="utf-8")
    report = cutaway("generate", talker, "--messages", path, "--max-tokens", 1, "--json").json
    assert report["prompt_tokens"] == len(load(talker).prompt_tokens(messages))


def test_stop_texts_end_the_reply_before_them(cutaway: Cutaway, talker: Path) -> None:
    words = ("generate", talker, "--prompt", "hello", "--max-tokens", 40, "--temp", 0)
    whole = cutaway(*words, "--json").json["text"]
    stop = whole[7:9]
    report = cutaway(*words, "--stop", "NEVER", "--stop", stop, "--json").json
    assert report["finish_reason"] == "stop"
    assert report["text"] == whole[: whole.index(stop)]
    assert cutaway(*words, "--stop", "").status == 2


def test_logprobs_are_the_model_s(cutaway: Cutaway, talker: Path) -> None:
    words = ("generate", talker, "--prompt", "hi", "--max-tokens", 4, "--seed", 1, "--json")
    report = cutaway(*words, "--logprobs", 5).json
    assert [entry["id"] for entry in report["logprobs"]] == report["tokens"]
    for entry in report["logprobs"]:
        assert entry.keys() == {"id", "text", "logprob", "top"}
        assert entry["text"] == chr(entry["id"])
        top = [alternative["logprob"] for alternative in entry["top"]]
        assert len(top) == 5
        assert top == sorted(top, reverse=True)
        assert entry["logprob"] <= top[0] + 1e-6
        assert sum(map(math.exp, top)) <= 1 + 1e-5
        for alternative in entry["top"]:
            assert alternative.keys() == {"id", "text", "logprob"}


def test_ctrl_c_leaves_what_is_written(cutaway: Cutaway, talker: Path) -> None:
    before = signal.getsignal(signal.SIGINT)

    def press() -> None:
        while signal.getsignal(signal.SIGINT) is before:
            time.sleep(0.001)
        os.kill(os.getpid(), signal.SIGINT)

    presser = threading.Thread(target=press, daemon=True)
    presser.start()
    outcome = cutaway("generate", talker, "--prompt", "hi", "--json")
    presser.join()
    assert (outcome.status, outcome.err) == (1, "Stopped.\n")
    assert outcome.json.keys() >= CONTRACT
    assert outcome.json["finish_reason"] == "cancelled"
    assert outcome.json["text"] == "".join(map(chr, outcome.json["tokens"]))
    assert signal.getsignal(signal.SIGINT) is before


def test_the_same_seed_gives_the_same_text(cutaway: Cutaway, talker: Path) -> None:
    words = ("generate", talker, "--prompt", "hi", "--max-tokens", 20, "--temp", 1.5)
    texts = [cutaway(*words, "--seed", seed).out for seed in (1, 1, 2)]
    assert texts[0] == texts[1] != texts[2]
    report = cutaway(*words, "--json").json
    again = cutaway(*words, "--seed", report["seed"], "--json").json
    assert again["tokens"] == report["tokens"]


def test_filters_leave_only_the_likeliest(cutaway: Cutaway, talker: Path) -> None:
    words = ("generate", talker, "--prompt", "hi", "--max-tokens", 8)
    greedy = cutaway(*words, "--temp", 0).out
    for name, value in (("--top-k", 1), ("--top-p", 0), ("--min-p", 1)):
        assert cutaway(*words, "--temp", 5, name, value).out == greedy


def test_a_window_bounds_the_cache(cutaway: Cutaway, tmp_path: Path) -> None:
    model = write_talker(tmp_path / "short", context=128)
    words = ("generate", model, "--prompt", "hello " * 40, "--json", "--max-tokens", 100)
    assert "context" in cutaway(*words).sentence
    report = cutaway(*words, "--window", 32).json
    assert report["finish_reason"] == "length"
    assert len(report["tokens"]) == 100
    assert report["kv_peak_slots"] < report["prompt_tokens"] + 100
    assert report["kv_used_bytes"] <= report["kv_allocated_bytes"]


@pytest.mark.parametrize("bits", [4, 8])
def test_a_quantised_cache_is_smaller(cutaway: Cutaway, tmp_path: Path, bits: int) -> None:
    model = write_talker(tmp_path / "wide", head_dim=64)
    words = ("generate", model, "--prompt", "hi", "--max-tokens", 4, "--json")
    plain, quantised = cutaway(*words).json, cutaway(*words, "--kv-bits", bits).json
    assert quantised["kv_used_bytes"] < plain["kv_used_bytes"] * (bits + 1) / 32
    assert quantised["kv_used_bytes"] == quantised["kv_formula_bytes"]


def test_a_cache_that_cannot_be_quantised_is_said(cutaway: Cutaway, talker: Path) -> None:
    outcome = cutaway("generate", talker, "--prompt", "hi", "--kv-bits", 4)
    assert outcome.status == 2
    assert "16" in outcome.sentence


def test_a_gguf_file_and_a_folder_of_the_same_weights_say_the_same(
    cutaway: Cutaway, tmp_path: Path
) -> None:
    write_gguf(tmp_path / "tiny.gguf", TinyLlama())
    outcome = cutaway(
        "generate", tmp_path / "tiny.gguf", "--raw", "hi", "--max-tokens", 3, "--json"
    )
    assert outcome.status == 0
    assert len(outcome.json["tokens"]) <= 3


WRONG: list[tuple[tuple[object, ...], str]] = [
    (("--prompt", "hi", "--max-tokens", 0), "at least 1"),
    (("--prompt", "hi", "--max-tokens", "many"), "many"),
    (("--prompt", "hi", "--temp", -1), "temperature"),
    (("--prompt", "hi", "--temp", "nan"), "temperature"),
    (("--prompt", "hi", "--top-p", 2), "top p"),
    (("--prompt", "hi", "--top-k", -1), "top k"),
    (("--prompt", "hi", "--min-p", -0.5), "min p"),
    (("--prompt", "hi", "--seed", -1), "seed"),
    (("--prompt", "hi", "--window", 0), "window"),
    (("--prompt", "hi", "--kv-bits", 3), "--kv-bits"),
    (("--prompt", "hi", "--logprobs", 101), "0 to 100"),
    (("--prompt", "hi", "--logprobs", -1), "0 to 100"),
    (("--prompt", ""), "empty"),
    (("--prompt", " \n "), "empty"),
    (("--raw", ""), "empty"),
    (("--prompt", "word " * 100), "96"),
    (("--prompt", "hi", "--raw", "hi"), "--raw"),
    ((), "--prompt"),
    (("--messages", "/nowhere.json"), "/nowhere.json"),
    (("--messages", "/"), "/"),
    (("--prompt", "hi", "--colour", "red"), "--colour"),
]


@pytest.mark.parametrize(("words", "named"), WRONG)
def test_what_the_user_gave_wrong_is_said(
    cutaway: Cutaway, terse: Path, words: tuple[object, ...], named: str
) -> None:
    outcome = cutaway("generate", terse, *words)
    assert outcome.status == 2
    assert named in outcome.sentence


@pytest.mark.parametrize(
    "content",
    [
        b"not json", b"{}", b"[]", b"[3]", b'[{"role": "user"}]', b"\xff\xfe", b"[" * 200_000,
        b'[{"role": 1, "content": "hi"}]', b'[{"role": "user", "content": ["hi"]}]',
    ],
    ids=range(9),
)  # fmt: skip
def test_a_file_that_holds_no_messages_is_refused(
    cutaway: Cutaway, terse: Path, tmp_path: Path, content: bytes
) -> None:
    path = tmp_path / "messages.json"
    path.write_bytes(content)
    outcome = cutaway("generate", terse, "--messages", path)
    assert outcome.status == 2
    assert str(path) in outcome.sentence


def test_a_model_that_is_not_there_or_not_whole_is_named(cutaway: Cutaway, tmp_path: Path) -> None:
    for source in ("nothing/here", "no-such-model", tmp_path, tmp_path / "x.gguf", "~nobody/m"):
        outcome = cutaway("generate", source, "--prompt", "hi")
        assert outcome.status == 2
        assert str(source) in outcome.sentence
    mamba = write_talker(tmp_path / "mamba", model_type="mamba", architectures=["Mamba"])
    outcome = cutaway("generate", mamba, "--prompt", "hi")
    assert outcome.status == 2
    assert "mamba" in outcome.sentence


def test_a_template_that_fails_is_said(cutaway: Cutaway, tmp_path: Path) -> None:
    model = write_talker(tmp_path / "odd", template="{{ raise_exception('No system here') }}")
    outcome = cutaway("generate", model, "--prompt", "hi")
    assert outcome.status == 2
    assert "No system here" in outcome.sentence
    assert cutaway("generate", model, "--raw", "hi", "--max-tokens", 2).status == 0


def test_banned_texts_biases_and_penalties_change_what_is_written(
    cutaway: Cutaway, talker: Path
) -> None:
    words = ("generate", talker, "--prompt", "hello", "--max-tokens", 12, "--temp", 0, "--json")
    plain = cutaway(*words).json
    first = plain["text"][0]
    assert first not in cutaway(*words, "--ban", first).json["text"]
    assert cutaway(*words, "--bias", f"{plain['tokens'][0]}=-inf").json["text"][0] != first
    assert cutaway(*words, "--repetition-penalty", 50).json["text"] != plain["text"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--bias", "much"), "must look like ID=X"),
        (("--xtc-probability", 7), "XTC probability must be a number from 0.0 to 1.0"),
        (("--dry-multiplier", -1), "must be a number from"),
    ],
)
def test_sampling_values_out_of_bounds_are_refused(
    cutaway: Cutaway, talker: Path, words: tuple[str, object], sentence: str
) -> None:
    outcome = cutaway("generate", talker, "--prompt", "hello", *words)
    assert outcome.status == 2
    assert sentence in outcome.err
    assert outcome.err.count("\n") == 1
