"""Continuations in the playground: a tree that grows and is pruned, and two settings compared."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.errands import LatestErrand
from app.playground_tree import added, pruned, rooted, without, without_pruned
from ui.playground.state import PlayText, Side, Tree
from ui.playground.wishes import CompareWish, GrowWish

if TYPE_CHECKING:
    from app.errands import Errands
    from app.jobs.playground_tree import Grown
    from app.playground import Playground


class PlaygroundBranches(QObject):
    """Answers the views of continuations."""

    tree_changed = Signal(Tree)
    compared = Signal(tuple, bool)
    """The sides as far as they are there, and whether that is all."""
    growing = Signal(float)
    """How far it is, 0 to 1; below 0 when nothing grows."""
    refused = Signal(str)

    def __init__(
        self, errands: Errands, playground: Playground, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._playground = playground
        self._errand = LatestErrand(errands)

    def on_grow(self, wish: GrowWish) -> None:
        """Write more continuations: of the text, or of the chosen node of its tree."""
        from app.jobs.playground_tree import grow

        playground = self._playground
        tree = rooted(playground.document.tree, playground.document.tokens)
        parent = tree.selected
        request = playground.request()
        if parent:
            # Only exact tokens, so that nothing of the path is encoded anew.
            text = playground.document.text + "".join(node.text for node in tree.path(parent))
            request = replace(request, text=text, ids=tree.ids(parent))
        desk, prompt = playground.desk, tree.prompt

        def take(grown: Grown) -> None:
            # Whatever is done to the tree while it grows stays done.
            now = rooted(playground.document.tree, prompt if parent else grown.prompt)
            if parent and not now.path(parent):
                return
            for each in grown.continuations:
                now = added(now, parent, each.tokens, self._label(each.seed), ended=each.ended)
            self._set_tree(now)

        def on_progress(share: float, partial: object) -> None:
            self.growing.emit(share)
            if partial is not None:
                take(partial)  # pyright: ignore[reportArgumentType]  what the job reports

        def on_done(grown: Grown) -> None:
            self.growing.emit(-1.0)
            take(grown)

        self.growing.emit(0.0)
        self._errand.run(
            lambda bench: grow(bench, desk, request, wish.count, wish.length, wish.way),
            on_done,
            self._on_failed,
            progress=on_progress,
            cancelled=self._on_cancelled,
        )

    def on_compare(self, wish: CompareWish) -> None:
        """Go on with the text under two settings."""
        from app.jobs.playground_tree import compare

        playground = self._playground
        request, desk = playground.request(), playground.desk

        def on_progress(share: float, partial: object) -> None:
            self.growing.emit(share)
            if partial is not None:
                self.compared.emit(partial, False)

        def on_done(sides: tuple[Side, ...]) -> None:
            self.growing.emit(-1.0)
            self.compared.emit(sides, True)

        self.growing.emit(0.0)
        self._errand.run(
            lambda bench: compare(bench, desk, request, wish.sides, wish.length),
            on_done,
            self._on_failed,
            progress=on_progress,
            cancelled=self._on_cancelled,
        )

    def on_stop(self) -> None:
        """Stop growing; what has grown stays."""
        self._errand.stop()

    def on_selected(self, key: str) -> None:
        """Choose a node; "" is the prompt."""
        self._set_tree(replace(self._playground.document.tree, selected=key))

    def on_pruned(self, key: str) -> None:
        """Set a node aside, or take it back."""
        self._set_tree(pruned(self._playground.document.tree, key))

    def on_removed(self, key: str) -> None:
        """Take a node away with all below it; "" takes all that was set aside."""
        tree = self._playground.document.tree
        self._set_tree(without(tree, key) if key else without_pruned(tree))

    def on_walked(self, key: str) -> None:
        """Let the text go on as a node says; the tree stays at its prompt."""
        document = self._playground.document
        tree = document.tree
        tokens = [token for node in tree.path(key) for token in node.tokens]
        text = "".join(token.text for token in (*tree.prompt.tokens, *tokens))
        if tree.prompt.ids == document.tokens.ids:
            text = document.text + "".join(token.text for token in tokens)
        whole = PlayText((*tree.prompt.tokens, *tokens), tree.prompt.model)
        self._playground.replace_document(replace(document, text=text, tokens=whole), undoable=True)

    def _set_tree(self, tree: Tree) -> None:
        self._playground.set_tree(tree)
        self.tree_changed.emit(tree)

    def _label(self, seed: int | None) -> str:
        return self.tr("greedy") if seed is None else self.tr("seed {seed}").format(seed=seed)

    def _on_failed(self, sentence: str) -> None:
        self.growing.emit(-1.0)
        self.refused.emit(sentence)

    def _on_cancelled(self) -> None:
        self.growing.emit(-1.0)
