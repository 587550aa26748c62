"""A model that works is not lost to one that does not: it is freed late, or comes back."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from app.requests import LoadedModel, ReplyRequest
from tests.app.driving import GREEDY
from tests.app.talkers import write_talker

if TYPE_CHECKING:
    from pathlib import Path

    from app.jobs.workbench import Workbench
    from tests.app.driving import Log

TOLD = ("loading", "loaded", "load_failed", "load_refused", "unloaded")


def alter(folder: Path, **config: object) -> None:
    """Change entries of a model's config.json."""
    path = folder / "config.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **config}), encoding="utf-8")


def write_short_of_weights(folder: Path) -> Path:
    """A model whose lack is noticed only while its weights are read."""
    alter(write_talker(folder), num_hidden_layers=9)
    return folder


def told(log: Log, since: int) -> list[tuple[str, str]]:
    """What was said of models since then: the signal and the source."""
    return [
        (name, value.source if isinstance(value, LoadedModel) else value[0])
        for name, value in log.events[since:]
        if name in TOLD and value is not None
    ]


def test_a_model_whose_files_are_wrong_takes_nobodys_place(
    log: Log, terse: Path, tmp_path: Path
) -> None:
    log.load(terse)
    log.ask("hello", max_tokens=2)
    log.end()
    since, broken = len(log.events), write_talker(tmp_path / "odd", num_attention_heads=-3)
    log.worker.load(str(broken))
    source, sentence = log.wait("load_refused")
    assert (source, "-3" in sentence) == (str(broken), True)
    assert told(log, since) == [
        ("loading", str(broken)), ("loaded", str(terse)), ("load_refused", str(broken)),
    ]  # fmt: skip
    log.ask("hello", "after", max_tokens=2)
    assert log.end("after").reused_tokens > 0  # its sessions are there as well


def test_a_model_that_fails_late_gives_its_place_back(
    log: Log, terse: Path, tmp_path: Path
) -> None:
    log.load(terse)
    since, broken = len(log.events), write_short_of_weights(tmp_path / "short")
    log.worker.load(str(broken))
    assert "no tensor" in log.wait("load_refused")[1]
    assert list(dict.fromkeys(told(log, since))) == [
        ("loading", str(broken)),
        ("loading", str(terse)),
        ("loaded", str(terse)),
        ("load_refused", str(broken)),
    ]
    log.ask("hello", max_tokens=2)
    assert log.end().finish_reason == "length"


@pytest.mark.slow
def test_where_neither_can_be_loaded_there_is_none(log: Log, tmp_path: Path) -> None:
    model = write_talker(tmp_path / "model")
    log.load(model)
    alter(model, num_hidden_layers=9)
    broken = write_short_of_weights(tmp_path / "short")
    log.worker.load(str(broken))
    assert log.wait("load_failed")[0] == str(broken)
    log.worker.load(str(model))
    assert log.wait("load_failed", 2)[0] == str(model)
    assert log.all("load_refused") == []
    assert log.latest().phase == "none"


def test_a_job_that_wants_a_broken_model_leaves_the_loaded_one(
    log: Log, terse: Path, tmp_path: Path
) -> None:
    log.load(terse)
    broken = write_talker(tmp_path / "odd", num_attention_heads=-3)

    def job(bench: Workbench) -> None:
        bench.borrow(str(broken))

    since = len(log.events)
    assert "-3" in log.job_end(log.worker.run(job)).error
    log.wait("loaded", 2)
    assert told(log, since) == [("loading", str(broken)), ("loaded", str(terse))]
    log.ask("hello", max_tokens=2)
    assert log.end().finish_reason == "length"


def test_a_reply_is_never_another_models(log: Log, terse: Path, talker: Path) -> None:
    log.load(terse)
    request = ReplyRequest("r", "chat", [{"role": "user", "content": "hello"}], GREEDY)
    log.worker.reply(replace(request, source=str(talker)))
    assert "choose another" in log.end("r").error
    log.worker.reply(replace(request, reply_id="s", source=str(terse)))
    assert log.end("s").finish_reason == "length"
