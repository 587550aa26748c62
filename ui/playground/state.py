"""What the playground shows, as frozen values: no Qt, made on the engine's thread."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ui.pieces import CONTINUED

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_LEAST = sys.float_info.min


@dataclass(frozen=True)
class PlayToken:
    """One token of the text.

    Attributes:
        token: Its id.
        text: Shown alone; a control token's name.
        control: Whether it is a control token.
        probability: How likely the model found it, 0 to 1; None for the first token, of which
            nothing is known, and where it has not been computed yet.
        entropy: How undecided the model was before it, in bits; None likewise.
        rank: 1 where it was the most likely one; 0 where nothing is known.
    """

    token: int
    text: str
    control: bool = False
    probability: float | None = None
    entropy: float | None = None
    rank: int = 0

    @property
    def shown(self) -> str:
        """Its text; a mark where an earlier token has the character that both are part of."""
        return self.text or CONTINUED

    @property
    def surprise(self) -> float:
        """How little the model expected it, 0 to 1; 0 where that is not known."""
        return 0.0 if self.probability is None else 1.0 - self.probability


def logprob(tokens: Iterable[PlayToken]) -> float:
    """The model's probability of all of some tokens, as a natural logarithm."""
    known = (token.probability for token in tokens if token.probability is not None)
    return sum(math.log(max(probability, _LEAST)) for probability in known)


def common_length(one: Sequence[PlayToken], other: Sequence[PlayToken]) -> int:
    """How many tokens two texts begin with in common."""
    for number, (left, right) in enumerate(zip(one, other, strict=False)):
        if left.token != right.token:
            return number
    return min(len(one), len(other))


@dataclass(frozen=True)
class PlayText:
    """The document's text as its views see it.

    Attributes:
        tokens: In order; their ids are exact.
        model: The name of the model whose tokens they are; "" before there was one.
    """

    tokens: tuple[PlayToken, ...] = ()
    model: str = ""

    @property
    def ids(self) -> tuple[int, ...]:
        """The token ids."""
        return tuple(token.token for token in self.tokens)


@dataclass(frozen=True)
class Shade:
    """Numbers that the large text is coloured by, in place of its probabilities.

    Attributes:
        strengths: One per token, 0 to 1; a shorter one leaves the rest blank.
        name: What they are, for the caption and for export: "attention weight".
        note: A few words that go with them: "layer 14, head 6".
    """

    strengths: tuple[float, ...]
    name: str
    note: str = ""


@dataclass(frozen=True)
class PlaySettings:
    """How the playground's tokens are chosen; names, meaning and bounds are the sampler's."""

    temperature: float = 0.8
    top_k: int = 0
    top_p: float = 0.95
    min_p: float = 0.0
    repetition_penalty: float = 1.0
    frequency_penalty: float = 0.0
    presence_penalty: float = 0.0
    seed: int | None = None


GREEDY = PlaySettings(temperature=0.0, top_p=1.0)
"""The likeliest token each time."""


@dataclass(frozen=True)
class StageView:
    """One step of the sampler.

    Attributes:
        name: As the engine calls it: "top_p", "allowed".
        removed: How many tokens it removed.
        left: How many tokens can still come after it.
        entropy: Of what it leaves, in bits.
    """

    name: str
    removed: int
    left: int
    entropy: float


@dataclass(frozen=True)
class Candidate:
    """A token that could come next.

    Attributes:
        token: Its id.
        text: Shown alone.
        control: Whether it is a control token.
        before: Its probability as the model says, 0 to 1.
        after: What it is drawn with, 0 where a step removed it.
        removed_by: The name of that step; "" for none.
        spelling: Its text with bytes that are no character by their numbers; "" as the text.
    """

    token: int
    text: str
    control: bool
    before: float
    after: float
    removed_by: str = ""
    spelling: str = ""

    @property
    def shown(self) -> str:
        """What tells it from all others."""
        return self.spelling or self.text


@dataclass(frozen=True)
class Distribution:
    """What can come after one token of the text.

    Attributes:
        position: The place of that token.
        candidates: The likeliest by the model and by the sampler, the model's likeliest first.
        stages: The model itself, then each step that is on.
        vocab_size: How many tokens there are.
        follows: The id of the token that does come after it; None at the end of the text.
    """

    position: int
    candidates: tuple[Candidate, ...]
    stages: tuple[StageView, ...]
    vocab_size: int
    follows: int | None = None

    @property
    def entropy(self) -> float:
        """How undecided the model is, in bits."""
        return self.stages[0].entropy


@dataclass(frozen=True)
class TreeNode:
    """One stretch of text in the tree of continuations.

    Attributes:
        key: Its name in the tree.
        parent: The node it goes on from; "" for the prompt.
        tokens: What it adds.
        label: How it was drawn: "greedy", "seed 7".
        pruned: Whether it is set aside.
        ended: Whether its last token ends the text.
    """

    key: str
    parent: str
    tokens: tuple[PlayToken, ...]
    label: str = ""
    pruned: bool = False
    ended: bool = False

    @property
    def text(self) -> str:
        """What it adds, as it is shown."""
        return "".join(token.text for token in self.tokens)

    @property
    def logprob(self) -> float:
        """The model's probability of all it adds, as a natural logarithm."""
        return logprob(self.tokens)


@dataclass(frozen=True)
class Tree:
    """Continuations of one prompt.

    Attributes:
        prompt: The text that all of them go on from.
        nodes: In the order they were made.
        selected: The key of the chosen node; "" for the prompt itself.
    """

    prompt: PlayText = PlayText()
    nodes: tuple[TreeNode, ...] = ()
    selected: str = ""

    def path(self, key: str) -> tuple[TreeNode, ...]:
        """The nodes from the prompt to one, that one included."""
        by_key = {node.key: node for node in self.nodes}
        found: list[TreeNode] = []
        while (node := by_key.get(key)) is not None and node not in found:
            found.append(node)
            key = node.parent
        return tuple(reversed(found))

    def ids(self, key: str) -> tuple[int, ...]:
        """The token ids of the prompt and of all nodes down to one."""
        return (*self.prompt.ids, *(t.token for node in self.path(key) for t in node.tokens))

    def logprob(self, key: str) -> float:
        """The model's probability of all nodes down to one, as a natural logarithm."""
        return sum(node.logprob for node in self.path(key))


@dataclass(frozen=True)
class Side:
    """The prompt gone on with under one setting.

    Attributes:
        title: Which setting.
        settings: It.
        tokens: What came.
        ended: Whether the last of them ends the text.
    """

    title: str
    settings: PlaySettings
    tokens: tuple[PlayToken, ...]
    ended: bool = False


@dataclass(frozen=True)
class TokenRow:
    """One token as a tokenizer made it: its id, its text as in a `PlayToken`, and its bytes."""

    token: int
    text: str
    spelling: bytes
    control: bool


@dataclass(frozen=True)
class Tokenized:
    """A text as one tokenizer cuts it.

    Attributes:
        name: Whose tokenizer.
        tokens: In order.
        characters: Of the text.
        byte_count: Of the text in UTF-8.
        vocab_size: How many tokens the tokenizer has.
    """

    name: str
    tokens: tuple[TokenRow, ...]
    characters: int
    byte_count: int
    vocab_size: int


@dataclass(frozen=True)
class SchemaView:
    """What a schema means for the next token.

    Attributes:
        text: The schema, as JSON.
        on: Whether steps and runs keep to it.
        start: The place of the first token that does.
    """

    text: str = ""
    on: bool = False
    start: int = 0
