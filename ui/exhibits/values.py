"""What the exhibits' page shows, as frozen values: it knows charts and controls, no engine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from ui.charts.values import Chart
    from ui.fields import Field, Value

Phase = Literal["idle", "waiting", "running", "done", "stopped", "failed"]


@dataclass(frozen=True)
class IndexRow:
    """One line of the index: whether it was run already is shown as a tick."""

    number: int
    title: str
    is_seen: bool = False


@dataclass(frozen=True)
class Slider:
    """A number that is chosen by sliding.

    Attributes:
        name: Of the input.
        title: What it is.
        values: What there is to choose from, ascending.
        usual: The value that Reset brings back.
        texts: How each value is written; () writes plain numbers.
        help: A sentence on what it does.
    """

    name: str
    title: str
    values: tuple[float, ...]
    usual: float
    texts: tuple[str, ...] = ()
    help: str = ""


@dataclass(frozen=True)
class Control:
    """Something that the visitor can change.

    Attributes:
        what: A slider, or a field as in a form.
        parts: The keys of the parts of the exhibit that it is shown with.
        folded: Whether it is shown only when the visitor asks for more.
    """

    what: Slider | Field
    parts: tuple[str, ...] = ("",)
    folded: bool = False

    @property
    def name(self) -> str:
        """Of the input."""
        return self.what.name

    @property
    def usual(self) -> Value:
        """The value that Reset brings back."""
        return self.what.usual


@dataclass(frozen=True)
class Part:
    """One of the things that an exhibit shows of what it measured; the first has the key ""."""

    key: str
    title: str


@dataclass(frozen=True)
class ExhibitView:
    """An exhibit before anything is measured.

    Attributes:
        number: Of the exhibit.
        title: Above the page.
        question: To think about first.
        about: What it is about, for a reader who is new to the field; paragraphs.
        parts: What it shows; each but the first has a button.
        controls: What can be changed.
    """

    number: int
    title: str
    question: str
    about: tuple[str, ...]
    parts: tuple[Part, ...]
    controls: tuple[Control, ...]


@dataclass(frozen=True)
class RunView:
    """What the buttons say.

    Attributes:
        label: Of the main button.
        enabled: Whether it can be pressed.
        phase: What becomes of the measurement.
        share: How much is done, 0 to 1.
        caption: A few words beside the buttons: how it ended.
        sentence: Below them: what it waits for, what to do.
    """

    label: str = ""
    enabled: bool = False
    phase: Phase = "idle"
    share: float = 0.0
    caption: str = ""
    sentence: str = ""

    @property
    def is_busy(self) -> bool:
        """Whether there is something to cancel."""
        return self.phase in {"waiting", "running"}


@dataclass(frozen=True)
class Finding:
    """One thing that should be seen.

    Attributes:
        sentence: What.
        is_seen: Whether it was.
        figures: What was measured, and what it is held against.
    """

    sentence: str
    is_seen: bool
    figures: str


@dataclass(frozen=True)
class Source:
    """How a figure is computed: the formula, and the function of the engine that does it."""

    formula: str
    function: str


@dataclass(frozen=True)
class Pictures:
    """What was measured, drawn.

    Attributes:
        main: One below the other, as wide as the page.
        aside: Below these, beside what should be seen.
    """

    main: tuple[Chart, ...] = ()
    aside: tuple[Chart, ...] = ()


@dataclass(frozen=True)
class ResultView:
    """What was measured so far, and what to make of it.

    Attributes:
        part: The key of the part that is shown.
        pictures: The charts.
        claim: What should be seen, in a sentence or two.
        findings: The claim taken apart, each checked; those that nothing is known of yet are not
            there.
        complete: Whether all is measured.
        sources: How the figures are computed.
        notes: Where the popular claim needs care.
    """

    part: str
    pictures: Pictures
    claim: str
    findings: tuple[Finding, ...]
    complete: bool
    sources: tuple[Source, ...] = ()
    notes: tuple[str, ...] = ()
