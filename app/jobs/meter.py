"""The inspector's figures, as the engine's thread measures and sends them."""

from __future__ import annotations

import time
from collections import deque
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

import psutil

import engine
from app.requests import TELL_EVERY_S
from app.spoken import spoken
from engine.bandwidth import published_bandwidth, read_weight_bytes
from ui.state import ContextSpans, ReuseView, Telemetry

if TYPE_CHECKING:
    from collections.abc import Callable

_SPEED_OVER_S = 1.0


class Meter:
    """Reads the model's and a session's figures, and sends each reading."""

    def __init__(self, send: Callable[[Telemetry], None]) -> None:
        """Begin without a model.

        Args:
            send: Takes what was measured, to another thread.
        """
        self._send = send
        self._process = psutil.Process()
        self._now = Telemetry()
        self._blank = Telemetry()
        self._speed = _Speed()
        self._sent_at = 0.0

    @property
    def is_due(self) -> bool:
        """Whether figures that come often may be sent again: at most every 100 ms."""
        return time.perf_counter() - self._sent_at >= TELL_EVERY_S

    def on_model(self, model: engine.Model) -> None:
        """Send the figures of a model that is loaded now, and of no session."""
        config = model.config
        self._blank = Telemetry(
            phase="idle",
            context_limit=config.max_position_embeddings,
            layers=config.num_hidden_layers,
            kv_heads=config.num_key_value_heads,
            head_dim=config.head_dim,
            bytes_per_value=model.network.dtype.size,
            weights_bytes=model.weights_bytes,
            read_weight_bytes=read_weight_bytes(model),
            bandwidth=published_bandwidth(),
        )
        self.send(self._blank)

    def begin(self, session: engine.Session) -> None:
        """Send the figures of a session in which a reply begins; its speed is another one's."""
        self._speed = _Speed()
        self.show(session, "prefill")

    def show(
        self, session: engine.Session | None, phase: Literal["prefill", "decode", "idle"]
    ) -> None:
        """Send the figures of a session, or of an empty one."""
        self.send(self._snapshot(session, phase))

    def keep(self, session: engine.Session) -> None:
        """Read the figures of a session whose reply has ended; the next change sends them."""
        self._now = self._snapshot(session, "idle")

    def change(self, **figures: Any) -> None:
        """Send the latest figures again, with some others."""
        self.send(replace(self._now, **figures))

    def send(self, telemetry: Telemetry) -> None:
        """Send figures, with a reading of MLX's memory."""
        self._sent_at = time.perf_counter()
        memory = engine.read_memory()
        self._now = replace(
            telemetry,
            active_bytes=memory.active_bytes,
            peak_bytes=memory.peak_bytes,
            cached_bytes=memory.cached_bytes,
            memory_limit_bytes=memory.limit_bytes,
            process_bytes=self._process.memory_info().rss,
        )
        self._send(self._now)

    def _snapshot(
        self, session: engine.Session | None, phase: Literal["prefill", "decode", "idle"]
    ) -> Telemetry:
        if session is None:
            return replace(self._blank, phase=phase)
        figures, memory = session.figures, session.memory()
        return replace(
            self._now,
            phase=phase,
            prefill_done=figures.prefill_done,
            prefill_total=figures.prompt_tokens,
            prefill_tps=figures.prefill_tps,
            decode_tps=self._speed.add(figures) if phase == "decode" else figures.decode_tps,
            ttft_s=figures.ttft_s,
            reused_tokens=figures.reused_tokens,
            prompt_tokens=figures.prompt_tokens,
            context_tokens=memory.held_tokens,
            kv_used_bytes=memory.used_bytes,
            kv_allocated_bytes=memory.allocated_bytes,
            kv_formula_bytes=memory.formula_bytes,
            bytes_per_value=session.value_bytes,
            spans=_spans(session),
            reuse=_reuse(session),
        )


class _Speed:
    """Tokens per second over about the last second, which an average would hide."""

    def __init__(self) -> None:
        self._seen: deque[tuple[float, int]] = deque()

    def add(self, figures: engine.Figures) -> float | None:
        """Take the latest figures; None until there is enough to tell."""
        now = (figures.decode_s, figures.generated_tokens)
        self._seen.append(now)
        while len(self._seen) > 2 and now[0] - self._seen[1][0] >= _SPEED_OVER_S:
            self._seen.popleft()
        seconds, tokens = now[0] - self._seen[0][0], now[1] - self._seen[0][1]
        return tokens / seconds if seconds >= TELL_EVERY_S else None


def _spans(session: engine.Session) -> ContextSpans:
    """Which of the session's tokens the next one is going to see."""
    policy, length = session.policy, len(session.tokens)
    pinned = policy.pinned if policy.window is not None else 0
    window = session.seen_window
    oldest = 0 if window is None else length - window + 1
    return ContextSpans(
        length=length,
        pinned=min(pinned, length),
        oldest=max(oldest, pinned, 0),
        turn_start=session.reuse.reused_tokens,
        window=window,
        kv_bits=policy.bits,
    )


def _reuse(session: engine.Session) -> ReuseView:
    reuse = session.reuse
    return ReuseView(spoken(reuse.reason), reuse.common_text, reuse.held_text, reuse.prompt_text)
