"""A document of the playground, and its form as JSON: text, exact tokens, settings, tree."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields, replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QCoreApplication

from app.chats.loose import as_list, as_mapping, as_number, as_text
from app.chats.settings import BOUNDS
from ui.playground.state import (
    GREEDY,
    PlaySettings,
    PlayText,
    PlayToken,
    SchemaView,
    Tree,
    TreeNode,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

KIND = "cutaway playground"
VERSION = 1
LARGEST_BYTES = 64 << 20
_MOST_ID = 1 << 31
_ENTRY = 6


class DocumentError(Exception):
    """A file is no playground document; the message is a sentence for the user."""


@dataclass(frozen=True)
class Document:
    """What the playground works on.

    Attributes:
        text: With control tokens by their names.
        tokens: The text's exact tokens; none where it has not been read yet.
        settings: How tokens are chosen.
        other: The settings that those are compared with.
        schema: The JSON schema, and from where on it holds.
        tree: Continuations.
    """

    text: str = ""
    tokens: PlayText = PlayText()  # noqa: RUF009 - frozen
    settings: PlaySettings = PlaySettings()  # noqa: RUF009 - frozen
    other: PlaySettings = GREEDY
    schema: SchemaView = SchemaView()  # noqa: RUF009 - frozen
    tree: Tree = Tree()  # noqa: RUF009 - frozen

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to lose."""
        return not self.text and not self.tree.nodes and not self.schema.text


def as_json(document: Document) -> bytes:
    """A document as the content of a file."""
    return json.dumps(plain(document), ensure_ascii=False, indent=1).encode("utf-8", "replace")


def plain(document: Document) -> dict[str, Any]:
    """A document as plain values for JSON."""
    tree = document.tree
    return {
        "kind": KIND,
        "version": VERSION,
        "model": document.tokens.model,
        "text": document.text,
        "tokens": _plain_tokens(document.tokens.tokens),
        "settings": asdict(document.settings),
        "compared": asdict(document.other),
        "schema": asdict(document.schema),
        "tree": {
            "model": tree.prompt.model,
            "prompt": _plain_tokens(tree.prompt.tokens),
            "selected": tree.selected,
            "nodes": [
                {
                    "key": node.key,
                    "parent": node.parent,
                    "tokens": _plain_tokens(node.tokens),
                    "label": node.label,
                    "pruned": node.pruned,
                    "ended": node.ended,
                }
                for node in tree.nodes
            ],
        },
    }


def of_json(content: bytes, name: str) -> Document:
    """The document that a file holds.

    Args:
        content: Of the file.
        name: Of the file, for the sentence.

    Raises:
        DocumentError: It is none, is damaged, or is of a newer version.
    """
    return of_plain(parsed(content, name), name)


def parsed(content: bytes, name: str) -> object:
    """What a file holds as JSON, whatever that is; otherwise as `of_json`."""
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        raise damaged(name) from None


def of_plain(data: object, name: str) -> Document:
    """The document that plain values from JSON hold; otherwise as `of_json`."""
    values = as_mapping(data)
    if values.get("kind") != KIND:
        raise damaged(name)
    if (as_number(values.get("version")) or 0) > VERSION:
        sentence = QCoreApplication.translate(
            "Playground", "{name} was saved by a newer Cutaway; update Cutaway to open it."
        )
        raise DocumentError(sentence.format(name=name))
    text = as_text(values.get("text"))
    if text is None:
        raise damaged(name)
    try:
        tokens = PlayText(_tokens(values.get("tokens")), as_text(values.get("model")) or "")
        tree = _tree(as_mapping(values.get("tree")))
    except ValueError:
        raise damaged(name) from None
    return Document(
        text,
        tokens,
        _settings(values.get("settings"), PlaySettings()),
        _settings(values.get("compared"), GREEDY),
        _schema(values.get("schema")),
        tree,
    )


def damaged(name: str) -> DocumentError:
    """What is to be said of a file that holds no document."""
    sentence = QCoreApplication.translate(
        "Playground", "{name} is no playground document, or it is damaged."
    )
    return DocumentError(sentence.format(name=name))


def _plain_tokens(tokens: Sequence[PlayToken]) -> list[list[object]]:
    return [
        [each.token, each.text, each.control, each.probability, each.entropy, each.rank]
        for each in tokens
    ]


def _tokens(data: object) -> tuple[PlayToken, ...]:
    """Tokens from JSON.

    Raises:
        ValueError: One of them is none.
    """
    return tuple(_token(as_list(entry)) for entry in as_list(data))


def _token(entry: list[Any]) -> PlayToken:
    if len(entry) != _ENTRY:
        raise ValueError("no token")
    token, text, control, probability, entropy, rank = entry
    good = type(token) is int and 0 <= token < _MOST_ID and isinstance(text, str)
    if not good or type(rank) is not int or rank < 0:
        raise ValueError("no token")
    chance, bits = as_number(probability), as_number(entropy)
    if chance is None or not 0 <= chance <= 1 or bits is None or bits < 0:
        return PlayToken(token, text, control is True)
    return PlayToken(token, text, control is True, chance, bits, rank)


def _tree(values: dict[str, Any]) -> Tree:
    """A tree from JSON.

    Raises:
        ValueError: It does not hang together.
    """
    prompt = PlayText(_tokens(values.get("prompt")), as_text(values.get("model")) or "")
    nodes: list[TreeNode] = []
    for entry in map(as_mapping, as_list(values.get("nodes"))):
        key, parent = as_text(entry.get("key")), as_text(entry.get("parent"))
        tokens = _tokens(entry.get("tokens"))
        if not key or not key.isdecimal() or not key.isascii() or parent is None or not tokens:
            raise ValueError("no node")
        label = as_text(entry.get("label")) or ""
        pruned, ended = entry.get("pruned") is True, entry.get("ended") is True
        nodes.append(TreeNode(key, parent, tokens, label, pruned, ended))
    keys = {node.key for node in nodes}
    if len(keys) < len(nodes) or any(node.parent not in keys | {""} for node in nodes):
        raise ValueError("no tree")
    tree = Tree(prompt, tuple(nodes))
    for node in nodes:
        if tree.path(node.key)[0].parent:
            raise ValueError("a circle")
    selected = as_text(values.get("selected")) or ""
    return replace(tree, selected=selected if selected in keys else "")


def _settings(data: object, usual: PlaySettings) -> PlaySettings:
    """Settings from JSON; what does not fit is as usual."""
    values = as_mapping(data)
    fitting: dict[str, Any] = {}
    for field in fields(PlaySettings):
        value = values.get(field.name)
        low, high = BOUNDS[field.name]
        number = as_number(value)
        if number is None or not low <= number <= high:
            continue
        whole = isinstance(low, int)
        if not whole or number == int(number):
            fitting[field.name] = int(value) if whole else number  # pyright: ignore[reportArgumentType]  a number it is
    return replace(usual, **fitting)


def _schema(data: object) -> SchemaView:
    values = as_mapping(data)
    start = values.get("start")
    place = start if type(start) is int and start >= 0 else 0
    return SchemaView(as_text(values.get("text")) or "", values.get("on") is True, place)
