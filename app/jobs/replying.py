"""One reply: its session and prompt, its pieces as they come, and how it ended."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.jobs import asking
from app.requests import ReplyBegin, ReplyEnd

if TYPE_CHECKING:
    import threading

    import engine
    from app.jobs.meter import Meter
    from app.requests import ReplyRequest
    from app.worker import Worker
    from engine.pool import SessionPool


def write(
    model: engine.Model,
    sessions: SessionPool,
    request: ReplyRequest,
    stop: threading.Event,
    worker: Worker,
    meter: Meter,
) -> ReplyEnd:
    """Write a reply; its beginning and its pieces leave as signals of the worker.

    Args:
        model: What writes.
        sessions: The model's, with that of the chat or one to begin from.
        request: What is asked.
        stop: Set from another thread to end it early.
        worker: Whose signals are emitted.
        meter: Told of the session, ten times a second at most.

    Raises:
        engine.EngineError: It cannot be written, or not to its end.
    """
    limits = request.limits
    session, ids = _begin(model, sessions, request)
    worker.began.emit(ReplyBegin(request.reply_id, asking.opens_thought(model, request)))

    def on_prefill(done: int, total: int) -> None:
        if done == total or meter.is_due:
            meter.show(session, "prefill")

    chunks = session.generate(
        ids,
        asking.sampling_of(request.sampling),
        limits.max_tokens,
        limits.stop,
        schema=asking.schema_of(limits),
        logprobs=min(request.logprobs, model.config.vocab_size),
        cancel=stop,
        on_prefill=on_prefill,
    )
    meter.begin(session)
    written: list[str] = []
    for chunk in chunks:
        written.append(chunk.text)
        if chunk.text or chunk.token is not None:
            worker.produced.emit(asking.piece(model, request.reply_id, chunk))
        if meter.is_due:
            meter.show(session, "decode")
    sessions.shrink()
    meter.keep(session)
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
        unseen_messages=_unseen(model, session, request, "".join(written)),
    )


def _begin(
    model: engine.Model, sessions: SessionPool, request: ReplyRequest
) -> tuple[engine.Session, list[int]]:
    """The session for a reply, and the tokens of its prompt."""
    messages = asking.asked(request)
    policy = asking.policy_of(model, messages, request.context)
    if request.private:
        sessions.keep_off_disk(request.chat_id)
    held = sessions.session(request.chat_id, policy).tokens
    ids = asking.prompt_of(model, request, held)
    session = sessions.session(request.chat_id, policy, ids)
    asking.refuse_what_is_not_seen(model, session, messages)
    return session, ids


def _unseen(model: engine.Model, session: engine.Session, request: ReplyRequest, text: str) -> int:
    """How many messages stand before the first one in the window; 0 where all are in it."""
    window = session.policy.window
    if window is None or len(session.tokens) <= window:
        return 0
    begun = request.messages[-1]["content"] if request.continues else ""
    reply = {"role": "assistant", "content": begun + text}
    return asking.unseen(model, session, [*asking.asked(request), reply])
