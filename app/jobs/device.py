"""What the engine runs on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.memory import device_name

if TYPE_CHECKING:
    from app.jobs.workbench import Workbench


def device(_: Workbench) -> str:
    """The name of the device, such as "Apple M2, GPU"."""
    return device_name()
