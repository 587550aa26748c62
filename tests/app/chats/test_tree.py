"""The tree without its words."""

from app.chats.tree import Node, Tree


def _tree(*nodes: tuple[str, str | None, int, int] | tuple[str, str | None, int, int, str]) -> Tree:
    return Tree(
        Node(
            one[0], one[1], one[2], one[3], number, one[4:] == ("deleted",), one[4:] == ("spliced",)
        )
        for number, one in enumerate(nodes)
    )


def test_versions_and_leaves() -> None:
    tree = _tree(("a", None, 0, 0), ("b", "a", 1, 5), ("c", "a", 0, 6), ("d", "b", 0, 0))
    assert tree.children("a") == ("c", "b")
    assert tree.latest("a") == ("c", "b")
    assert str(tree.version("b")) == "2 of 2"
    assert tree.leaf_below(None) == "c"
    assert tree.leaf_below("b") == "d"
    assert tree.path("d") == ("a", "b", "d")
    assert tree.to_raise("d") == {"b": 7}
    assert tree.to_raise("c") == {}
    assert tree.subtree("b") == ("b", "d")


def test_spliced_messages_are_skipped_and_deleted_ones_end_their_branch() -> None:
    tree = _tree(
        ("a", None, 0, 0),
        ("b", "a", 0, 0, "spliced"),
        ("c", "b", 0, 0, "spliced"),
        ("d", "c", 0, 0),
        ("e", "a", 1, 1, "deleted"),
        ("f", "e", 0, 0),
        ("g", "a", 2, 0),
    )
    assert tree.children("a") == ("d", "g")
    assert tree.parent("d") == "a"
    assert tree.path("d") == ("a", "d")
    assert [one for one in "abcdefgz" if one in tree] == ["a", "d", "g"]
    assert tree.leaf_below("a") == "g"


def test_an_empty_tree() -> None:
    tree = Tree([])
    assert tree.path(None) == tree.children(None) == ()
    assert tree.leaf_below(None) is None


def test_a_deep_tree_needs_no_deep_stack() -> None:
    tree = _tree(*((str(n), str(n - 1) if n else None, 0, 0, "spliced") for n in range(5000)))
    assert tree.children(None) == ()
    assert len(tree.subtree("0")) == 5000
