"""`cutaway import` and `cutaway rm`: what they add and delete, and what they leave alone."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from huggingface_hub import constants

from app.paths import folders
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
