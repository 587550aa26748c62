"""Importing real files: previews, reports, all or nothing, fuzzed files, killed processes."""

import contextlib
import json
import os
import random
import subprocess
import sys
import time
import zipfile
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.chats.errors import StoreError
from app.chats.import_files import ImportFileError, LeftOut, read_files
from app.chats.imports import ImportEndedError
from app.chats.model import Archive
from app.chats.store import Store
from tests.app.chats.planting import Talk, exported_to, planted
from tests.app.chats.samples import CHATGPT, LM_STUDIO, OPEN_WEBUI
from tests.app.chats.test_settings import JSON

_ROOT = Path(__file__).parents[3]


def _written(path: Path, data: object) -> Path:
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


def test_a_file_is_previewed_then_taken_in_and_known_afterwards(
    store: Store, tmp_path: Path
) -> None:
    file = read_files([_written(tmp_path / "conversations.json", CHATGPT)])
    (preview,) = store.imports.preview(file)
    assert (preview.title, preview.messages, preview.here) == ("Colours", 4, False)
    assert store.chats() == ()
    report = store.imports.run(file)
    assert (report.chats, report.messages) == (1, 4)
    assert report.left_out == (LeftOut("Nothing", "It holds no messages."),)
    assert report.partly == {"use of a tool": 1, "reasoning": 1, "picture or file": 1}
    assert [m.text for m in store.branch(preview.id)] == ["Name a colour.", "Red.", "And this?"]
    assert [hit.chat_id for hit in store.search.find("blue")] == [preview.id]
    assert store.imports.preview(file)[0].here
    again = store.imports.run(file)
    assert (again.chats, again.left_out[-1].reason) == (0, "It is here already.")
    assert store.imports.run(file, copies=True).chats == 1
    assert len(store.chats()) == 2


def test_what_is_chosen_comes_in_from_several_files(store: Store, tmp_path: Path) -> None:
    stones = _written(tmp_path / "1.conversation.json", LM_STUDIO)
    trees = _written(tmp_path / "webui.json", OPEN_WEBUI)
    broken = tmp_path / "broken.json"
    broken.write_bytes(b'{"a"')
    file = read_files([stones, trees, broken, stones])
    assert [chat.chat.title for chat in file.chats] == ["Stones", "Trees"]
    assert [left.title for left in file.left_out] == ["broken.json", "Stones"]
    chosen = [chat.chat.id for chat in file.chats if chat.chat.title == "Trees"]
    report = store.imports.run(file, chosen)
    assert (report.chats, report.attachments) == (1, 1)
    assert store.chats() == ()
    assert [summary.preview for summary in store.chats(archived=True)] == ["Oak."]


def test_an_export_of_chatgpt_is_read_from_its_archive(tmp_path: Path) -> None:
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("user.json", "{}")
        archive.writestr("conversations-000.json", json.dumps(CHATGPT))
    assert [chat.chat.title for chat in read_files([path]).chats] == ["Colours"]
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("user.json", "{}")
    with pytest.raises(ImportFileError, match=r"no conversations\.json"):
        read_files([path])


@pytest.mark.parametrize(
    ("content", "match"),
    [
        (b"", "no JSON"),
        (b"\xff\xfe\x00", "no JSON"),
        (b"[" * 200_000, "no JSON"),
        (b"[" + b"9" * 5000 + b"]", "no JSON"),
        (b"{}", "in a form that is known"),
        (b"PK\x03\x04" + b"x" * 50 + b"PK\x05\x06" + b"\xff" * 18, "damaged"),
        (json.dumps({"format": "cutaway-chats", "version": 2}).encode(), "newer Cutaway"),
        (json.dumps({"format": "cutaway-chats", "version": 1, "chats": []}).encode(), "no chats"),
        (json.dumps(CHATGPT[1:]).encode(), "no chats"),
    ],
)
def test_a_file_without_chats_is_a_sentence(tmp_path: Path, content: bytes, match: str) -> None:
    path = tmp_path / "file.json"
    path.write_bytes(content)
    with pytest.raises(ImportFileError, match=match) as caught:
        read_files([path])
    assert str(caught.value).endswith(".")
    with pytest.raises(ImportFileError):
        read_files([])
    with pytest.raises(ImportFileError, match="cannot be read"):
        read_files([tmp_path / "nowhere.json"])
    os.mkfifo(tmp_path / "pipe.json")
    with pytest.raises(ImportFileError, match="it is no file"):
        read_files([tmp_path / "pipe.json"])


def test_byte_order_marks_and_utf_16_are_read(tmp_path: Path) -> None:
    for encoding in ("utf-8-sig", "utf-16"):
        path = tmp_path / f"{encoding}.json"
        path.write_text(json.dumps(LM_STUDIO), encoding=encoding)
        assert read_files([path]).chats[0].chat.title == "Stones"


def _archives(store: Store) -> list[Archive | None]:
    summaries = [*store.chats(), *store.chats(archived=True)]
    return [store.archive(summary.chat.id) for summary in summaries]


def _whole(store: Store, talk: Talk, tmp_path: Path) -> Path:
    store.branches.edit(talk.ids["q1"], "q1b 日本語 \x00 </script>")
    store.branches.regenerate(talk.ids["r2"], "starter")
    store.branches.show(talk.ids["q1"])
    store.imports.run(
        read_files(
            [_written(tmp_path / "a.json", LM_STUDIO), _written(tmp_path / "b.json", OPEN_WEBUI)]
        )
    )
    path = tmp_path / "all.json"
    assert exported_to(path, store) == 3
    return path


def test_our_own_export_comes_back_without_loss(store: Store, talk: Talk, tmp_path: Path) -> None:
    path = _whole(store, talk, tmp_path)
    before = _archives(store)
    with_reply_ended = json.loads(path.read_text().replace('"streaming"', '"interrupted"'))
    other = Store(tmp_path / "other.sqlite3")
    assert other.imports.run(read_files([_written(path, with_reply_ended)])).chats == 3
    after = _archives(other)
    again = tmp_path / "again.json"
    exported_to(again, other)
    other.close()
    assert json.loads(again.read_text()) == with_reply_ended
    assert len(after) == len(before)


def test_ids_that_are_taken_become_new_ones(store: Store, talk: Talk, tmp_path: Path) -> None:
    path = tmp_path / "one.json"
    exported_to(path, store)
    data = json.loads(path.read_text())
    data["chats"][0]["id"] = "another"
    store.imports.run(read_files([_written(path, data)]))
    assert len(store.chats()) == 2
    assert talk.shown == "q1 r1 q2 r2"


def test_all_comes_in_or_nothing(store: Store, tmp_path: Path) -> None:
    file = read_files(
        [_written(tmp_path / "a.json", LM_STUDIO), _written(tmp_path / "b.json", CHATGPT)]
    )
    pages = store._database.execute("PRAGMA page_count").fetchone()[0]
    store._database.execute(f"PRAGMA max_page_count = {pages}")
    big = json.loads(json.dumps(LM_STUDIO))
    big["messages"][0]["versions"][0]["content"][0]["text"] = "x" * 100_000
    big["createdAt"] = 1
    files = read_files([_written(tmp_path / "c.json", big)])
    with pytest.raises(StoreError, match="full"):
        store.imports.run(files)
    assert store.chats() == ()
    store._database.execute(f"PRAGMA max_page_count = {pages + 200}")
    assert store.imports.run(file).chats == 2


def test_an_import_can_be_ended(store: Store, tmp_path: Path) -> None:
    file = read_files([_written(tmp_path / "conversations.json", CHATGPT)])
    told: list[int] = []

    def go_on(count: int) -> bool:
        told.append(count)
        return False

    with pytest.raises(ImportEndedError, match="Nothing"):
        store.imports.run(file, go_on=go_on)
    assert told == [4]
    assert store.chats() == ()
    assert store.imports.run(file).messages == 4


def test_what_a_killed_import_left_is_unseen_and_swept(store: Store, tmp_path: Path) -> None:
    file = read_files([_written(tmp_path / "conversations.json", CHATGPT)])
    begun = store.imports.begin(file)
    assert begun.step()
    assert [one.here for one in store.imports.preview(file)] == [True] * len(file.chats)
    assert not store.imports.sweep()  # it is still on its way in
    begun.end()  # as good as killed
    assert store.chats() == ()
    assert not any(one.here for one in store.imports.preview(file))
    again = store.imports.run(file)
    assert again.messages == 4
    assert store.imports.sweep()
    assert not store.imports.sweep()
    assert store._database.execute("SELECT count(*) FROM message").fetchone() == (4,)
    assert len(store.chats()) == again.chats


def test_ids_that_a_file_uses_in_two_chats_become_new_ones(store: Store, tmp_path: Path) -> None:
    twice = json.loads(json.dumps(_OWN))
    twice["chats"].append({**twice["chats"][0], "id": "d"})
    assert store.imports.run(read_files([_written(tmp_path / "a.json", twice)])).chats == 2
    assert len(store.chats()) == 2


def test_a_long_chat_comes_in_part_by_part(store: Store, tmp_path: Path) -> None:
    long = json.loads(json.dumps(_OWN))
    (chat,) = long["chats"]
    chat["messages"] = [
        {"id": f"m{n}", "parent_id": f"m{n - 1}" if n else None, "role": "user", "text": str(n)}
        for n in range(250)
    ]
    chat["leaf_id"] = "m249"
    told: list[int] = []
    file = read_files([_written(tmp_path / "a.json", long)])
    store.imports.run(file, go_on=lambda count: not told.append(count))
    assert told == [100, 200, 250]
    assert [one.text for one in store.branch("c")] == [str(n) for n in range(250)]


def test_a_chat_in_the_trash_can_come_in_again(store: Store, talk: Talk, tmp_path: Path) -> None:
    path = tmp_path / "one.json"
    exported_to(path, store)
    store.trash.delete_chats([talk.chat.id])
    file = read_files([path])
    assert [one.here for one in store.imports.preview(file)] == [False]
    assert store.imports.run(file).chats == 1
    (summary,) = store.chats()
    assert summary.chat.id != talk.chat.id


def _mutated(data: Any, draw: random.Random, values: list[Any]) -> Any:
    """A copy of parsed JSON in which a few things are something else."""
    if draw.random() < 0.04:
        return draw.choice(values)
    if isinstance(data, dict):
        whole = cast("dict[str, Any]", data)
        keys = list(whole)
        return {
            draw.choice(keys) if draw.random() < 0.03 else key: _mutated(value, draw, values)
            for key, value in whole.items()
        }
    if isinstance(data, list):
        items = cast("list[Any]", data)
        return [_mutated(value, draw, values) for value in items if draw.random() > 0.02]
    return data


_OWN = {
    "format": "cutaway-chats",
    "version": 1,
    "chats": [
        {
            "id": "c",
            "title": "Own",
            "titled_by": "user",
            "created_at": 1.0,
            "updated_at": 2.0,
            "leaf_id": "m2",
            "settings": {"sampling": {"temperature": 0.5}},
            "messages": [
                {"id": "m1", "parent_id": None, "role": "user", "text": "a", "position": 0},
                {
                    "id": "m2",
                    "parent_id": "m1",
                    "role": "assistant",
                    "text": "b",
                    "state": "complete",
                    "token_ids": [1, 2],
                    "figures": {"tokens": 2},
                    "settings": {},
                    "shown": 1,
                    "attachments": [{"id": "a", "name": "n", "media_type": "t", "text": "x"}],
                },
            ],
        }
    ],
}


def _try(store: Store, path: Path) -> None:
    """Take a fuzzed file in: it comes in whole, or is refused and leaves nothing."""
    before = store._database.execute("SELECT count(*) FROM message").fetchone()[0]
    report = None
    with contextlib.suppress(ImportFileError):
        report = store.imports.run(read_files([path]))
    after = store._database.execute("SELECT count(*) FROM message").fetchone()[0]
    assert after - before == (report.messages if report else 0)
    assert store._database.execute("PRAGMA foreign_key_check").fetchall() == []
    if report:
        for summary in [*store.chats(), *store.chats(archived=True)]:
            assert store.open_chat(summary.chat.id) is not None
            assert store.archive(summary.chat.id) is not None
            store.delete_chat(summary.chat.id)


def _fuzz(path: Path, rounds: int, seed: int) -> None:
    draw = random.Random(seed)
    values: list[Any] = [
        None, True, -1, 1e308, float("nan"), 1 << 70, "", "\ud83d\x00", [], {}, [None], "a", "m1",
        {"a": "b"}, 5, "assistant",
    ]  # fmt: skip
    store = Store(None)
    for _ in range(rounds):
        sample = draw.choice([CHATGPT, OPEN_WEBUI, LM_STUDIO, _OWN])
        content = json.dumps(_mutated(sample, draw, values)).encode()
        if draw.random() < 0.1:
            place = draw.randrange(len(content))
            content = content[:place] + draw.randbytes(2) + content[place + draw.randrange(9) :]
        path.write_bytes(content)
        _try(store, path)
    store.close()


def test_fuzzed_files_never_crash_and_leave_nothing_half(tmp_path: Path) -> None:
    _fuzz(tmp_path / "fuzzed.json", 400, seed=11)


@pytest.mark.slow
def test_thousands_of_fuzzed_files(tmp_path: Path) -> None:
    _fuzz(tmp_path / "fuzzed.json", 10_000, seed=12)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(data=JSON, key=st.sampled_from(["mapping", "history", "messages", "chats", "versions"]))
def test_any_json_is_read_or_refused(tmp_path: Path, data: object, key: str) -> None:
    for whole in (data, [{key: data, "messages": [{"versions": data}]}], {key: data, **_OWN}):
        path = _written(tmp_path / "any.json", whole)
        store = Store(None)
        _try(store, path)
        store.close()


_IMPORTER = """
import sys
from pathlib import Path
from app.chats.import_files import read_files
from app.chats.store import Store

store = Store(Path(sys.argv[1]))
file = read_files([Path(sys.argv[2])])
print("ready", flush=True)
for _ in range(10**9):
    report = store.imports.run(file, copies=True)
    print(report.chats, flush=True)
"""


def _killed_imports(tmp_path: Path, rounds: int, seed: int) -> None:
    dice = random.Random(seed)
    path = tmp_path / "chats.sqlite3"
    store = Store(path)
    for number in range(30):
        planted(store, f"Talk {number}")
    source = tmp_path / "source.json"
    exported_to(source, store)
    committed = len(store.chats())
    store.close()
    for _ in range(rounds):
        with subprocess.Popen(
            [sys.executable, "-c", _IMPORTER, str(path), str(source)],
            cwd=_ROOT,
            stdout=subprocess.PIPE,
            text=True,
        ) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            time.sleep(dice.uniform(0, 0.1))
            process.kill()
            acknowledged = process.stdout.read().count("30\n")
        store = Store(path)
        found = store.chats()
        assert len(found) - committed in (30 * acknowledged, 30 * (acknowledged + 1))
        assert all(summary.preview == "r2" for summary in found)
        committed = len(found)
        store.close()


def test_a_kill_while_importing_leaves_no_half(tmp_path: Path) -> None:
    _killed_imports(tmp_path, 4, seed=3)


@pytest.mark.slow
def test_many_kills_while_importing(tmp_path: Path) -> None:
    _killed_imports(tmp_path, 60, seed=4)
