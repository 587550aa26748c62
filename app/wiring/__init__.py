"""Every connection between the parts of the application stands here, one file per area."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.wiring.attention import connect_attention
from app.wiring.chat import connect_chat
from app.wiring.chats import connect_chats
from app.wiring.exhibits import connect_exhibits
from app.wiring.inspector import connect_inspector
from app.wiring.library import connect_library
from app.wiring.models import connect_models
from app.wiring.playground import connect_playground
from app.wiring.preferences import connect_preferences
from app.wiring.system import connect_system

if TYPE_CHECKING:
    from app.cutaway import Cutaway


def connect(app: Cutaway) -> None:
    """Join the parts; called once, before anything starts."""
    connect_chat(app)
    connect_chats(app)
    connect_models(app)
    connect_library(app)
    connect_inspector(app)
    connect_exhibits(app)
    connect_playground(app)
    connect_attention(app)
    connect_preferences(app)
    connect_system(app)
