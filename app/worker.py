"""The engine's thread: it alone loads, generates and frees; the rest of the app sends requests.

Requests queue up and are answered in order; a stop goes around the queue through an event. Only
plain values leave the thread, as Qt signals that arrive on the receiver's thread.
"""

from __future__ import annotations

import queue
import sys
import threading
import time
from collections import deque
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, Protocol

from PySide6.QtCore import QObject, Signal

from app.chats.settings import SamplingSettings
from ui.state import Telemetry

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    import engine
    from engine.pool import SessionPool

_TELEMETRY_EVERY_S = 0.1
# How long the window may wait for the interpreter's lock, which it asks for several times a frame
# while the engine's thread describes a step to MLX; Python's own 5 ms each add up to lost frames.
_LOCK_WAIT_S = 0.0005
_SPEED_OVER_S = 1.0
_SESSIONS_BUDGET_BYTES = 1 << 30
_SESSIONS_DISK_BYTES = 4 << 30

FinishReason = Literal["stop", "length", "cancelled", "failed"]


@dataclass(frozen=True)
class LoadRequest:
    """Load a model in place of the one that is there."""

    source: str


@dataclass(frozen=True)
class UnloadRequest:
    """Free the model and all its sessions."""


@dataclass(frozen=True)
class ReplyRequest:
    """Answer the last of `messages`.

    Attributes:
        reply_id: Comes back with every piece of the reply.
        chat_id: Names the session that is reused.
        messages: Dictionaries with `role` and `content`, the whole branch.
        rotates: Whether the oldest tokens make room when the context is full; the system prompt
            stays. Otherwise the reply ends there.
        max_tokens: The most tokens to write; None is the rest of the context.
        continues: Whether the last of `messages` is the beginning of the reply, to be gone on with.
        written: The exact token ids of that beginning; where they are not known, or another
            model's, its text is encoded.
    """

    reply_id: str
    chat_id: str
    messages: Sequence[Mapping[str, str]]
    sampling: SamplingSettings = field(default_factory=SamplingSettings)
    max_tokens: int | None = None
    rotates: bool = True
    continues: bool = False
    written: tuple[int, ...] = ()


@dataclass(frozen=True)
class MeasureRequest:
    """Send the figures of a chat's session; of an empty one where the chat has none."""

    chat_id: str


@dataclass(frozen=True)
class CloseRequest:
    """End the thread."""


@dataclass(frozen=True)
class ForgetRequest:
    """Drop the session of a chat that was deleted, on disk too."""

    chat_id: str


Request = LoadRequest | UnloadRequest | ReplyRequest | MeasureRequest | ForgetRequest | CloseRequest


@dataclass(frozen=True)
class LoadedModel:
    """What the app knows of the model that is loaded."""

    source: str
    name: str
    detail: str
    context_limit: int


@dataclass(frozen=True)
class ReplyPiece:
    """New text of a reply, and the token it came with."""

    reply_id: str
    text: str
    token: int | None


@dataclass(frozen=True)
class ReplyEnd:
    """A reply is over.

    Attributes:
        finish_reason: Why; `failed` has its sentence in `error`.
        error: One sentence for the user, empty where all went well.
        unseen_messages: How many of the request's messages stand before the first one that the
            model still sees now; 0 where it sees all. Pinned ones may be among them.
    """

    reply_id: str
    finish_reason: FinishReason
    error: str = ""
    prompt_tokens: int = 0
    reused_tokens: int = 0
    tokens: int = 0
    ttft_s: float | None = None
    prefill_tps: float | None = None
    decode_tps: float | None = None
    seed: int | None = None
    unseen_messages: int = 0


class Worker(QObject):
    """Sends requests to the engine's thread and hands out what comes back.

    `start` begins the thread, `close` asks it to end; `closed` is emitted as its last act, after
    which `join` returns at once.
    """

    loading = Signal(str, float)
    loaded = Signal(LoadedModel)
    load_failed = Signal(str, str)
    unloaded = Signal()
    produced = Signal(ReplyPiece)
    ended = Signal(ReplyEnd)
    measured = Signal(Telemetry)
    closed = Signal()

    def __init__(self, parent: QObject | None = None, sessions: Path | None = None) -> None:
        """Get ready; nothing runs yet.

        Args:
            parent: Owns this object.
            sessions: The folder for sessions that do not fit in memory, and for the next start.
        """
        super().__init__(parent)
        self.sessions = sessions
        self._requests: queue.SimpleQueue[tuple[Request, threading.Event]] = queue.SimpleQueue()
        self._stops: list[tuple[Request, threading.Event]] = []
        self._running: Request | None = None
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="engine")

    def start(self) -> None:
        """Begin the thread; requests sent before are waiting for it."""
        sys.setswitchinterval(_LOCK_WAIT_S)
        self._thread.start()

    def load(self, source: str) -> None:
        """Load `source`; a load or reply that is still running or waiting is stopped first."""
        self._stop_all()
        self._send(LoadRequest(source))

    def unload(self) -> None:
        """Free the model; whatever runs or waits is stopped first."""
        self._stop_all()
        self._send(UnloadRequest())

    def reply(self, request: ReplyRequest) -> None:
        """Queue a reply."""
        self._send(request)

    def forget(self, chat_id: str) -> None:
        """Drop the session of a chat that was deleted."""
        self._send(ForgetRequest(chat_id))

    def measure(self, chat_id: str) -> None:
        """Ask for the figures of a chat's session."""
        self._send(MeasureRequest(chat_id))

    def stop_reply(self, reply_id: str) -> None:
        """Stop one reply, which ends as `cancelled`.

        One that runs ends within a prefill chunk or a token, one that still waits for another
        reply or for the model ends at once.
        """
        dropped = False
        with self._lock:
            for entry in list(self._stops):
                request, stop = entry
                if not isinstance(request, ReplyRequest) or request.reply_id != reply_id:
                    continue
                stop.set()
                if request is not self._running:
                    self._stops.remove(entry)
                    dropped = True
        if dropped:
            self.ended.emit(ReplyEnd(reply_id, "cancelled"))

    def close(self) -> None:
        """Stop whatever runs or waits and end the thread; returns at once."""
        self._stop_all()
        self._send(CloseRequest())

    def join(self) -> None:
        """Wait for the thread to end; call `close` before."""
        if self._thread.ident is not None:
            self._thread.join()

    def _send(self, request: Request) -> None:
        stop = threading.Event()
        with self._lock:
            self._stops.append((request, stop))
        self._requests.put((request, stop))

    def _stop_all(self) -> None:
        with self._lock:
            for _, stop in self._stops:
                stop.set()

    def _run(self) -> None:
        # Importing the engine takes a moment: it happens here, behind the window.
        engine_side = _engine_side(self)
        request: Request | None = None
        while not isinstance(request, CloseRequest):
            request, stop = entry = self._requests.get()
            with self._lock:
                if entry not in self._stops:  # stopped while it waited
                    continue
                self._running = request
            try:
                engine_side.answer(request, stop)
            finally:
                with self._lock:
                    self._stops.remove(entry)
                    self._running = None
        self.closed.emit()


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
        return tokens / seconds if seconds >= _TELEMETRY_EVERY_S else None


class _Answers(Protocol):
    """What answers requests on the engine's thread."""

    def answer(self, request: Request, stop: threading.Event) -> None:
        """Do what one request says; every failure leaves as a signal with a sentence."""
        ...


def _engine_side(worker: Worker) -> _Answers:
    try:
        return _EngineSide(worker)
    except Exception as error:  # noqa: BLE001 - whatever a broken installation raises
        return _NoEngine(worker, error)


class _NoEngine:
    """Stands in where the engine cannot be imported: it says so, and the app can be closed."""

    def __init__(self, worker: Worker, error: Exception) -> None:
        self._worker = worker
        self._sentence = f"The engine cannot start ({error}); install Cutaway again."

    def answer(self, request: Request, stop: threading.Event) -> None:
        """Refuse what needs the engine."""
        match request:
            case LoadRequest():
                self._worker.load_failed.emit(request.source, self._sentence)
            case ReplyRequest() if stop.is_set():
                self._worker.ended.emit(ReplyEnd(request.reply_id, "cancelled"))
            case ReplyRequest():
                self._worker.ended.emit(ReplyEnd(request.reply_id, "failed", error=self._sentence))
            case UnloadRequest():
                self._worker.unloaded.emit()
            case MeasureRequest() | ForgetRequest() | CloseRequest():
                pass


class _EngineSide:
    """What lives on the engine's thread: the model, its sessions, and the figures."""

    def __init__(self, worker: Worker) -> None:
        import engine

        self._engine = engine
        self._worker = worker
        self._folder = worker.sessions
        self._model: engine.Model | None = None
        self._sessions: SessionPool | None = None
        self._telemetry = Telemetry()
        self._blank = Telemetry()
        self._speed = _Speed()
        self._measured_at = 0.0

    def answer(self, request: Request, stop: threading.Event) -> None:
        """Do what one request says; every failure leaves as a signal with a sentence."""
        match request:
            case LoadRequest():
                self._load(request.source, stop)
            case ReplyRequest():
                self._reply(request, stop)
            case UnloadRequest():
                self._free()
                self._worker.unloaded.emit()
                self._measure(Telemetry())
            case MeasureRequest():
                if self._sessions is not None:
                    session = self._sessions.held(request.chat_id)
                    self._measure(self._snapshot(session, "idle"))
            case ForgetRequest():
                self._forget(request.chat_id)
            case CloseRequest():
                self._free()
                self._engine.leave_thread()

    def _load(self, source: str, stop: threading.Event) -> None:
        self._free()
        self._worker.loading.emit(source, 0.0)
        self._measure(Telemetry(phase="loading", load_progress=0.0))

        def on_progress(share: float) -> None:
            if self._due():
                self._worker.loading.emit(source, share)
                self._measure(replace(self._telemetry, load_progress=share))

        try:
            model = self._engine.load(source, on_progress=on_progress, cancelled=stop.is_set)
        except self._engine.CancelledError:
            self._free()
            self._worker.unloaded.emit()
            self._measure(Telemetry())
            return
        except Exception as error:  # noqa: BLE001 - the thread outlives whatever a file does to it
            self._free()
            self._worker.load_failed.emit(source, self._sentence(error))
            self._measure(Telemetry())
            return
        self._model = model
        self._sessions = self._engine.SessionPool(
            model, _SESSIONS_BUDGET_BYTES, self._folder, _SESSIONS_DISK_BYTES
        )
        self._worker.loaded.emit(_describe(source, model))
        config = model.config
        self._blank = Telemetry(
            phase="idle",
            context_limit=config.max_position_embeddings,
            layers=config.num_hidden_layers,
            kv_heads=config.num_key_value_heads,
            head_dim=config.head_dim,
            bytes_per_value=model.network.dtype.size,
            weights_bytes=model.weights_bytes,
        )
        self._measure(self._blank)

    def _forget(self, chat_id: str) -> None:
        if self._sessions is not None:
            self._sessions.forget(chat_id)
        elif self._folder is not None:
            self._engine.SessionFolder(self._folder, _SESSIONS_DISK_BYTES).forget(chat_id)

    def _free(self) -> None:
        """Put the sessions away, so that their chats go on without a prefill, and free all."""
        if self._sessions is not None:
            self._sessions.save()
        self._model = None
        self._sessions = None
        self._engine.free_memory()

    def _reply(self, request: ReplyRequest, stop: threading.Event) -> None:
        try:
            end = self._write(request, stop)
        except Exception as error:  # noqa: BLE001 - a failed turn ends the turn, not the app
            end = ReplyEnd(request.reply_id, "failed", error=self._sentence(error))
        if self._model is not None:
            self._measure(replace(self._telemetry, phase="idle"))
        self._worker.ended.emit(end)

    def _write(self, request: ReplyRequest, stop: threading.Event) -> ReplyEnd:
        if stop.is_set():
            return ReplyEnd(request.reply_id, "cancelled")
        model, sessions = self._model, self._sessions
        if model is None or sessions is None:
            raise self._engine.EngineError("No model is loaded; choose one first.")
        policy = self._policy(model, request)
        held = sessions.session(request.chat_id, policy).tokens
        ids = _prompt(model, request, held)
        session = sessions.session(request.chat_id, policy, ids)
        self._refuse_what_is_not_seen(model, session, request)
        values = request.sampling
        sampling = self._engine.Sampling(
            temperature=values.temperature,
            top_k=values.top_k,
            top_p=values.top_p,
            min_p=values.min_p,
            repetition_penalty=values.repetition_penalty,
            repetition_context=values.repetition_context,
            seed=values.seed,
        )

        def on_prefill(done: int, total: int) -> None:
            if done == total or self._due():
                self._measure(self._snapshot(session, "prefill"))

        self._speed = _Speed()
        chunks = session.generate(
            ids, sampling, request.max_tokens, cancel=stop, on_prefill=on_prefill
        )
        self._measure(self._snapshot(session, "prefill"))
        written: list[str] = []
        for chunk in chunks:
            written.append(chunk.text)
            if chunk.text or chunk.token is not None:
                self._worker.produced.emit(ReplyPiece(request.reply_id, chunk.text, chunk.token))
            if self._due():
                self._measure(self._snapshot(session, "decode"))
        sessions.shrink()
        self._telemetry = self._snapshot(session, "idle")
        figures = session.figures
        return ReplyEnd(
            request.reply_id,
            figures.finish_reason or "cancelled",
            prompt_tokens=figures.prompt_tokens,
            reused_tokens=figures.reused_tokens,
            tokens=figures.generated_tokens,
            ttft_s=figures.ttft_s,
            prefill_tps=figures.prefill_tps,
            decode_tps=figures.decode_tps,
            seed=figures.seed,
            unseen_messages=self._unseen(model, session, request, "".join(written)),
        )

    def _unseen(
        self, model: engine.Model, session: engine.Session, request: ReplyRequest, text: str
    ) -> int:
        """How many messages stand before the first one in the window; 0 where all are in it."""
        window = session.policy.window
        if window is None or len(session.tokens) <= window:
            return 0
        begun = request.messages[-1]["content"] if request.continues else ""
        messages = [*_asked(request), {"role": "assistant", "content": begun + text}]
        try:
            sights = model.sights(messages, session)
        except self._engine.EngineError:  # the reply stands, whatever a template makes of it
            return 0
        evicted = [number for number, sight in enumerate(sights) if sight.seen == "evicted"]
        return evicted[-1] + 1 if evicted else 0

    def _refuse_what_is_not_seen(
        self, model: engine.Model, session: engine.Session, request: ReplyRequest
    ) -> None:
        """Earlier messages may leave the window, but the one to be answered must be seen whole."""
        last = model.sights(_asked(request), session)[-1]
        count = last.end - last.start
        if last.seen_tokens < count:
            raise self._engine.PromptError(
                f"This message has {count:,} tokens and the window has room for "
                f"{last.seen_tokens:,} of them; shorten it or send it in parts."
            )

    def _policy(self, model: engine.Model, request: ReplyRequest) -> engine.CachePolicy:
        """Pin the system prompt and rotate the rest, where that was chosen and the model can."""
        if not request.rotates:
            return self._engine.CachePolicy()
        pinned = model.pinned_tokens(_asked(request))
        try:
            return self._engine.CachePolicy(model.default_window(pinned), pinned)
        except self._engine.SettingError:
            return self._engine.CachePolicy()

    def _snapshot(
        self, session: engine.Session | None, phase: Literal["prefill", "decode", "idle"]
    ) -> Telemetry:
        """The figures of a session, or of an empty one."""
        if session is None:
            return replace(self._blank, phase=phase)
        figures, memory = session.figures, session.memory()
        return replace(
            self._telemetry,
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
        )

    def _due(self) -> bool:
        """Whether figures that come often may be sent again: at most every 100 ms."""
        return time.perf_counter() - self._measured_at >= _TELEMETRY_EVERY_S

    def _measure(self, telemetry: Telemetry) -> None:
        """Send the figures, with a reading of MLX's memory."""
        self._measured_at = time.perf_counter()
        memory = self._engine.read_memory()
        self._telemetry = replace(
            telemetry,
            active_bytes=memory.active_bytes,
            peak_bytes=memory.peak_bytes,
            cached_bytes=memory.cached_bytes,
            memory_limit_bytes=memory.limit_bytes,
        )
        self._worker.measured.emit(self._telemetry)

    def _sentence(self, error: Exception) -> str:
        if isinstance(error, self._engine.EngineError):
            return str(error)
        return f"Something unexpected failed ({type(error).__name__}: {error}); try again."


def _asked(request: ReplyRequest) -> Sequence[Mapping[str, str]]:
    """The messages before the reply."""
    return request.messages[:-1] if request.continues else request.messages


def _prompt(model: engine.Model, request: ReplyRequest, held: Sequence[int]) -> list[int]:
    """The tokens to go on from: those of the messages, then what is written of the reply."""
    ids = model.prompt_tokens(_asked(request), held=held)
    if not request.continues:
        return ids
    text = request.messages[-1]["content"]
    exact = bool(request.written) and model.tokenizer.decode(request.written) == text
    return [
        *ids,
        *(request.written if exact else model.tokenizer.encode_parts([text], first=False)),
    ]


def _describe(source: str, model: engine.Model) -> LoadedModel:
    config = model.config
    context = config.max_position_embeddings
    short = f"{context // 1024}k" if context % 1024 == 0 else f"{context:,}"
    return LoadedModel(source, model.name, f"{model.storage} · {short}", context)
