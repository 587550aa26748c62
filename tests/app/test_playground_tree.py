"""The tree of continuations: shared beginnings stand once, pruning, taking away, probabilities."""

from __future__ import annotations

import math

from app.playground_tree import added, pruned, rooted, without, without_pruned
from ui.playground.state import PlayText, PlayToken, Tree


def tokens(letters: str) -> tuple[PlayToken, ...]:
    return tuple(PlayToken(ord(letter), letter, False, 0.5, 1.0, 1) for letter in letters)


def tree_of(*texts: str) -> Tree:
    tree = Tree(PlayText(tokens("p"), "m"))
    for text in texts:
        tree = added(tree, "", tokens(text), text)
    return tree


def paths(tree: Tree) -> list[str]:
    """The text from the prompt to each end."""
    parents = {node.parent for node in tree.nodes}
    ends = [node for node in tree.nodes if node.key not in parents]
    return ["".join(part.text for part in tree.path(node.key)) for node in ends]


def test_shared_beginnings_stand_once() -> None:
    tree = tree_of("abcd", "abef", "xy", "abcd")
    assert sorted(paths(tree)) == ["abcd", "abef", "xy"]
    assert sorted(node.text for node in tree.nodes) == ["ab", "cd", "ef", "xy"]


def test_a_beginning_of_another_adds_nothing_but_a_cut() -> None:
    tree = tree_of("abcd", "ab")
    assert paths(tree) == ["abcd"]
    longer = added(tree, "", tokens("abcdef"))
    assert paths(longer) == ["abcdef"]


def test_going_on_from_a_node() -> None:
    tree = tree_of("ab", "cd")
    node = next(each for each in tree.nodes if each.text == "cd")
    tree = added(tree, node.key, tokens("ef"))
    assert sorted(paths(tree)) == ["ab", "cdef"]
    key = next(each.key for each in tree.nodes if each.text == "ef")
    assert tree.ids(key) == tuple(map(ord, "pcdef"))
    assert math.isclose(tree.logprob(key), 4 * math.log(0.5))


def test_pruned_ones_stay_until_they_are_taken_away() -> None:
    tree = tree_of("abcd", "abef", "xy")
    key = next(node.key for node in tree.nodes if node.text == "ab")
    aside = pruned(tree, key)
    assert [node.text for node in aside.nodes if node.pruned] == ["ab"]
    assert pruned(aside, key) == tree
    assert paths(without_pruned(aside)) == ["xy"]


def test_what_hangs_below_goes_too_and_the_parent_is_chosen() -> None:
    tree = tree_of("abcd", "abef", "xy")
    inner = next(node for node in tree.nodes if node.text == "cd")
    chosen = Tree(tree.prompt, tree.nodes, inner.key)
    assert without(chosen, inner.key).selected == inner.parent
    assert without(chosen, inner.parent) == Tree(
        tree.prompt, tuple(node for node in tree.nodes if node.text == "xy")
    )


def test_a_tree_belongs_to_its_prompt() -> None:
    tree = tree_of("ab")
    assert rooted(tree, tree.prompt) is tree
    other = PlayText(tokens("q"), "m")
    assert rooted(tree, other) == Tree(other)


def test_very_unlikely_paths_have_a_number() -> None:
    never = PlayToken(1, "z", False, 0.0, 1.0, 9)
    tree = added(Tree(PlayText(tokens("p"))), "", (never,) * 5)
    assert math.isfinite(tree.logprob("1"))
