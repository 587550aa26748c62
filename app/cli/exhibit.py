"""`cutaway exhibit`: one exhibit measured on a model, in words or as one JSON object."""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from typing import Any

import engine
from app.cli import options as given
from app.cli.status import status_line
from engine.exhibits import EXHIBITS, Claim, Exhibit, Setting, settings
from engine.exhibits.memory_bill import MemoryBillResult


def run(options: argparse.Namespace) -> int:
    """Measure and print, or list the exhibits where no number is given."""
    if options.number is None:
        _print_list(as_json=options.json)
        return 0
    exhibit = EXHIBITS.get(options.number)
    if exhibit is None:
        known = ", ".join(str(number) for number in sorted(EXHIBITS))
        raise engine.SettingError(f"There is no exhibit {options.number}; there are {known}.")
    inputs = exhibit.inputs(**_given(exhibit, options.settings))
    model = given.model(options)
    with status_line(sys.stderr) as status:

        def on_progress(share: float, _partial: object) -> None:
            status.show(f"{exhibit.title}: {share:.0%}")

        result = exhibit.measure(model, inputs, on_progress)
    if isinstance(result, MemoryBillResult) and result.refused:
        raise engine.SettingError(result.refused)
    if options.json:
        report = {"model": model.name, **exhibit.report(result)}
        sys.stdout.write(json.dumps(report, ensure_ascii=False, allow_nan=False) + "\n")
    else:
        sys.stdout.write("\n".join(_lines(exhibit, model.name, result)) + "\n")
    return 0


def _print_list(*, as_json: bool) -> None:
    if as_json:
        listed = [
            {
                "exhibit": number,
                "name": exhibit.name,
                "title": exhibit.title,
                "settings": [_described(setting) for setting in settings(exhibit.inputs)],
            }
            for number, exhibit in sorted(EXHIBITS.items())
        ]
        sys.stdout.write(json.dumps(listed, ensure_ascii=False) + "\n")
        return
    for number, exhibit in sorted(EXHIBITS.items()):
        names = ", ".join(setting.name for setting in settings(exhibit.inputs))
        sys.stdout.write(f"{number:>2}  {exhibit.title}\n    {names}\n")


def _described(setting: Setting) -> dict[str, Any]:
    found: dict[str, Any] = {
        "name": setting.name,
        "kind": setting.kind,
        "default": setting.default,
        "meaning": setting.meaning,
    }
    if setting.kind == "choice":
        return {**found, "choices": list(setting.choices)}
    return {**found, "least": setting.least, "most": setting.most}


def _given(exhibit: Exhibit[Any, Any], words: Sequence[str]) -> dict[str, Any]:
    """Settings from words like `name=value`.

    Raises:
        SettingError: There is no such setting, or its value is of another kind.
    """
    known = {setting.name: setting for setting in settings(exhibit.inputs)}
    found: dict[str, Any] = {}
    for word in words:
        name, is_setting, value = word.partition("=")
        setting = known.get(name.replace("-", "_"))
        if not is_setting or setting is None:
            raise engine.SettingError(
                f"{word!r} sets nothing in exhibit {exhibit.number}; give name=value, where name "
                f"is one of {', '.join(known)}."
            )
        found[setting.name] = _value(setting, value)
    return found


def _value(setting: Setting, given: str) -> Any:
    if setting.kind == "text":
        return given
    if setting.kind == "choice":
        return next((each for each in setting.choices if str(each) == given), given)
    try:
        return int(given) if setting.kind == "whole" else float(given)
    except ValueError:
        return given  # the setting itself says what it wants


def _lines(exhibit: Exhibit[Any, Any], model: str, result: Any) -> Iterator[str]:
    claims = exhibit.claims(result)
    yield f"Exhibit {exhibit.number}. {exhibit.title}: {model}"
    for claim in claims:
        yield f"{'✓' if claim.seen else '✗'} {claim.sentence}"
        yield f"    {_measured(claim)}"
    for note in result.notes:
        yield f"· {note.sentence}"
    yield "How this is computed:"
    for how in result.how:
        yield f"    {how.figure}: {how.formula} ({how.function})"
    unseen = sum(not claim.seen for claim in claims)
    yield f"{len(claims) - unseen} of {len(claims)} claims were seen." if unseen else "All seen."


def _measured(claim: Claim) -> str:
    bound = f"{claim.relation} {_number(claim.bound)}"
    verdict = "as it should be" if claim.seen else "but it should be"
    return f"{_number(claim.measured)} {claim.unit}, {verdict}: {bound}"


def _number(value: float) -> str:
    if float(value).is_integer():
        return f"{value:,.0f}"
    return f"{value:,.4g}"
