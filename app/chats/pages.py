"""The pages of an SQLite file read without SQLite, for files that it refuses.

The format is described at https://sqlite.org/fileformat2.html; section numbers refer to it.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass

Value = int | float | str | bytes | None

_LEAF, _INTERIOR = 0x0D, 0x05  # of table b-trees (1.6)
_COLUMN_LIMIT = 64
_RESERVED_LIMIT = 32  # bytes at the end of each page; more is damage
_PAYLOAD_LIMIT = 1 << 30


@dataclass(frozen=True)
class Row:
    """A row as it lies in a page, of the table that holds it, or of none that can be told."""

    table: str | None
    values: tuple[Value, ...]


class Pages:
    """The pages of a damaged file, with what its write-ahead log has committed on top."""

    def __init__(self, content: bytes, log: bytes = b"") -> None:
        size = int.from_bytes(content[16:18], "big")
        self.size = 65536 if size == 1 else size if size >= 512 and size & (size - 1) == 0 else 4096
        reserved = content[20] if len(content) > 20 else 0
        self._usable = self.size - (reserved if reserved <= _RESERVED_LIMIT else 0)
        self._content = content
        self._newer = _logged(log, self.size)
        whole = -(-len(content) // self.size)
        self.count = max(whole, *self._newer) if self._newer else whole

    def page(self, number: int) -> bytes:
        """Return a page, numbered from 1; shorter where the file ends within it."""
        newer = self._newer.get(number)
        if newer is not None:
            return newer
        return self._content[(number - 1) * self.size : number * self.size]

    def rows(self) -> Iterator[Row]:
        """Yield the rows of all table pages: first those in tables, then those that lie about."""
        walked = self._walked()
        known = walked.keys() | self._free()
        lost = [number for number in range(1, self.count + 1) if number not in known]
        for number in [*walked, *lost]:
            for values in self._rows_of(number):
                yield Row(walked.get(number), values)

    def _walked(self) -> dict[int, str]:
        """Return the leaf pages of all tables in the schema (page 1), as far as they are sound."""
        found = dict.fromkeys(self._leaves(1), "sqlite_schema")
        for schema in tuple(found):
            for values in self._rows_of(schema):
                if len(values) == 5 and values[0] == "table" and isinstance(values[3], int):
                    found.update(dict.fromkeys(self._leaves(values[3]), str(values[1])))
        return found

    def _leaves(self, root: int) -> Iterator[int]:
        waiting, seen = [root], set[int]()
        while waiting:
            number = waiting.pop()
            if number in seen or not 0 < number <= self.count:
                continue
            seen.add(number)
            page = self.page(number)
            start = 100 if number == 1 else 0
            if page[start : start + 1] == bytes([_LEAF]):
                yield number
            elif page[start : start + 1] == bytes([_INTERIOR]):
                waiting.append(int.from_bytes(page[start + 8 : start + 12], "big"))
                for cell in self._cells(page, start, header=12):
                    waiting.append(int.from_bytes(page[cell : cell + 4], "big"))

    def _free(self) -> set[int]:
        """Return the pages on the list of free ones (1.5): what they hold was deleted."""
        free: set[int] = set()
        trunk = int.from_bytes(self.page(1)[32:36], "big")
        while 0 < trunk <= self.count and trunk not in free:
            page = self.page(trunk)
            count = min(int.from_bytes(page[4:8], "big"), self.size // 4 - 2)
            free.add(trunk)
            free.update(
                int.from_bytes(page[at : at + 4], "big") for at in range(8, 8 + 4 * count, 4)
            )
            trunk = int.from_bytes(page[:4], "big")
        return free

    def _rows_of(self, number: int) -> Iterator[tuple[Value, ...]]:
        page = self.page(number)
        start = 100 if number == 1 else 0
        if page[start : start + 1] != bytes([_LEAF]):
            return
        for cell in self._cells(page, start, header=8):
            try:
                length, at = _varint(page, cell)
                _, at = _varint(page, at)  # the row's number
                yield _record(self._payload(page, at, length))
            except (IndexError, ValueError, struct.error, UnicodeDecodeError):
                continue

    def _cells(self, page: bytes, start: int, *, header: int) -> Iterator[int]:
        count = int.from_bytes(page[start + 3 : start + 5], "big")
        first = start + header
        for at in range(first, min(first + 2 * count, len(page) - 1), 2):
            cell = int.from_bytes(page[at : at + 2], "big")
            if first <= cell < len(page):
                yield cell

    def _payload(self, page: bytes, at: int, length: int) -> bytes:
        """Collect a payload that may go on in overflow pages (1.6)."""
        if not 0 < length < min(_PAYLOAD_LIMIT, self.size * self.count + 1):
            raise ValueError
        local = length
        if length > self._usable - 35:
            least = (self._usable - 12) * 32 // 255 - 23
            local = least + (length - least) % (self._usable - 4)
            local = least if local > self._usable - 35 else local
        parts = [page[at : at + local]]
        left = length - len(parts[0])
        following = int.from_bytes(page[at + local : at + local + 4], "big")
        while left > 0:
            if not 0 < following <= self.count:
                raise ValueError
            page = self.page(following)
            parts.append(page[4 : 4 + min(left, self._usable - 4)])
            if not parts[-1]:
                raise ValueError
            left -= len(parts[-1])
            following = int.from_bytes(page[:4], "big")
        return b"".join(parts)


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = 0
    for index in range(8):
        byte = data[at + index]
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + index + 1
    value = value << 8 | data[at + 8]
    return value - (1 << 64) if value >= 1 << 63 else value, at + 9


def _record(payload: bytes) -> tuple[Value, ...]:
    """Take a record apart (2.1)."""
    length, at = _varint(payload, 0)
    if not 0 < length <= len(payload):
        raise ValueError
    kinds: list[int] = []
    while at < length:
        kind, at = _varint(payload, at)
        kinds.append(kind)
        if len(kinds) > _COLUMN_LIMIT:
            raise ValueError
    values: list[Value] = []
    at = length
    for kind in kinds:
        value, at = _value(payload, at, kind)
        values.append(value)
    return tuple(values)


def _value(payload: bytes, at: int, kind: int) -> tuple[Value, int]:
    if kind == 0:
        return None, at
    if kind in (8, 9):
        return kind - 8, at
    sizes = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8, 7: 8}
    size = sizes[kind] if kind in sizes else (kind - 12) // 2
    if kind in (10, 11) or size < 0 or at + size > len(payload):
        raise ValueError
    data = payload[at : at + size]
    if kind == 7:
        return struct.unpack(">d", data)[0], at + size
    if kind < 12:
        return int.from_bytes(data, "big", signed=True), at + size
    return (data.decode() if kind % 2 else data), at + size


def _logged(log: bytes, page_size: int) -> dict[int, bytes]:
    """Return the pages that a write-ahead log has committed (4.1); damage ends it."""
    if len(log) < 32 or log[:3] != b"\x37\x7f\x06" or log[8:12] != page_size.to_bytes(4, "big"):
        return {}
    committed: dict[int, bytes] = {}
    pending: dict[int, bytes] = {}
    for at in range(32, len(log) - page_size - 23, page_size + 24):
        number, size, *_ = struct.unpack(">II", log[at : at + 8])
        if log[at + 8 : at + 16] != log[16:24] or number == 0:
            break
        pending[number] = log[at + 24 : at + 24 + page_size]
        if size:  # the frame ends a transaction
            committed.update(pending)
            pending.clear()
    return committed
