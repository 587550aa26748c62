"""The chat place: list of chats, transcript, composer, welcome."""
