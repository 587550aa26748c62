"""Documents of the playground: as files, damaged, of another version, and what Undo takes back."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from app.playground_document import Document, DocumentError, as_json, of_json
from app.playground_files import Kept, PlaygroundFiles
from app.playground_history import History
from app.playground_tree import added, pruned
from ui.playground.state import PlaySettings, PlayText, PlayToken, SchemaView, Tree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot


def tokens(text: str) -> PlayText:
    first = PlayToken(ord(text[0]), text[0])
    rest = (PlayToken(ord(letter), letter, letter == "<", 0.25, 2.0, 3) for letter in text[1:])
    return PlayText((first, *rest), "tiny")


def document(text: str = "ab<c") -> Document:
    tree = added(Tree(tokens(text)), "", tokens("xyz").tokens, "seed 4", ended=True)
    tree = added(tree, "", tokens("xq").tokens)
    settings = PlaySettings(temperature=1.3, top_k=40, min_p=0.1, seed=7)
    schema = SchemaView('{"type": "object"}', on=True, start=3)
    return Document(text, tokens(text), settings, PlaySettings(), schema, pruned(tree, "1"))


def test_a_document_comes_back_as_it_was() -> None:
    assert of_json(as_json(document()), "a") == document()
    assert of_json(as_json(Document()), "a") == Document()
    odd = Document("lone \ud800, emoji 🙂", PlayText())
    assert of_json(as_json(odd), "a").text == "lone ?, emoji 🙂"


def spoiled(change: Callable[[Any], object]) -> bytes:
    values = json.loads(as_json(document()))
    change(values)
    return json.dumps(values).encode()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe",
        b"[]",
        b"{}",
        b"[" * 100_000,
        b'{"kind": "something else", "text": ""}',
        spoiled(lambda values: values.pop("text")),
        spoiled(lambda values: values["tokens"].append(["x"])),
        spoiled(lambda values: values["tokens"].append([-1, "x", False, None, None, 0])),
        spoiled(lambda values: values["tree"]["nodes"][0].update(parent="99")),
        spoiled(lambda values: values["tree"]["nodes"][0].update(parent="1", key="1")),
        spoiled(lambda values: values["tree"]["nodes"][0].update(key="x")),
        spoiled(lambda values: values["tree"]["nodes"][0].update(tokens=[])),
    ],
)
def test_a_damaged_file_is_refused_in_a_sentence(content: bytes) -> None:
    with pytest.raises(DocumentError, match=r"^x\.cutaway is no playground document, or it is"):
        of_json(content, "x.cutaway")


def test_a_newer_file_is_refused_in_a_sentence() -> None:
    with pytest.raises(DocumentError, match="newer Cutaway"):
        of_json(spoiled(lambda values: values.update(version=2)), "x")


def test_settings_that_do_not_fit_are_as_usual() -> None:
    def change(values: dict[str, Any]) -> None:
        values["settings"].update(temperature=-1, top_k=2.5, top_p="x", min_p=None, seed=True)

    assert of_json(spoiled(change), "x").settings == PlaySettings()


@pytest.fixture
def files(qapp: QApplication, tmp_path: Path) -> Iterator[PlaygroundFiles]:
    assert qapp
    files = PlaygroundFiles(tmp_path / "data" / "playground.json")
    yield files
    files.close()


def test_saved_and_opened(qtbot: QtBot, files: PlaygroundFiles, tmp_path: Path) -> None:
    path = str(tmp_path / "a.cutaway")
    with qtbot.waitSignal(files.saved) as saved:
        files.save(path, document())
    assert saved.args == [path, document()]
    with qtbot.waitSignal(files.opened) as opened:
        files.open(path)
    assert opened.args == [path, document()]
    assert [each.name for each in tmp_path.iterdir()] == ["a.cutaway"]


def test_what_cannot_be_read_or_written_is_told(
    qtbot: QtBot, files: PlaygroundFiles, tmp_path: Path
) -> None:
    (tmp_path / "b").write_bytes(b"no")
    for act, told in (
        (lambda: files.open(str(tmp_path / "none")), "No such file"),
        (lambda: files.open(str(tmp_path / "b")), "b is no playground document"),
        (lambda: files.save(str(tmp_path / "none" / "a"), document()), "cannot be read or written"),
    ):
        with qtbot.waitSignal(files.failed) as failed:
            act()
        assert told in failed.args[0]  # pyright: ignore[reportOptionalSubscript]  it came


def test_what_is_kept_comes_back(qtbot: QtBot, files: PlaygroundFiles, tmp_path: Path) -> None:
    with qtbot.waitSignal(files.restored) as nothing:
        files.restore()
    assert nothing.args == [Kept(Document())]
    kept = Kept(document(), "/somewhere/a", saved=False, before=Document("before"))
    files.keep(kept)
    with qtbot.waitSignal(files.restored) as restored:
        files.restore()
    assert restored.args == [kept]
    path = tmp_path / "data" / "playground.json"
    path.write_bytes(path.read_bytes()[:-20])
    with qtbot.waitSignal(files.restored) as damaged:
        files.restore()
    assert "It is kept as playground.damaged." in damaged.args[0].notice  # pyright: ignore[reportOptionalSubscript]  it came
    assert path.with_suffix(".damaged").exists()
    assert not path.exists()


def test_tokens_are_taken_back_one_by_one_and_edits_as_one() -> None:
    clock = [0.0]
    history = History(lambda: clock[0])
    start = Document("ab", tokens("ab"))
    grown = Document("abcd", tokens("abcd"))
    history.add_edit(Document())
    history.add_edit(Document("a"))  # the same stretch of typing
    history.add_tokens(start, grown)
    back = history.undo(grown)
    assert back is not None
    assert (back.text, back.tokens.ids) == ("abc", (97, 98, 99))
    back = history.undo(back)
    assert back is not None
    assert (back.text, back.tokens) == (start.text, start.tokens)
    assert history.undo(back) == Document()
    assert history.undo(Document()) is None
    clock[0] = 10.0
    history.add_edit(Document("x"))
    clock[0] = 12.0
    history.add_edit(Document("xy"))
    history.forget_tokens()
    assert history.undo(Document("xyz")) == Document("xy")
    assert history.undo(Document("xy")) == Document("x")
