"""The token for gated and private repositories: in the system's keychain, and nowhere else."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from PySide6.QtCore import QCoreApplication
from typing_extensions import override

from app.library.hub_errors import HubError
from app.library.hub_network import endpoint

_SERVICE = "Cutaway"
_TOKEN = re.compile(r"[\x21-\x7e]{8,512}", re.ASCII)

translate = QCoreApplication.translate


class Tokens:
    """Keeps one token for each hub that is used, so that a mirror never gets another's.

    Where there is no keychain the token is kept for this run only. Calls may wait for the user to
    unlock the keychain: not on the main thread.
    """

    def __init__(self) -> None:
        self._for_this_run: dict[str, str] = {}

    @override
    def __repr__(self) -> str:
        return "Tokens()"

    def load(self) -> str | None:
        """The token for the hub that is set now; else the one that other tools were given.

        The library looks for that one in HF_TOKEN and in what `hf auth login` left.
        """
        host = _host()
        return self._for_this_run.get(host) or _from_keychain(host) or _from_library()

    def save(self, token: str) -> str:
        """Keep a token.

        Returns:
            A sentence on where it is.

        Raises:
            HubError: It does not look like a token.
        """
        token = token.strip()
        if not _TOKEN.fullmatch(token):
            raise HubError(
                translate("Hub", "That is not a token; copy it from the hub's settings, hf_…"),
                "token",
            )
        from keyring import set_password
        from keyring.errors import KeyringError

        host = _host()
        try:
            set_password(_SERVICE, host, token)
        except (KeyringError, RuntimeError, OSError):
            self._for_this_run[host] = token
            return translate(
                "Hub",
                "There is no keychain that can be written here: the token is kept for this run.",
            )
        self._for_this_run.pop(host, None)
        return translate("Hub", "The token is in the keychain.")

    def forget(self) -> str:
        """Remove the token for the hub that is set now from the keychain and from memory.

        Returns:
            A sentence on which token is sent from now on.

        Raises:
            HubError: The keychain does not let it go.
        """
        from keyring import delete_password, get_password
        from keyring.errors import KeyringError, NoKeyringError

        host = _host()
        self._for_this_run.pop(host, None)
        try:
            if get_password(_SERVICE, host) is not None:
                delete_password(_SERVICE, host)
        except NoKeyringError:
            pass  # nothing was ever put into one
        except (KeyringError, RuntimeError, OSError):
            raise HubError(
                translate("Hub", "The keychain cannot be changed; remove “{0}” there.").format(
                    _SERVICE
                ),
                "token",
            ) from None
        if _from_library():
            return translate(
                "Hub", "Cutaway keeps no token; the one of HF_TOKEN or `hf auth login` is sent."
            )
        return translate("Hub", "Cutaway keeps no token.")


def _host() -> str:
    try:
        return urlsplit(endpoint()).netloc or "huggingface.co"
    except ValueError:  # as for http://[
        return endpoint()


def _from_keychain(host: str) -> str | None:
    from keyring import get_password
    from keyring.errors import KeyringError

    try:
        return get_password(_SERVICE, host)
    except (KeyringError, RuntimeError, OSError):
        return None


def _from_library() -> str | None:
    from huggingface_hub import get_token

    return get_token()
