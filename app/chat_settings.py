"""What the shown chat is set to: the window of settings, presets, and the user's system prompts."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.chat_fields import settings_groups, settings_values, summary, with_value
from app.chats.library import Preset, SavedPrompt, new_preset, new_prompt
from app.chats.settings import ChatSettings, ContextSettings
from app.library.settings import LoadSettings
from ui.chat.settings_values import ChatSettingsView, ShelfItem

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from app.chats.store import Store
    from app.preferences import Preferences
    from app.requests import LoadedModel
    from app.shown import ShownChat
    from app.store_access import StoreAccess
    from app.versions import Versions
    from ui.chat.settings_values import ShelfChange
    from ui.fields import Value
    from ui.state import ModelChoice

_Shelves = tuple[tuple[Preset, ...], tuple[SavedPrompt, ...]]


class ChatSettingsControl(QObject):
    """Puts what is chosen in force for the shown chat, or for one reply that is written again."""

    wanted = Signal(object, object)
    """The window is to be shown: the fields, and a `ui.chat.settings_values.ChatSettingsView`."""
    updated = Signal(object)
    """A `ChatSettingsView` for the window where it is open."""
    summary_changed = Signal(str)
    """How the chat is set, in a few words."""
    usual_preset_chosen = Signal(str)
    """The id of the preset that new chats are to begin with; empty for none."""

    def __init__(
        self, store: StoreAccess, shown: ShownChat, versions: Versions, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._store = store
        self._shown = shown
        self._versions = versions
        self._presets: tuple[Preset, ...] = ()
        self._prompts: tuple[SavedPrompt, ...] = ()
        self._usual_id = ""
        self._model_settings = LoadSettings()
        self._models: tuple[ModelChoice, ...] = ()
        self._again: tuple[str, ChatSettings] | None = None

    def start(self) -> None:
        """Read presets and prompts."""
        self._change(lambda _: None)

    def on_preferences(self, preferences: Preferences) -> None:
        """Have new chats begin with the preset that is preferred."""
        if preferences.preset != self._usual_id:
            self._usual_id = preferences.preset
            self._tell()

    def on_models(self, models: Sequence[ModelChoice]) -> None:
        """Take the models that can be chosen."""
        self._models = tuple(models)
        self._tell_summary()

    def on_model_loaded(self, model: LoadedModel) -> None:
        """Have new chats begin as the settings of the model say, where no preset does."""
        self.on_load_settings(model.settings)

    def on_load_settings(self, settings: LoadSettings) -> None:
        """Take other settings of the model that is loaded."""
        if settings != self._model_settings:
            self._model_settings = settings
            self._tell()

    def on_requested(self) -> None:
        """Show the settings of the chat."""
        self._again = None
        self._change(lambda _: None, show=True)

    def on_message_action(self, action: str, message_id: str) -> None:
        """Show settings to write a reply again with, beginning with its own."""
        reply = self._shown.message(message_id)
        if action == "regenerate_with" and reply is not None:
            self._again = (message_id, reply.settings or self._shown.settings)
            self._change(lambda _: None, show=True)

    def on_again(self) -> None:
        """Write the reply again."""
        if self._again is not None:
            self._versions.regenerate_with(*self._again)

    def on_closed(self) -> None:
        """The window is closed."""
        self._again = None

    def on_shown_changed(self) -> None:
        """Another chat is shown, or it is set to something else."""
        self._tell_summary()
        if self._again is not None and self._shown.message(self._again[0]) is None:
            self._again = None
        self.updated.emit(self._view())

    def on_value(self, name: str, value: Value) -> None:
        """Put one value in force."""
        self._set(with_value(self._now, name, value))

    def on_preset(self, change: ShelfChange) -> None:
        """Use, save, rename or delete a preset, or have new chats begin with it."""
        chosen = next((one for one in self._presets if one.id == change.id), None)
        now = self._now
        match change.action:
            case "use" if chosen is not None:
                self._set(chosen.settings)
            case "save":
                new = new_preset(change.name, now)
                preset = new if chosen is None else replace(chosen, settings=now)
                self._change(lambda store: store.library.save_preset(preset))
            case "rename" if chosen is not None:
                renamed = replace(chosen, name=change.name)
                self._change(lambda store: store.library.save_preset(renamed))
            case "delete" if chosen is not None:
                self._change(lambda store: store.library.delete_preset(chosen.id))
            case "make_usual":
                self.usual_preset_chosen.emit(change.id)
            case _:
                pass  # it is gone

    def on_prompt(self, change: ShelfChange) -> None:
        """Use, save, rename or delete a system prompt."""
        chosen = next((one for one in self._prompts if one.id == change.id), None)
        now = self._now.system_prompt
        match change.action:
            case "use" if chosen is not None:
                self._set(replace(self._now, system_prompt=chosen.text))
            case "save":
                new = new_prompt(change.name, now)
                prompt = new if chosen is None else replace(chosen, text=now)
                self._change(lambda store: store.library.save_prompt(prompt))
            case "rename" if chosen is not None:
                renamed = replace(chosen, name=change.name)
                self._change(lambda store: store.library.save_prompt(renamed))
            case "delete" if chosen is not None:
                self._change(lambda store: store.library.delete_prompt(chosen.id))
            case _:
                pass  # it is gone

    @property
    def _now(self) -> ChatSettings:
        return self._shown.settings if self._again is None else self._again[1]

    def _set(self, settings: ChatSettings) -> None:
        if self._again is None:
            self._shown.set_settings(settings)
        else:
            self._again = (self._again[0], settings)
            self.updated.emit(self._view())

    def _change(self, work: Callable[[Store], None], *, show: bool = False) -> None:
        """Change what is kept, and read all of it again."""

        def change(store: Store) -> _Shelves:
            work(store)
            return store.library.presets(), store.library.prompts()

        def take(shelves: _Shelves) -> None:
            self._presets, self._prompts = shelves
            if show:
                models = [(one.source, one.name) for one in self._models]
                self.wanted.emit(settings_groups(models), self._view())
            self._tell()

        self._store.run(change, take)

    def _tell(self) -> None:
        usual = (one.settings for one in self._presets if one.id == self._usual_id)
        own = self._model_settings
        context = ContextSettings(window_tokens=own.window, bits=own.bits)
        self._shown.set_usual(next(usual, ChatSettings(context=context)))
        self._tell_summary()
        self.updated.emit(self._view())

    def _tell_summary(self) -> None:
        settings = self._shown.settings
        own = (one.name for one in self._models if one.source == settings.model)
        self.summary_changed.emit(summary(settings, next(own, settings.model or "")))

    def _view(self) -> ChatSettingsView:
        now = self._now
        shown = self._shown.chat
        return ChatSettingsView(
            title="" if shown is None else shown.title,
            values=settings_values(now),
            presets=tuple(ShelfItem(one.id, one.name) for one in self._presets),
            preset=next((one.id for one in self._presets if one.settings == now), ""),
            usual_preset=self._usual_id,
            prompts=tuple(ShelfItem(one.id, one.name) for one in self._prompts),
            prompt=next((one.id for one in self._prompts if one.text == now.system_prompt), ""),
            for_reply=self._again is not None,
        )
