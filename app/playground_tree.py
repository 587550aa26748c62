"""The tree of continuations: what is added, what becomes of it, all as new values."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ui.playground.state import PlayText, PlayToken, Tree, TreeNode, common_length

if TYPE_CHECKING:
    from collections.abc import Sequence


def rooted(tree: Tree, prompt: PlayText) -> Tree:
    """The tree where it belongs to a prompt, an empty one of that prompt otherwise."""
    return tree if tree.prompt.ids == prompt.ids and tree.nodes else Tree(prompt)


def added(
    tree: Tree, parent: str, tokens: Sequence[PlayToken], label: str = "", *, ended: bool = False
) -> Tree:
    """The tree with another continuation below a node.

    What it has in common with one that is there stands once; where they part, that one is cut.

    Args:
        tree: As it was.
        parent: The node it goes on from; "" for the prompt.
        tokens: What it adds.
        label: How it was drawn.
        ended: Whether its last token ends the text.
    """
    rest = tuple(tokens)
    while rest:
        near = [node for node in tree.nodes if node.parent == parent]
        node = next((each for each in near if each.tokens[0].token == rest[0].token), None)
        if node is None:
            break
        common = common_length(node.tokens, rest)
        if common < len(node.tokens):
            tree = _cut(tree, node, common)
            node = tree.nodes[-1]
        parent, rest = node.key, rest[common:]
    if not rest:
        return tree
    new = TreeNode(_key(tree), parent, rest, label, ended=ended)
    return replace(tree, nodes=(*tree.nodes, new))


def pruned(tree: Tree, key: str) -> Tree:
    """The tree with a node set aside, or taken back where it was."""
    nodes = tuple(
        replace(node, pruned=not node.pruned) if node.key == key else node for node in tree.nodes
    )
    return replace(tree, nodes=nodes)


def without(tree: Tree, key: str) -> Tree:
    """The tree without a node and all below it; its parent is then the chosen one."""
    below = {key}
    parent = ""
    for node in _in_order(tree):
        if node.key == key:
            parent = node.parent
        elif node.parent in below:
            below.add(node.key)
    kept = tuple(node for node in tree.nodes if node.key not in below)
    return Tree(tree.prompt, kept, parent if tree.selected in below else tree.selected)


def without_pruned(tree: Tree) -> Tree:
    """The tree without all that was set aside."""
    for node in tree.nodes:
        if node.pruned:
            tree = without(tree, node.key)
    return tree


def _in_order(tree: Tree) -> list[TreeNode]:
    """Every node after its parent: a cut puts a node's new parent behind it."""
    ordered: list[TreeNode] = []
    known = {""}
    left = list(tree.nodes)
    while left:
        ready = [node for node in left if node.parent in known]
        if not ready:
            break
        ordered += ready
        known |= {node.key for node in ready}
        left = [node for node in left if node.key not in known]
    return ordered


def _cut(tree: Tree, node: TreeNode, at: int) -> Tree:
    """The tree with a node in two: a new last one of its first tokens, and it with the rest."""
    head = TreeNode(_key(tree), node.parent, node.tokens[:at], pruned=node.pruned)
    tail = replace(node, parent=head.key, tokens=node.tokens[at:], pruned=False)
    nodes = [tail if each.key == node.key else each for each in tree.nodes]
    return replace(tree, nodes=(*nodes, head))


def _key(tree: Tree) -> str:
    """The key of the next node."""
    numbers = [int(node.key) for node in tree.nodes]
    return str(max(numbers, default=0) + 1)
