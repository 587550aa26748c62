"""A reply is split at blank lines, fences whole, whatever pieces it comes in."""

from __future__ import annotations

import random
import time

import pytest

from ui.chat.blocks import LONGEST_PROSE, Block, BlockSplitter

SAMPLE = """First paragraph
on two lines.

```python
def f():

    return 1
```
Right after.

- item

- another

  ```sh
  ls

  ```
- third

> quoted

~~~
open to the end
"""


def split(text: str, sizes: list[int] | None = None) -> list[Block]:
    splitter = BlockSplitter()
    blocks: list[Block] = []
    position = 0
    for size in sizes or [len(text)]:
        blocks += splitter.feed(text[position : position + size])
        splitter.open_block()
        position += size
    blocks += splitter.feed(text[position:])
    return blocks + splitter.finish()


def test_blocks_of_a_sample() -> None:
    blocks = split(SAMPLE)
    assert [block.kind for block in blocks] == ["prose", "code", "prose", "prose", "prose", "code"]
    assert blocks[1] == Block("code", "def f():\n\n    return 1", "python")
    assert blocks[3].text.startswith("- item")
    assert blocks[3].text.endswith("- third")
    assert blocks[5].text == "open to the end"


@pytest.mark.parametrize("seed", range(12))
def test_pieces_do_not_matter(seed: int) -> None:
    chance = random.Random(seed)
    sizes = [chance.randint(1, 9) for _ in range(len(SAMPLE) // 5)]
    assert split(SAMPLE, sizes) == split(SAMPLE)


def test_open_block_shows_the_unfinished_line_and_hides_a_closing_fence() -> None:
    splitter = BlockSplitter()
    splitter.feed("done\n\nhalf a")
    assert splitter.open_block() == Block("prose", "half a")
    splitter.feed(" line\n```c\nint x;\n``")
    assert splitter.open_block() == Block("code", "int x;", "c")
    splitter.feed("`")
    assert splitter.open_block() == Block("code", "int x;", "c")
    assert splitter.feed("\n") == [Block("code", "int x;", "c")]
    assert splitter.open_block() is None


@pytest.mark.parametrize("partial", ["`", "``", "```", "```pyth", "  ~~~", "~~~text of"])
def test_what_may_become_a_fence_is_left_out_until_its_line_ends(partial: str) -> None:
    splitter = BlockSplitter()
    splitter.feed(f"First:\n{partial}")
    assert splitter.open_block() == Block("prose", "First:")
    assert splitter.finish()


@pytest.mark.parametrize("partial", ["`x", "``x", "~", "~~gone~~", "    ```"])
def test_what_cannot_become_a_fence_is_shown_at_once(partial: str) -> None:
    splitter = BlockSplitter()
    splitter.feed(f"First:\n{partial}")
    assert splitter.open_block() == Block("prose", f"First:\n{partial}")


def test_endless_lines_are_cut_and_nothing_is_lost() -> None:
    text = "word " * 3000 + "x" * 20_000
    start = time.perf_counter()
    blocks = split(text, [7] * (len(text) // 7))
    assert time.perf_counter() - start < 2
    assert "".join(block.text for block in blocks) == text
    assert all(len(block.text) <= LONGEST_PROSE for block in blocks)
