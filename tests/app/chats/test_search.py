"""Search on a real index: titles, messages, scripts, ranking, what has changed since."""

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.chats.model import new_attachment, new_chat, new_message
from app.chats.search import SNIPPET_LENGTH, Hit
from app.chats.store import Store
from tests.app.chats.planting import Talk, planted


def _say(store: Store, text: str, title: str = "Chat") -> str:
    chat = new_chat(title)
    store.create_chat(chat)
    message = new_message(chat.id, None, "user", text)
    store.add_message(message)
    return message.id


def _marked(hit: Hit) -> list[str]:
    return [hit.snippet[start:end] for start, end in hit.marks]


@pytest.mark.parametrize(
    ("text", "query", "marked"),
    [
        ("The KV cache grows", "cac", ["cac"]),
        ("The KV cache grows", "grows kv", ["KV", "grows"]),
        ("The KV cache grows", '"cache grows"', ["cache grows"]),
        ("Grüße aus Köln", "koln", ["Köln"]),
        ("日本語の使い方", "本語", ["本語"]),
        ("日本語の使い方", "方", ["方"]),
        ("한국어를 배우다", "국어", ["국어"]),
        ("ภาษาไทย", "ไทย", ["ไทย"]),
        ("make_prompt_cache()", "cache", ["cache"]),
        ("pKVCache", "vcac", ["VCac"]),  # within a word: the text itself is searched
        ("100% of x", "0%", ["0%"]),
        ("a->b", "->", ["->"]),
        ("x", "x", ["x"]),
        ("👩‍💻 works", "👩‍💻", ["👩‍💻"]),
        ("before\x00after", "after", ["after"]),
    ],
)
def test_words_are_found(store: Store, text: str, query: str, marked: list[str]) -> None:
    _say(store, "something else entirely — 中文")
    message_id = _say(store, text)
    (hit,) = store.search.find(query)
    assert hit.message_id == message_id
    assert _marked(hit) == marked


@pytest.mark.parametrize("query", ["", "cache nothere", '"grows cache"', "語日", "%", "_x", "\\"])
def test_what_is_not_there_is_not_found(store: Store, query: str) -> None:
    _say(store, "The KV cache grows 日本語")
    assert store.search.find(query) == ()


def test_titles_come_first_and_lead_to_their_chat(store: Store) -> None:
    _say(store, "about caches", "Weather")
    _say(store, "sunny", "Caches, explained")
    title, message = store.search.find("cache")
    assert (title.message_id, title.snippet, _marked(title)) == (
        None,
        "Caches, explained",
        ["Cache"],
    )
    assert (message.title, message.role) == ("Weather", "user")


def test_a_hit_in_another_version_can_be_shown(store: Store, talk: Talk) -> None:
    store.branches.edit(talk.ids["q1"], "something else")
    (hit,) = store.search.find("r2")
    assert hit.chat_id == talk.chat.id
    assert hit.message_id is not None
    store.branches.show(hit.message_id)
    assert talk.shown == "q1 r1 q2 r2"


def _attach(store: Store, text: str, attached: str, name: str = "a.txt") -> str:
    chat = new_chat("Chat")
    store.create_chat(chat)
    message = dataclasses.replace(
        new_message(chat.id, None, "user", text),
        attachments=(new_attachment(name, "text/plain", attached, 1),),
    )
    store.add_message(message)
    return message.id


@pytest.mark.parametrize(
    ("query", "marked"),
    [
        ("harbour", ["harbour"]),
        ("东京", ["东京"]),
        ("sail har", ["sail", "har"]),
        ("report", ["report"]),
    ],
)
def test_what_was_attached_is_found_with_its_question(
    store: Store, query: str, marked: list[str]
) -> None:
    _attach(store, "Read this", "nothing of note", "b.txt")
    lines = "line after line\n" * 400
    message_id = _attach(
        store, "And this", f"{lines}Ships sail from the harbour 东京湾", "report.md"
    )
    (hit,) = store.search.find(query)
    assert hit.message_id == message_id
    assert hit.snippet.startswith("report.md: ")
    assert _marked(hit) == marked


def test_a_question_is_found_once_and_the_newest_comes_first(store: Store) -> None:
    first = _attach(store, "A whale?", "whale, whale")
    second = _attach(store, "And this?", "Another whale")
    third = _say(store, "No whale")
    assert [hit.message_id for hit in store.search.find("whale")] == [third, second, first]
    assert [hit.message_id for hit in store.search.find("whale", limit=2)] == [third, second]


def test_what_is_deleted_for_good_is_no_longer_found_in_attachments(store: Store) -> None:
    message_id = _attach(store, "Read this", "a whale")
    store.branches.edit(message_id, "Read that")
    assert len(store.search.find("whale")) == 2
    number = store.trash.delete_branch(message_id)
    assert number is not None
    assert len(store.search.find("whale")) == 1
    store.trash.empty()
    (hit,) = store.search.find("whale")
    store.delete_chat(hit.chat_id)
    assert store.search.find("whale") == ()
    assert store.check(lambda: False)


def test_the_newest_or_the_best_come_first(store: Store) -> None:
    chat = new_chat()
    store.create_chat(chat)
    for at, text in ((3.0, "cache"), (1.0, "cache cache cache"), (2.0, f"cache {'x ' * 200}")):
        message = new_message(chat.id, None, "user", text)
        store.add_message(dataclasses.replace(message, created_at=at))
    assert [hit.at for hit in store.search.find("cache")] == [3.0, 2.0, 1.0]
    assert [hit.at for hit in store.search.find("cache", order="best")] == [1.0, 3.0, 2.0]
    assert [hit.at for hit in store.search.find("cache", limit=1)] == [3.0]


def test_a_snippet_is_one_line_around_the_hit(store: Store) -> None:
    _say(store, f"{'before ' * 100}\n\n needle\n  {'after ' * 100}")
    (hit,) = store.search.find("needle")
    assert _marked(hit) == ["needle"]
    assert hit.snippet.startswith("…before before")
    assert " before needle after " in hit.snippet
    assert hit.snippet.endswith("after…")
    assert len(hit.snippet) <= SNIPPET_LENGTH + 2
    _say(store, "short\n\nhaystack here")
    assert store.search.find("haystack")[0].snippet == "short haystack here"


def test_the_index_follows_every_change(store: Store, talk: Talk) -> None:
    reply = store.branches.regenerate(talk.ids["r2"], "starter")
    store.save_reply(reply.id, "growing", "streaming")
    assert store.search.find("growing") == ()
    store.save_reply(reply.id, "grown", "complete")
    assert [hit.message_id for hit in store.search.find("grown")] == [reply.id]
    store.save_reply(reply.id, "other", "complete")
    assert store.search.find("grown") == ()
    store.set_title(talk.chat.id, "Renamed")
    assert store.search.find("talk") == ()
    assert [hit.title for hit in store.search.find("renamed")] == ["Renamed"]
    store.delete_message(reply.id)
    assert store.search.find("other") == ()
    store.delete_chat(talk.chat.id)
    for query in ("q1", "r2", "renamed"):
        assert store.search.find(query) == ()
    _check_index(store)


def test_archived_chats_are_found_and_said_to_be(store: Store) -> None:
    talk = planted(store)
    store.set_archived([talk.chat.id], archived=True)
    (hit,) = store.search.find("q2")
    assert hit.archived


@given(texts=st.lists(st.text(max_size=60), max_size=4), query=st.text(max_size=20))
def test_any_text_and_query(texts: list[str], query: str) -> None:
    store = Store(None)
    for text in texts:
        _say(store, text, text)
    for order in ("newest", "best"):
        for hit in store.search.find(query, order=order):
            assert all(0 <= start < end <= len(hit.snippet) for start, end in hit.marks)
    for summary in store.chats():
        store.set_title(summary.chat.id, query)
        store.delete_chat(summary.chat.id)
    _check_index(store)
    store.close()


def _check_index(store: Store) -> None:
    """The index of no messages is empty: nothing was left behind by a change."""
    if not store._database.execute("SELECT 1 FROM message").fetchone():
        for table in ("message_search", "chat_search"):
            assert store._database.execute(f"SELECT count(*) FROM {table}_docsize").fetchone() == (
                0,
            )
            store._database.execute(f"INSERT INTO {table} ({table}) VALUES ('optimize')")
            (content,) = store._database.execute(
                f"SELECT count(*) FROM {table}_data WHERE id > 10"
            ).fetchone()
            assert content == 0
