"""The chats' SQLite file: opening it safely, migrations, transactions, and errors as sentences.

A file that is damaged, newer, foreign, locked or read-only is refused and stays as it is.
"""

import contextlib
import sqlite3
from collections.abc import Callable, Generator, Sequence
from pathlib import Path

from PySide6.QtCore import QCoreApplication

from app.chats.errors import DamagedError, StoreError, UnreachableError
from app.chats.schema import MIGRATIONS, add_functions

APPLICATION_ID = 0x43555457  # "CUTW": tells our files from other programs'
CHECKED_BYTES = 32 << 20  # a larger file is checked while nobody waits for it

translate = QCoreApplication.translate


class Database:
    """The open file, or chats that live in memory alone; every use of it is one of two blocks."""

    def __init__(self, path: Path | None, *, busy_s: float = 2.0, to_read: bool = False) -> None:
        self._path = path if path is not None else Path("memory")
        if path is None:
            self.connection = _in_memory()
        elif to_read:
            self.connection = _open_to_read(path)
        else:
            self.connection = open_database(path, busy_s=busy_s)

    def close(self) -> None:
        """Fold the write-ahead log into the file and let go of it."""
        self.connection.close()

    @contextlib.contextmanager
    def reading(self) -> Generator[sqlite3.Connection]:
        """Read in the block; what fails in it is a StoreError."""
        with sentences(self._path):
            yield self.connection

    @contextlib.contextmanager
    def writing(self) -> Generator[sqlite3.Connection]:
        """Write in the block, all of it or nothing; what fails in it is a StoreError."""
        with sentences(self._path), transaction(self.connection):
            yield self.connection

    def check(self, give_way: Callable[[], bool]) -> bool:
        """Look through the whole file for damage; return whether it came to the end.

        Args:
            give_way: Asked every few milliseconds; True breaks the search off.

        Raises:
            DamagedError: The file is damaged.
        """
        self.connection.set_progress_handler(give_way, 10_000)
        try:
            with self.reading() as connection:
                found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        except StoreError:
            if give_way():
                return False
            raise
        finally:
            self.connection.set_progress_handler(None, 0)
        if found != "ok":
            self.note_damage()
            raise DamagedError(damaged(self._path))
        return True

    def note_damage(self) -> None:
        """Have the whole file checked, and recovered, when it is opened the next time."""
        if self._path.exists():
            with contextlib.suppress(OSError):
                doubt(self._path).touch()


def _in_memory() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    add_functions(connection)
    connection.execute("PRAGMA temp_store = MEMORY")  # nothing of it may reach the disk
    with transaction(connection):
        _migrate(connection, 0, MIGRATIONS)
    connection.execute("PRAGMA foreign_keys = ON")
    return connection


def open_database(
    path: Path,
    *,
    busy_s: float = 2.0,
    migrations: Sequence[Sequence[str]] = MIGRATIONS,
) -> sqlite3.Connection:
    """Open the chats, creating or migrating the file where needed, for this process alone.

    Replies that were streaming when the last process ended become "interrupted".

    Args:
        path: The file; missing folders are made.
        busy_s: How long to wait, in seconds, for another program that has the file open.
        migrations: The statements of each schema version.

    Raises:
        StoreError: The file cannot be used. It is left as it was.
    """
    with sentences(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        _inspect(path, busy_s, len(migrations))
        connection = sqlite3.connect(path, timeout=busy_s, isolation_level=None)
        try:
            _prepare(connection)
            version = _pragma(connection, "user_version")
            if 0 < version < len(migrations):
                _back_up(connection, path, version)
            with transaction(connection):
                _migrate(connection, version, migrations)
            # Tables that refer to each other can only be rebuilt without this.
            connection.execute("PRAGMA foreign_keys = ON")
            with transaction(connection):
                connection.execute(
                    "UPDATE message SET state = 'interrupted' WHERE state = 'streaming'"
                )
        except BaseException:
            connection.close()
            raise
    return connection


def _open_to_read(path: Path) -> sqlite3.Connection:
    """Open the chats where they may be read and not written: every write then is a StoreError.

    What the last process left in the write-ahead log is not seen: SQLite would have to write.
    """
    with sentences(path):
        uri = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
        connection = sqlite3.connect(uri, uri=True, isolation_level=None)
        try:
            add_functions(connection)
            is_ours = _pragma(connection, "application_id") == APPLICATION_ID
            is_known = is_ours and _pragma(connection, "user_version") == len(MIGRATIONS)
        except BaseException:
            connection.close()
            raise
    if not is_known:
        connection.close()
        raise UnreachableError(_unreachable(path))
    return connection


def _inspect(path: Path, busy_s: float, newest: int) -> None:
    """Refuse a file that is not ours to write, without writing to it."""
    if not path.exists():
        return
    if not path.is_file():
        raise UnreachableError(_unreachable(path))
    uri = f"{path.absolute().as_uri()}?mode=ro"
    with contextlib.closing(sqlite3.connect(uri, uri=True, timeout=busy_s)) as connection:
        version = _pragma(connection, "user_version")
        if _pragma(connection, "application_id") != APPLICATION_ID:
            if _is_blank(connection):
                return
            sentence = translate(
                "Chats",
                "{path} was made by another program and is left as it is: move it elsewhere, then "
                "start Cutaway again.",
            )
            raise StoreError(sentence.format(path=path))
        if version > newest:
            sentence = translate(
                "Chats",
                "The chats in {path} were saved by a newer Cutaway and are left as they are: "
                "update Cutaway to open them.",
            )
            raise StoreError(sentence.format(path=path))
        _check_at_once(connection, path)


def doubt(path: Path) -> Path:
    """Return the file whose presence tells that damage was seen."""
    return path.with_name(f"{path.name}.doubt")


def _check_at_once(connection: sqlite3.Connection, path: Path) -> None:
    """Refuse a file that is damaged as far as can be told without holding up the launch."""
    # An index of words is checked too where SQLite is new enough, with the help of these.
    add_functions(connection)
    whole = path.stat().st_size <= CHECKED_BYTES or doubt(path).exists()
    what = "1" if whole else "chat"
    if connection.execute(f"PRAGMA quick_check({what})").fetchone()[0] != "ok":
        raise DamagedError(damaged(path))
    with contextlib.suppress(OSError):
        doubt(path).unlink(missing_ok=True)


def _is_blank(connection: sqlite3.Connection) -> bool:
    """Tell whether nothing was ever saved: a kill can come between a file and its schema."""
    return connection.execute("SELECT count(*) FROM sqlite_schema").fetchone() == (0,)


def _prepare(connection: sqlite3.Connection) -> None:
    # One process at a time: a second one would take live replies for interrupted ones.
    connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    connection.execute("PRAGMA journal_mode = WAL")
    # In WAL mode a commit survives a kill at any level; FULL makes it survive a power cut too,
    # at one fsync a commit, which a thread of its own with two commits a second can afford.
    connection.execute("PRAGMA synchronous = FULL")
    add_functions(connection)


def _migrate(
    connection: sqlite3.Connection, version: int, migrations: Sequence[Sequence[str]]
) -> None:
    for statements in migrations[version:]:
        for statement in statements:
            connection.execute(statement)
    if version < len(migrations):
        if connection.execute("PRAGMA foreign_key_check").fetchone() is not None:
            raise sqlite3.IntegrityError("messages without a chat or a parent")
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {len(migrations)}")


def _back_up(connection: sqlite3.Connection, path: Path, version: int) -> None:
    """Copy the database beside itself before its schema changes; never over an older copy."""
    number = 1
    while (copy := path.with_name(f"{path.stem}.v{version}-backup-{number}{path.suffix}")).exists():
        number += 1
    part = copy.with_name(copy.name + ".part")
    part.unlink(missing_ok=True)
    with contextlib.closing(sqlite3.connect(part)) as target:
        connection.backup(target)
        # A copy in WAL mode would be more than one file.
        target.execute("PRAGMA journal_mode = DELETE")
    part.replace(copy)


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    return int(connection.execute(f"PRAGMA {name}").fetchone()[0])


@contextlib.contextmanager
def transaction(connection: sqlite3.Connection) -> Generator[None]:
    """Commit everything in the block, or nothing of it."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        # A full disk has rolled back by itself.
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


@contextlib.contextmanager
def sentences(path: Path) -> Generator[None]:
    """Turn what SQLite and the system raise in the block into a StoreError."""
    try:
        yield
    except sqlite3.Error as error:
        raise _kind(_code(error))(_sentence(path, error)) from error
    except OSError as error:
        raise UnreachableError(_unreachable(path)) from error


_DAMAGE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_UNREACHABLE = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM)


def _kind(code: int) -> type[StoreError]:
    if code in _DAMAGE:
        return DamagedError
    return UnreachableError if code in _UNREACHABLE else StoreError


def _code(error: sqlite3.Error) -> int:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def _sentence(path: Path, error: sqlite3.Error) -> str:
    if getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY:
        return translate("Chats", "This chat no longer exists: start a new one.")
    code = _code(error)
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        sentence = translate(
            "Chats",
            "The chats in {path} are in use by another program, perhaps a second Cutaway: close "
            "it, then try again.",
        )
        return sentence.format(path=path)
    if code in _DAMAGE:
        return damaged(path)
    if code == sqlite3.SQLITE_FULL:
        sentence = translate(
            "Chats", "The disk with {path} is full, so the chats cannot be saved: free some space."
        )
        return sentence.format(path=path)
    if code in _UNREACHABLE:
        return _unreachable(path)
    sentence = translate(
        "Chats",
        "The chats in {path} cannot be read or saved ({error}): check the disk, then try again.",
    )
    return sentence.format(path=path, error=error)


def damaged(path: Path) -> str:
    """What the user is told of a file that cannot be read."""
    sentence = translate(
        "Chats",
        "{path} is damaged, or not a file of chats, and is left as it is: put a backup in its "
        "place, or move it elsewhere to start with no chats.",
    )
    return sentence.format(path=path)


def _unreachable(path: Path) -> str:
    sentence = translate(
        "Chats",
        "The chats cannot be saved in {path}: make sure that it is a file that you may write, in a "
        "folder that you may write.",
    )
    return sentence.format(path=path)
