"""What reading costs the window: measured in a process of its own, without a model."""

from collections.abc import Iterator

from tests.bench.context import Context, probe
from tests.bench.report import Row, compared, figure

_FRAME_MS = 16.0
_LIMIT_MS = 100.0


def run_reading(_: Context) -> Iterator[Row]:
    """The cost of a growing reply, of long chats, and of texts made to stop the window."""
    result = probe("reading_probe")
    growing, opening = result["growing"], result["opening"]
    first, last = growing["first_ms"], growing["last_ms"]
    versus = "tokens 2,000 to 4,000"
    yield compared("reading", "a late token of 20,000, ms", last, first, versus, at_most=1.5)
    yield figure("reading", "share of a core at 200 tokens/s", growing["share"], at_most=0.2)
    yield figure("reading", "a frame while streaming, p99, ms", growing["p99_ms"])
    yield figure(
        "reading", "a frame while streaming, longest, ms", growing["longest_ms"], at_most=_FRAME_MS
    )
    many, few = opening["many_ms"], opening["few_ms"]
    versus = "chat of 20"
    yield compared("reading", "opening 1,000 long messages, ms", many, few, versus, at_most=2.0)
    yield figure("reading", "1,000 messages, opened, MB", opening["opened_mb"])
    yield figure("reading", "1,000 messages, read through, MB", opening["read_through_mb"])
    yield figure("reading", "1,000 messages, back at the end, MB", opening["left_mb"])
    for name, longest in sorted(result["hostile_ms"].items(), key=lambda pair: -pair[1]):
        yield figure("reading", f"hostile: {name}, longest, ms", longest, at_most=_LIMIT_MS)
