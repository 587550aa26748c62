"""What the views that look inside the network share: the part of the text, questions, answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from ui import figures
from ui.charts.export import ExportButton
from ui.controls_values import Stepper
from ui.pieces import visible
from ui.playground.attention_values import MOST_TOKENS, ModelShape, Need, ShapeAsked
from ui.playground.attention_wait import Waiting
from ui.playground.views import PlaygroundView

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ui.playground.attention_values import Asked
    from ui.playground.state import PlayToken
    from ui.theme import Theme


class LookView(PlaygroundView):
    """Asks and takes answers; of several questions of one kind only the latest is listened to.

    At most `MOST_TOKENS` tokens are looked at: of a longer text its end, or its beginning where
    the chosen token is not in the end.
    """

    failed = Signal(str)
    """Why a picture could not be exported."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.export = ExportButton(theme, self.charts)
        self.export.failed.connect(self.failed)
        self.shape: ModelShape | None = None
        self.layer = Stepper(theme, self.tr("Layer"), (0,), figures.whole)
        self.waiting = Waiting(theme)
        self.start = 0
        """Where the part that is looked at begins in the text."""
        self._latest: dict[type, Asked] = {}
        self._open: set[type] = set()
        self._answers: dict[type, tuple[Asked, object]] = {}
        self.waiting.cancelled.connect(self.cancelled)
        self.waiting.agreed.connect(self.on_agreed)

    @property
    def chosen_layer(self) -> int:
        """The layer that is looked at."""
        return round(self.layer.number)

    @property
    def part(self) -> tuple[PlayToken, ...]:
        """The tokens that are looked at."""
        return self.text.tokens[self.start : self.start + MOST_TOKENS]

    @property
    def ids(self) -> tuple[int, ...]:
        """Their ids."""
        return tuple(token.token for token in self.part)

    @property
    def place(self) -> int:
        """The chosen token among them; the last one where none is chosen."""
        last = len(self.part) - 1
        return last if self.selected is None else min(max(self.selected - self.start, 0), last)

    def forget_model(self) -> None:
        """Another model is there, or none: everything is asked anew."""
        self.shape = None
        self._latest.clear()
        self._open.clear()
        self._forget()
        self.mark_stale()

    def ask(self, asked: Asked) -> None:
        """Want an answer, unless it is wanted already."""
        if self._latest.get(type(asked)) == asked and type(asked) in self._open:
            return
        self._latest[type(asked)] = asked
        self._open.add(type(asked))
        self.waiting.begin()
        self.wanted.emit(asked)

    def show_found(self, asked: Asked, answer: object) -> None:
        """Take an answer; one to an earlier question is let go."""
        if self._latest.get(type(asked)) != asked:
            return
        self._open.discard(type(asked))
        if not self._open:
            self.waiting.end()
        if getattr(asked, "ids", self.ids) != self.ids:
            return  # about the text as it was
        if isinstance(answer, ModelShape):
            self.shape = answer
            self.take_shape(answer)
            self.mark_stale()
        else:
            self._answers[type(asked)] = (asked, answer)
            self.take(answer)

    def answer_to(self, asked: Asked) -> object:
        """The answer to a question, where that was the last one of its kind; else None."""
        last, answer = self._answers.get(type(asked), (None, None))
        return answer if last == asked else None

    def answered(self, kind: type) -> tuple[Asked, object] | None:
        """The last question of a kind that was answered, and its answer."""
        return self._answers.get(kind)

    def show_need(self, asked: Asked, need: Need) -> None:
        """Say what an answer is going to take."""
        if self._latest.get(type(asked)) == asked:
            if need.ask:
                self._open.discard(type(asked))
            self.waiting.say_need(need)

    def show_progress(self, asked: Asked, share: float) -> None:
        """Show how far an answer is."""
        if self._latest.get(type(asked)) == asked:
            self.waiting.set_share(share)

    def show_refused(self, asked: Asked, sentence: str) -> None:
        """Say why there is no answer; for "" it was cancelled."""
        if self._latest.get(type(asked)) != asked:
            return
        self._open.discard(type(asked))
        self._forget()
        self.waiting.say(sentence or self.tr("Cancelled. Choose a layer or a token to go on."))

    def ready(self) -> bool:
        """Whether there is a text and a model to look into; says what is missing where not."""
        count = len(self.text.tokens)
        beyond = self.selected is not None and self.selected < count - MOST_TOKENS
        self.start = 0 if beyond else max(count - MOST_TOKENS, 0)
        if self.shape is None:
            self.ask(ShapeAsked())
            return False
        if self.shape.refusal or not count:
            empty = self.tr("What the model makes of the text above shows here once it is read.")
            self._forget()
            self.waiting.say(self.shape.refusal or empty)
            return False
        return True

    def part_sentence(self) -> str:
        """Which part of the text is looked at; "" for the whole."""
        count = len(self.text.tokens)
        if count <= MOST_TOKENS:
            return ""
        template = self.tr("Tokens {first} to {last} of {count}, read on their own.")
        return template.format(
            first=figures.count(self.start + 1),
            last=figures.count(self.start + len(self.part)),
            count=figures.count(count),
        )

    def _forget(self) -> None:
        self._answers.clear()
        self.forget()

    def take_shape(self, shape: ModelShape) -> None:
        """Offer the model's layers; the middle one is chosen where none is."""
        if not shape.refusal:
            middle = self.chosen_layer or shape.layers // 2
            self.layer.set_values(range(shape.layers))
            self.layer.set_number(middle)

    def take(self, answer: object) -> None:
        """Show an answer."""

    def forget(self) -> None:
        """Show no answer any more."""

    def on_agreed(self) -> None:
        """The memory that was named may be taken."""


def at_most(part: QWidget, width: int) -> QHBoxLayout:
    """A part that is no wider than so many pixels, at the left.

    A maximum alone would not do: heights that follow widths are asked for at the full width.
    """
    part.setMaximumWidth(width)
    row = QHBoxLayout()
    row.setContentsMargins(0, 0, 0, 0)
    row.addWidget(part, 1)
    row.addStretch(0)
    return row


def label(text: str) -> str:
    """A token in a few characters: bare where it has letters, its spaces seen where not."""
    return text.strip() or visible(text)


def quoted(text: str) -> str:
    """A token within a sentence."""
    return QCoreApplication.translate("Looking", "“{text}”").format(text=label(text)[:24])


def labels(tokens: Sequence[PlayToken]) -> tuple[str, ...]:
    """The tokens in a few characters each."""
    return tuple(label(token.shown) for token in tokens)
