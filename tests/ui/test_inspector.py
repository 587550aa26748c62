"""The inspector's figures, its plots, and what an update costs."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import pytest

from ui import figures
from ui.inspector.sparkline import CAPACITY, Sparkline, ceiling
from ui.state import ContextSpans, MessageView, Telemetry

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from ui.theme import Theme
    from ui.window import MainWindow

USED = 2 * 30 * 3 * 64 * 1204 * 4
NOW = Telemetry(
    phase="decode",
    prefill_done=38,
    prefill_total=38,
    prefill_tps=312.0,
    decode_tps=41.84,
    ttft_s=0.138,
    reused_tokens=1166,
    prompt_tokens=1204,
    context_tokens=1204,
    context_limit=8192,
    kv_used_bytes=USED,
    kv_allocated_bytes=USED + 2**20,
    kv_formula_bytes=USED,
    layers=30,
    kv_heads=3,
    head_dim=64,
    bytes_per_value=4,
    weights_bytes=538 * 2**20,
    active_bytes=650 * 2**20,
    peak_bytes=812 * 2**20,
    cached_bytes=72 * 2**20,
    memory_limit_bytes=16 * 2**30,
    read_weight_bytes=538 * 2**20,
    process_bytes=900 * 2**20,
    spans=ContextSpans(length=1204, pinned=12, oldest=12, turn_start=1166),
)


def test_figures_of_a_moment(window: MainWindow) -> None:
    window.set_busy(True)
    window.set_telemetry(NOW)
    panel = window.inspector
    rows = (
        panel.speed.decode,
        panel.speed.prefill,
        panel.speed.first_token,
        panel.speed.read,
        panel.speed.reused,
    )
    assert [row.value for row in rows] == [
        "41.8",
        "312 tokens/s",
        "0.14 s",
        "591 MiB · 25.9 GB/s",
        "1,166 of 1,204",
    ]
    assert panel.speed.head.value == "writing"
    assert panel.cache.used.value == "52.9 MiB"
    assert panel.cache.head.value == "growing"
    assert panel.cache.formula.text == (
        "2 × 30 layers × 3 KV heads × 64 × 1,204 tokens × 4 B = 52.9 MiB ✓"
    )
    assert panel.memory.head.value == "of 16.0 GiB"
    assert panel.memory.weights.value == "538 MiB"
    assert panel.memory.peak.value == "812 MiB"
    assert "Weights 538 MiB" in panel.memory.bar.accessibleDescription()
    assert panel.cache.used.accessibleName() == "Used: 52.9 MiB"
    assert window.page.composer.status.startswith("1,204 of 8,192 tokens")


def test_composer_counts_the_shown_chat_alone(window: MainWindow) -> None:
    composer = window.page.composer
    window.set_telemetry(dataclasses.replace(NOW, phase="idle"))
    assert composer.status
    window.set_telemetry(NOW)  # another chat's reply is being written
    assert composer.status == ""
    window.show_chat([MessageView("r", "assistant", "", "streaming", queued="reply")], "")
    window.set_busy(True)
    window.set_telemetry(NOW)  # this chat's reply waits for the other one
    assert composer.status == ""
    assert window.inspector.context.map.chart.summary.startswith("1,204 tokens")


def test_formula_is_ticked_only_where_it_agrees(window: MainWindow) -> None:
    window.set_telemetry(dataclasses.replace(NOW, kv_used_bytes=USED - 1))
    assert not window.inspector.cache.formula.text.endswith("✓")
    high = window.inspector.cache.formula.heightForWidth(292)
    window.set_telemetry(dataclasses.replace(NOW, layers=0))
    assert window.inspector.cache.formula.text == ""
    assert window.inspector.cache.formula.heightForWidth(292) == high


def test_no_kind_of_cache_is_named_before_the_first_question(window: MainWindow) -> None:
    window.set_telemetry(dataclasses.replace(NOW, kv_used_bytes=0, spans=ContextSpans()))
    assert window.inspector.cache.used.value == "0 B"
    assert window.inspector.cache.head.value == ""


def test_prefill_and_loading_show_how_far_they_are(window: MainWindow) -> None:
    panel = window.inspector
    window.set_telemetry(
        dataclasses.replace(NOW, phase="prefill", prefill_done=512, prefill_total=1024)
    )
    assert panel.speed.head.value == "reading 512 of 1,024"
    assert panel.speed.progress.fraction == 0.5
    window.set_telemetry(Telemetry(phase="loading", load_progress=0.25))
    assert panel.speed.head.value == "loading"
    assert panel.speed.progress.fraction == 0.25
    window.set_telemetry(dataclasses.replace(NOW, phase="idle"))
    assert panel.speed.head.value == "idle"
    assert panel.speed.progress.fraction is None
    window.grab()


def test_clearing_forgets_figures_and_plots(window: MainWindow) -> None:
    window.set_telemetry(NOW)
    window.clear_telemetry()
    panel = window.inspector
    assert panel.speed.decode.value == figures.UNKNOWN
    assert panel.speed.plot.values == ()
    assert panel.cache.plot.values == ()
    assert window.page.composer.status == ""


def test_plots_take_only_what_is_measured(window: MainWindow) -> None:
    panel = window.inspector
    window.set_telemetry(dataclasses.replace(NOW, phase="idle"))
    window.set_telemetry(dataclasses.replace(NOW, phase="idle"))
    assert panel.speed.plot.values == ()
    assert len(panel.cache.plot.values) == 1
    window.set_telemetry(NOW)
    assert panel.speed.plot.values == (41.84,)


def test_sparkline_is_bounded_and_described(theme: Theme) -> None:
    plot = Sparkline(theme, "Speed", "cache_new", figures.speed)
    for number in range(CAPACITY * 2):
        plot.add(float(number))
    assert len(plot.values) == CAPACITY
    assert plot.accessibleName() == "Speed"
    assert plot.accessibleDescription() == "599 now, at most 599"
    plot.resize(292, 44)
    plot.grab()
    points = plot._points()
    assert all(0 <= point.x() <= 292.01 and 0 <= point.y() <= 44 for point in points)
    plot.clear()
    plot.add(0.0)
    plot.add(0.0)
    plot.grab()


@pytest.mark.parametrize(
    ("highest", "top"), [(0.0, 1.0), (0.003, 0.003), (41.8, 60.0), (100.0, 100.0), (101.0, 150.0)]
)
def test_scale_is_a_round_number(highest: float, top: float) -> None:
    assert ceiling(highest) == pytest.approx(top)


def test_a_map_that_only_grows_is_drawn_now_and_then(window: MainWindow, qtbot: QtBot) -> None:
    section = window.inspector.context

    def grow(length: int, **changes: int) -> None:
        spans = dataclasses.replace(NOW.spans, length=length, **changes)
        window.set_telemetry(dataclasses.replace(NOW, spans=spans))

    grow(1204)
    grow(1205)
    assert section.map.chart.summary.startswith("1,204 tokens")
    qtbot.waitUntil(lambda: section.map.chart.summary.startswith("1,205 tokens"))
    grow(1206)
    grow(1207, oldest=20)  # what is seen is different: that is shown at once
    assert section.map.chart.summary.startswith("1,207 tokens")
