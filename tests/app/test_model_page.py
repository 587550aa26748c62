"""The page of models in the whole application, with a hub on this machine: a person's way."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from huggingface_hub import close_session, constants
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from tests.app.driving import Driver, driving
from tests.app.library.hub_server import HubServer
from ui.controls import Pressable
from ui.entries import ChoiceEntry, NumberEntry
from ui.models.drawers import ConvertDrawer, RemovalDrawer, SettingsDrawer
from ui.models.page import ModelsPage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from PySide6.QtWidgets import QAbstractButton, QApplication
    from pytestqt.qtbot import QtBot

    from app.requests import LoadedModel
    from ui.models.card import ModelCard

REPO = "tiny/talker"
CARD = b"---\nlicense: apache-2.0\n---\n# A talker\n"


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[HubServer]:
    """A hub, and a cache of its own."""
    with HubServer() as server:
        monkeypatch.setenv("HF_ENDPOINT", server.url)
        monkeypatch.delenv("HF_TOKEN", raising=False)
        monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
        monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
        yield server
        close_session()


@dataclass
class Visitor:
    """Somebody on the page."""

    app: Driver
    page: ModelsPage
    qtbot: QtBot

    def press(self, button: QAbstractButton) -> None:
        """Press a button that can be seen."""
        self.app.until(button.isVisible)
        assert button.isEnabled(), button.text()
        self.qtbot.mouseClick(button, Qt.MouseButton.LeftButton)

    def card(self, name: str) -> ModelCard:
        """The card of a model, once it is there."""
        self.app.until(lambda: name in self.names)
        return next(card for card in self.page.here.cards if card.view.name == name)

    @property
    def names(self) -> list[str]:
        """The models on the page."""
        return [card.view.name for card in self.page.here.cards]

    def find(self, words: str) -> None:
        """Search, and open the first that is found."""
        finder = self.page.finder
        self.page.show_section("find")
        finder.field.setText(words)
        self.qtbot.keyClick(finder.field, Qt.Key.Key_Return)
        self.app.until(lambda: finder.heading.text() == "On the hub" and bool(finder.found))
        self.app.until(finder.found[0].isVisible)
        self.qtbot.keyClick(finder.field, Qt.Key.Key_Down)
        self.qtbot.keyClick(finder.found[0], Qt.Key.Key_Return)
        self.app.until(lambda: not finder.detail.view.loading)

    @property
    def downloads(self) -> list[str]:
        """What becomes of the downloads."""
        return [row.view.state for row in self.page.downloads.shown]


def visit(app: Driver, qtbot: QtBot) -> Visitor:
    app.until_ready()
    app.window.go("models")
    page = app.window.places.page("models")
    assert isinstance(page, ModelsPage)
    app.until(lambda: bool(page.here.cards))
    return Visitor(app, page, qtbot)


@pytest.fixture
def visitor(
    hub: HubServer, qtbot: QtBot, qapp: QApplication, tmp_path: Path, terse: Path
) -> Iterator[Visitor]:
    assert hub.url
    with driving(qtbot, qapp, tmp_path / "data") as start:
        yield visit(start(terse), qtbot)


def files_of(folder: Path) -> dict[str, bytes]:
    return {"README.md": CARD} | {path.name: path.read_bytes() for path in folder.iterdir()}


def test_found_fetched_loaded_talked_to_and_deleted(
    visitor: Visitor, hub: HubServer, talker: Path, own_folders: Path
) -> None:
    (own_folders / "data").mkdir()  # where the trash is made
    hub.add(REPO, files_of(talker))
    app, page = visitor.app, visitor.page
    visitor.find("talker")
    detail = page.finder.detail
    assert dict(detail.view.figures)["Family"] == "llama"
    assert detail.view.fit is not None
    assert not hub.asked_for("model.safetensors")
    hub.fail("model.safetensors", "slow", at=2000)
    visitor.press(detail.download)
    app.until(hub.waiting.is_set)
    app.until(lambda: detail.view.state == "fetching")
    page.show_section("downloads")
    app.until(lambda: visitor.downloads == ["running"])
    row = page.downloads.shown[0]
    visitor.press(row.act)
    app.until(lambda: visitor.downloads == ["paused"])
    hub.let_go()
    visitor.press(row.act)
    app.until(lambda: visitor.downloads == ["done"])
    assert page.busy.isHidden()
    app.until(lambda: "talker" in [n.lower() for n in visitor.names])
    visitor.press(row.act)  # Load
    assert page.section == "here"
    card = next(card for card in page.here.cards if card.view.source == REPO)
    app.until(lambda: card.view.state == "loaded")
    assert not card.delete.isVisible()  # of the loaded one
    app.until(lambda: card.view.used == "used within a day")
    app.window.go("chat")
    app.ask("hello")
    app.until(lambda: len(app.reply) > 5)
    app.press(Qt.Key.Key_Escape)
    app.window.go("models")
    visitor.press(card.load)  # Unload
    app.until(lambda: card.view.state == "")
    visitor.press(card.delete)
    app.until(lambda: card.drawer is not None)
    drawer = card.drawer
    assert isinstance(drawer, RemovalDrawer)
    assert "other programs" in " ".join(label.text() for label in drawer.findChildren(QLabel))
    visitor.press(drawer.start)
    app.until(lambda: REPO not in [card.view.source for card in page.here.cards])
    assert "frees" in page.notice.sentence
    assert visitor.downloads == []


@pytest.mark.slow
def test_a_download_is_cancelled_and_nothing_stays(
    visitor: Visitor, hub: HubServer, talker: Path, tmp_path: Path
) -> None:
    hub.add(REPO, files_of(talker))
    visitor.find("talker")
    hub.fail("model.safetensors", "slow", at=2000)
    visitor.press(visitor.page.finder.detail.download)
    visitor.app.until(hub.waiting.is_set)
    visitor.press(visitor.page.busy)
    assert visitor.page.section == "downloads"
    visitor.app.until(lambda: len(visitor.page.downloads.shown) == 1)
    visitor.press(visitor.page.downloads.shown[0].cancel)
    visitor.app.until(lambda: visitor.downloads == [])
    visitor.app.until(lambda: not list((tmp_path / "hub").rglob("*.safetensors")))
    assert visitor.page.downloads.find_button.isVisible()


def test_a_token_is_asked_for_where_one_is_needed(
    visitor: Visitor, hub: HubServer, talker: Path, qtbot: QtBot
) -> None:
    hub.add(REPO, files_of(talker), gated=True, members=frozenset({"hf_goodtoken"}))
    hub.tokens.add("hf_goodtoken")
    visitor.find("talker")
    finder = visitor.page.finder
    assert finder.detail.token.isVisible(), finder.detail.view
    finder.detail.token.line.setText("hf_goodtoken")
    visitor.press(finder.detail.token.keep)
    visitor.app.until(lambda: finder.detail.view.state == "can")
    assert "token" in finder.detail.token.sentence.text()
    assert not finder.detail.token.line.text()
    visitor.press(finder.token_button)
    visitor.press(finder.token.forget)
    visitor.app.until(lambda: finder.detail.view.wants_token)
    assert finder.token.sentence.text() == "Cutaway keeps no token."
    qtbot.keyClick(finder.token.line, Qt.Key.Key_Escape)
    assert finder.token.isHidden()


@pytest.mark.slow
def test_a_token_that_is_not_accepted_is_entered_anew(
    visitor: Visitor, hub: HubServer, talker: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub.add(REPO, files_of(talker))
    hub.tokens.add("hf_goodtoken")
    monkeypatch.setenv("HF_TOKEN", "hf_revoked")
    finder = visitor.page.finder
    visitor.page.show_section("find")
    finder.field.setText("talker")
    visitor.press(finder.go)
    visitor.app.until(finder.token.isVisible)
    assert "does not accept the token" in finder.sentence.text()
    finder.token.line.setText("hf_goodtoken")
    visitor.press(finder.token.keep)
    visitor.app.until(lambda: bool(finder.found))


def test_what_is_wrong_is_said_where_it_was_asked(visitor: Visitor, hub: HubServer) -> None:
    hub.add("tiny/pickles", {"config.json": b"{}", "pytorch_model.bin": b"pickled"})
    visitor.find("pickles")
    detail = visitor.page.finder.detail
    assert detail.view.sentence
    assert detail.download.isHidden()
    hub.fail("search", "status", status=503, times=-1)
    visitor.page.finder.field.setText("more")
    visitor.press(visitor.page.finder.go)
    visitor.app.until(lambda: visitor.page.finder.sentence.text() not in {"", "Searching…"})
    assert not visitor.page.finder.found


@pytest.mark.slow
def test_a_quantisation_is_chosen(visitor: Visitor, hub: HubServer) -> None:
    files = {f"a-{name}.gguf": b"GGUF" + bytes(size) for name, size in (("Q4_0", 9), ("Q8_0", 19))}
    hub.add("tiny/quants", files, tags=("gguf", "text-generation"))
    finder = visitor.page.finder
    visitor.page.show_section("find")
    visitor.press(finder.filters.form.findChildren(Pressable)[2])  # both formats
    visitor.find("quants")
    view = finder.detail.view
    assert [variant.name for variant in view.variants] == ["Q4_0", "Q8_0"]
    row = finder.detail.variant
    assert row is not None
    other = next(each.name for each in view.variants if each.name != view.variant)
    row.changed.emit("variant", other)
    visitor.app.until(lambda: not finder.detail.view.loading)
    assert finder.detail.view.variant == other
    visitor.press(finder.detail.download)
    visitor.app.until(lambda: visitor.downloads == ["done"])
    assert visitor.page.downloads.shown[0].view.title == f"tiny/quants {other}"


def test_models_are_kept_where_it_is_preferred(
    visitor: Visitor, talker: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "elsewhere"
    shutil.copytree(talker, folder / "moved")
    visitor.app.app.preferences.set("models_folder", str(folder))
    assert "Cutaway's folder" in visitor.card("moved").view.place


def test_offline_nothing_is_asked_and_the_page_says_so(
    visitor: Visitor, hub: HubServer, talker: Path
) -> None:
    hub.add(REPO, files_of(talker))
    page, app = visitor.page, visitor.app.app
    app.preferences.set("offline", True)
    visitor.app.until(page.offline.isVisible)
    before = len(hub.requests)
    page.show_section("find")
    page.finder.field.setText("talker")
    visitor.press(page.finder.go)
    visitor.app.until(lambda: "ffline" in page.finder.sentence.text())
    assert len(hub.requests) == before
    page.finder.field.clear()
    page.finder.search()
    assert len(page.finder.found) >= 1  # the models to start with need no network
    app.preferences.set("offline", False)
    visitor.app.until(page.offline.isHidden)
    visitor.find("talker")


def test_models_to_start_with_and_filters(visitor: Visitor, hub: HubServer) -> None:
    finder = visitor.page.finder
    visitor.page.show_section("find")
    assert finder.heading.text() == "To start with"
    assert finder.found[0].view.mark == "fits"
    assert not hub.requests
    family = finder.filters.family.entry
    assert isinstance(family, ChoiceEntry)
    family.choices.setCurrentIndex(1)
    family.edited.emit()
    assert {"Llama" in row.view.title or "Smol" in row.view.title for row in finder.found} == {True}
    visitor.press(finder.filters.form.findChildren(Pressable)[1])  # GGUF
    assert finder.found == ()


@pytest.mark.slow
def test_what_was_added_is_taken_off_the_list(visitor: Visitor, talker: Path) -> None:
    visitor.app.app.model_parts.files.on_added(str(talker))
    card = visitor.card("talker")
    visitor.press(card.delete)
    visitor.app.until(lambda: card.drawer is not None)
    drawer = card.drawer
    assert isinstance(drawer, RemovalDrawer)
    visitor.press(drawer.forget)
    visitor.app.until(lambda: "talker" not in visitor.names)
    assert visitor.page.notice.sentence == f"{talker} is off the list; nothing was deleted."
    assert (talker / "config.json").is_file()


@pytest.mark.slow
def test_what_is_gone_is_only_taken_off_the_list(
    visitor: Visitor, talker: Path, tmp_path: Path
) -> None:
    shutil.copytree(talker, tmp_path / "gone")
    visitor.app.app.model_parts.files.on_added(str(tmp_path / "gone"))
    visitor.card("gone")
    shutil.rmtree(tmp_path / "gone")
    visitor.app.app.model_parts.library.refresh()
    card = visitor.card("gone")
    visitor.app.until(lambda: "is gone" in card.view.problem)
    visitor.press(card.delete)
    visitor.app.until(lambda: card.drawer is not None)
    drawer = card.drawer
    assert isinstance(drawer, RemovalDrawer)
    assert drawer.start.isHidden()
    visitor.press(drawer.forget)
    visitor.app.until(lambda: "gone" not in visitor.names)


def test_load_settings_are_remembered_and_used(
    visitor: Visitor, qtbot: QtBot, terse: Path, tmp_path: Path
) -> None:
    visitor.app.app.model_parts.files.on_added(str(terse))
    card = visitor.card("terse")
    visitor.app.until(lambda: card.view.state == "loaded")
    visitor.press(card.settings)
    drawer = card.drawer
    assert isinstance(drawer, SettingsDrawer)
    for name, text in (("chunk", "16"), ("window", "96")):
        entry = drawer.form.row(name).entry
        assert isinstance(entry, NumberEntry)
        entry.line.setText(text)
        qtbot.keyClick(entry.line, Qt.Key.Key_Return)
    app = visitor.app.app
    visitor.app.until(lambda: app.shown.usual.context.window_tokens == 96)
    loaded: list[int | None] = []

    def on_loaded(model: LoadedModel) -> None:
        loaded.append(model.settings.chunk)

    app.worker.loaded.connect(on_loaded)
    visitor.app.until((tmp_path / "data" / "model settings.json").exists)
    app.model_parts.library.run(lambda _: None, lambda _: app.models.open(str(terse)))
    visitor.app.until(lambda: loaded == [16])
    qtbot.keyClick(card, Qt.Key.Key_Escape)
    assert card.drawer is None


@pytest.mark.slow
def test_a_conversion_is_shown_on_the_card(visitor: Visitor, talker: Path, tmp_path: Path) -> None:
    visitor.app.app.model_parts.files.on_added(str(talker))
    card = visitor.card("talker")
    visitor.press(card.convert)
    drawer = card.drawer
    assert isinstance(drawer, ConvertDrawer)
    visitor.app.until(drawer.start.isEnabled)
    assert "on disk" in drawer.sentence.text()
    drawer.form.row("bits").set_value(16)
    drawer.form.changed.emit("bits", 16)
    visitor.app.until(lambda: "bf16" in drawer.sentence.text())
    visitor.press(drawer.start)
    visitor.app.until(lambda: "NLL" in card.view.note)
    assert (tmp_path / "data" / "models" / "talker-bf16").is_dir()
    assert visitor.card("talker bf16").view.ready


def test_models_are_offered_everywhere_and_compared(
    visitor: Visitor, talker: Path, terse: Path
) -> None:
    app, page = visitor.app, visitor.page
    app.app.model_parts.files.on_added(str(talker))
    visitor.card("talker")
    menu = app.window.model_menu
    app.until(lambda: "talker" in [action.text() for action in menu.actions()])
    page.show_section("compare")
    compare = page.compare
    app.until(lambda: len(app.app.recent_models.choices) == 3)
    for side, source in zip(compare.sides, (str(terse), str(talker)), strict=False):
        assert side.model is not None
        side.model.set_value(source)
    compare.form.set_values({"tokens": 30})
    visitor.press(compare.start)
    app.until(compare.work.isVisible)
    app.window.go("chat")
    app.ask("hello")  # waits for the comparison and the model that was there
    app.until(lambda: bool(app.reply))
    app.window.go("models")
    app.until(lambda: "seed" in compare.sentence.text())
    assert [bool(side.text.toPlainText()) for side in compare.shown_sides] == [True, True]
    app.until(lambda: app.window.header.model_chip.text().startswith("terse"))
    compare.form.set_values({"tokens": 4000})
    visitor.press(compare.start)
    app.until(lambda: not compare.work.isHidden())
    visitor.press(compare.work.cancel)
    app.until(lambda: "stopped" in compare.sentence.text())


def test_the_menu_leads_to_the_page(drive: Callable[..., Driver], terse: Path) -> None:
    app = drive(terse)
    app.window.model_menu.all.trigger()
    assert app.window.places.current == "models"


def test_a_benchmark_is_shown_and_kept(visitor: Visitor, terse: Path, tmp_path: Path) -> None:
    visitor.app.app.model_parts.files.on_added(str(terse))
    card = visitor.card("terse")
    visitor.press(card.benchmark)
    visitor.app.until(lambda: len(card.view.speeds) == 1)
    assert card.view.speeds[0].startswith("48 tokens: prefill")
    assert card.work.isHidden()
    assert "prefill_tps" in (tmp_path / "data" / "model settings.json").read_text(encoding="utf-8")
