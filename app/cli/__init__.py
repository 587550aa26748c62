"""The command line: parsing, and one exit for errors. Each command has a file of its own."""

import argparse
import importlib
import io
import os
import sys
from pathlib import Path
from typing import Any, NoReturn

from typing_extensions import override

from app import __version__
from app.cli.library_parsers import add_library_parsers

USER_ERROR, FAILURE = 2, 1
_PENALTIES = {
    "repetition-penalty": "make recent tokens less likely; 1 is off",
    "frequency-penalty": "take X from a logit for each time the token came",
    "presence-penalty": "take X from the logits of tokens that came",
    "dry-multiplier": "make going on with a repetition less likely; 0 is off",
    "xtc-probability": "how often the likeliest tokens are left out; 0 is off",
    "xtc-threshold": "which tokens that can be, by their probability",
}


class _Parser(argparse.ArgumentParser):
    """Says what is wrong with the arguments in one sentence."""

    @override
    def error(self, message: str) -> NoReturn:
        text = message[:1].upper() + message[1:]
        sys.stderr.write(f"{text}; see `{self.prog} --help`.\n")
        raise SystemExit(USER_ERROR)


def run(arguments: list[str]) -> int:
    """Run one command.

    Args:
        arguments: Those after the program's name, at least one.

    Returns:
        The exit status; an error has been said in one sentence on standard error.
    """
    _prepare_streams()
    options = _parser().parse_args(arguments)
    if options.self_test:
        from app.cli.self_test import self_test

        return self_test()
    if options.command is None:
        _parser().error("a command is missing")
    return _guarded(options)


def leave() -> None:
    """Let go of MLX on this thread, before the process ends; nothing can be run here after it."""
    if "engine" in sys.modules:
        import engine

        engine.leave_thread()


def _guarded(options: argparse.Namespace) -> int:
    try:
        return _answer(options)
    except BrokenPipeError:
        _discard_output()
    except OSError as error:
        _discard_output()
        sys.stderr.write(f"Reading or writing failed: {error.strerror or error}.\n")
    except ImportError as error:
        sys.stderr.write(f"A part of Cutaway is missing ({error}); install it again.\n")
    except KeyboardInterrupt:
        sys.stderr.write("Stopped.\n")
    return FAILURE


def _answer(options: argparse.Namespace) -> int:
    command = importlib.import_module(f"app.cli.{options.module}")
    from app.library.errors import LibraryError
    from engine.errors import CancelledError, EngineError

    try:
        status = command.run(options)
    except EngineError as error:
        failed = type(error) in {EngineError, CancelledError}
        sys.stderr.write(f"{error}\n")
        return FAILURE if failed else USER_ERROR
    except LibraryError as error:
        sys.stderr.write(f"{error}\n")
        return USER_ERROR if error.given else FAILURE
    sys.stdout.flush()
    return status


def _prepare_streams() -> None:
    """Let no character and no closed stream end a command: what cannot be shown becomes `?`."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            nowhere = Path(os.devnull).open(mode, encoding="utf-8")  # noqa: SIM115 - stays open
            setattr(sys, name, nowhere)
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _discard_output() -> None:
    """Send what is still buffered nowhere: flushing it at the end would fail once more."""
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="cutaway", description="Chat with open language models, and see how they run."
    )
    parser.add_argument("--version", action="version", version=f"Cutaway {__version__}")
    parser.add_argument(
        "--self-test",
        action="store_true",
        help="build the window, load the starter model, stream a reply, print one JSON line",
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    _add_chat(commands)
    _add_generate(commands)
    _add_plan(commands)
    _add_bench(commands)
    _add_models(commands)
    _add_verify(commands)
    _add_exhibit(commands)
    add_library_parsers(commands)
    return parser


def _add_chat(commands: Any) -> None:
    parser = commands.add_parser("chat", help="chat in the terminal")
    _add_model(parser, optional=True)
    parser.add_argument(
        "--max-tokens", type=int, metavar="N", help="the most tokens of a reply (piped: 1,000)"
    )
    _add_sampling(parser)
    _add_cache(parser)
    parser.set_defaults(module="chat")


def _add_generate(commands: Any) -> None:
    parser = commands.add_parser("generate", help="write one reply")
    _add_model(parser)
    prompt = parser.add_mutually_exclusive_group(required=True)
    prompt.add_argument("--prompt", metavar="TEXT", help="a question, through the chat template")
    prompt.add_argument("--raw", metavar="TEXT", help="text to continue as it is")
    prompt.add_argument("--messages", metavar="FILE", help="a JSON list of {role, content}")
    parser.add_argument("--max-tokens", type=int, metavar="N", help="the most tokens to write")
    _add_sampling(parser)
    _add_cache(parser)
    parser.add_argument(
        "--stop", action="append", default=[], metavar="TEXT", help="end before this text"
    )
    parser.add_argument("--schema", metavar="FILE", help="reply in JSON that this schema allows")
    parser.add_argument(
        "--logprobs", type=int, default=0, metavar="K", help="report K alternatives per token"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(module="generate")


def _add_plan(commands: Any) -> None:
    parser = commands.add_parser("plan", help="what a model takes in memory")
    parser.add_argument("model", metavar="MODEL|CONFIG.json")
    parser.add_argument("--context", type=int, metavar="N", help="tokens per conversation")
    parser.add_argument("--users", type=int, default=1, metavar="N", help="conversations at once")
    parser.add_argument("--kv-bits", type=int, choices=(4, 8, 16), default=16, help="cache bits")
    parser.add_argument("--memory", type=int, metavar="BYTES", help="how much memory there is")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(module="plan")


def _add_bench(commands: Any) -> None:
    parser = commands.add_parser("bench", help="how fast a model runs here")
    _add_model(parser)
    parser.add_argument("--against", choices=("mlx-lm",), help="measure another engine in turn")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(module="bench")


def _add_models(commands: Any) -> None:
    parser = commands.add_parser("models", help="the models on this machine")
    parser.add_argument("--json", action="store_true", help="print a JSON list")
    parser.set_defaults(module="models")


def _add_verify(commands: Any) -> None:
    parser = commands.add_parser("verify", help="is a cached run exact, bit for bit")
    _add_model(parser)
    parser.add_argument("--text", metavar="TEXT", help="what to run instead of a sample text")
    _add_cache(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(module="verify")


def _add_exhibit(commands: Any) -> None:
    parser = commands.add_parser("exhibit", help="a claim about inference, measured")
    parser.add_argument("number", nargs="?", type=int, metavar="N", help="which; lists without")
    parser.add_argument("settings", nargs="*", metavar="NAME=VALUE", help="what to change")
    parser.add_argument("--model", default="starter", metavar="MODEL", help="starter by default")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(module="exhibit")


def _add_model(parser: argparse.ArgumentParser, *, optional: bool = False) -> None:
    help_text = "a folder, a .gguf file, a hub id that is on disk, or `starter`"
    if optional:
        parser.add_argument("model", nargs="?", default="starter", metavar="MODEL", help=help_text)
    else:
        parser.add_argument("model", metavar="MODEL", help=help_text)


def _add_sampling(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--temp", type=float, default=0.7, metavar="T", help="temperature")
    parser.add_argument("--top-p", type=float, default=0.95, metavar="P", help="nucleus")
    parser.add_argument("--top-k", type=int, default=0, metavar="K", help="only the K likeliest")
    parser.add_argument("--min-p", type=float, default=0.0, metavar="P", help="least share")
    parser.add_argument("--seed", type=int, metavar="S", help="the same seed, the same text")
    for name, text in _PENALTIES.items():
        parser.add_argument(f"--{name}", type=float, metavar="X", help=text)
    parser.add_argument(
        "--ban", action="append", default=[], metavar="TEXT", help="never write this text"
    )
    parser.add_argument(
        "--bias",
        action="append",
        default=[],
        type=_bias,
        metavar="ID=X",
        help="add X to the logit of a token; -inf rules it out",
    )


def _bias(text: str) -> tuple[int, float]:
    """A token id and what is added to its logit, from `ID=X`."""
    token, _, value = text.partition("=")
    try:
        return int(token), float(value)
    except ValueError:
        message = f"{text!r} must look like ID=X, as in 42=-5"
        raise argparse.ArgumentTypeError(message) from None


def _add_cache(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--window", type=int, metavar="N", help="keep N recent tokens")
    parser.add_argument("--kv-bits", type=int, choices=(4, 8), help="hold the cache quantised")
