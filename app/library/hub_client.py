"""The HTTP client that huggingface_hub uses here: it never waits or tries again by itself."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Any

import httpx2
from huggingface_hub.errors import OfflineModeIsEnabled
from huggingface_hub.utils import hf_raise_for_status
from typing_extensions import override

from app.library.hub_errors import HubError, explain

if TYPE_CHECKING:
    from collections.abc import Callable

_TRIED_AGAIN_BY_THE_LIBRARY = (408, 429, 500, 502, 503, 504)


class UnreachableError(OfflineModeIsEnabled):
    """No answer came; every user of huggingface_hub takes it for a missing network.

    Attributes:
        reason: What happened.
    """

    def __init__(self, reason: HubError) -> None:
        super().__init__(str(reason))
        self.reason = reason


class Client(httpx2.Client):
    """Asks whether it may before every request, and gives up on a silent server.

    The library would sleep for up to minutes between its own attempts, where nobody could stop
    it: what it would try again is raised in a form that it passes on. Whoever called decides.
    """

    def __init__(self, is_offline: Callable[[], bool], timeout_s: Callable[[], float]) -> None:
        super().__init__(follow_redirects=True, timeout=timeout_s())
        self._is_offline = is_offline
        self._timeout_s = timeout_s

    @override
    def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
        if self._is_offline():
            raise OfflineModeIsEnabled
        # Parts of the library ask for no timeout at all.
        request.extensions["timeout"] = httpx2.Timeout(self._timeout_s()).as_dict()
        try:
            response = super().send(request, **options)
            if response.status_code in _TRIED_AGAIN_BY_THE_LIBRARY:
                with closing(response):
                    hf_raise_for_status(response)
        except httpx2.TransportError as error:
            raise UnreachableError(explain(error)) from None
        return response
