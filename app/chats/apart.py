"""What is said while the file of chats cannot be opened: kept in a file beside it, joined in later.

The other file survives a kill as the first one does; whoever opens the chats next joins them.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from app.chats.errors import StoreError, UnreachableError
from app.chats.store import Store

if TYPE_CHECKING:
    from pathlib import Path


def beside(path: Path) -> Path:
    """Return the file that stands in for that of the chats."""
    return path.with_name(f"{path.stem}.apart{path.suffix}")


def open_beside(path: Path) -> Store | None:
    """Return a store for what is said meanwhile, None where there can be none.

    Args:
        path: The file of chats, which cannot be opened.
    """
    if not path.parent.is_dir():  # making folders is for the chats themselves
        return None
    try:
        return Store(beside(path), busy_s=0)
    except StoreError:
        return None


def open_to_read(path: Path, error: StoreError) -> Store | None:
    """Return a store of what may be read and not be written, None where there is none.

    Args:
        path: The file of chats, which cannot be opened.
        error: Why.
    """
    if not isinstance(error, UnreachableError):
        return None
    try:
        return Store(path, to_read=True)
    except StoreError:
        return None


def join_from_before(store: Store, path: Path) -> None:
    """Join what an earlier run has left beside the chats, where it has left something.

    Raises:
        StoreError: It cannot be read, or not be joined; it is left as it is.
    """
    if beside(path).exists():
        with contextlib.closing(Store(beside(path), busy_s=0)) as apart:
            join(store, apart)
        remove(path)


def join(store: Store, apart: Store) -> None:
    """Take all that was kept apart into the store of chats; a second time changes nothing.

    Raises:
        StoreError: It cannot be read, or not be saved.
    """
    summaries = (*apart.chats(), *apart.chats(archived=True))
    archives = (apart.archive(one.chat.id) for one in summaries)
    store.imports.keep(*(one for one in archives if one is not None))
    for preset in apart.library.presets():
        store.library.save_preset(preset)
    for prompt in apart.library.prompts():
        store.library.save_prompt(prompt)
    for chat_id in ("", *(one.chat.id for one in summaries)):
        written = apart.drafts.read(chat_id)
        store.drafts.add(chat_id, written)


def remove(path: Path) -> None:
    """Remove the file beside the chats, whose content they hold now."""
    with contextlib.suppress(OSError):
        beside(path).unlink()
