"""The schema of the chats' file, version by version, and the functions that its triggers call.

`number` orders messages by the millisecond they were made in, so that the search index, which
goes by it, finds the newest first without sorting.
"""

import sqlite3

from app.chats.model import preview_of
from app.chats.words import search_text

_VERSION_1 = (
    """
    CREATE TABLE chat (
        id TEXT PRIMARY KEY NOT NULL,
        title TEXT NOT NULL,
        created_at REAL NOT NULL,
        updated_at REAL NOT NULL,
        leaf_id TEXT,
        FOREIGN KEY (id, leaf_id) REFERENCES message (chat_id, id)
            DEFERRABLE INITIALLY DEFERRED
    ) STRICT
    """,
    "CREATE INDEX chat_by_time ON chat (updated_at)",
    """
    CREATE TABLE message (
        id TEXT PRIMARY KEY NOT NULL,
        chat_id TEXT NOT NULL REFERENCES chat (id) ON DELETE CASCADE
            DEFERRABLE INITIALLY DEFERRED,
        parent_id TEXT,
        role TEXT NOT NULL CHECK (role IN ('system', 'user', 'assistant')),
        text TEXT NOT NULL,
        state TEXT NOT NULL
            CHECK (state IN ('complete', 'streaming', 'stopped', 'interrupted', 'failed')),
        created_at REAL NOT NULL,
        model TEXT,
        token_ids BLOB NOT NULL,
        figures TEXT,
        UNIQUE (chat_id, id),
        FOREIGN KEY (chat_id, parent_id) REFERENCES message (chat_id, id)
            DEFERRABLE INITIALLY DEFERRED
    ) STRICT
    """,
    "CREATE INDEX message_by_parent ON message (chat_id, parent_id)",
    "CREATE INDEX message_streaming ON message (state) WHERE state = 'streaming'",
)

_TABLES_2 = (
    "DROP INDEX chat_by_time",
    "DROP INDEX message_by_parent",
    "DROP INDEX message_streaming",
    "ALTER TABLE chat RENAME TO chat_1",
    "ALTER TABLE message RENAME TO message_1",
    # `deletion` is set while a chat is in the trash, and below 0 while it is on its way in.
    """
    CREATE TABLE chat (
        number INTEGER PRIMARY KEY,
        id TEXT UNIQUE NOT NULL,
        title TEXT NOT NULL,
        titled_by TEXT NOT NULL DEFAULT 'question'
            CHECK (titled_by IN ('question', 'model', 'user')),
        created_at REAL NOT NULL,
        updated_at REAL NOT NULL,
        leaf_id TEXT,
        pinned INTEGER NOT NULL DEFAULT 0 CHECK (pinned IN (0, 1)),
        archived INTEGER NOT NULL DEFAULT 0 CHECK (archived IN (0, 1)),
        deletion INTEGER,
        preview TEXT NOT NULL DEFAULT '',
        settings TEXT NOT NULL DEFAULT '{}',
        FOREIGN KEY (id, leaf_id) REFERENCES message (chat_id, id)
            DEFERRABLE INITIALLY DEFERRED
    ) STRICT
    """,
    # `position` orders versions, the highest `shown` was looked at last. `deletion` is set while
    # a message is in the trash with its branch, `splice` while (0: for good) it is taken out of
    # the tree alone. Long columns come last: the rest is then read without them.
    """
    CREATE TABLE message (
        number INTEGER PRIMARY KEY,
        id TEXT UNIQUE NOT NULL,
        chat_id TEXT NOT NULL REFERENCES chat (id) ON DELETE CASCADE
            DEFERRABLE INITIALLY DEFERRED,
        parent_id TEXT,
        position INTEGER NOT NULL,
        shown INTEGER NOT NULL,
        role TEXT NOT NULL CHECK (role IN ('system', 'user', 'assistant')),
        state TEXT NOT NULL
            CHECK (state IN ('complete', 'streaming', 'stopped', 'interrupted', 'failed')),
        created_at REAL NOT NULL,
        deletion INTEGER,
        splice INTEGER,
        model TEXT,
        figures TEXT,
        settings TEXT,
        text TEXT NOT NULL,
        token_ids BLOB NOT NULL,
        UNIQUE (chat_id, id),
        FOREIGN KEY (chat_id, parent_id) REFERENCES message (chat_id, id)
            DEFERRABLE INITIALLY DEFERRED
    ) STRICT
    """,
    """
    CREATE TABLE attachment (
        number INTEGER PRIMARY KEY,
        id TEXT UNIQUE NOT NULL,
        message_id TEXT NOT NULL REFERENCES message (id) ON DELETE CASCADE
            DEFERRABLE INITIALLY DEFERRED,
        name TEXT NOT NULL,
        media_type TEXT NOT NULL,
        size_bytes INTEGER NOT NULL,
        text TEXT NOT NULL
    ) STRICT
    """,
    # What was deleted and can be undone; `leaf_id` is what its chat showed before.
    """
    CREATE TABLE deletion (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        kind TEXT NOT NULL CHECK (kind IN ('chat', 'branch', 'message')),
        chat_id TEXT NOT NULL REFERENCES chat (id) ON DELETE CASCADE,
        message_id TEXT,
        leaf_id TEXT,
        deleted_at REAL NOT NULL
    ) STRICT
    """,
    """
    CREATE TABLE preset (
        number INTEGER PRIMARY KEY,
        id TEXT UNIQUE NOT NULL,
        name TEXT NOT NULL,
        settings TEXT NOT NULL,
        updated_at REAL NOT NULL
    ) STRICT
    """,
    """
    CREATE TABLE prompt (
        number INTEGER PRIMARY KEY,
        id TEXT UNIQUE NOT NULL,
        name TEXT NOT NULL,
        text TEXT NOT NULL,
        updated_at REAL NOT NULL
    ) STRICT
    """,
)

_ROWS_2 = (
    "INSERT INTO chat (id, title, created_at, updated_at, leaf_id) "
    "SELECT id, title, created_at, updated_at, leaf_id FROM chat_1 ORDER BY rowid",
    # Each number is the millisecond, or one more than the last: the running maximum of
    # (millisecond - row) + row.
    """
    INSERT INTO message (number, id, chat_id, parent_id, position, shown, role, state, created_at,
                         model, figures, text, token_ids)
    SELECT max(CAST(max(0, created_at) * 1000 AS INTEGER) - row) OVER (ORDER BY row) + row,
           id, chat_id, parent_id, place, place, role, state, created_at,
           model, figures, text, token_ids
    FROM (SELECT *, row_number() OVER (ORDER BY created_at, rowid) AS row,
                 row_number() OVER (PARTITION BY chat_id, parent_id ORDER BY created_at, rowid) - 1
                     AS place
          FROM message_1)
    ORDER BY row
    """,
    "DROP TABLE message_1",
    "DROP TABLE chat_1",
    "UPDATE chat SET preview = coalesce("
    "(SELECT preview_text(substr(text, 1, 480)) FROM message WHERE message.id = leaf_id), '')",
)

_INDEX_2 = (
    "CREATE INDEX chat_by_time ON chat (updated_at)",
    "CREATE INDEX message_by_parent ON message (chat_id, parent_id)",
    "CREATE INDEX message_streaming ON message (state) WHERE state = 'streaming'",
    "CREATE INDEX attachment_by_message ON attachment (message_id)",
    "CREATE INDEX deletion_by_chat ON deletion (chat_id)",
    """
    CREATE VIRTUAL TABLE chat_search USING fts5 (
        text, content = '', tokenize = "unicode61 remove_diacritics 2", prefix = '2 3')
    """,
    """
    CREATE VIRTUAL TABLE message_search USING fts5 (
        text, content = '', tokenize = "unicode61 remove_diacritics 2", prefix = '2 3')
    """,
    "INSERT INTO chat_search (rowid, text) SELECT number, search_text(title) FROM chat",
    "INSERT INTO message_search (rowid, text) SELECT number, search_text(text) FROM message "
    "WHERE state <> 'streaming' ORDER BY number",
)

# A reply is indexed when it has ended: twice a second would be quadratic work.
_TRIGGERS_2 = (
    """
    CREATE TRIGGER chat_named AFTER INSERT ON chat BEGIN
        INSERT INTO chat_search (rowid, text) VALUES (new.number, search_text(new.title));
    END
    """,
    """
    CREATE TRIGGER chat_renamed AFTER UPDATE OF title ON chat WHEN new.title <> old.title BEGIN
        INSERT INTO chat_search (chat_search, rowid, text)
            VALUES ('delete', old.number, search_text(old.title));
        INSERT INTO chat_search (rowid, text) VALUES (new.number, search_text(new.title));
    END
    """,
    """
    CREATE TRIGGER chat_gone AFTER DELETE ON chat BEGIN
        INSERT INTO chat_search (chat_search, rowid, text)
            VALUES ('delete', old.number, search_text(old.title));
    END
    """,
    """
    CREATE TRIGGER message_said AFTER INSERT ON message WHEN new.state <> 'streaming' BEGIN
        INSERT INTO message_search (rowid, text) VALUES (new.number, search_text(new.text));
    END
    """,
    """
    CREATE TRIGGER message_unsaid AFTER UPDATE OF text, state ON message
    WHEN old.state <> 'streaming' AND (new.text <> old.text OR new.state = 'streaming') BEGIN
        INSERT INTO message_search (message_search, rowid, text)
            VALUES ('delete', old.number, search_text(old.text));
    END
    """,
    """
    CREATE TRIGGER message_resaid AFTER UPDATE OF text, state ON message
    WHEN new.state <> 'streaming' AND (new.text <> old.text OR old.state = 'streaming') BEGIN
        INSERT INTO message_search (rowid, text) VALUES (new.number, search_text(new.text));
    END
    """,
    """
    CREATE TRIGGER message_gone AFTER DELETE ON message WHEN old.state <> 'streaming' BEGIN
        INSERT INTO message_search (message_search, rowid, text)
            VALUES ('delete', old.number, search_text(old.text));
    END
    """,
    """
    CREATE TRIGGER leaf_moved AFTER UPDATE OF leaf_id ON chat BEGIN
        UPDATE chat SET preview = coalesce(
            (SELECT preview_text(substr(text, 1, 480)) FROM message WHERE id = new.leaf_id), '')
        WHERE number = new.number;
    END
    """,
    """
    CREATE TRIGGER leaf_grown AFTER UPDATE OF text ON message BEGIN
        UPDATE chat SET preview = preview_text(substr(new.text, 1, 480))
        WHERE id = new.chat_id AND leaf_id = new.id;
    END
    """,
)

# What is written and not sent yet, by chat ('' for one that is not stored yet). `attachments` is
# JSON.
_VERSION_3 = (
    """
    CREATE TABLE draft (
        chat_id TEXT PRIMARY KEY NOT NULL,
        text TEXT NOT NULL,
        attachments TEXT NOT NULL,
        updated_at REAL NOT NULL
    ) STRICT
    """,
    """
    CREATE TRIGGER chat_undrafted AFTER DELETE ON chat BEGIN
        DELETE FROM draft WHERE chat_id = old.id;
    END
    """,
)

# Of a very long text the beginning is found: reading all of it would hold up what is said.
_FOUND_4 = "search_text(substr({row}.name || char(10) || {row}.text, 1, 400000))"

_VERSION_4 = (
    """
    CREATE VIRTUAL TABLE attachment_search USING fts5 (
        text, content = '', tokenize = "unicode61 remove_diacritics 2")
    """,
    "INSERT INTO attachment_search (rowid, text) "
    f"SELECT number, {_FOUND_4.format(row='attachment')} FROM attachment",
    f"""
    CREATE TRIGGER attached AFTER INSERT ON attachment BEGIN
        INSERT INTO attachment_search (rowid, text)
            VALUES (new.number, {_FOUND_4.format(row="new")});
    END
    """,
    f"""
    CREATE TRIGGER detached AFTER DELETE ON attachment BEGIN
        INSERT INTO attachment_search (attachment_search, rowid, text)
            VALUES ('delete', old.number, {_FOUND_4.format(row="old")});
    END
    """,
)

# Each entry brings the schema one version further. A published entry never changes.
MIGRATIONS: tuple[tuple[str, ...], ...] = (
    _VERSION_1,
    (*_TABLES_2, *_ROWS_2, *_INDEX_2, *_TRIGGERS_2),
    _VERSION_3,
    _VERSION_4,
)


def add_functions(connection: sqlite3.Connection) -> None:
    """Give a connection the functions that the triggers call."""
    connection.create_function("search_text", 1, search_text, deterministic=True)
    connection.create_function("preview_text", 1, preview_of, deterministic=True)
