"""10,000 chats with 200,000 messages: the list, a long chat and every search stay instant."""

import itertools
import random
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from app.chats.database import transaction
from app.chats.imports import insert_archives
from app.chats.model import Archive, Chat, Message
from app.chats.settings import ChatSettings
from app.chats.store import Store
from tests.bench.context import Context
from tests.bench.report import Row, figure

_QUERIES = (
    *("t", "th", "the", "the of", "cach", "the cache they", '"the cache"', "日", "日本語"),
    *("zzzzqq", "c++", "e", "you that he of to"),
)
_COMMON = ("the", "of", "and", "to", "in", "is", "it", "you", "that", "he", "they", "cache")


def _archive(number: int, length: int, say: Callable[[], str]) -> Archive:
    at = 1.6e9 + 3000 * number
    ids = [f"{number}.{n}" for n in range(length)]
    messages = tuple(
        Message(
            one,
            f"chat {number}",
            above,
            "assistant" if n % 2 else "user",
            say(),
            "complete",
            at + n,
            token_ids=tuple(range(100)),
        )
        for n, (above, one) in enumerate(zip([None, *ids], ids, strict=False))
    )
    chat = Chat(f"chat {number}", say()[:40], at, at + length, ids[-1])
    return Archive(chat, ChatSettings(), messages)


def _fill(path: Path) -> None:
    dice = random.Random(1)
    letters = "etaoinshrdlucmfwypvbgk"
    rare = ["".join(dice.choices(letters, k=dice.randint(3, 10))) for _ in range(30_000)]
    words = [*_COMMON, *rare]
    weights = list(itertools.accumulate(1 / (n + 3) for n in range(len(words))))

    def say() -> str:
        text = " ".join(dice.choices(words, cum_weights=weights, k=dice.choice((5, 12, 40, 120))))
        return (
            f"{text} {''.join(dice.choices('日本語の使い方東京', k=30))}" if "he" in text else text
        )

    store = Store(path)
    for block in range(20):
        numbers = range(500 * block, 500 * block + 500)
        chats = [_archive(n, 1000 if n == 9999 else 20, say) for n in numbers]
        with transaction(store._database):
            insert_archives(store._database, chats)
    store.close()


def _best_ms(work: Callable[[], object]) -> float:
    def once() -> float:
        start = time.perf_counter()
        work()
        return 1000 * (time.perf_counter() - start)

    return min(once() for _ in range(3))


def run_chats(context: Context) -> Iterator[Row]:  # noqa: ARG001 - no model takes part
    """Measure the store of chats at the size that years of use may bring."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "chats.sqlite3"
        _fill(path)
        start = time.perf_counter()
        store = Store(path)
        store.chats()
        listed = 1000 * (time.perf_counter() - start)
        yield figure("chats", "open and list 10,000 chats, ms", listed, at_most=300)
        opened = _best_ms(lambda: store.open_chat("chat 9999"))
        yield figure("chats", "open a chat of 1,000 messages, ms", opened, at_most=150)
        slowest = max(
            _best_ms(lambda q=query, o=order: store.search.find(q, order=o))
            for query in _QUERIES
            for order in ("newest", "best")
        )
        yield figure("chats", "slowest search of 200,000 messages, ms", slowest, at_most=50)
        saved = _best_ms(lambda: store.save_reply("9999.999", "x" * 500, "complete"))
        yield figure("chats", "save a reply, ms", saved, at_most=50)
        store.close()
