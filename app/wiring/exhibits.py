"""The exhibits: the page, the visitor's way through them, and the ways that lead there."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale

from app.exhibits.titles import titles
from app.language import chosen

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from app.cutaway import Cutaway
    from app.exhibits.tour import Tour
    from ui.exhibits.page import ExhibitsPage


def connect_exhibits(app: Cutaway) -> None:
    """Join the ways that lead to the exhibits, and their page once it is there."""
    window = app.window
    window.place_built.connect(partial(_on_place_built, app))
    window.exhibit_requested.connect(partial(_go, app))
    window.inspector.exhibit_requested.connect(partial(_go, app))
    window.set_exhibits(titles())


def connect_tour(app: Cutaway, tour: Tour) -> None:
    """Join the visitor's way through the exhibits, when it is made."""
    window = app.window
    tour.on_model_changed(app.models.now)
    window.places.changed.connect(tour.on_place_changed)
    app.models.changed.connect(tour.on_model_changed)
    app.worker.measured.connect(tour.on_measured)
    tour.config_wanted.connect(partial(_ask_hub, app, tour))
    tour.model_wanted.connect(window.actions_of_menus.use_starter.trigger)
    app.ending.connect(tour.close)


def _ask_hub(app: Cutaway, tour: Tour, repo: str) -> None:
    app.model_parts.hub.read_config(
        repo, partial(tour.on_config_read, repo), partial(tour.on_config_refused, repo)
    )


def _go(app: Cutaway, number: int) -> None:
    """Go to an exhibit, from wherever."""
    app.tour.on_chosen(number)
    app.window.go("exhibits")


def _on_place_built(app: Cutaway, name: str, page: QWidget) -> None:
    if name != "exhibits":
        return
    from ui.exhibits.page import ExhibitsPage  # late: it is there by now, and no start waits

    if not isinstance(page, ExhibitsPage):
        return
    tour = app.tour
    page.entered.connect(tour.on_entered)
    page.chosen.connect(tour.on_chosen)
    page.run_requested.connect(tour.on_run_requested)
    page.part_requested.connect(tour.on_part_requested)
    page.cancelled.connect(tour.on_cancelled)
    page.reset_requested.connect(tour.on_reset)
    page.changed.connect(tour.on_changed)
    page.activated.connect(tour.on_activated)
    tour.failed.connect(page.show_notice)
    page.language_chosen.connect(partial(app.preferences.set, "language"))
    page.language_chosen.connect(partial(_on_language_chosen, page))
    tour.rows_changed.connect(page.index.set_rows)
    tour.exhibit_shown.connect(page.show_exhibit)
    tour.values_changed.connect(page.show_values)
    tour.part_shown.connect(page.show_part)
    tour.run_changed.connect(page.show_run)
    tour.result_changed.connect(page.show_result)
    page.index.set_language(chosen(app.preferences.now.language, QLocale.system().uiLanguages()))


def _on_language_chosen(page: ExhibitsPage, code: str) -> None:
    """Say in the language that was chosen when it comes: the window is made anew at a start."""
    page.index.set_language(code)
    page.show_notice(
        "Cutaway 下次启动时将显示中文。"
        if code == "zh_CN"
        else "Cutaway speaks English from its next start on."
    )
