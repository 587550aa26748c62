"""Damages files at random, the same way for the same seed, and judges what comes of it."""

import copy
import json
import random
import re
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any, cast

import pytest

from engine.errors import EngineError

_MOST_CPU_S = 2.0
_ODD_VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 2, 3, 0.5, -0.0, 1e-30, 1e308, float("nan"), float("inf")),
    *(1 << 31, (1 << 31) - 1, 1 << 32, 1 << 63, 1 << 64, -(1 << 63), 10**300, 10**4000),
    *("", "\0", "a" * 5000, "\ud800", "é", "llama", "default", "BPE", "F32", "yarn", "../x"),
    *([], {}, [[]], [None], [-1], [0, 0], [1 << 62, 1 << 62], [1] * 2000, {"": {}}, {"type": 1}),
)
_ODD_WORDS = tuple(
    number.to_bytes(size, "little")
    for size in (1, 4, 8)
    for number in (0, 1, 2, 3, 4, 8, 9, 127, 128, 255)
) + tuple((number % (1 << 64)).to_bytes(8, "little") for number in (-1, 1 << 31, 1 << 40, 1 << 63))


def judge(cases: Iterable[int], name: str, attempt: Callable[[random.Random], object]) -> None:
    """Run `attempt` once for each case with a generator of its own.

    It may do as it says or raise an EngineError of one line, within two seconds of CPU time.
    """
    for case in cases:
        begun = time.process_time()
        try:
            attempt(random.Random(f"{name} {case}"))
        except EngineError as error:
            sentence = str(error)
            assert sentence, f"{name} case {case} says nothing"
            assert len(sentence) < 2000, f"{name} case {case} says too much"
        except Exception as error:  # noqa: BLE001 - whatever it is, the case has to be named
            pytest.fail(f"{name} case {case}: {error!r}")
        spent_s = time.process_time() - begun
        assert spent_s < _MOST_CPU_S, f"{name} case {case} took {spent_s:.1f} s"


def damaged_json(rng: random.Random, value: object) -> bytes:
    """The value as JSON with one to three entries put wrong, now and then with bytes put wrong."""
    changed = copy.deepcopy(value)
    for _ in range(rng.randint(1, 3)):
        _put_wrong(rng, changed)
    data = _dumped(changed).encode("utf-8", "surrogatepass")
    return damaged_bytes(rng, data, len(data)) if rng.random() < 0.15 else data


def damaged_bytes(rng: random.Random, data: bytes, within: int) -> bytes:
    """The data with one to four changes in its first `within` bytes."""
    changed = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(max(1, min(within, len(changed))))
        word = rng.choice(_ODD_WORDS)
        # Mostly in place, so that what follows is still read.
        match rng.randrange(10):
            case 0 | 1 | 2 if changed:
                changed[at % len(changed)] ^= 1 << rng.randrange(8)
            case 3 | 4 | 5 | 6:
                changed[at : at + len(word)] = word
            case 7:
                changed[at:at] = word
            case 8:
                del changed[at : at + rng.randint(1, 40)]
            case _ if rng.random() < 0.7:
                start = rng.randrange(max(1, within))
                changed[at:at] = changed[start : start + rng.randint(1, 60)]
            case _:
                del changed[at:]
    return bytes(changed)


def damaged_template(rng: random.Random, sources: Sequence[str], pieces: Sequence[str]) -> str:
    """A template with `pieces` put between its tags, or its words taken out or exchanged."""
    source = rng.choice(sources)
    if rng.random() < 0.6:
        tags = re.split(r"(?<=[}%]\})", source)
        for _ in range(rng.randint(1, 3)):
            tags.insert(rng.randrange(len(tags) + 1), rng.choice(pieces))
        return "".join(tags)
    words = re.findall(r"\w+|\s+|\{[{%#]|[}%#]\}|.", source, re.DOTALL)
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(words) + 1)
        match rng.randrange(4):
            case 0:
                del words[at : at + rng.randint(1, 5)]
            case 1:
                words.insert(at, rng.choice(pieces))
            case 2:
                words[at:at] = words[(start := rng.randrange(len(words) + 1)) : start + 12]
            case _:
                if words:
                    words[at % len(words)] = rng.choice(words)
    return "".join(words)


def _dumped(value: object) -> str:
    try:
        return json.dumps(value, ensure_ascii=False)
    except ValueError:  # Python writes no integer of more than 4,300 digits
        return "{" + '"a":' * 500


def _put_wrong(rng: random.Random, value: object) -> None:
    """Change, remove, rename or double one entry somewhere in lists and objects."""
    entries, keys = _entries(value)
    while keys:
        key = rng.choice(keys)
        inner, inner_keys = _entries(entries[key])
        if inner_keys and rng.random() < 0.7:
            entries, keys = inner, inner_keys
            continue
        match rng.randrange(5):
            case 0:
                del entries[key]
            case 1 if isinstance(key, str):
                entries[rng.choice(("", "x", "type", "a" * 300))] = entries.pop(key)
            case 2:
                entries[key] = copy.deepcopy(entries[rng.choice(keys)])
            case _:
                entries[key] = copy.deepcopy(rng.choice(_ODD_VALUES))
        return


def _entries(value: object) -> tuple[Any, list[Any]]:
    """An object or list, and what it can be asked for; of anything else nothing."""
    if isinstance(value, dict):
        return cast("dict[str, Any]", value), list(cast("dict[str, Any]", value))
    return value, list(range(len(cast("list[Any]", value)))) if isinstance(value, list) else []
