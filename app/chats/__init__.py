"""The chats on disk: what they are, the SQLite file they live in, the thread that owns it."""
