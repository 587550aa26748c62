"""`cutaway generate`: one reply, as text or as one JSON object."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any, cast

import engine
from app.cli import options as given
from app.cli.ctrl_c import ctrl_c
from app.text import for_stream


def run(options: argparse.Namespace) -> int:
    """Generate and print; what there is by then where Ctrl-C stops it."""
    sampling = given.sampling(options)
    policy = given.cache_policy(options)
    schema = None if options.schema is None else _read_schema(Path(options.schema))
    messages = _messages(options)
    model = given.model(options)
    ids = model.raw_tokens(options.raw) if messages is None else model.prompt_tokens(messages)
    session = model.session(given.pinned(policy, model, messages))
    tokens: list[int] = []
    pieces: list[str] = []
    logprobs: list[dict[str, Any]] = []
    with ctrl_c() as cancel:
        for chunk in session.generate(
            ids,
            sampling,
            options.max_tokens,
            options.stop,
            schema=schema,
            logprobs=options.logprobs,
            cancel=cancel,
        ):
            pieces.append(chunk.text)
            if chunk.token is not None:
                tokens.append(chunk.token)
            if chunk.logprob is not None:
                text = model.tokenizer.piece(cast("int", chunk.token))
                entry = {"id": chunk.token, "text": text, "logprob": chunk.logprob}
                logprobs.append({**entry, "top": [_alternative(one) for one in chunk.top]})
            if not options.json:
                sys.stdout.write(for_stream(chunk.text, sys.stdout))
                sys.stdout.flush()
    if options.json:
        report = _report(session, "".join(pieces), tokens)
        if options.logprobs:
            report["logprobs"] = logprobs
        sys.stdout.write(json.dumps(report, ensure_ascii=False))
    sys.stdout.write("\n")
    sys.stdout.flush()
    if session.figures.finish_reason == "cancelled":
        raise engine.CancelledError("Stopped.")
    return 0


def _alternative(entry: engine.TokenLogprob) -> dict[str, Any]:
    return {"id": entry.token, "text": entry.text, "logprob": entry.logprob}


def _report(session: engine.Session, text: str, tokens: list[int]) -> dict[str, Any]:
    figures, memory = session.figures, session.memory()
    return {
        "text": text,
        "tokens": tokens,
        "prompt_tokens": figures.prompt_tokens,
        "reused_tokens": figures.reused_tokens,
        "finish_reason": figures.finish_reason,
        "ttft_s": figures.ttft_s,
        "prefill_tps": figures.prefill_tps,
        "decode_tps": figures.decode_tps,
        "kv_used_bytes": memory.used_bytes,
        "kv_allocated_bytes": memory.allocated_bytes,
        "kv_formula_bytes": memory.formula_bytes,
        "kv_slots": memory.slots,
        "kv_peak_slots": memory.peak_slots,
        "seed": figures.seed,
    }


def _messages(options: argparse.Namespace) -> list[dict[str, Any]] | None:
    """What goes through the chat template; None for raw text."""
    if options.raw is not None:
        return None
    if options.prompt is not None:
        if not options.prompt.strip():
            raise engine.PromptError("The prompt is empty; write something first.")
        return [{"role": "user", "content": options.prompt}]
    return _read_messages(Path(options.messages))


def _read_schema(path: Path) -> engine.Schema:
    value = _read_json(path)
    if not isinstance(value, dict):
        raise engine.SettingError(f"{path} must hold a JSON schema, which is an object.")
    return cast("engine.Schema", value)


def _read_json(path: Path) -> object:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise engine.PromptError(f"{path} cannot be read: {error.strerror}.") from error
    except (ValueError, RecursionError) as error:
        raise engine.PromptError(f"{path} is not valid JSON.") from error


def _read_messages(path: Path) -> list[dict[str, Any]]:
    value = _read_json(path)
    if not isinstance(value, list) or not value:
        raise engine.PromptError(f"{path} must hold a JSON list of messages.")
    messages = cast("list[Any]", value)
    if not all(_is_message(message) for message in messages):
        raise engine.PromptError(
            f'Each message in {path} must look like {{"role": "user", "content": "…"}}.'
        )
    return messages


def _is_message(value: object) -> bool:
    if not isinstance(value, dict):
        return False
    message = cast("dict[str, object]", value)
    return isinstance(message.get("role"), str) and isinstance(message.get("content"), str)
