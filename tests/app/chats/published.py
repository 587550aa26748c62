"""A file as each published version wrote it; frozen, so that every later one is tried on it."""

PUBLISHED = {
    1: """
        PRAGMA application_id = 1129665623;
        PRAGMA user_version = 1;
        CREATE TABLE chat (
            id TEXT PRIMARY KEY NOT NULL,
            title TEXT NOT NULL,
            created_at REAL NOT NULL,
            updated_at REAL NOT NULL,
            leaf_id TEXT,
            FOREIGN KEY (id, leaf_id) REFERENCES message (chat_id, id)
                DEFERRABLE INITIALLY DEFERRED
        ) STRICT;
        CREATE INDEX chat_by_time ON chat (updated_at);
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
        ) STRICT;
        CREATE INDEX message_by_parent ON message (chat_id, parent_id);
        CREATE INDEX message_streaming ON message (state) WHERE state = 'streaming';
        INSERT INTO chat VALUES ('c', 'Old chat', 100.5, 200.25, 'm2');
        INSERT INTO message VALUES
            ('m1', 'c', NULL, 'user', 'Wörds', 'complete', 150.0, NULL, x'', NULL),
            ('m2', 'c', 'm1', 'assistant', 'Half a rep', 'streaming', 200.25, 'starter',
             x'05000000ffff0000', '{"prompt_tokens": 4, "tokens": 2, "ttft_s": 0.5}');
    """,
    2: """
        PRAGMA application_id = 1129665623;
        PRAGMA user_version = 2;
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
        ) STRICT;
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
        ) STRICT;
        CREATE TABLE attachment (
            number INTEGER PRIMARY KEY,
            id TEXT UNIQUE NOT NULL,
            message_id TEXT NOT NULL REFERENCES message (id) ON DELETE CASCADE
                DEFERRABLE INITIALLY DEFERRED,
            name TEXT NOT NULL,
            media_type TEXT NOT NULL,
            size_bytes INTEGER NOT NULL,
            text TEXT NOT NULL
        ) STRICT;
        CREATE TABLE deletion (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            kind TEXT NOT NULL CHECK (kind IN ('chat', 'branch', 'message')),
            chat_id TEXT NOT NULL REFERENCES chat (id) ON DELETE CASCADE,
            message_id TEXT,
            leaf_id TEXT,
            deleted_at REAL NOT NULL
        ) STRICT;
        CREATE TABLE preset (
            number INTEGER PRIMARY KEY,
            id TEXT UNIQUE NOT NULL,
            name TEXT NOT NULL,
            settings TEXT NOT NULL,
            updated_at REAL NOT NULL
        ) STRICT;
        CREATE TABLE prompt (
            number INTEGER PRIMARY KEY,
            id TEXT UNIQUE NOT NULL,
            name TEXT NOT NULL,
            text TEXT NOT NULL,
            updated_at REAL NOT NULL
        ) STRICT;
        CREATE VIRTUAL TABLE chat_search USING fts5 (
            text, content = '', tokenize = "unicode61 remove_diacritics 2", prefix = '2 3');
        CREATE VIRTUAL TABLE message_search USING fts5 (
            text, content = '', tokenize = "unicode61 remove_diacritics 2", prefix = '2 3');
        CREATE INDEX chat_by_time ON chat (updated_at);
        CREATE INDEX message_by_parent ON message (chat_id, parent_id);
        CREATE INDEX message_streaming ON message (state) WHERE state = 'streaming';
        CREATE INDEX attachment_by_message ON attachment (message_id);
        CREATE INDEX deletion_by_chat ON deletion (chat_id);
        INSERT INTO chat VALUES
            (1, 'c', 'Old chat', 'question', 100.5, 200.25, 'm2', 0, 0, NULL, 'Half a rep',
             '{"system_prompt": "Be brief.", "sampling": {"temperature": 0.25}}'),
            (2, 'd', 'Gone', 'user', 100.5, 100.5, NULL, 1, 1, 1, '', '{}');
        INSERT INTO message VALUES
            (150000, 'm1', 'c', NULL, 0, 0, 'user', 'complete', 150.0, NULL, NULL, NULL, NULL, NULL,
             'Wörds', x''),
            (200250, 'm2', 'c', 'm1', 0, 1, 'assistant', 'streaming', 200.25, NULL, NULL, 'starter',
             '{"prompt_tokens": 4, "tokens": 2, "ttft_s": 0.5}', '{"model": "starter"}',
             'Half a rep', x'05000000ffff0000'),
            (200251, 'm3', 'c', 'm1', 1, 0, 'assistant', 'complete', 190.0, NULL, NULL, 'starter',
             NULL, NULL, '日本語', x'');
        INSERT INTO attachment VALUES (1, 'a', 'm1', 'notes.txt', 'text/plain', 5, 'Notes');
        INSERT INTO deletion VALUES (1, 'chat', 'd', NULL, NULL, 300.0);
        INSERT INTO preset VALUES (1, 'p', 'Cold', '{"sampling": {"temperature": 0}}', 100.0);
        INSERT INTO prompt VALUES (1, 'q', 'Pirate', 'Talk like a pirate.', 100.0);
        INSERT INTO chat_search (rowid, text) VALUES (1, 'Old chat'), (2, 'Gone');
        INSERT INTO message_search (rowid, text) VALUES
            (150000, 'Wörds'), (200251, ' 日本 本語 語 ');
        CREATE TRIGGER chat_named AFTER INSERT ON chat BEGIN
            INSERT INTO chat_search (rowid, text) VALUES (new.number, search_text(new.title));
        END;
        CREATE TRIGGER chat_renamed AFTER UPDATE OF title ON chat WHEN new.title <> old.title BEGIN
            INSERT INTO chat_search (chat_search, rowid, text)
                VALUES ('delete', old.number, search_text(old.title));
            INSERT INTO chat_search (rowid, text) VALUES (new.number, search_text(new.title));
        END;
        CREATE TRIGGER chat_gone AFTER DELETE ON chat BEGIN
            INSERT INTO chat_search (chat_search, rowid, text)
                VALUES ('delete', old.number, search_text(old.title));
        END;
        CREATE TRIGGER message_said AFTER INSERT ON message WHEN new.state <> 'streaming' BEGIN
            INSERT INTO message_search (rowid, text) VALUES (new.number, search_text(new.text));
        END;
        CREATE TRIGGER message_unsaid AFTER UPDATE OF text, state ON message
        WHEN old.state <> 'streaming' AND (new.text <> old.text OR new.state = 'streaming') BEGIN
            INSERT INTO message_search (message_search, rowid, text)
                VALUES ('delete', old.number, search_text(old.text));
        END;
        CREATE TRIGGER message_resaid AFTER UPDATE OF text, state ON message
        WHEN new.state <> 'streaming' AND (new.text <> old.text OR old.state = 'streaming') BEGIN
            INSERT INTO message_search (rowid, text) VALUES (new.number, search_text(new.text));
        END;
        CREATE TRIGGER message_gone AFTER DELETE ON message WHEN old.state <> 'streaming' BEGIN
            INSERT INTO message_search (message_search, rowid, text)
                VALUES ('delete', old.number, search_text(old.text));
        END;
        CREATE TRIGGER leaf_moved AFTER UPDATE OF leaf_id ON chat BEGIN
            UPDATE chat SET preview = coalesce(
                (SELECT preview_text(substr(text, 1, 480)) FROM message WHERE id = new.leaf_id), '')
            WHERE number = new.number;
        END;
        CREATE TRIGGER leaf_grown AFTER UPDATE OF text ON message BEGIN
            UPDATE chat SET preview = preview_text(substr(new.text, 1, 480))
            WHERE id = new.chat_id AND leaf_id = new.id;
        END;
    """,
}

PUBLISHED[3] = (
    PUBLISHED[2].replace("user_version = 2", "user_version = 3")
    + """
        CREATE TABLE draft (
            chat_id TEXT PRIMARY KEY NOT NULL,
            text TEXT NOT NULL,
            attachments TEXT NOT NULL,
            updated_at REAL NOT NULL
        ) STRICT;
        CREATE TRIGGER chat_undrafted AFTER DELETE ON chat BEGIN
            DELETE FROM draft WHERE chat_id = old.id;
        END;
        INSERT INTO draft VALUES
            ('c', 'Half a question', '[{"name": "n.txt", "text": "N", "size_bytes": 1}]', 300.0);
    """
)

PUBLISHED[4] = (
    PUBLISHED[3].replace("user_version = 3", "user_version = 4")
    + """
        CREATE VIRTUAL TABLE attachment_search USING fts5 (
            text, content = '', tokenize = "unicode61 remove_diacritics 2");
        INSERT INTO attachment_search (rowid, text) VALUES (1, 'notes.txt' || char(10) || 'Notes');
        CREATE TRIGGER attached AFTER INSERT ON attachment BEGIN
            INSERT INTO attachment_search (rowid, text)
                VALUES (new.number,
                        search_text(substr(new.name || char(10) || new.text, 1, 400000)));
        END;
        CREATE TRIGGER detached AFTER DELETE ON attachment BEGIN
            INSERT INTO attachment_search (attachment_search, rowid, text) VALUES (
                'delete', old.number,
                search_text(substr(old.name || char(10) || old.text, 1, 400000)));
        END;
    """
)
