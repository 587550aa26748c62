"""Tokens: in the keychain, one for each hub, and in no text at all."""

from __future__ import annotations

import logging
import traceback
from typing import TYPE_CHECKING

import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.backends import fail
from keyring.errors import KeyringLocked, PasswordDeleteError
from typing_extensions import override

from app.library.download import fetch
from app.library.download_file import Patience
from app.library.hub import Hub
from app.library.hub_errors import HubError
from app.library.hub_judge import judge
from app.library.hub_repo import read_repository
from app.library.hub_token import Tokens
from tests.app.library.conftest import REPO

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from app.library.hub_network import Network
    from tests.app.library.hub_server import HubServer

TOKEN = "hf_tellnobodyaboutthis"
THIS_RUN = "There is no keychain that can be written here: the token is kept for this run."


class Keychain(KeyringBackend):
    """A keychain in memory, which can be locked."""

    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[tuple[str, str], str] = {}
        self.locked = False

    @override
    def get_password(self, service: str, username: str) -> str | None:
        self._check()
        return self.kept.get((service, username))

    @override
    def set_password(self, service: str, username: str, password: str) -> None:
        self._check()
        self.kept[service, username] = password

    @override
    def delete_password(self, service: str, username: str) -> None:
        self._check()
        if self.kept.pop((service, username), None) is None:
            raise PasswordDeleteError

    def _check(self) -> None:
        if self.locked:
            raise KeyringLocked


@pytest.fixture
def keychain() -> Iterator[Keychain]:
    """The system's keychain for the time of a test."""
    before, chain = keyring.get_keyring(), Keychain()
    keyring.set_keyring(chain)
    yield chain
    keyring.set_keyring(before)


def test_a_token_is_kept_for_each_hub(keychain: Keychain, monkeypatch: pytest.MonkeyPatch) -> None:
    tokens = Tokens()
    assert tokens.load() is None
    assert tokens.save(f" {TOKEN}\n") == "The token is in the keychain."
    assert keychain.kept == {("Cutaway", "huggingface.co"): TOKEN}
    assert Tokens().load() == TOKEN
    monkeypatch.setenv("HF_ENDPOINT", "https://mirror.example/hub")
    assert tokens.load() is None, "a mirror gets no other hub's token"
    monkeypatch.delenv("HF_ENDPOINT")
    assert tokens.forget() == tokens.forget() == "Cutaway keeps no token."
    assert keychain.kept == {}
    assert tokens.load() is None


@pytest.mark.parametrize("locked", [True, False])
def test_without_a_keychain_the_token_is_for_this_run(*, keychain: Keychain, locked: bool) -> None:
    if locked:
        keychain.locked = True
    else:
        keyring.set_keyring(fail.Keyring())
    tokens = Tokens()
    assert tokens.save(TOKEN) == THIS_RUN
    assert tokens.load() == TOKEN
    assert Tokens().load() is None
    if locked:
        with pytest.raises(HubError, match="keychain cannot be changed"):
            tokens.forget()
    else:
        tokens.forget()
    assert tokens.load() is None


def test_the_token_of_other_tools_is_used(
    keychain: Keychain, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_TOKEN", "hf_ofothertools")
    assert Tokens().load() == "hf_ofothertools"
    Tokens().save(TOKEN)
    assert Tokens().load() == TOKEN
    assert keychain.kept
    assert "HF_TOKEN" in Tokens().forget()
    assert not keychain.kept
    assert Tokens().load() == "hf_ofothertools"


@pytest.mark.parametrize("text", ["", "short", f"{TOKEN}\r\nX-Evil: 1", f"{TOKEN} b", "hf_é" * 9])
def test_what_is_no_token_is_refused_without_being_repeated(text: str, keychain: Keychain) -> None:
    with pytest.raises(HubError, match=r"^That is not a token") as caught:
        Tokens().save(text)
    assert TOKEN not in str(caught.value)
    assert keychain.kept == {}


def test_the_window_keeps_a_token(keychain: Keychain, network: Network, qtbot: QtBot) -> None:
    hub = Hub(network, Tokens(), judge)
    with qtbot.waitSignal(hub.token_changed) as kept:
        hub.keep_token(TOKEN)
    assert kept.args == ["The token is in the keychain."]
    assert list(keychain.kept.values()) == [TOKEN]
    with qtbot.waitSignal(hub.token_changed):
        hub.forget_token()
    assert keychain.kept == {}
    with qtbot.waitSignal(hub.failed) as failed:
        hub.keep_token("no")
    assert failed.args is not None
    assert failed.args[2] == "token"


@pytest.mark.parametrize("fault", ["status", "cut", "stall", "loop", "page", "none"])
def test_the_token_is_in_no_text(
    fault: str,
    talking: HubServer,
    hasty: Network,
    cache: Path,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """Neither in a log at the lowest level, nor in an error, a file, an address or a `repr`."""
    caplog.set_level(logging.DEBUG)
    talking.tokens.add(TOKEN)
    texts = [repr(Tokens()), repr(vars(hasty))]
    plan = read_repository(hasty, REPO, TOKEN).plan()
    talking.tokens.discard(TOKEN if fault == "none" else "")
    for what in ("api", "config.json", "model.safetensors"):
        if fault != "none":
            talking.fail(what, fault, status=403, times=-1)  # type: ignore[arg-type] # pyright: ignore
    for action in (
        lambda: read_repository(hasty, REPO, TOKEN),
        lambda: fetch(plan, cache, hasty, token=TOKEN, patience=Patience(attempts=0)),
    ):
        with pytest.raises(HubError) as caught:
            action()
        texts += traceback.format_exception(caught.value)
        texts += [str(caught.value), repr(caught.value), repr(caught.value.__context__)]
    texts += [record.getMessage() for record in caplog.records]
    texts += [str(vars(record)) for record in caplog.records]
    texts += [request.path for request in talking.requests]
    texts += [*capfd.readouterr()]
    texts += [path.name for path in cache.rglob("*")]
    contents = [path.read_bytes() for path in cache.rglob("*") if path.is_file()]
    assert not any(TOKEN in text for text in texts)
    assert not any(TOKEN.encode() in content for content in contents)
    assert any(TOKEN in request.headers.get("Authorization", "") for request in talking.requests)
