"""The user's preferences: what each is called, what it does, its bounds and its usual value.

This is the one place where a preference is declared: a value in `Preferences` and a field of
`groups`, from which the window of preferences, and the checks of what a file holds, are made.
"""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

from PySide6.QtCore import QCoreApplication

from app.updates import UpdateSettings, may_ask
from ui.fields import (
    Choice,
    ChoiceField,
    Field,
    FieldError,
    FieldGroup,
    SwitchField,
    TextField,
    Value,
)
from ui.figures import percent
from ui.theme import ZOOMS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ui.theme import Mode

_HUB = "https://huggingface.co"
_LONGEST_ID = 100


@dataclass(frozen=True)
class Preferences:
    """All preferences, with their usual values.

    Attributes:
        appearance: Light or dark, or as the system has it.
        text_size: How much larger than usual chats are written; one of `ui.theme.ZOOMS`.
        density: How close rows and messages stand.
        motion: "system" follows the system's own preference; "reduced" is always still.
        language: The code of a translation, or "system".
        preset: The id of the preset that new chats begin with; "" for none.
        titles: Whether the model names a chat after its first reply.
        spelling: Whether misspelt words of a question are underlined, where the system can.
        models_folder: Where models are kept; "" for the application's own folder.
        offline: Whether nothing may be sent anywhere.
        update_notice: Whether a start asks for a newer version.
        update_address: Where it asks.
    """

    appearance: Mode = "system"
    text_size: float = 1.0
    density: Literal["comfortable", "compact"] = "comfortable"
    motion: Literal["system", "reduced"] = "system"
    language: str = "system"
    preset: str = ""
    titles: bool = True
    spelling: bool = True
    models_folder: str = ""
    offline: bool = False
    update_notice: bool = False
    update_address: str = ""

    def changed(self, name: str, value: Value) -> Preferences:
        """The same preferences but for one.

        Args:
            name: Which.
            value: One that its field takes.
        """
        change: dict[str, Any] = {name: value}
        return replace(self, **change)

    @property
    def values(self) -> dict[str, Value]:
        """All values by name."""
        return asdict(self)


USUAL = Preferences()


def preferences_of(values: Mapping[str, object]) -> Preferences:
    """The preferences of a file; what is missing, unknown or does not fit is as usual."""
    kept: dict[str, Any] = {}
    for group in groups():
        for field in group.fields:
            value = values.get(field.name)
            if _fits(field, value):
                kept[field.name] = value
    return Preferences(**kept)


def groups(
    presets: Sequence[tuple[str, str]] = (), *, spelling: bool = True
) -> tuple[FieldGroup, ...]:
    """Every preference with its words and bounds, in the order of the window.

    Args:
        presets: Ids and names of the presets that there are.
        spelling: Whether the system has a spell checker; without one its preference is left out.
    """
    translate = QCoreApplication.translate
    return (
        FieldGroup(translate("Preferences", "Appearance"), (*_appearance(), _language())),
        FieldGroup(
            translate("Preferences", "Chats"),
            (*_chats(presets), *([_spelling()] if spelling else [])),
        ),
        FieldGroup(translate("Preferences", "Models and network"), _network()),
    )


def _appearance() -> tuple[Field, ...]:
    translate = QCoreApplication.translate
    return (
        ChoiceField(
            name="appearance",
            title=translate("Preferences", "Light or dark"),
            usual=USUAL.appearance,
            choices=(
                Choice("system", translate("Preferences", "As the system")),
                Choice("light", translate("Preferences", "Light")),
                Choice("dark", translate("Preferences", "Dark")),
            ),
        ),
        ChoiceField(
            name="text_size",
            title=translate("Preferences", "Text size"),
            help=translate("Preferences", "Of chats, and of what you write in them."),
            usual=USUAL.text_size,
            choices=tuple(Choice(zoom, _percent(zoom)) for zoom in ZOOMS),
        ),
        ChoiceField(
            name="density",
            title=translate("Preferences", "Density"),
            help=translate("Preferences", "How close chats in the list and messages stand."),
            usual=USUAL.density,
            choices=(
                Choice("comfortable", translate("Preferences", "Comfortable")),
                Choice("compact", translate("Preferences", "Compact")),
            ),
        ),
        ChoiceField(
            name="motion",
            title=translate("Preferences", "Motion"),
            help=translate("Preferences", "Reduced: no blinking cursor, no menus that glide."),
            usual=USUAL.motion,
            choices=(
                Choice("system", translate("Preferences", "As the system")),
                Choice("reduced", translate("Preferences", "Reduced")),
            ),
        ),
    )


def _language() -> Field:
    translate = QCoreApplication.translate
    return ChoiceField(
        name="language",
        title=translate("Preferences", "Language"),
        help=translate("Preferences", "Takes effect when Cutaway starts the next time."),
        usual=USUAL.language,
        choices=(
            Choice("system", translate("Preferences", "As the system")),
            Choice("en", "English"),
            Choice("zh_CN", "简体中文"),
        ),
    )


def _chats(presets: Sequence[tuple[str, str]]) -> tuple[Field, ...]:
    translate = QCoreApplication.translate
    none = Choice("", translate("Preferences", "None"))
    return (
        ChoiceField(
            name="preset",
            title=translate("Preferences", "New chats begin with"),
            help=translate(
                "Preferences", "A preset of your own: system prompt, sampling, context."
            ),
            usual=USUAL.preset,
            choices=(none, *(Choice(key, name) for key, name in presets)),
        ),
        SwitchField(
            name="titles",
            title=translate("Preferences", "The model names chats"),
            help=translate(
                "Preferences", "A short title after the first reply; otherwise your first words."
            ),
            usual=USUAL.titles,
        ),
    )


def _spelling() -> Field:
    translate = QCoreApplication.translate
    return SwitchField(
        name="spelling",
        title=translate("Preferences", "Check spelling"),
        help=translate("Preferences", "While you write; code and addresses are left out."),
        usual=USUAL.spelling,
    )


def _network() -> tuple[Field, ...]:
    translate = QCoreApplication.translate
    hub = translate("Preferences", "Models come from {hub}; HF_ENDPOINT names another hub.")
    nothing = translate("Preferences", "No search, no download, no question for updates.")
    return (
        SwitchField(
            name="offline",
            title=translate("Preferences", "Offline"),
            help=f"{nothing} {hub.format(hub=_hub())}",
            usual=USUAL.offline,
        ),
        TextField(
            name="models_folder",
            title=translate("Preferences", "Folder for models"),
            help=translate("Preferences", "Empty for Cutaway's own."),
            usual=USUAL.models_folder,
            check=_folder_problem,
        ),
        SwitchField(
            name="update_notice",
            title=translate("Preferences", "Tell of newer versions"),
            help=translate("Preferences", "Asks the address below once at every start."),
            usual=USUAL.update_notice,
        ),
        TextField(
            name="update_address",
            title=translate("Preferences", "Address for updates"),
            usual=USUAL.update_address,
            hint="https://",
            check=_address_problem,
        ),
    )


def _percent(zoom: float) -> str:
    """Above one, too, unlike a share."""
    return percent(zoom) if zoom <= 1 else f"{round(zoom * 100)} %"


def _hub() -> str:
    address = os.environ.get("HF_ENDPOINT") or _HUB
    try:
        return urlsplit(address).netloc or address
    except ValueError:
        return address


def _folder_problem(text: str) -> str:
    try:
        fits = not text or Path(text).expanduser().is_absolute()
    except RuntimeError:  # there is no user of that name
        fits = False
    if fits:
        return ""
    return QCoreApplication.translate("Preferences", "A whole path fits, as in /Volumes/Models.")


def _address_problem(text: str) -> str:
    if not text or may_ask(UpdateSettings(address=text)):
        return ""
    return QCoreApplication.translate("Preferences", "An address that begins with https:// fits.")


def _fits(field: Field, value: object) -> bool:
    match field:
        case ChoiceField(name="preset"):  # which presets there are is not known yet
            return isinstance(value, str) and len(value) <= _LONGEST_ID
        case ChoiceField():
            return any(
                value == choice.value and type(value) is type(choice.value)
                for choice in field.choices
            )
        case SwitchField():
            return isinstance(value, bool)
        case TextField():
            return isinstance(value, str) and _reads(field, value)
        case _:
            return False


def _reads(field: TextField, text: str) -> bool:
    try:
        field.read(text)
    except FieldError:
        return False
    return True
