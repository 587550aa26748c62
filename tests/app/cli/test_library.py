"""`cutaway import` and `cutaway rm`: what they add and delete, and what they leave alone."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from huggingface_hub import constants

from app.paths import folders
from tests.app.cli.terminal import CTRL_C, Terminal
from tests.app.library.shelves import put_in_hub

if TYPE_CHECKING:
    from collections.abc import Callable

    Cutaway = Callable[..., Any]


def listed(cutaway: Cutaway) -> list[str]:
    return [row["name"] for row in cutaway("models", "--json").json]


def test_an_imported_model_is_listed_where_it_is_and_taken_off_the_list(
    cutaway: Cutaway, talker: Path
) -> None:
    outcome = cutaway("import", talker)
    assert (outcome.status, outcome.err) == (0, "")
    assert "1 model, left where" in outcome.out
    assert listed(cutaway) == ["starter", str(talker)]
    again = cutaway("import", talker)
    assert again.status == 2
    assert "already" in again.sentence
    outcome = cutaway("rm", talker)
    assert (outcome.status, outcome.err) == (0, "")
    assert "off the list" in outcome.out
    assert listed(cutaway) == ["starter"]
    assert (talker / "config.json").is_file()


def test_a_copy_is_ours_and_goes_to_the_trash(cutaway: Cutaway, talker: Path) -> None:
    outcome = cutaway("import", talker, "--copy")
    assert outcome.status == 0
    copy = folders().data / "models" / talker.name
    assert listed(cutaway) == ["starter", str(copy)]
    reply = cutaway("generate", copy, "--prompt", "hi", "--max-tokens", 2)
    assert (reply.status, len(reply.out)) == (0, 3)
    assert cutaway("import", talker, "--copy").status == 0
    assert listed(cutaway)[2] == f"{copy} 2"
    for path in (copy, f"{copy} 2"):
        outcome = cutaway("rm", path)
        assert (outcome.status, outcome.err) == (0, "")
        assert "to the trash" in outcome.out
    assert not copy.exists()
    assert listed(cutaway) == ["starter"]


def test_copies_go_where_the_window_keeps_models(
    cutaway: Cutaway, talker: Path, tmp_path: Path
) -> None:
    preferences = folders().config / "preferences.json"
    preferences.parent.mkdir(parents=True)
    text = json.dumps({"version": 1, "models_folder": str(tmp_path / "mine")})
    preferences.write_text(text, encoding="utf-8")
    assert cutaway("import", talker, "--copy").status == 0
    assert listed(cutaway) == ["starter", str(tmp_path / "mine" / talker.name)]


def test_files_of_other_programs_are_asked_about(
    cutaway: Cutaway, talker: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    repo = put_in_hub(tmp_path / "hub", "org/talker", talker)
    refused = cutaway("rm", "org/talker")
    assert refused.status == 2
    assert "--yes" in refused.sentence
    assert repo.is_dir()
    outcome = cutaway("rm", "org/talker", "--yes", "--forever")
    assert (outcome.status, outcome.err) == (0, "")
    assert "which frees" in outcome.out
    assert not repo.exists()


def test_an_imported_models_files_are_deleted_only_where_that_was_said(
    cutaway: Cutaway, talker: Path, tmp_path: Path
) -> None:
    copy = shutil.copytree(talker, tmp_path / "copy")
    cutaway("import", copy)
    assert cutaway("rm", copy, "--files").status == 2
    assert copy.is_dir()
    assert cutaway("rm", copy, "--files", "--yes").status == 0
    assert not copy.exists()
    assert listed(cutaway) == ["starter"]


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("rm", "starter"), "starter model"),
        (("rm", "no such"), "no such"),
        (("import", "/nowhere/at/all"), "/nowhere/at/all"),
        (("import", "/proc/self/mem"), "."),
        (("import",), "FILE"),
        (("import", ""), "a path is missing"),
        (("convert", ""), "no model ''"),
    ],
)
def test_what_cannot_be_done_is_said(cutaway: Cutaway, words: tuple[str, ...], named: str) -> None:
    outcome = cutaway(*words)
    assert outcome.status == 2
    assert named in outcome.sentence


def test_pickled_weights_are_not_imported(cutaway: Cutaway, talker: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(talker, tmp_path / "copy")
    (copy / "model.safetensors").rename(copy / "pytorch_model.bin")
    for flag in ((), ("--copy",)):
        outcome = cutaway("import", copy, *flag)
        assert outcome.status == 2
        assert "pickled" in outcome.sentence
    assert listed(cutaway) == ["starter"]


def test_a_conversion_is_planned_made_checked_and_chats(
    cutaway: Cutaway, talker: Path, tmp_path: Path
) -> None:
    outcome = cutaway("convert", talker, "--bits", 8)
    assert (outcome.status, outcome.err) == (0, "")
    lines = [line.split()[0] for line in outcome.out.splitlines()]
    assert lines == ["To", "On", "Loaded", "While", "Written", "NLL"]
    target = folders().data / "models" / "talker-8bit"
    assert listed(cutaway) == ["starter", str(target)]
    reply = cutaway("generate", target, "--prompt", "hi", "--max-tokens", 2)
    assert (reply.status, len(reply.out)) == (0, 3)
    report = cutaway("convert", talker, "--bits", 16, "--out", tmp_path / "out", "--json").json
    assert report["path"] == str(tmp_path / "out")
    assert report["size_bytes"] >= report["estimate"]["size_bytes"]
    assert abs(report["result_nll"] - report["source_nll"]) < 0.1
    again = cutaway("convert", talker, "--out", tmp_path / "out")
    assert again.status == 2
    assert "there already" in again.sentence
    assert cutaway("convert", "no/such").status == 2
    assert "invalid choice" in cutaway("convert", talker, "--bits", 3).sentence


def test_what_was_measured_is_listed_with_the_model(
    cutaway: Cutaway, terse: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cutaway("import", terse)
    monkeypatch.chdir(terse.parent)
    assert cutaway("bench", terse.name).status == 0
    starter, mine = cutaway("models", "--json").json
    assert starter["benchmark"] is None
    assert [row["context"] for row in mine["benchmark"]["rows"]] == [48]
    folders().data.joinpath("model settings.json").write_text('{"version": 9}', encoding="utf-8")
    outcome = cutaway("bench", terse)
    assert outcome.status == 0
    assert "newer Cutaway" in outcome.err


@pytest.mark.slow
def test_in_a_terminal_a_person_is_asked_and_sees_progress(talker: Path, own_folders: Path) -> None:
    model = shutil.copytree(talker, own_folders / ".lmstudio" / "models" / "maker" / "model")
    for answer, is_left in (("n", True), ("y", False)):
        terminal = Terminal("rm", model)
        terminal.expect("belongs to LM Studio. Delete it there? [y/N]")
        terminal.send(f"{answer}\n")
        assert terminal.wait() == (2 if is_left else 0)
        assert model.exists() == is_left
        assert ("Nothing was deleted" in terminal.text) == is_left
        terminal.close()
    terminal = Terminal("import", "--copy", talker)
    terminal.expect("Copying 100 %")
    terminal.expect("Copied")
    assert terminal.wait() == 0
    terminal.close()


@pytest.mark.slow
def test_ctrl_c_ends_a_conversion_and_leaves_nothing(own_folders: Path) -> None:
    terminal = Terminal("convert", "starter", "--bits", 8)
    terminal.expect("Converting")
    terminal.send(CTRL_C)
    terminal.expect("Stopped.")
    assert terminal.wait() == 1
    terminal.close()
    assert list((folders().data / "models").iterdir()) == []
    assert own_folders in folders().data.parents
