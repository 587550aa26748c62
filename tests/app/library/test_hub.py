"""The hub as the window asks it: searches, cards, plans, tokens, and every refusal."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import pytest
from huggingface_hub import get_session
from huggingface_hub.errors import OfflineModeIsEnabled

from app.library.download import fetch
from app.library.hub import Hub
from app.library.hub_card import Card, card_of
from app.library.hub_errors import HubError
from app.library.hub_judge import judge
from app.library.hub_network import Network
from app.library.hub_repo import read_repository
from app.library.hub_search import HubModel, Query, search
from app.library.hub_token import Tokens
from tests.app.library.conftest import REPO

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from tests.app.library.hub_server import HubServer

TOKEN = "hf_secretsecretsecret"


def _read(network: Network, repo: str, token: str | None = None) -> Card:
    return card_of(read_repository(network, repo, token), judge)


def _refused(network: Network, repo: str, token: str | None = None) -> tuple[str, str]:
    """The sentence and the kind of the error that reading a repository gives."""
    with pytest.raises(HubError) as caught:
        read_repository(network, repo, token).plan()
    assert caught.value.__cause__ is None
    return str(caught.value), caught.value.kind


def test_a_search_filters_sorts_and_pages(hub: HubServer, network: Network) -> None:
    llama = ("mlx", "text-generation", "llama", "license:llama3.2")
    hub.add("a/llama-1", {}, tags=llama, downloads=5, modified="2025-01-01T00:00:00.000Z")
    hub.add("a/llama-2", {}, tags=llama, downloads=9, modified="2024-01-01T00:00:00.000Z")
    hub.add("a/qwen", {}, downloads=7, gated=True)
    hub.add("a/gguf", {}, tags=("gguf", "text-generation"))
    hub.add("a/picture", {}, tags=("mlx", "text-to-image"))
    counts = {"parameters": {"U32": 100, "BF16": 10}, "total": 110}
    hub.add("a/sized", {}, downloads=1, more={"safetensors": counts})
    found = search(network, Query())
    assert [row.repo for row in found] == ["a/llama-2", "a/qwen", "a/llama-1", "a/sized"]
    assert (found[0].licence, found[0].date, found[0].downloads) == ("llama3.2", "2024-01-01", 9)
    assert [row.gated for row in found] == [False, True, False, False]
    assert found[3].size_bytes == 420
    assert found[0].size_bytes is None
    by_date = search(network, Query(family="llama", sort="date"))
    assert [row.repo for row in by_date] == ["a/llama-1", "a/llama-2"]
    assert [row.repo for row in search(network, Query(words=" QWEN "))] == ["a/qwen"]
    assert [row.repo for row in search(network, Query(format="gguf"))] == ["a/gguf"]
    assert len(search(network, Query(format="any", limit=3))) == 3


def test_a_card_is_read_without_any_weights(talking: HubServer, network: Network) -> None:
    card = _read(network, REPO)
    assert (card.repo, card.renamed, card.family, card.runs) == (REPO, "", "llama", True)
    assert card.parameters == 110_912
    assert card.context == 65_536
    assert card.kv_bytes_per_token == 2 * 2 * 2 * 16 * 2
    assert (card.licence, card.gated, card.date) == ("apache-2.0", False, "2025-03-04")
    assert card.size_bytes == sum(file.size_bytes for file in card.files)
    assert "model.safetensors" in {file.name for file in card.files}
    assert not talking.asked_for("model.safetensors")


def test_cards_say_what_the_engine_cannot_run(hub: HubServer, network: Network) -> None:
    weights = {"model.safetensors": b"w"}
    configs: dict[str, dict[str, Any]] = {
        "a/strange": {"model_type": "strange"},
        "a/zoo": {"model_type": "gemma2", "max_position_embeddings": 4096},
        "a/four": {"model_type": "gemma2", "quantization": {"bits": 4, "group_size": 64}},
        "a/code": {"model_type": "gemma2", "model_file": "evil.py"},
    }
    for repo, config in configs.items():
        hub.add(repo, {**weights, "config.json": json.dumps(config).encode()})
    strange = _read(network, "a/strange")
    assert (strange.runs, strange.family) == (False, "strange")
    assert "'strange' is not supported" in strange.reason
    zoo = _read(network, "a/zoo")
    assert (zoo.runs, zoo.reason, zoo.context, zoo.parameters) == (True, "", 4096, None)
    assert _read(network, "a/four").quantisation == "4-bit"
    assert "never run" in _read(network, "a/code").reason
    hub.add("a/pickle", {"config.json": b'{"model_type": "llama"}', "pytorch_model.bin": b"p"})
    assert "only pickled weights" in _read(network, "a/pickle").reason
    assert not _read(network, "a/pickle").runs


def test_a_card_of_gguf_files_offers_its_quantisations(hub: HubServer, network: Network) -> None:
    facts = {"total": 7_000_000_000, "architecture": "llama", "context_length": 8192}
    files = {"m-Q4_0.gguf": b"0123", "m-Q8_0.gguf": b"01234567"}
    hub.add("a/files", files, more={"gguf": facts})
    card = card_of(read_repository(network, "a/files"), judge, "Q8_0")
    assert [(row.name, row.size_bytes) for row in card.variants] == [("Q4_0", 4), ("Q8_0", 8)]
    assert (card.quantisation, card.size_bytes, card.runs) == ("Q8_0", 8, True)
    assert (card.family, card.parameters, card.context) == ("llama", 7_000_000_000, 8192)
    hub.add("a/files", files, more={"gguf": {**facts, "architecture": "mamba"}})
    assert "'mamba' is not supported" in _read(network, "a/files").reason


def test_a_renamed_repository_is_followed(talking: HubServer, network: Network) -> None:
    talking.renamed["old/name"] = REPO
    card = _read(network, "old/name")
    assert (card.repo, card.renamed) == (REPO, "old/name")


def test_repositories_that_cannot_be_had(hub: HubServer, network: Network) -> None:
    hub.tokens.add(TOKEN)
    hub.add("a/secret", {}, private=True)
    denied = "does not exist or is private; check the name, or enter a token that may read it."
    assert _refused(network, "a/missing") == (f"a/missing {denied}", "denied")
    assert _refused(network, "a/secret") == (f"a/secret {denied}", "denied")
    missing = ("There is no a/missing on the hub; check the name.", "missing")
    assert _refused(network, "a/missing", TOKEN) == missing
    assert _refused(network, "not a name!")[1] == "missing"
    assert _refused(network, "a/missing", "hf_of_nobody") == (
        "The hub does not accept the token; enter it again, or a new one.",
        "token",
    )


def test_gated_repositories_ask_for_a_token(talking: HubServer, network: Network) -> None:
    talking.tokens.add(TOKEN)
    repo = talking.repos[REPO]
    repo.gated = True
    sentence, kind = _refused(network, REPO)
    assert sentence.startswith(f"{REPO} asks for consent first: accept its terms on its page")
    assert kind == "denied"
    assert _refused(network, REPO, TOKEN)[1] == "denied"
    card = _read(network, REPO)
    assert (card.runs, card.gated, card.reason) == (False, True, sentence)
    assert card.size_bytes > 0
    repo.members = frozenset({TOKEN})
    assert _read(network, REPO, TOKEN).runs
    talking.requests.clear()


@pytest.mark.parametrize(
    ("kind", "options", "sentence"),
    [
        ("status", {"status": 429}, "The hub says that too much was asked of it; try again in a"),
        ("status", {"status": 503}, "The hub has a problem of its own (error 503); try again"),
        ("status", {"status": 418}, "The hub refused the request (error 418)."),
        ("loop", {}, "The hub sends in circles, from one address to the next; try later."),
        ("page", {}, "The answer is not one that a hub gives; check HF_ENDPOINT, or sign in"),
        ("cut", {}, "The connection was cut."),
        ("stall", {}, "The hub does not answer."),
    ],
)
def test_a_hub_that_fails_is_said_in_a_sentence(
    kind: Any, options: dict[str, int], sentence: str, talking: HubServer, hasty: Network
) -> None:
    talking.fail("api", kind, times=-1, **options)
    talking.fail("search", kind, times=-1, **options)
    assert _refused(hasty, REPO)[0].startswith(sentence)
    with pytest.raises(HubError) as caught:
        search(hasty, Query())
    assert str(caught.value).startswith(sentence)
    talking.faults.clear()
    assert search(hasty, Query())


def test_no_hub_at_all(hub: HubServer, network: Network, monkeypatch: pytest.MonkeyPatch) -> None:
    assert hub.url
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    sentence = "The hub cannot be reached; check the connection to the internet."
    assert _refused(network, REPO) == (sentence, "unreachable")
    for address in ("no address", "http://", "http://[::1", "http://127.0.0.1:99999", "ftp://x"):
        monkeypatch.setenv("HF_ENDPOINT", address)
        assert "check HF_ENDPOINT" in _refused(network, REPO)[0]


def test_refusals_that_name_a_time_or_come_for_a_search(
    talking: HubServer, network: Network
) -> None:
    spent = {"RateLimit": '"api";r=0;t=55', "RateLimit-Policy": '"fixed window";"api";q=500;w=300'}
    talking.fail("api", "status", status=429, headers=spent)
    with pytest.raises(HubError) as caught:
        read_repository(network, REPO)
    assert (caught.value.kind, caught.value.wait_s, caught.value.retry) == ("busy", 55, True)
    talking.fail("search", "status", status=403)
    with pytest.raises(HubError, match=r"^The hub refused the search; check the token\.$"):
        search(network, Query())
    with pytest.raises(HubError, match="that was asked for is gone"):
        read_repository(network, REPO, revision="0" * 40)


@pytest.mark.parametrize(
    ("card", "licence"),
    [
        ({"license": "mit"}, "mit"),
        ({"license": ["mit", "apache-2.0"]}, "mit, apache-2.0"),
        ({"license": "other", "license_name": "gemma"}, "gemma"),
        ({}, "apache-2.0"),
    ],
)
def test_licences(card: dict[str, Any], licence: str, hub: HubServer, network: Network) -> None:
    hub.add("a/b", {"config.json": b"{}"}, more={"cardData": card})
    assert read_repository(network, "a/b").licence == licence


def test_offline_mode_holds_for_everybody_who_uses_the_library(
    talking: HubServer, network: Network
) -> None:
    assert search(network, Query())
    talking.requests.clear()
    network.set_offline(offline=True)
    with pytest.raises(OfflineModeIsEnabled):
        get_session().get(talking.url)
    assert not talking.requests


@pytest.mark.parametrize(
    "content", [b"{", b"[]", b"\xff", b'{"weight_map": {"a": "../b"}}', b'{"weight_map": {}}']
)
def test_damaged_descriptions(content: bytes, hub: HubServer, network: Network) -> None:
    hub.add(
        "a/b",
        {"model.safetensors.index.json": content, "config.json": b"{}", "model.safetensors": b"w"},
    )
    sentence = "model.safetensors.index.json of a/b is damaged on the hub."
    assert _refused(network, "a/b") == (sentence, "unusable")


def test_a_mirror_names_no_place_outside_the_cache(talking: HubServer, network: Network) -> None:
    for facts in ({"sha": "../../../etc"}, {"id": "../../etc"}, {"id": "a\0/b"}):
        talking.repos[REPO] = replace(talking.repos[REPO], more=facts)
        with pytest.raises(HubError):
            read_repository(network, REPO)


def test_a_mirror_that_keeps_the_hashes_to_itself(talking: HubServer, network: Network) -> None:
    talking.repos[REPO].hashes["config.json"] = ""
    assert "does not say the sizes and hashes" in _refused(network, REPO)[0]


def test_the_token_is_for_the_hub_alone(
    talking: HubServer, network: Network, tmp_path: Path
) -> None:
    talking.tokens.add(TOKEN)
    fetch(read_repository(network, REPO, TOKEN).plan(), tmp_path, network, token=TOKEN)
    by_server: dict[str, set[str | None]] = {"hub": set(), "cdn": set()}
    for request in talking.requests:
        by_server[request.server].add(request.headers.get("Authorization"))
    assert by_server == {"hub": {f"Bearer {TOKEN}"}, "cdn": {None}}


@pytest.fixture
def asked(network: Network) -> Iterator[Hub]:
    """The hub as a QObject."""
    hub = Hub(network, Tokens(), judge)
    yield hub
    hub.cancel_all()


def test_a_config_alone_is_read_or_refused_to_who_asked(
    asked: Hub, talking: HubServer, qtbot: QtBot
) -> None:
    talking.add("a/empty", {"README.md": b"words"})
    configs: list[Mapping[str, Any]] = []
    refused: list[str] = []
    with qtbot.assertNotEmitted(asked.failed):
        for repo in (REPO, "a/empty", "a/nowhere"):
            asked.read_config(repo, configs.append, refused.append)
        qtbot.waitUntil(lambda: len(configs) + len(refused) == 3)
    assert [config["model_type"] for config in configs] == ["llama"]
    assert "a/empty has no config.json." in refused
    assert not talking.asked_for("model.safetensors")


def test_questions_are_answered_by_their_numbers(
    asked: Hub, talking: HubServer, qtbot: QtBot
) -> None:
    with qtbot.waitSignal(asked.found) as found:
        number = asked.search(Query(words="talker"))
    assert found.args is not None
    assert found.args[0] == number
    rows = cast("tuple[HubModel, ...]", found.args[1])
    assert [row.repo for row in rows] == [REPO]
    with qtbot.waitSignal(asked.card_read) as card:
        number = asked.read_card(REPO)
    assert card.args is not None
    assert (card.args[0], card.args[1].repo) == (number, REPO)
    with qtbot.waitSignal(asked.planned) as planned:
        asked.plan(REPO)
    assert planned.args is not None
    assert planned.args[1].commit == talking.repos[REPO].commit
    with qtbot.waitSignal(asked.failed) as failed:
        number = asked.plan("a/missing")
    assert failed.args is not None
    assert failed.args[0] == number
    assert failed.args[1].startswith("a/missing does not exist")
    assert failed.args[2] == "denied"


def test_a_newer_search_takes_the_place_of_an_older(
    asked: Hub, talking: HubServer, qtbot: QtBot
) -> None:
    answers: list[int] = []

    def on_found(number: int, _: object) -> None:
        answers.append(number)

    asked.found.connect(on_found)
    talking.fail("search", "stall")
    asked.search(Query())
    qtbot.waitUntil(talking.waiting.is_set)
    with qtbot.waitSignal(asked.found):
        second = asked.search(Query())
    talking.let_go()
    cancelled = asked.read_card(REPO)
    asked.cancel(cancelled)
    with qtbot.waitSignal(asked.card_read) as card:
        last = asked.read_card(REPO)
    assert card.args is not None
    assert card.args[0] == last
    assert answers == [second]


def test_offline_nothing_touches_the_network(asked: Hub, talking: HubServer, qtbot: QtBot) -> None:
    with qtbot.waitSignal(asked.offline_changed):
        asked.set_offline(offline=True)
    assert asked.offline
    for ask in (lambda: asked.search(Query()), lambda: asked.read_card(REPO)):
        with qtbot.waitSignal(asked.failed) as failed:
            ask()
        assert failed.args is not None
        assert failed.args[1:] == [
            "Offline mode is on, so nothing is asked of the network; turn it off first.",
            "offline",
        ]
    assert not talking.requests


def test_the_environment_can_forbid_the_network(talking: HubServer) -> None:
    """HF_HUB_OFFLINE is set for all tests."""
    silent = Network()
    assert silent.offline
    with pytest.raises(HubError, match="Offline mode is on"):
        read_repository(silent, REPO)
    assert not talking.requests
