"""Loose chats become sound trees, whatever they claim."""

import dataclasses

from app.chats.assemble import RawChat, RawMessage, assemble, with_new_ids
from app.chats.export import shown_branch


def _raw(*links: tuple[str, str | None], leaf: str | None = None) -> RawChat:
    messages = [RawMessage(key, parent, "user", key) for key, parent in links]
    return RawChat("chat", leaf=leaf, messages=messages)


def test_circles_orphans_and_repeats_find_a_place() -> None:
    raw = _raw(("a", "c"), ("b", "a"), ("c", "b"), ("d", "nowhere"), ("e", "e"), ("d", None))
    archive = assemble(raw)
    assert {message.text for message in archive.messages} == set("abcde")
    seen: set[str | None] = {None}
    for message in archive.messages:
        assert message.parent_id in seen
        seen.add(message.id)
    places = [(message.parent_id, message.position) for message in archive.messages]
    assert len(set(places)) == len(places)
    assert raw.left_out == {"repeated message": 1, "lost link between messages": 3}


def test_the_leaf_is_shown_and_remembered() -> None:
    archive = assemble(_raw(("a", None), ("b", "a"), ("c", "a"), ("d", "b"), leaf="b"))
    assert [message.text for message in shown_branch(archive)] == ["a", "b"]
    shown = {message.text: message.shown for message in archive.messages}
    assert shown["b"] > shown["c"]
    archive = assemble(_raw(("a", None), ("b", "a"), ("c", "a"), leaf="nowhere"))
    assert [message.text for message in shown_branch(archive)] == ["a", "c"]


def test_times_and_titles_are_sound() -> None:
    raw = _raw(("What  is\nthis?", None))
    raw.created_at, raw.updated_at = float("nan"), 1e300
    raw.messages[0].created_at = -5.0
    archive = assemble(raw)
    assert archive.chat.title == "What is"
    assert archive.chat.created_at == archive.messages[0].created_at > 1.7e9
    assert archive.chat.updated_at == archive.messages[0].created_at
    assert assemble(RawChat("x", title="\x00")).chat.title == "New chat"


def test_strange_ids_are_replaced() -> None:
    keys = ["\ud83d", "", "x" * 100, "é"]
    raw = RawChat("\ud83d", messages=[RawMessage(key, None, "user", "") for key in keys])
    archive = assemble(raw)
    assert len({message.id for message in archive.messages}) == 4
    assert all(message.id.isalnum() for message in archive.messages)
    assert archive.chat.id.isalnum()


def test_a_copy_has_the_same_shape_and_no_id_in_common() -> None:
    archive = assemble(_raw(("a", None), ("b", "a"), leaf="b"))
    copy = with_new_ids(archive)
    assert copy.chat.id != archive.chat.id
    assert copy.chat.leaf_id == copy.messages[1].id
    assert copy.messages[1].parent_id == copy.messages[0].id
    assert dataclasses.replace(copy.chat, id="chat", leaf_id="b") == archive.chat
