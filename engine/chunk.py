"""What a generation hands out: chunks, the figures of a turn, and what was reused."""

from dataclasses import dataclass
from typing import Literal

FinishReason = Literal["stop", "length", "cancelled"]


@dataclass(frozen=True)
class TokenLogprob:
    """One token and its log-probability (natural logarithm), before penalties and filters."""

    token: int
    text: str
    logprob: float


@dataclass(frozen=True)
class Chunk:
    """One step of a reply.

    Attributes:
        token: The token id that was chosen; None for a last flush of held-back text.
        text: The new text that can be shown; may be empty while characters are incomplete.
        finish_reason: Set on the last chunk alone.
        logprob: Of `token`, when log-probabilities were asked for.
        top: The most likely tokens at this step, when asked for, in descending order.
    """

    token: int | None
    text: str
    finish_reason: FinishReason | None = None
    logprob: float | None = None
    top: tuple[TokenLogprob, ...] = ()


@dataclass(frozen=True)
class Reuse:
    """How much of the last prompt was already held.

    Attributes:
        reused_tokens: Leading tokens whose keys and values were there.
        prefilled_tokens: The rest, which was computed.
        stopped_at: The first position that could not be reused.
        reason: Why reuse stopped there, as a sentence for the user.
        common_text: The end of what both have in common.
        held_text: How the session went on from there, where it differs from the prompt.
        prompt_text: How the prompt goes on from there.
    """

    reused_tokens: int = 0
    prefilled_tokens: int = 0
    stopped_at: int = 0
    reason: str = ""
    common_text: str = ""
    held_text: str = ""
    prompt_text: str = ""


@dataclass(frozen=True)
class Figures:
    """The speed of one turn.

    Attributes:
        prompt_tokens: Tokens of the prompt, reused ones included.
        reused_tokens: Those that a session already held.
        prefill_done: Tokens of the prompt that are in the cache by now.
        generated_tokens: Tokens of the reply so far.
        ttft_s: Seconds from the request to the first token; None before it.
        prefill_s: Seconds spent in prefill so far.
        decode_s: Seconds from the first token to the last.
        seed: The seed of the draws; given again, it gives the same reply.
        finish_reason: Why the reply ended, None while it runs.
    """

    prompt_tokens: int = 0
    reused_tokens: int = 0
    prefill_done: int = 0
    generated_tokens: int = 0
    ttft_s: float | None = None
    prefill_s: float = 0.0
    decode_s: float = 0.0
    seed: int = 0
    finish_reason: FinishReason | None = None

    @property
    def prefill_tps(self) -> float | None:
        """Prompt tokens per second that were really computed."""
        computed = self.prefill_done - self.reused_tokens
        return computed / self.prefill_s if computed > 0 and self.prefill_s > 0 else None

    @property
    def decode_tps(self) -> float | None:
        """Tokens per second after the first one."""
        steps = self.generated_tokens - 1
        return steps / self.decode_s if steps > 0 and self.decode_s > 0 else None
