"""Where models lie on this machine."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from app.library.hub_network import default_cache
from app.paths import folders

_LM_STUDIO = (".lmstudio/models", ".cache/lm-studio/models")


@dataclass(frozen=True)
class Places:
    """The folders that are looked through; none of them need exist.

    Attributes:
        data: Where the library keeps its own small files.
        models: Our own models.
        hub: The cache of huggingface_hub, shared with other tools.
        lm_studio: Where LM Studio keeps models.
    """

    data: Path
    models: Path
    hub: Path
    lm_studio: tuple[Path, ...] = ()

    @property
    def added(self) -> Path:
        """The file that lists what the user added."""
        return self.data / "added models.json"

    @property
    def notes(self) -> Path:
        """The file with settings, last use and benchmarks of models."""
        return self.data / "model settings.json"


def places() -> Places:
    """The places of whoever runs this process."""
    data, home = folders().data, Path.home()
    return Places(
        data=data,
        models=data / "models",
        hub=default_cache(),
        lm_studio=tuple(home / name for name in _LM_STUDIO),
    )
