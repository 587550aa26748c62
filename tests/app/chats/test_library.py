"""Presets and system prompts; chats keep what they copied."""

import dataclasses

from app.chats.library import new_preset, new_prompt
from app.chats.model import new_chat
from app.chats.settings import ChatSettings, SamplingSettings
from app.chats.store import Store


def test_changing_a_preset_never_changes_a_chat(store: Store) -> None:
    preset = new_preset("Cold", ChatSettings(sampling=SamplingSettings(temperature=0.0)))
    store.library.save_preset(preset)
    store.library.save_preset(new_preset("brief", ChatSettings("Be brief.")))
    assert [one.name for one in store.library.presets()] == ["brief", "Cold"]
    chat = new_chat()
    store.create_chat(chat, store.library.presets()[1].settings)
    hot = dataclasses.replace(preset, settings=ChatSettings(sampling=SamplingSettings(2.0)))
    store.library.save_preset(hot)
    assert store.library.presets()[1] == hot
    opened = store.open_chat(chat.id)
    assert opened is not None
    assert opened.settings == preset.settings
    store.library.delete_preset(preset.id)
    assert [one.name for one in store.library.presets()] == ["brief"]


def test_prompts_are_kept_by_name(store: Store) -> None:
    pirate = new_prompt("Pirate", "Talk like a pirate. \ud83d")
    store.library.save_prompt(pirate)
    (saved,) = store.library.prompts()
    assert saved == dataclasses.replace(pirate, text="Talk like a pirate. �")
    store.library.save_prompt(dataclasses.replace(pirate, name="Captain"))
    assert [prompt.name for prompt in store.library.prompts()] == ["Captain"]
    store.library.delete_prompt(pirate.id)
    assert store.library.prompts() == ()
