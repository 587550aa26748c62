"""Reading chats out of files, JSON or the zip archive of an export; no store is touched."""

import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QCoreApplication

from app.chats.assemble import assemble, with_new_ids
from app.chats.errors import StoreError
from app.chats.files import file_size
from app.chats.formats import recognise
from app.chats.formats.own import VERSION
from app.chats.json_pieces import parsed
from app.chats.loose import as_mapping
from app.chats.model import Archive

LARGEST_BYTES = 1 << 30

translate = QCoreApplication.translate


class ImportFileError(StoreError):
    """A file holds no chats that can be brought in; the message is a sentence."""


@dataclass(frozen=True)
class LeftOut:
    """What does not come in: a chat, or (`title` is a file's name) something in a file."""

    title: str
    reason: str


@dataclass(frozen=True)
class ImportFile:
    """What was read out of files, not yet in the store.

    Attributes:
        source: The program that wrote it; None for this one.
        chats: The chats that could come in.
        left_out: Those that could not, and why.
        partly: How many things of each kind the chats lack, such as "picture or file".
    """

    source: str | None
    chats: tuple[Archive, ...]
    left_out: tuple[LeftOut, ...]
    partly: dict[str, int]


def read_files(paths: Iterable[Path]) -> ImportFile:
    """Read chats out of files.

    Raises:
        ImportFileError: No file holds chats.
    """
    source: str | None = None
    chats: dict[str, Archive] = {}
    left_out: list[LeftOut] = []
    partly: Counter[str] = Counter()
    for path in paths:
        try:
            one = _read(path)
        except ImportFileError as error:
            left_out.append(LeftOut(path.name, str(error)))
            continue
        source = one.source or source
        left_out += one.left_out
        partly.update(one.partly)
        for chat in one.chats:
            if chat.chat.id in chats:
                left_out.append(
                    LeftOut(chat.chat.title, translate("Import", "It is in the file twice."))
                )
            else:
                chats[chat.chat.id] = chat
    if not chats:
        nothing = translate("Import", "There is no file to read.")
        raise ImportFileError(left_out[0].reason if left_out else nothing)
    return ImportFile(source, tuple(chats.values()), tuple(left_out), dict(partly))


def _read(path: Path) -> ImportFile:
    source: str | None = None
    chats: list[Archive] = []
    left_out: list[LeftOut] = []
    partly: Counter[str] = Counter()
    unknown = translate("Import", "{name} holds no chats in a form that is known.")
    for name, data in _documents(path):
        recognised = recognise(data)
        if recognised is None:
            left_out.append(LeftOut(name, unknown.format(name=name)))
            continue
        source, reader = recognised
        _refuse_newer(path, data)
        for raw in reader(data, name):
            one = assemble(raw, source)
            if one.messages:
                chats.append(_sound(one))
                partly.update(raw.left_out)
            else:
                empty = translate("Import", "It holds no messages.")
                left_out.append(LeftOut(one.chat.title, empty))
    if not chats:
        nothing = translate("Import", "{name} holds no chats.").format(name=path.name)
        raise ImportFileError(left_out[0].reason if left_out and not source else nothing)
    return ImportFile(source, tuple(chats), tuple(left_out), dict(partly))


def _sound(archive: Archive) -> Archive:
    """Give attachments ids of their own where a file uses one twice."""
    seen: set[str] = set()
    ids = [one.id for message in archive.messages for one in message.attachments]
    for one in ids:
        if one in seen:
            return with_new_ids(archive)
        seen.add(one)
    return archive


def _refuse_newer(path: Path, data: object) -> None:
    version = as_mapping(data).get("version")
    if isinstance(version, int) and version > VERSION and "format" in as_mapping(data):
        sentence = translate(
            "Import", "{name} was written by a newer Cutaway: update Cutaway to bring it in."
        )
        raise ImportFileError(sentence.format(name=path.name))


def _documents(path: Path) -> Iterator[tuple[str, object]]:
    """Yield the JSON documents of a file, with their names."""
    try:
        if file_size(path) > LARGEST_BYTES:
            sentence = translate("Import", "{name} is larger than 1 GB: bring it in in parts.")
            raise ImportFileError(sentence.format(name=path.name))
        if not zipfile.is_zipfile(path):
            yield path.name, _parsed(path.name, path.read_bytes())
            return
        with zipfile.ZipFile(path) as archive:
            members = [
                member
                for member in archive.infolist()
                if Path(member.filename).name.endswith("conversation.json")
                or Path(member.filename).name.startswith("conversations")
            ]
            if sum(member.file_size for member in members) > LARGEST_BYTES:
                sentence = translate("Import", "{name} unpacks to more than 1 GB.")
                raise ImportFileError(sentence.format(name=path.name))
            for member in members:
                name = Path(member.filename).name
                with archive.open(member) as stream:
                    yield name, _parsed(name, stream.read(LARGEST_BYTES))
            if not members:
                sentence = translate("Import", "{name} holds no conversations.json.")
                raise ImportFileError(sentence.format(name=path.name))
    except OSError as error:
        sentence = translate("Import", "{name} cannot be read ({reason}): choose another file.")
        reason = error.strerror or error
        raise ImportFileError(sentence.format(name=path.name, reason=reason)) from error
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError) as error:
        sentence = translate("Import", "{name} is damaged or locked with a password.")
        raise ImportFileError(sentence.format(name=path.name)) from error


def _parsed(name: str, content: bytes) -> object:
    try:
        return parsed(content)
    except (ValueError, RecursionError) as error:
        sentence = translate("Import", "{name} is no JSON, or is damaged: export it again.")
        raise ImportFileError(sentence.format(name=name)) from error
