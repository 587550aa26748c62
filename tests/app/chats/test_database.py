"""Opening the chats' file: files that must be refused untouched, and migrations."""

import contextlib
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.chats.database import APPLICATION_ID, open_database
from app.chats.errors import StoreError
from app.chats.model import Figures, new_chat, new_message
from app.chats.schema import MIGRATIONS
from app.chats.settings import ChatSettings
from app.chats.store import Store
from app.chats.thread import StoreThread
from tests.app.chats.published import PUBLISHED


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "chats.sqlite3"


def _script(path: Path, script: str) -> None:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.executescript(script)


def _refused(path: Path, match: str) -> str:
    """Assert that the file is refused, in one sentence, and stays as it was to the byte."""
    before = path.read_bytes()
    with pytest.raises(StoreError, match=match) as caught:
        Store(path, busy_s=0.05)
    assert path.read_bytes() == before
    sentence = str(caught.value)
    assert str(path) in sentence
    assert sentence.endswith(".")
    assert "\n" not in sentence
    return sentence


def test_every_version_is_published_here() -> None:
    assert max(PUBLISHED) == len(MIGRATIONS)


@pytest.mark.parametrize("version", PUBLISHED)
def test_no_word_is_lost_from_an_earlier_version(path: Path, version: int) -> None:
    _script(path, PUBLISHED[version])
    with contextlib.closing(Store(path)) as store:
        (summary,) = store.chats()
        question, reply = store.branch("c")
        (hit,) = store.search.find("wor")
        assert (hit.message_id, hit.snippet, hit.marks) == ("m1", "Wörds", ((0, 3),))
        assert [hit.chat_id for hit in store.search.find("old")] == ["c"]
        assert [hit.message_id for hit in store.search.find("rep")] == ["m2"]
    assert summary.preview == "Half a rep"
    assert (summary.chat.title, summary.chat.updated_at) == ("Old chat", 200.25)
    assert (question.text, question.state, question.token_ids) == ("Wörds", "complete", ())
    assert (reply.text, reply.state, reply.model) == ("Half a rep", "interrupted", "starter")
    assert reply.token_ids == (5, 65535)
    assert reply.figures == Figures(prompt_tokens=4, tokens=2, ttft_s=0.5)


def test_what_version_2_knew_is_kept(path: Path) -> None:
    _script(path, PUBLISHED[2])
    with contextlib.closing(Store(path)) as store:
        opened = store.open_chat("c")
        assert opened is not None
        assert opened.settings.system_prompt == "Be brief."
        assert opened.settings.sampling.temperature == 0.25
        assert [str(version) for version in opened.versions.values()] == ["1 of 2"]
        assert [one.text for one in opened.messages[0].attachments] == ["Notes"]
        assert opened.messages[1].settings == ChatSettings(model="starter")
        assert [hit.message_id for hit in store.search.find("本語")] == ["m3"]
        assert [hit.snippet for hit in store.search.find("notes")] == ["notes.txt: Notes"]
        (deleted,) = store.trash.items()
        store.trash.undo(deleted.number)
        (summary,) = store.chats(archived=True)
        assert (summary.chat.title, summary.chat.pinned) == ("Gone", True)
        assert [preset.name for preset in store.library.presets()] == ["Cold"]
        assert [prompt.text for prompt in store.library.prompts()] == ["Talk like a pirate."]


def _next_version(*statements: str) -> tuple[tuple[str, ...], ...]:
    return (*MIGRATIONS, statements)


def _columns(path: Path) -> tuple[int, list[str]]:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        columns = [row[1] for row in connection.execute("PRAGMA table_info(chat)")]
        return connection.execute("PRAGMA user_version").fetchone()[0], columns


def test_a_migration_keeps_a_backup_of_what_was(path: Path) -> None:
    _script(path, PUBLISHED[len(MIGRATIONS)])
    version = len(MIGRATIONS)
    migrations = _next_version("ALTER TABLE chat ADD COLUMN folder TEXT")
    open_database(path, migrations=migrations).close()
    assert _columns(path)[0] == version + 1
    assert "folder" in _columns(path)[1]
    backup = path.with_name(f"chats.v{version}-backup-1.sqlite3")
    assert _columns(backup)[0] == version
    open_database(path, migrations=migrations).close()
    assert list(path.parent.glob("*backup*")) == [backup]
    with contextlib.closing(Store(backup)) as store:
        assert [message.text for message in store.branch("c")] == ["Wörds", "Half a rep"]


def test_a_migration_that_fails_changes_nothing(path: Path) -> None:
    _script(path, PUBLISHED[len(MIGRATIONS)])
    broken = _next_version("ALTER TABLE chat ADD COLUMN folder TEXT", "DROP TABLE nowhere")
    for number in (1, 2):
        with pytest.raises(StoreError, match="nowhere"):
            open_database(path, migrations=broken)
        assert path.with_name(f"chats.v{len(MIGRATIONS)}-backup-{number}.sqlite3").exists()
    with contextlib.closing(Store(path)) as store:
        assert [message.text for message in store.branch("c")] == ["Wörds", "Half a rep"]


def test_a_newer_file_is_refused(path: Path) -> None:
    Store(path).close()
    _script(path, f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    assert "update Cutaway" in _refused(path, "newer")


def test_another_programs_database_is_refused(path: Path) -> None:
    _script(path, "CREATE TABLE bookmark (url TEXT); INSERT INTO bookmark VALUES ('x')")
    _refused(path, "another program")


@pytest.mark.parametrize("content", [b"Dear diary,\n" * 500, b"SQLite format 3\x00" + b"\x07" * 90])
def test_a_file_that_is_no_database_is_refused(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    _refused(path, "damaged")


@pytest.mark.parametrize("damage", ["cut", "overwritten", "inconsistent"])
def test_a_damaged_file_is_refused(path: Path, damage: str) -> None:
    _script(path, PUBLISHED[len(MIGRATIONS)])
    content = path.read_bytes()
    damaged = {
        "cut": content[: len(content) // 2],
        "overwritten": content[:4096] + b"\x99" * 20_000,
        "inconsistent": content[:36] + b"\0\0\0\5" + content[40:],  # five free pages, nowhere
    }
    path.write_bytes(damaged[damage])
    _refused(path, "damaged")


def test_a_blank_file_becomes_a_store(path: Path) -> None:
    path.touch()
    Store(path).close()
    path.unlink()
    _script(path, "PRAGMA journal_mode = WAL")  # as far as a kill may let the first start come
    assert path.stat().st_size > 0
    with contextlib.closing(Store(path)) as store:
        assert store.chats() == ()
    with contextlib.closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID


def test_a_file_in_use_is_refused_and_its_streaming_reply_goes_on(path: Path) -> None:
    with contextlib.closing(Store(path)) as store:
        chat = new_chat()
        store.create_chat(chat)
        store.add_message(new_message(chat.id, None, "user", "Mine"))
        _refused(path, "in use")
        assert len(store.branch(chat.id)) == 1
    Store(path).close()


def test_a_folder_in_the_files_place_is_refused(path: Path) -> None:
    path.mkdir()
    with pytest.raises(StoreError, match="you may write"):
        Store(path)


def test_a_file_in_the_folders_place_is_refused(path: Path) -> None:
    path.touch()
    with pytest.raises(StoreError, match="you may write"):
        Store(path / "chats.sqlite3")


@pytest.fixture
def read_only_folder() -> Iterator[Path]:
    """A folder with a published file, neither to be written, seen as a user without privileges."""
    folder = Path(tempfile.mkdtemp(dir="/tmp", prefix="cutaway-read-only-"))  # pytest's is private
    file = folder / "chats.sqlite3"
    _script(file, PUBLISHED[len(MIGRATIONS)])
    _script(file, "PRAGMA journal_mode = WAL")  # as it always is
    file.chmod(0o444)
    folder.chmod(0o555)
    user = os.geteuid()
    if user == 0:
        os.seteuid(65534)
    yield folder
    os.seteuid(user)
    folder.chmod(0o755)
    shutil.rmtree(folder)


@pytest.mark.parametrize("name", ["chats.sqlite3", "new.sqlite3", "new/chats.sqlite3"])
def test_what_cannot_be_written_is_refused(read_only_folder: Path, name: str) -> None:
    with pytest.raises(StoreError, match="you may write"):
        Store(read_only_folder / name)
    assert [file.name for file in read_only_folder.iterdir()] == ["chats.sqlite3"]


def test_what_cannot_be_written_can_be_read(read_only_folder: Path) -> None:
    path = read_only_folder / "chats.sqlite3"
    with StoreThread(path, retry_s=0.02) as thread:
        with pytest.raises(StoreError, match=r"you may write\.$"):
            thread.opened.result(10)

        def look(store: Store) -> None:
            assert [one.chat.title for one in store.chats()] == ["Old chat"]
            assert [one.text for one in store.branch("c")] == ["Wörds", "Half a rep"]
            assert [hit.message_id for hit in store.search.find("wor")] == ["m1"]

        thread.submit(look).result(10)
        with pytest.raises(StoreError, match="you may write"):
            thread.submit(lambda store: store.create_chat(new_chat())).result(10)
