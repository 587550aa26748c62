"""The parts behind the page of models: the library, the hub, the downloads, and what answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.library.download_queue import Downloads
from app.library.hub import Hub
from app.library.hub_judge import judge
from app.library.hub_network import Network, default_cache
from app.library.hub_token import Tokens
from app.model_library import ModelLibrary
from app.model_page import ModelPage
from app.model_page_compare import ModelCompare
from app.model_page_downloads import ModelDownloads
from app.model_page_files import ModelFiles
from app.model_page_find import ModelFind
from app.model_page_work import ModelWork

if TYPE_CHECKING:
    from pathlib import Path

    from app.errands import Errands
    from app.preferences import Preferences


class ModelParts(QObject):
    """Makes the parts, starts and ends them.

    Attributes:
        network: The one way to the hub.
        library: What is on this machine.
        hub: What is asked of the hub.
        downloads: The queue of downloads.
        page: Answers the section with the models that are here.
        files: Adds, copies and deletes these.
        work: Benchmarks and conversions.
        find: Answers the section that finds models.
        fetching: Answers the section with the downloads.
        compare: Answers the section that compares.
    """

    def __init__(self, errands: Errands, data: Path, parent: QObject) -> None:
        """Make the parts; nothing runs yet.

        Args:
            errands: For the engine's thread.
            data: The folder of the application's data.
            parent: The Qt parent.
        """
        super().__init__(parent)
        self.network = Network()
        self._always_offline = self.network.offline
        tokens = Tokens()
        self.library = ModelLibrary(data, self)
        self.hub = Hub(self.network, tokens, judge, self)
        self.downloads = Downloads(
            self.network, tokens, default_cache(), data / "downloads", parent=self
        )
        self.page = ModelPage(self.library, self)
        self.files = ModelFiles(self.page, self.library, self)
        self.work = ModelWork(self.page, self.library, errands, self)
        self.find = ModelFind(self.hub, self.downloads, self.page, self)
        self.fetching = ModelDownloads(self)
        self.compare = ModelCompare(errands, self)

    def start(self) -> None:
        """Look for models, and go on with what was being fetched."""
        self.library.refresh()
        self.downloads.start()

    def on_preferences(self, preferences: Preferences) -> None:
        """Keep to offline mode, and keep models where it is preferred."""
        offline = preferences.offline or self._always_offline
        if offline != self.hub.offline:
            self.hub.set_offline(offline=offline)
        self.library.set_models_folder(preferences.models_folder)

    def close(self) -> None:
        """End; what is being fetched goes on at the next start."""
        self.files.on_copy_cancelled()
        self.downloads.close()
        self.hub.cancel_all()
        self.network.close()
        self.library.close()
