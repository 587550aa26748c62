"""Several continuations of one prompt as a tree that is walked and pruned."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget
from typing_extensions import override

from ui import theme as look
from ui.charts.export import ExportButton
from ui.charts.values import Branch, Branches, TokenStrip
from ui.charts.view import ChartView
from ui.controls_buttons import ActionButton
from ui.controls_values import Stepper
from ui.counts import Counts
from ui.inspector.meters import Heading, Meter
from ui.pieces import inked
from ui.playground.attention_wrap import Wrap
from ui.playground.sides import Comparison, probability, strip_of
from ui.playground.state import Tree
from ui.playground.views import PlaygroundView
from ui.playground.wishes import GrowWish
from ui.playground.words import Paragraph
from ui.segments import Segments

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ui.charts.values import Chart
    from ui.playground.state import TreeNode
    from ui.theme import Theme

PROMPT = "prompt"
"""The key of the row that stands for the prompt."""
_COUNTS = (2, 3, 4, 5, 6, 8, 10, 12)
_LENGTHS = (1, 2, 4, 6, 8, 12, 16, 24, 32, 48, 64)
_SHOWN = 60


def tree_chart(tree: Tree) -> Branches:
    """The tree; each row's figure is the probability of the row after the one above it."""
    translate = QCoreApplication.translate
    start = "".join(token.text for token in tree.prompt.tokens)
    tail = start.strip() or translate("Playground", "the prompt")
    if len(tail) > _SHOWN:
        tail = f"… {tail[-_SHOWN:].partition(' ')[2] or tail[-_SHOWN:]}"
    root = Branch(PROMPT, "", tail, tone="pinned")
    rows = tuple(
        Branch(
            node.key,
            node.parent or PROMPT,
            _row_text(node),
            probability(node.logprob),
            math.exp(node.logprob),
            "new" if node.key == tree.selected else "held",
            faded=node.pruned,
        )
        for node in tree.nodes
    )
    count = len(tree.nodes)
    return Branches(
        (root, *rows) if count else (),
        selected=tree.selected or PROMPT,
        title=translate("Playground", "Continuations"),
        note=translate("Playground", "probability of each stretch after the one before it"),
    )


def path_strip(tree: Tree) -> TokenStrip:
    """What the chosen row adds to the prompt, with all rows before it, token by token."""
    tokens = [token for node in tree.path(tree.selected) for token in node.tokens]
    return strip_of(tokens)


def _row_text(node: TreeNode) -> str:
    text = inked(node.text)
    if node.ended:
        text = QCoreApplication.translate("Playground", "{text} (ends here)").format(text=text)
    return text


class BranchesView(PlaygroundView):
    """The tree, and below it the prompt under two settings.

    `wanted` carries a `GrowWish` or a `CompareWish`.
    """

    selected_node = Signal(str)
    walked = Signal(str)
    pruned = Signal(str)
    removed = Signal(str)
    failed = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._tree = Tree()
        self.count = Stepper(theme, self.tr("Continuations"), _COUNTS)
        self.count.set_number(4)
        self.length = Stepper(theme, self.tr("Tokens each"), _LENGTHS)
        self.length.set_number(8)
        self.way = Segments(
            theme,
            [self.tr("Draw"), self.tr("Likeliest first tokens")],
            self.tr("How continuations differ"),
            24,
        )
        self.grow = ActionButton(theme, self.tr("Grow"), main=True)
        self.stop = ActionButton(theme, self.tr("Stop"))
        self.progress = Meter(theme, self.tr("Progress"))
        self.hint = Paragraph(theme)
        self.chart = ChartView(Branches(()), theme)
        self.path_head = Heading(theme, self.tr("The chosen path"))
        self.path = ChartView(TokenStrip(()), theme)
        self.walk = ActionButton(theme, self.tr("Take into the text"))
        self.prune = ActionButton(theme, self.tr("Prune"))
        self.remove = ActionButton(theme, self.tr("Remove"))
        self.export = ExportButton(theme, self.charts)
        self.comparison = Comparison(theme)
        self._lay_out()
        self._connect_signals()
        self.show_growing(-1.0)
        self.show_tree(self._tree)

    def _lay_out(self) -> None:
        controls = Wrap((self.count, self.length, self.way, self.grow, self.stop))
        acts = Wrap((self.walk, self.prune, self.remove))
        foot = QHBoxLayout()
        foot.addStretch(1)
        foot.addWidget(self.export)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(look.GRID)
        column.addWidget(controls)
        column.addWidget(self.progress)
        column.addWidget(self.hint)
        column.addWidget(self.chart)
        column.addWidget(self.path_head)
        column.addWidget(self.path)
        column.addWidget(acts)
        column.addLayout(foot)
        column.addSpacing(look.GRID)
        column.addWidget(self.comparison)
        column.addStretch(1)
        self._acts: QWidget = acts

    def _connect_signals(self) -> None:
        self.grow.clicked.connect(self._on_grow)
        self.stop.clicked.connect(self.cancelled)
        self.chart.activated.connect(self._on_activated)
        self.walk.clicked.connect(lambda: self.walked.emit(self._tree.selected))
        self.prune.clicked.connect(lambda: self.pruned.emit(self._tree.selected))
        self.remove.clicked.connect(lambda: self.removed.emit(self._tree.selected))
        self.comparison.wanted.connect(self.wanted)
        self.comparison.failed.connect(self.failed)
        self.export.failed.connect(self.failed)

    @override
    def refresh(self) -> None:
        self.show_tree(self._tree)

    @override
    def charts(self) -> Sequence[Chart]:
        if not self._tree.nodes:
            return ()
        path = (self.path.chart,) if self._tree.selected else ()
        return (self.chart.chart, *path)

    def show_tree(self, tree: Tree) -> None:
        """Show a tree."""
        self._tree = tree
        there, chosen = bool(tree.nodes), bool(tree.selected)
        node = tree.path(tree.selected)[-1] if chosen else None
        self.chart.set_chart(tree_chart(tree))
        self.path.set_chart(path_strip(tree))
        self.chart.setVisible(there)
        self.export.setVisible(there)
        for part in (self.path_head, self.path, self._acts):
            part.setVisible(there and chosen)
        if node is not None:
            count = sum(len(each.tokens) for each in tree.path(tree.selected))
            parts = [Counts().tokens(count), probability(tree.logprob(tree.selected)), node.label]
            self.path_head.set_value(" · ".join(part for part in parts if part))
            self.prune.set_label(self.tr("Take back") if node.pruned else self.tr("Prune"))
        self._tell()

    def show_growing(self, share: float) -> None:
        """Show how far it is, 0 to 1; below 0 when nothing grows."""
        growing = share >= 0
        self.progress.setVisible(growing)
        self.progress.set_fraction(share if growing else None)
        self.stop.setVisible(growing)
        self.grow.setVisible(not growing)
        self.comparison.set_growing(growing=growing)

    def show_problem(self, sentence: str) -> None:
        """Say why nothing has grown."""
        self.hint.setText(sentence)
        self.hint.show()

    def _tell(self) -> None:
        tree = self._tree
        if not self.text.tokens:
            sentence = self.tr("Write the beginning of a text: continuations of it grow here.")
        elif not tree.nodes:
            sentence = self.tr(
                "Grow draws several continuations of the text; what they have in common stands "
                "once. Press one to see it, to go on from it, or to prune it."
            )
        elif tree.prompt.ids != self.text.ids:
            sentence = self.tr(
                "These go on from another text than the one above. Take one into the text, or "
                "grow a new tree: Undo brings this one back."
            )
        else:
            sentence = ""
        self.hint.setText(sentence)
        self.hint.setVisible(bool(sentence))
        self.grow.setEnabled(bool(self.text.tokens))
        self.comparison.set_ready(ready=bool(self.text.tokens))

    def _on_grow(self) -> None:
        way = "likeliest" if self.way.current else "draw"
        self.wanted.emit(GrowWish(int(self.count.number), int(self.length.number), way))

    def _on_activated(self, key: str) -> None:
        self.selected_node.emit("" if key == PROMPT else key)
