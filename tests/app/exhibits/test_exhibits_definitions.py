"""What visitors are told of each exhibit, held against what the engine declares and measures."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import engine
import engine.exhibits
from app.exhibits.book import DEFINITIONS, open_book
from app.exhibits.definition import View
from app.exhibits.titles import titles
from app.exhibits.visit import Visit, usual_values
from app.exhibits.words import units
from engine.exhibits import EXHIBITS, settings
from tests.app.talkers import write_talker
from ui.exhibits.values import Slider
from ui.fields import ChoiceField, NumberField

if TYPE_CHECKING:
    from collections.abc import Iterator

NUMBERS = sorted(EXHIBITS)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> engine.Model:
    """A tiny model whose cache can be quantised."""
    return engine.load(str(write_talker(tmp_path_factory.mktemp("models") / "tiny", head_dim=64)))


def _said(kind: str) -> Iterator[tuple[str, str]]:
    """Names and sentences of all claims or notes in the engine's sources, but computed ones."""
    for path in sorted(Path(engine.exhibits.__file__).parent.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
                continue
            if node.func.id == kind:
                name, sentence, *_ = node.args
                if isinstance(name, ast.Constant) and isinstance(sentence, ast.Constant):
                    yield str(name.value), str(sentence.value)


@pytest.mark.parametrize("kind", ["Claim", "Note"])
def test_every_sentence_of_the_engine_can_be_translated(kind: str) -> None:
    said = set(_said(kind))
    assert len(said) > 40
    known = {
        pair
        for each in DEFINITIONS.values()
        for pair in (each.claims() if kind == "Claim" else each.notes()).items()
    }
    assert said - known == set()


def test_the_index_names_what_there_is() -> None:
    assert sorted(titles()) == NUMBERS == list(DEFINITIONS) == list(range(1, 14))


@pytest.mark.parametrize("number", NUMBERS)
def test_every_input_has_a_control_within_its_bounds(number: int) -> None:
    page = open_book()[number]
    bounds = {setting.name: setting for setting in settings(EXHIBITS[number].inputs)}
    controls = page.definition.controls(page.bounds)
    assert sorted(control.name for control in controls) == sorted(bounds)
    keys = {part.key for part in page.definition.parts()}
    for control in controls:
        setting = bounds[control.name]
        assert control.usual == setting.default
        assert set(control.parts) <= keys
        match control.what:
            case Slider(values=values):
                offered: list[Any] = [
                    int(each) if setting.kind != "number" else each for each in values
                ]
            case ChoiceField(choices=choices):
                offered = [choice.value for choice in choices]
            case NumberField(low=low, high=high):
                offered = [int(low), int(high)] if setting.kind == "whole" else [low, high]
            case _:
                offered = [setting.default]
        for value in offered:
            setting.check(value)


@pytest.mark.parametrize("number", NUMBERS)
def test_every_part_of_a_result_is_drawn_and_judged(number: int, model: engine.Model) -> None:
    exhibit, page = EXHIBITS[number], open_book()[number]
    definition = page.definition
    partials: list[Any] = []

    def progress(_share: float, partial: object) -> None:
        if partial is not None:
            partials.append(partial)

    result = exhibit.measure(model, exhibit.inputs(**usual_values(page)), progress)
    claims = exhibit.claims(result)
    assert {claim.name for claim in claims} <= set(definition.claims())
    assert {note.name for note in result.notes} <= set(definition.notes())
    assert {claim.unit for claim in claims} <= set(units())
    known = {name for names in definition.part_claims.values() for name in names}
    assert known <= set(definition.claims())
    for part in definition.parts():
        for partial in partials[:: max(len(partials) // 8, 1)]:
            definition.present(partial, View(part.key))
        pictures = definition.present(result, View(part.key))
        assert pictures.main or pictures.aside, part
        sources = definition.part_sources.get(part.key)
        if sources is not None:
            for source in sources:
                assert any(each.figure.startswith(source) for each in result.how), source
        view = page.view()
        assert all(view.about)
        assert view.question
        assert view.title


def test_a_difference_is_said_with_its_figures(model: engine.Model) -> None:
    from app.jobs.exhibits import Measured

    exhibit, page = EXHIBITS[7], open_book()[7]
    result = exhibit.measure(model, exhibit.inputs())
    visit = Visit.of(page)
    visit.part = "sabotage"
    visit.found = Measured(7, "tiny", result, exhibit.claims(result), 1.0)
    visit.is_complete = True
    view = visit.result()
    assert view is not None
    by_seen = {finding.is_seen: finding for finding in view.findings}
    assert by_seen[False].figures == "Measured 0, expected = 1 (answers that differ)."
    assert "altered" in view.sources[0].function
    assert visit.chosen("2") == {"position": 2}
