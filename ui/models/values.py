"""What the page of models shows: frozen values that the application hands over."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ui.fields import Value

Section = Literal["here", "find", "downloads", "compare"]
Verdict = Literal["comfortable", "tight", "too big", "unknown"]
CardState = Literal["", "loading", "loaded", "downloading"]
DownloadState = Literal["queued", "running", "waiting", "stalled", "paused", "failed", "done"]


@dataclass(frozen=True)
class FitPart:
    """A part of what a model takes.

    Attributes:
        name: What it is.
        figure: How much in words.
        fraction: Of the bar's length, 0 to 1.
    """

    name: str
    figure: str
    fraction: float


@dataclass(frozen=True)
class FitView:
    """Whether a model fits this machine.

    Attributes:
        verdict: In one of four words.
        sentence: The verdict with its figures, and at which window it would fit where it does not.
        parts: Weights, cache, prefill, from the left.
        limit: Where in the bar the memory ends, 0 to 1; None where nobody knows.
    """

    verdict: Verdict
    sentence: str
    parts: tuple[FitPart, ...] = ()
    limit: float | None = None


@dataclass(frozen=True)
class WorkView:
    """Something that is being done with a model, and can be cancelled.

    Attributes:
        sentence: What.
        share: How much of it is done, 0 to 1; None while it waits.
    """

    sentence: str
    share: float | None = None


@dataclass(frozen=True)
class CardView:
    """A model on this machine.

    Attributes:
        source: What loads it; tells it from others.
        name: For people.
        facts: Family, parameters, quantisation, size and the like, in one line.
        place: Where it lies.
        used: When it was last used.
        state: What becomes of it.
        share: How much of it is loaded, 0 to 1.
        problem: Why it cannot be loaded, or was not; one sentence.
        fit: Whether it fits; None where that is not known.
        speeds: What was measured of it, one line per length; empty where nothing was.
        note: What came of the last thing that was done with it.
        work: What is being done with it.
        ready: Whether it can be loaded.
        convertible: Whether it can be converted.
        undeletable: Why it cannot be deleted now, one sentence; empty where it can.
        settings: Values of its load settings by name.
        longest: Tokens that it was trained for, the largest window.
    """

    source: str
    name: str
    facts: str = ""
    place: str = ""
    used: str = ""
    state: CardState = ""
    share: float | None = None
    problem: str = ""
    fit: FitView | None = None
    speeds: tuple[str, ...] = ()
    note: str = ""
    work: WorkView | None = None
    ready: bool = True
    convertible: bool = False
    undeletable: str = ""
    settings: Mapping[str, Value] | None = None
    longest: int = 1 << 20


@dataclass(frozen=True)
class RemovalView:
    """What deleting a model would do.

    Attributes:
        source: Which.
        sentence: What goes, and how much space that frees.
        question: What other programs would miss; empty where it is ours alone.
        deletes: Whether there is anything to move to the trash.
        listed: Whether it may be taken off the list instead, its files left where they are.
    """

    source: str
    sentence: str
    question: str = ""
    deletes: bool = True
    listed: bool = False


@dataclass(frozen=True)
class ConversionView:
    """What a conversion would give and take.

    Attributes:
        source: Of which model.
        bits: Per weight; 16 is bfloat16.
        sentence: Sizes, memory and where it goes, or why it cannot be.
        possible: Whether it can begin.
    """

    source: str
    bits: int
    sentence: str
    possible: bool


@dataclass(frozen=True)
class FoundView:
    """A row of what was found on the hub.

    Attributes:
        repo: Tells it from others.
        title: For people.
        caption: What else is known of it, in one line.
        mark: A word at the right, such as whether it fits; may be empty.
        is_good: Whether that word is good news.
    """

    repo: str
    title: str
    caption: str
    mark: str = ""
    is_good: bool = True


@dataclass(frozen=True)
class Query:
    """What is looked for on the hub.

    Attributes:
        words: In the name; may be empty.
        form: "mlx", "gguf" or "any".
        family: Such as `llama`; empty for all.
        fitting: Whether only what fits this machine.
        sort: "downloads" or "date".
    """

    words: str = ""
    form: Literal["mlx", "gguf", "any"] = "mlx"
    family: str = ""
    fitting: bool = True
    sort: Literal["downloads", "date"] = "downloads"


@dataclass(frozen=True)
class VariantView:
    """One quantisation that a repository offers."""

    name: str
    title: str


@dataclass(frozen=True)
class DetailView:
    """A repository, to choose from.

    Attributes:
        repo: Which.
        figures: Names and figures, in the order to show them.
        sentence: Why it cannot be run, or fetched; empty where it can.
        fit: Whether it fits.
        variants: Quantisations to choose from; empty where there is one.
        variant: The chosen one.
        wants_token: Whether a token has to be entered.
        state: Whether it is being fetched, is here already, or can be fetched.
        loading: Whether it is still being asked for.
        source: What loads it where it is here.
    """

    repo: str
    figures: tuple[tuple[str, str], ...] = ()
    sentence: str = ""
    fit: FitView | None = None
    variants: tuple[VariantView, ...] = ()
    variant: str = ""
    wants_token: bool = False
    state: Literal["no", "can", "fetching", "here"] = "no"
    loading: bool = False
    source: str = ""


@dataclass(frozen=True)
class FileView:
    """One file of a download: its name, its figures, and how much of it is here, 0 to 1."""

    name: str
    figures: str
    share: float


@dataclass(frozen=True)
class DownloadView:
    """A download.

    Attributes:
        key: Tells it from others.
        title: What is being fetched.
        state: What becomes of it.
        share: How much is here, 0 to 1.
        figures: The bytes that are here, and those in all.
        detail: Speed and time left, or why it does not run.
        files: Each on its own.
        source: What loads it, once it is done.
    """

    key: str
    title: str
    state: DownloadState
    share: float
    figures: str
    detail: str
    files: tuple[FileView, ...] = ()
    source: str = ""


@dataclass(frozen=True)
class AnswerView:
    """What came of one side of a comparison.

    Attributes:
        title: The model.
        text: What it wrote so far.
        figures: Names and figures.
        problem: Why it wrote nothing, one sentence.
        done: Whether nothing more comes.
    """

    title: str
    text: str = ""
    figures: tuple[tuple[str, str], ...] = ()
    problem: str = ""
    done: bool = False


@dataclass(frozen=True)
class ComparisonView:
    """A comparison.

    Attributes:
        answers: One for each side; none before the first.
        share: How much is done, 0 to 1.
        running: Whether it can be cancelled.
        sentence: What became of it.
    """

    answers: tuple[AnswerView, ...] = ()
    share: float = 0.0
    running: bool = False
    sentence: str = ""
