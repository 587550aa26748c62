"""What can be wrong with the chats."""


class StoreError(Exception):
    """The chats cannot be read or saved; the message is a sentence that says what to do."""


class DamagedError(StoreError):
    """The file of chats is damaged."""


class UnreachableError(StoreError):
    """The file of chats, or its folder, may not be written, or not be read either."""
