"""`cutaway chat`: a conversation in the terminal, or answers to lines of standard input."""

import argparse
import sys
from collections.abc import Iterator
from typing import TextIO

import engine
from app.cli import options as given
from app.cli.ctrl_c import ctrl_c
from app.cli.status import Status, status_line
from app.text import bytes_text, for_stream, seconds_text, speed_text

_MOST_UNATTENDED = 1000
"""Tokens of a reply where nobody sits who could stop a model that repeats itself."""

_HELP = "/new starts over, /quit or Ctrl-D leaves, Ctrl-C stops a reply."


def run(options: argparse.Namespace) -> int:
    """Chat until the input ends."""
    sampling = given.sampling(options)
    policy = given.cache_policy(options)
    sys.stderr.write(f"Loading {options.model} …\n")
    model = given.model(options)
    most = options.max_tokens
    told = _HELP
    if not sys.stdin.isatty():
        most = most or _MOST_UNATTENDED
        told = f"A reply ends after {most:,} tokens at the latest (--max-tokens)."
    conversation = _Conversation(model, sampling, policy, most)
    context = f"{model.config.max_position_embeddings:,} tokens of context"
    sys.stderr.write(f"{model.name}, {context}. {told}\n")
    for question in _questions():
        if question == "/quit":
            break
        if question == "/new":
            conversation = _Conversation(model, sampling, policy, most)
            continue
        try:
            with status_line(sys.stdout) as status:
                conversation.ask(question, sys.stdout, status)
        except engine.EngineError as error:
            sys.stderr.write(f"{error}\n")
    return 0


class _Conversation:
    """Messages so far, and the session that holds their keys and values."""

    def __init__(
        self,
        model: engine.Model,
        sampling: engine.Sampling,
        policy: engine.CachePolicy,
        most: int | None,
    ) -> None:
        self._model = model
        self._most = most
        self._sampling = sampling
        anything = [{"role": "user", "content": "Hello"}]
        self._session = model.session(given.pinned(policy, model, anything))
        self._messages: list[dict[str, str]] = []

    def ask(self, question: str, out: TextIO, status: Status) -> None:
        """Stream the reply to `out`; the exchange is kept unless the prompt is refused."""
        messages = [*self._messages, {"role": "user", "content": question}]
        ids = self._model.prompt_tokens(messages, held=self._session.tokens)
        pieces: list[str] = []
        with ctrl_c() as cancel:

            def on_prefill(done: int, total: int) -> None:
                status.show(f"prefill {done:,} of {total:,} tokens")

            chunks = self._session.generate(
                ids, self._sampling, self._most, cancel=cancel, on_prefill=on_prefill
            )
            for chunk in chunks:
                out.write(for_stream(chunk.text, out))
                out.flush()
                pieces.append(chunk.text)
                status.show(self._figures())
        out.write("\n")
        out.flush()  # the figures may go to another stream
        status.finish(self._figures())
        self._messages = [*messages, {"role": "assistant", "content": "".join(pieces)}]

    def _figures(self) -> str:
        figures, memory = self._session.figures, self._session.memory()
        return " · ".join(
            (
                f"{figures.generated_tokens:,} tokens",
                speed_text(figures.decode_tps),
                f"{seconds_text(figures.ttft_s)} to first token",
                f"{figures.reused_tokens:,} of {figures.prompt_tokens:,} tokens reused",
                f"cache {bytes_text(memory.used_bytes)}",
            )
        )


def _questions() -> Iterator[str]:
    """Questions typed at a prompt, or the lines of standard input that are not empty."""
    interactive = sys.stdin.isatty()
    if interactive:
        import readline

        readline.set_auto_history(True)  # its import alone gives input() editing keys
    while True:
        try:
            line = input("\n› " if interactive else "").strip()
        except (EOFError, KeyboardInterrupt):
            if interactive:  # what comes next in the terminal begins a line of its own
                sys.stdout.write("\n")
            return
        if line:
            yield line
