"""Exports on real files: every form, escaped, whole or not there at all."""

import html.parser
import json
from pathlib import Path

import pytest
from typing_extensions import override

from app.chats.errors import StoreError
from app.chats.export import ENDINGS, Format, export_chats
from app.chats.import_files import read_files
from app.chats.model import new_attachment
from app.chats.settings import (
    ChatSettings,
    ContextSettings,
    ReplySettings,
    SamplingSettings,
)
from app.chats.store import Store
from tests.app.chats.planting import Talk, exported_to, planted

NASTY = '<script>alert("1")</script> & </style> \x00 <b>bold</b>'


class _Checker(html.parser.HTMLParser):
    """Collects tags and text, and sees that every tag is closed."""

    def __init__(self, content: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.text: list[str] = []
        self._open: list[str] = []
        self.feed(content)
        self.close()
        assert self._open == []

    @override
    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        assert not any(name.startswith("on") or name in ("src", "href") for name, _ in attrs)
        if tag != "meta":
            self._open.append(tag)

    @override
    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    @override
    def handle_data(self, data: str) -> None:
        if "style" not in self._open:
            self.text.append(data)


def _exported(store: Store, tmp_path: Path, form: Format) -> str:
    path = tmp_path / f"chats{ENDINGS[form]}"
    exported_to(path, store, form)
    assert [one.name for one in tmp_path.glob("*.part")] == []
    return path.read_text(encoding="utf-8")


@pytest.fixture
def rich(store: Store, talk: Talk) -> Talk:
    store.set_settings(talk.chat.id, ChatSettings(system_prompt="Be brief."))
    talk.say("q3 日本語", "r2", new_attachment("notes.txt", "text/plain", "a ``` b", 7))
    talk.say("Do **this**:\n\n```python\nprint('<hi>')\n```\n\n# Then\nuse `x < y`.", "q3 日本語")
    store.branches.edit(talk.ids["q1"], "not shown")
    store.branches.show(talk.ids["q1"])
    return talk


def test_markdown(store: Store, rich: Talk, tmp_path: Path) -> None:
    content = _exported(store, tmp_path, "markdown")
    assert content.startswith("# Talk\n\n*20")
    assert "## System\n\nBe brief.\n\n## You\n\nq1\n\n## Assistant\n\nr1\n" in content
    assert "**notes.txt**\n\n````\na ``` b\n````\n\nq3 日本語\n" in content
    assert "```python\nprint('<hi>')\n```" in content
    assert "not shown" not in content
    assert rich.shown.count("q") >= 3


def test_plain_text_of_all_chats(store: Store, rich: Talk, tmp_path: Path) -> None:
    other = planted(store, "Other")
    store.set_archived([other.chat.id], archived=True)
    content = _exported(store, tmp_path, "text")
    assert "\nYou:\nq1\n\nAssistant:\nr1\n\nYou:\nq2\n" in content
    assert "\nYou:\n[notes.txt]\na ``` b\n\nq3 日本語\n" in content
    assert content.index(rich.chat.title) < content.index("=" * 72) < content.index("Other\n")


def test_html_stands_alone_and_looks_like_a_transcript(
    store: Store, rich: Talk, tmp_path: Path
) -> None:
    content = _exported(store, tmp_path, "html")
    assert "@media (prefers-color-scheme: dark)" in content
    assert "http" not in content.replace("http-equiv", "")
    assert "<strong>this</strong>" in content
    assert "<pre><code>print(&#x27;&lt;hi&gt;&#x27;)</code></pre>" in content
    assert "<code>x &lt; y</code>" in content
    text = "".join(_Checker(content).text)
    assert "q3 日本語" in text
    assert "not shown" not in text
    assert rich.chat.title in text


def test_nothing_in_a_chat_becomes_markup(store: Store, tmp_path: Path) -> None:
    talk = planted(store, NASTY)
    store.set_settings(talk.chat.id, ChatSettings(system_prompt=NASTY))
    talk.say(f"q {NASTY}", "r2", new_attachment(NASTY, "text/html", NASTY, 1))
    talk.say(f"r `{NASTY}` **{NASTY}**\n```\n{NASTY}", f"q {NASTY}")
    checker = _Checker(_exported(store, tmp_path, "html"))
    assert checker.tags.isdisjoint({"script", "b", "img", "a"})
    assert "".join(checker.text).count("<script>") == 8


def test_json_holds_whole_trees(store: Store, rich: Talk, tmp_path: Path) -> None:
    data = json.loads(_exported(store, tmp_path, "json"))
    (chat,) = data["chats"]
    assert (data["format"], data["version"]) == ("cutaway-chats", 1)
    assert chat["title"] == rich.chat.title
    assert "not shown" in {message["text"] for message in chat["messages"]}
    assert chat["settings"]["system_prompt"] == "Be brief."


def test_only_some_chats(store: Store, talk: Talk, tmp_path: Path) -> None:
    planted(store, "Other")
    path = tmp_path / "one.md"
    assert exported_to(path, store, "markdown", [talk.chat.id, "nowhere"]) == 1
    assert "Other" not in path.read_text()


@pytest.mark.usefixtures("talk")
def test_a_place_that_cannot_be_written_is_a_sentence(store: Store, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be written"):
        exported_to(tmp_path / "nowhere" / "x.md", store, "markdown")
    taken = tmp_path / "taken"
    taken.mkdir()
    with pytest.raises(StoreError, match="cannot be written"):
        exported_to(taken, store, "text")
    assert list(tmp_path.glob("*.part")) == []


def test_an_export_can_be_ended(store: Store, talk: Talk, tmp_path: Path) -> None:
    told: list[int] = []

    def go_on(count: int) -> bool:
        told.append(count)
        return count < 2

    ids = [talk.chat.id, planted(store).chat.id, planted(store).chat.id]
    path = tmp_path / "all.json"
    path.write_text("older")
    assert export_chats(path, "json", ids, store.archive, go_on) == 0
    assert told == [1, 2]
    assert path.read_text() == "older"
    assert list(tmp_path.glob("*.part")) == []


def test_all_that_a_chat_is_set_to_comes_back(store: Store, talk: Talk, tmp_path: Path) -> None:
    settings = ChatSettings(
        "Be brief.",
        None,
        SamplingSettings(0.5, banned=("a\nb",), logit_bias=((7, -2.5),), xtc_probability=0.5),
        ContextSettings("all", 512, 8),
        ReplySettings(200, ("\n\n",), '{"type": "object"}'),
    )
    store.set_settings(talk.chat.id, settings)
    path = tmp_path / "chats.json"
    exported_to(path, store, "json")
    (archive,) = read_files([path]).chats
    assert archive.settings == settings
    assert archive == store.archive(talk.chat.id)
