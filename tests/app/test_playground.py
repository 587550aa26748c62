"""The playground's document on the real worker: written, taken back, looked at, gone on with."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

from app.errands import Errands
from app.playground import Playground
from app.playground_branches import PlaygroundBranches
from app.playground_tokenizers import PlaygroundTokenizers
from ui.playground.state import Distribution, PlaySettings, PlayText, SchemaView, Side, Tokenized
from ui.playground.wishes import CompareWish, GrowWish, TokensWish

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from app.jobs.workbench import Workbench
    from tests.app.driving import Log
    from ui.playground.state import Tree

SEEDED = PlaySettings(temperature=1.0, top_p=1.0, seed=5)
SCHEMA = '{"enum": ["ab", "cd"]}'


class Desk:
    """A playground on a worker, and all that it says."""

    def __init__(self, log: Log, qtbot: QtBot) -> None:
        self.log, self.qtbot = log, qtbot
        errands = Errands(log.worker, log)
        self.play = Playground(errands, log)
        self.branches = PlaygroundBranches(errands, self.play, log)
        self.tokenizers = PlaygroundTokenizers(errands, log)
        self.found: list[Distribution | None] = []
        self.refused: list[str] = []
        self.phases: list[str] = []
        self.told: list[str] = []
        self.shown: list[tuple[PlayText, str]] = []
        self.play.next_found.connect(self.found.append)
        self.play.next_refused.connect(self.refused.append)
        self.play.phase_changed.connect(self.phases.append)
        self.play.told.connect(self.told.append)
        self.play.shown.connect(lambda tokens, plain: self.shown.append((tokens, plain)))  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType]  a signal's values

    def until(self, condition: object) -> None:
        self.qtbot.waitUntil(condition, timeout=60_000)  # pyright: ignore[reportArgumentType]  a function

    def quiet(self) -> None:
        """Wait until nothing is asked any more."""
        play = self.play
        self.until(
            lambda: (
                not (play._look_errand.is_running or play._weigh_errand.is_running)
                and not self.branches._errand.is_running
            )
        )

    def type(self, text: str) -> None:
        self.play.on_text_edited(text)
        self.quiet()

    @property
    def text(self) -> str:
        return self.play.document.text

    @property
    def ids(self) -> tuple[int, ...]:
        return self.play.document.tokens.ids

    def computed(self) -> int:
        """How many tokens have gone through the network."""
        draft = self.play.desk._draft
        return 0 if draft is None else draft.computed


@pytest.fixture
def desk(log: Log, qtbot: QtBot, terse: Path) -> Iterator[Desk]:
    log.load(terse)
    desk = Desk(log, qtbot)
    yield desk
    desk.tokenizers.close()


def test_a_step_costs_one_token_and_undo_none(desk: Desk) -> None:
    desk.type("hello there")
    assert desk.computed() == len(desk.ids)
    found = desk.found[-1]
    assert found is not None
    assert found.position == len(desk.ids) - 1
    assert abs(sum(each.before for each in found.candidates)) <= 1 + 1e-5
    before, typed = desk.computed(), desk.ids
    desk.play.on_step()
    desk.play.on_step()  # while it writes another step is not taken
    desk.quiet()
    assert desk.ids[:-1] == typed
    assert desk.computed() == before + 1
    assert desk.text == "hello there" + desk.play.document.tokens.tokens[-1].text
    desk.play.on_undo()
    desk.quiet()
    assert (desk.text, desk.ids) == ("hello there", typed)
    assert desk.computed() == before + 1
    desk.play.on_undo()
    desk.quiet()
    assert (desk.text, desk.ids, desk.found[-1]) == ("", (), None)
    assert not desk.play.can_undo


def test_settings_act_on_the_bars_without_a_forward_pass(desk: Desk) -> None:
    desk.type("hello")
    before = desk.computed()
    first = desk.found[-1]
    assert first is not None
    desk.play.on_settings_changed(PlaySettings(temperature=0.5, top_k=3, top_p=1.0))
    desk.quiet()
    now = desk.found[-1]
    assert now is not None
    assert now is not first
    assert [stage.name for stage in now.stages] == ["model", "top_k", "temperature"]
    assert now.stages[1].left == 3
    assert sum(each.after > 0 for each in now.candidates) == 3
    assert {each.removed_by for each in now.candidates if each.after == 0} == {"top_k"}
    assert abs(sum(each.after for each in now.candidates) - 1) < 1e-5
    assert desk.computed() == before


def test_any_token_can_be_looked_at_and_replaced(desk: Desk) -> None:
    desk.type("hello there")
    typed, before = desk.ids, desk.computed()
    places: list[int] = []
    desk.play.selected.connect(places.append)
    desk.play.on_token_chosen(2)
    desk.quiet()
    found = desk.found[-1]
    assert found is not None
    assert (found.position, found.follows, places) == (2, typed[3], [2])
    assert desk.computed() == before
    other = next(each for each in found.candidates if each.token != typed[3] and not each.control)
    desk.play.on_taken(other)
    desk.quiet()
    assert desk.ids == (*typed[:3], other.token)
    assert places == [2, -1]
    assert desk.computed() == before + 1
    desk.play.on_undo()
    desk.quiet()
    assert (desk.text, desk.ids) == ("hello there", typed)


def test_a_run_is_stopped_and_keeps_what_it_wrote(desk: Desk, talker: Path) -> None:
    desk.log.load(talker)
    desk.play.on_settings_changed(SEEDED)
    desk.type("once")
    typed = len(desk.ids)
    desk.play.on_run()
    assert desk.play.is_writing
    desk.until(lambda: len(desk.ids) > typed)
    desk.play.on_stop()
    desk.quiet()
    written = desk.ids[typed:]
    assert 0 < len(written) <= 256
    assert not desk.play.is_writing
    for _ in written:
        desk.play.on_undo()
    desk.quiet()
    assert desk.text == "once"
    for _ in range(3):
        desk.play.on_step()
        desk.quiet()
    assert desk.ids[typed:] == written[:3]  # the same seed draws the same
    assert desk.phases[-2:] == ["writing", ""]


def test_control_tokens_are_written_by_name(desk: Desk) -> None:
    desk.type("<|im_start|>user")
    first, *rest = desk.play.document.tokens.tokens
    assert (first.text, first.control) == ("<|im_start|>", True)
    assert not any(token.control for token in rest)


def test_characters_of_several_tokens_are_whole(desk: Desk) -> None:
    desk.type("a你🙂")
    texts = [token.text for token in desk.play.document.tokens.tokens]
    assert texts == ["a", "你", "", "", "🙂", "", "", ""]
    assert desk.text == "".join(texts)


@pytest.mark.slow
def test_the_context_is_said_to_be_full(desk: Desk) -> None:
    desk.type("x" * 90)
    desk.play.on_run()
    desk.quiet()
    assert len(desk.ids) == 96
    assert desk.told == ["The model's context is full."]
    desk.type("x" * 200)
    assert "shorten it" in desk.refused[-1]
    assert desk.text == "x" * 200


def test_another_model_encodes_anew_and_says_so(desk: Desk, talker: Path) -> None:
    desk.type("hello")
    desk.play.on_step()
    desk.quiet()
    text = desk.text
    desk.log.worker.loaded.connect(desk.play.on_model_loaded)
    desk.log.worker.loading.connect(desk.play.on_model_loading)
    desk.log.worker.unloaded.connect(desk.play.on_model_left)
    desk.log.load(talker)
    desk.quiet()
    assert desk.text == text
    assert desk.play.document.tokens.model == "talker"
    assert desk.refused == ["A model is being loaded…"]
    desk.log.worker.unload()
    desk.log.wait("unloaded")
    assert desk.refused[1:] == ["No model is loaded; choose one first."]
    assert desk.play.desk.is_empty  # its weights are free for the next model


@pytest.mark.slow
def test_ids_that_another_model_made_are_not_taken(desk: Desk) -> None:
    from app.jobs.playground import Desk as Kept
    from app.jobs.playground import Look, PlayRequest, look

    request = PlayRequest("hello", (1, 2, 3), "another")
    end = desk.log.job_end(desk.log.worker.run(lambda bench: look(bench, Kept(), request)))
    assert isinstance(end.result, Look)
    assert end.result.encoded_anew
    assert end.result.plain == "hello"
    assert end.result.text.model == "terse"


def test_without_a_model_the_text_stays(log: Log, qtbot: QtBot) -> None:
    desk = Desk(log, qtbot)
    desk.type("hello")
    assert desk.refused == ["No model is loaded; choose one first."]
    assert desk.shown[-1] == (PlayText(), "hello")
    desk.play.on_run()
    desk.quiet()
    assert desk.text == "hello"
    desk.tokenizers.close()


def test_it_says_that_it_waits(desk: Desk) -> None:
    go = threading.Event()
    desk.log.worker.run(lambda _: go.wait(20))
    desk.play.on_text_edited("hello")
    desk.until(lambda: desk.phases == ["waiting"])
    go.set()
    desk.quiet()
    assert desk.phases[-1] == ""
    assert desk.ids


def test_only_the_latest_text_is_read(desk: Desk) -> None:
    go = threading.Event()
    desk.log.worker.run(lambda _: go.wait(20))
    for text in ("a", "ab", "abc"):
        desk.play.on_text_edited(text)
    go.set()
    desk.quiet()
    assert [plain for _, plain in desk.shown] == ["abc"]
    desk.play.on_undo()  # typed in one go, taken back in one go
    desk.quiet()
    assert desk.text == ""


def test_a_schema_masks_and_ends_the_run(desk: Desk) -> None:
    desk.type("say ")
    start = len(desk.ids)
    desk.play.on_schema_changed(SchemaView(SCHEMA, on=True, start=start))
    desk.quiet()
    found = desk.found[-1]
    assert found is not None
    allowed = next(stage for stage in found.stages if stage.name == "allowed")
    assert 0 < allowed.left < found.vocab_size
    assert any(each.removed_by == "allowed" for each in found.candidates)
    desk.play.on_run()
    desk.quiet()
    assert desk.text in {'say "ab"', 'say "cd"'}
    desk.play.on_schema_changed(SchemaView('{"type": 3}', on=True, start=start))
    desk.quiet()
    assert "schema" in desk.refused[-1]
    desk.play.on_schema_changed(SchemaView("{", on=True, start=start))
    desk.quiet()
    assert "not JSON" in desk.refused[-1]


def test_continuations_share_the_prompt(desk: Desk) -> None:
    desk.play.on_settings_changed(SEEDED)
    desk.type("once upon a time")
    before = desk.computed()
    trees: list[Tree] = []
    desk.branches.tree_changed.connect(trees.append)
    desk.branches.on_grow(GrowWish(3, 4, "draw"))
    desk.quiet()
    tree = desk.play.document.tree
    assert trees
    assert tree.prompt.ids == desk.ids
    ends = [node for node in tree.nodes if node.label]
    assert {node.label for node in ends} <= {"seed 5", "seed 6", "seed 7"}
    assert all(len(tree.ids(node.key)) <= len(desk.ids) + 4 for node in ends)
    assert desk.computed() <= before + 3 * 4  # the prompt was not read again
    key = ends[0].key
    desk.branches.on_selected(key)
    desk.branches.on_grow(GrowWish(2, 2, "likeliest"))
    desk.quiet()
    grown = desk.play.document.tree
    assert sum(node.parent == key for node in grown.nodes) == 2
    desk.branches.on_walked(key)
    desk.quiet()
    assert desk.ids == tree.ids(key)
    assert desk.play.document.tree.prompt.ids == tree.prompt.ids
    desk.play.on_undo()
    desk.quiet()
    assert desk.text == "once upon a time"
    desk.branches.on_pruned(key)
    assert next(n for n in desk.play.document.tree.nodes if n.key == key).pruned
    desk.branches.on_removed("")
    assert all(node.key != key for node in desk.play.document.tree.nodes)


def test_two_settings_side_by_side(desk: Desk) -> None:
    desk.type("once")
    sides: list[tuple[Side, ...]] = []
    desk.branches.compared.connect(lambda found, _: sides.append(found))  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType]  a signal's values
    greedy = PlaySettings(temperature=0.0)
    desk.branches.on_compare(CompareWish((("greedy", greedy), ("seeded", SEEDED)), 5))
    desk.quiet()
    left, right = sides[-1]
    assert (left.title, right.title) == ("greedy", "seeded")
    assert all(token.rank == 1 for token in left.tokens)
    assert len(left.tokens) == len(right.tokens) == 5
    assert desk.ids == desk.play.document.tokens.ids


@pytest.mark.slow
def test_growing_is_stopped_and_keeps_what_there_is(desk: Desk, talker: Path) -> None:
    desk.log.load(talker)
    desk.type("once")
    shares: list[float] = []
    desk.branches.growing.connect(shares.append)
    desk.branches.on_grow(GrowWish(12, 64, "draw"))
    desk.until(lambda: bool(desk.play.document.tree.nodes))
    desk.branches.on_stop()
    desk.quiet()
    assert shares[-1] == -1.0
    assert 0 < len([n for n in desk.play.document.tree.nodes if n.label]) <= 12


@pytest.mark.slow
def test_tokenizers_side_by_side(desk: Desk, talker: Path, starter_path: Path) -> None:
    own: list[Tokenized] = []
    other: list[Tokenized] = []
    problems: list[str] = []
    desk.tokenizers.own_found.connect(own.append)
    desk.tokenizers.other_found.connect(other.append)
    desk.tokenizers.other_refused.connect(problems.append)
    desk.tokenizers.on_wanted(TokensWish("naïve 🙂", str(talker)))
    desk.until(lambda: bool(own and other))
    assert own[0].tokens == other[0].tokens
    assert b"".join(row.spelling for row in own[0].tokens) == "naïve 🙂".encode()
    assert (own[0].characters, own[0].byte_count) == (7, 11)
    desk.tokenizers.on_wanted(TokensWish("naïve 🙂", str(starter_path)))
    desk.until(lambda: len(other) == 2)
    assert other[1].vocab_size == 49_152
    assert len(other[1].tokens) < len(own[0].tokens)
    desk.tokenizers.on_wanted(TokensWish("x", "/nowhere"))
    desk.until(lambda: bool(problems))
    assert "/nowhere" in problems[0]


def test_what_fails_is_a_sentence(desk: Desk) -> None:
    def job(bench: Workbench) -> object:
        from app.jobs.playground import Desk as Kept
        from app.jobs.playground import PlayRequest, write

        return write(bench, Kept(), PlayRequest(""), 3)

    end = desk.log.job_end(desk.log.worker.run(job))
    assert end.error == "The prompt is empty; write something first."
