"""Presets and system prompts of the user's own. Chats copy their values, and keep them."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.chats.model import new_id
from app.chats.settings import ChatSettings, settings_from_json, settings_json

if TYPE_CHECKING:
    from app.chats.database import Database


@dataclass(frozen=True)
class Preset:
    """Settings with a name, to begin a chat with."""

    id: str
    name: str
    settings: ChatSettings


@dataclass(frozen=True)
class SavedPrompt:
    """A system prompt with a name."""

    id: str
    name: str
    text: str


def new_preset(name: str, settings: ChatSettings) -> Preset:
    """Return a preset with an id of its own."""
    return Preset(new_id(), name, settings)


def new_prompt(name: str, text: str) -> SavedPrompt:
    """Return a system prompt with an id of its own."""
    return SavedPrompt(new_id(), name, text)


class Library:
    """Keeps presets and prompts; `save_…` adds a new one and changes one that is there."""

    def __init__(self, data: Database) -> None:
        self._data = data

    def presets(self) -> tuple[Preset, ...]:
        """Return all presets by name."""
        with self._data.reading() as connection:
            rows = connection.execute(
                "SELECT id, name, settings FROM preset ORDER BY name COLLATE NOCASE, number"
            ).fetchall()
        return tuple(Preset(row[0], row[1], settings_from_json(row[2])) for row in rows)

    def save_preset(self, preset: Preset) -> None:
        """Add a preset or change it."""
        self._save("preset", "settings", preset.id, preset.name, settings_json(preset.settings))

    def delete_preset(self, preset_id: str) -> None:
        """Delete a preset; chats that began with it keep its values."""
        self._delete("preset", preset_id)

    def prompts(self) -> tuple[SavedPrompt, ...]:
        """Return all system prompts by name."""
        with self._data.reading() as connection:
            rows = connection.execute(
                "SELECT id, name, text FROM prompt ORDER BY name COLLATE NOCASE, number"
            ).fetchall()
        return tuple(SavedPrompt(*row) for row in rows)

    def save_prompt(self, prompt: SavedPrompt) -> None:
        """Add a system prompt or change it."""
        self._save("prompt", "text", prompt.id, prompt.name, prompt.text)

    def delete_prompt(self, prompt_id: str) -> None:
        """Delete a system prompt; chats that use its words keep them."""
        self._delete("prompt", prompt_id)

    def _save(self, table: str, column: str, key: str, name: str, value: str) -> None:
        from app.chats.rows import storable  # late: a start needs no SQLite

        with self._data.writing() as connection:
            connection.execute(
                f"INSERT INTO {table} (id, name, {column}, updated_at) VALUES (?, ?, ?, ?) "
                f"ON CONFLICT (id) DO UPDATE SET name = excluded.name, "
                f"{column} = excluded.{column}, updated_at = excluded.updated_at",
                (key, storable(name), storable(value), time.time()),
            )

    def _delete(self, table: str, key: str) -> None:
        with self._data.writing() as connection:
            connection.execute(f"DELETE FROM {table} WHERE id = ?", (key,))
