"""What is asked of the hub from the page: answers that come late, and in another order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from huggingface_hub import close_session
from PySide6.QtCore import QObject

from app.library.download_queue import Downloads
from app.library.hub import Hub
from app.library.hub_judge import judge
from app.library.hub_network import Network
from app.library.hub_token import Tokens
from app.model_library import ModelLibrary
from app.model_page import ModelPage
from app.model_page_find import ModelFind
from tests.app.library.hub_server import HubServer
from ui.models.values import DetailView, Query

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from ui.models.values import FitView, FoundView

OFFLINE = "Offline mode is on"


class Asker(QObject):
    """The part behind the section that finds, with a hub; its downloads are not begun."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        tokens, self.network = Tokens(), Network(offline=False)
        self.library = ModelLibrary(folder, self)
        self.hub = Hub(self.network, tokens, judge, self)
        self.downloads = Downloads(self.network, tokens, folder / "hub", folder / "r", parent=self)
        self.find = ModelFind(self.hub, self.downloads, ModelPage(self.library, self), self)
        self.details: list[DetailView] = []
        self.said: list[str] = []
        self.failures: list[str] = []
        self.find.detailed.connect(self.details.append)
        self.find.found.connect(self._on_found)
        self.find.failed.connect(self.failures.append)
        self.hub.found.connect(self.find.on_found)
        self.hub.card_read.connect(self.find.on_card)
        self.hub.planned.connect(self.find.on_planned)
        self.hub.failed.connect(self.find.on_failed)

    def _on_found(self, _rows: list[FoundView], _heading: str, sentence: str) -> None:
        self.said.append(sentence)

    @property
    def queued(self) -> set[str]:
        """What is to be fetched."""
        return {row.repo for row in self.downloads.rows()}


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, talker: Path) -> Iterator[HubServer]:
    with HubServer() as server:
        monkeypatch.setenv("HF_ENDPOINT", server.url)
        monkeypatch.delenv("HF_TOKEN", raising=False)
        for name in ("a/one", "a/two"):
            server.add(name, {path.name: path.read_bytes() for path in talker.iterdir()})
        yield server
        close_session()


@pytest.fixture
def asker(hub: HubServer, tmp_path: Path, qtbot: QtBot) -> Iterator[Asker]:
    assert hub.url
    assert qtbot
    asker = Asker(tmp_path)
    yield asker
    asker.downloads.close()
    asker.hub.cancel_all()
    asker.network.close()
    asker.library.close()


def test_every_download_that_was_asked_for_is_queued(asker: Asker, qtbot: QtBot) -> None:
    """Whatever was opened, or asked for, before the hub had answered."""
    for name in ("a/one", "a/two"):
        asker.find.on_chosen(name)
        asker.find.on_download(name, "")
        assert asker.details[-1].state == "fetching"
    asker.find.on_download("a/missing", "")
    qtbot.waitUntil(lambda: bool(asker.failures))
    qtbot.waitUntil(lambda: asker.queued == {"a/one", "a/two"})
    assert asker.failures[0].startswith("a/missing does not exist")
    assert asker.details[-1].sentence == ""


def test_going_offline_answers_what_was_being_asked(
    asker: Asker, hub: HubServer, qtbot: QtBot
) -> None:
    hub.fail("search", "stall")
    hub.fail("api", "stall")
    asker.find.on_search(Query(words="talker"))
    asker.find.on_chosen("a/one")
    qtbot.waitUntil(hub.waiting.is_set)
    asker.hub.set_offline(offline=True)
    assert asker.said[-1].startswith(OFFLINE)
    assert not asker.details[-1].loading
    assert asker.details[-1].sentence.startswith(OFFLINE)
    hub.let_go()


def test_the_card_of_a_model_tells_cache_and_prefill_where_its_config_does(
    asker: Asker, hub: HubServer, qtbot: QtBot
) -> None:
    def fit_of(repo: str) -> FitView:
        asker.find.on_chosen(repo)
        qtbot.waitUntil(lambda: not asker.details[-1].loading)
        found = asker.details[-1].fit
        assert found is not None
        return found

    whole = fit_of("a/one")
    assert [part.name for part in whole.parts] == ["weights", "KV cache", "prefill"]
    assert "with 8,192 tokens" in whole.sentence
    hub.add("a/file", {"a-Q4_0.gguf": b"GGUF"})
    weights = fit_of("a/file")
    assert (weights.verdict, [part.name for part in weights.parts]) == ("unknown", ["weights"])
    assert weights.sentence == "Its files are 4 B; what it takes is known once it is here."


def test_another_quantisation_can_be_fetched_beside_one_that_is(
    asker: Asker, hub: HubServer, qtbot: QtBot
) -> None:
    hub.add("a/quants", {f"a-{name}.gguf": name.encode() for name in ("Q4_0", "Q8_0")})
    asker.find.on_fetching(frozenset({"a/quants:Q4_0"}))
    states: dict[str, str] = {}
    asker.find.on_chosen("a/quants")
    for variant in ("Q4_0", "Q8_0"):
        asker.find.on_variant("a/quants", variant)
        qtbot.waitUntil(lambda: not asker.details[-1].loading)
        states[asker.details[-1].variant] = asker.details[-1].state
    assert states == {"Q4_0": "fetching", "Q8_0": "can"}
