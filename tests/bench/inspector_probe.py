"""What the inspector costs the main thread while a reply is written. Prints JSON.

Costs are seconds of the main thread's own processor time, so that what else runs on the machine
is not counted; an update counts until it is painted.
"""

import json
import os
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtWidgets import QApplication

from app.live_tokens import EVERY_MS, MOST
from ui.state import AlternativeView, ContextSpans, Telemetry, TokensView, TokenView
from ui.theme import Theme
from ui.window import MainWindow

_UPDATES, _WARM, _PAUSE_S = 40, 10, 0.1
_CONTEXT = 3000
_MOST_PER_S = 10
"""So often the engine's thread tells of its figures at most."""
_WORDS = (" the", " window", ",", " remembers", "\n", " tokens", " that", " came", " before", ".")
_NOW = Telemetry(
    phase="decode",
    prefill_tps=312.0,
    ttft_s=0.14,
    prompt_tokens=_CONTEXT,
    context_limit=8192,
    kv_allocated_bytes=160 << 20,
    layers=30,
    kv_heads=3,
    head_dim=64,
    bytes_per_value=4,
    weights_bytes=538 << 20,
    active_bytes=700 << 20,
    peak_bytes=812 << 20,
    read_weight_bytes=538 << 20,
    process_bytes=900 << 20,
)


def main() -> int:
    """Measure and print."""
    application = QApplication(sys.argv[:1])
    window = MainWindow(Theme(application))
    window.resize(1360, 860)
    window.show()
    panel = window.inspector

    def cost_s(update: Callable[[int], None]) -> float:
        """Seconds of an update, on average."""
        begun = 0.0
        for number in range(_WARM + _UPDATES):
            if number == _WARM:
                begun = time.thread_time()
            update(number)
            time.sleep(_PAUSE_S)  # so that what waits for a moment has its turn
            for _round in range(3):  # what one event brings about is another one
                application.processEvents()
        return (time.thread_time() - begun) / _UPDATES

    report = {"live_s": cost_s(lambda number: window.set_telemetry(_moment(number)))}
    panel.show_tokens()
    tokens = tuple(_token(number) for number in range(MOST + 8 * (_WARM + _UPDATES)))
    views = [_view(tokens, 8 * number) for number in range(_WARM + _UPDATES)]
    report["tokens_s"] = cost_s(lambda number: panel.tokens.show_tokens(views[number]))
    report |= {"live_per_s": _MOST_PER_S, "tokens_per_s": 1000 / EVERY_MS}
    sys.stdout.write(json.dumps(report) + "\n")
    return 0


def _moment(number: int) -> Telemetry:
    tokens = _CONTEXT + 4 * number
    used = 2 * 30 * 3 * 64 * 4 * tokens
    return replace(
        _NOW,
        decode_tps=40.0 + number % 7,
        context_tokens=tokens,
        kv_used_bytes=used,
        kv_formula_bytes=used,
        spans=ContextSpans(tokens, pinned=20, oldest=20, turn_start=_CONTEXT - 40),
    )


def _view(tokens: Sequence[TokenView], start: int) -> TokensView:
    """A reply that is too long to be shown as a whole, so that an update costs the most."""
    shown = tuple(tokens[start : start + MOST])
    return TokensView("reply", "model", shown, 1.0, unseen=start, live=True)


def _token(number: int) -> TokenView:
    top = tuple(
        AlternativeView(n, _WORDS[n], (0.5 + number % 5 / 10) / 2 ** (n + 1), None)
        for n in range(10)
    )
    which = number % 10
    return TokenView(which, _WORDS[which], False, top[which].probability, None, which + 1, top)


if __name__ == "__main__":
    sys.exit(main())
