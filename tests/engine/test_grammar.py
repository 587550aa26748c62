"""Replies kept to a JSON schema: they parse and validate, and the draw is the masked one."""

import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mlx.core as mx
import numpy as np
import pytest
import sentencepiece
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.grammar import GrammarTokens, SchemaConstraint
from engine.tokenizer import Tokenizer
from tests.engine.running import ids_of, most_likely, text_of

Json = Any
Schema = dict[str, Any]
PERSON: Schema = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "minLength": 1, "maxLength": 12},
        "age": {"type": "integer", "minimum": 0, "maximum": 120},
    },
    "required": ["name", "age"],
    "additionalProperties": False,
}
COLOURS: Schema = {"enum": ["red", "green", 3, None]}
LIST: Schema = {"type": "array", "items": COLOURS, "minItems": 2, "maxItems": 4}
PAIR: Schema = {"type": "string", "pattern": "^[ab]{2}$"}
CHOICE: Schema = {"anyOf": [{"const": "yes"}, {"type": "boolean"}, PAIR]}
TREE: Schema = {
    "$defs": {
        "node": {
            "type": "object",
            "properties": {
                "value": {"type": "integer", "minimum": 0, "maximum": 9},
                "next": {"anyOf": [{"$ref": "#/$defs/node"}, {"type": "null"}]},
            },
            "required": ["value", "next"],
            "additionalProperties": False,
        }
    },
    "$ref": "#/$defs/node",
}


def is_person(value: Json) -> bool:
    whole = isinstance(value["age"], int) and 0 <= value["age"] <= 120
    return set(value) == {"name", "age"} and 1 <= len(value["name"]) <= 12 and whole


def is_list(value: Json) -> bool:
    return 2 <= len(value) <= 4 and all(item in ("red", "green", 3, None) for item in value)


def is_choice(value: Json) -> bool:
    return isinstance(value, bool) or value == "yes" or bool(re.fullmatch("[ab]{2}", value))


def is_tree(value: Json) -> bool:
    while value is not None:
        if set(value) != {"value", "next"} or value["value"] not in range(10):
            return False
        value = value["next"]
    return True


SCHEMAS: list[tuple[Schema, Callable[[Json], bool]]] = [
    (PERSON, is_person),
    (LIST, is_list),
    (CHOICE, is_choice),
    (TREE, is_tree),
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("schema", "valid", "temperature"),
    [(PERSON, is_person, 0.0), (PERSON, is_person, 1.5), (TREE, is_tree, 1.5)],
)
def test_the_starter_writes_json_that_the_schema_allows(
    starter: engine.Model,
    schema: Schema,
    valid: Callable[[Json], bool],
    temperature: float,
) -> None:
    ids = starter.prompt_tokens([{"role": "user", "content": "Write JSON."}])
    sampling = engine.Sampling(temperature=temperature, top_p=1.0, seed=7)
    chunks = list(starter.session().generate(ids, sampling, 30, schema=schema))
    if chunks[-1].finish_reason == "stop":
        assert valid(json.loads(text_of(chunks)))
    else:
        assert chunks[-1].finish_reason == "length"
        assert len(ids_of(chunks)) == 30


@pytest.mark.parametrize(("schema", "valid"), SCHEMAS)
def test_even_a_random_model_writes_json(
    tiny: engine.Model, schema: Schema, valid: Callable[[Json], bool]
) -> None:
    session, ended = tiny.session(), 0
    for seed in range(5):
        sampling = engine.Sampling(temperature=2.0, top_p=1.0, min_p=0.01, seed=seed)
        chunks = list(session.generate([97], sampling, 150, schema=schema))
        if chunks[-1].finish_reason == "stop":
            assert valid(json.loads(text_of(chunks)))
            ended += 1
    assert ended


def test_the_limit_cuts_json_off_and_says_so(tiny: engine.Model) -> None:
    chunks = list(tiny.session().generate([97], engine.Sampling(seed=1), 3, schema=PERSON))
    assert [chunk.finish_reason for chunk in chunks] == [None, None, "length"]
    assert text_of(chunks).startswith("{")


def test_stops_and_bans_hold_within_a_schema(tiny: engine.Model) -> None:
    sampling = engine.Sampling(seed=1, temperature=2.0, banned=["red", "3"])
    chunks = list(tiny.session().generate([97], sampling, 100, schema=LIST))
    assert "red" not in text_of(chunks)
    assert is_list(json.loads(text_of(chunks)))
    stopped = list(tiny.session().generate([97], sampling, 100, stop=["]"], schema=LIST))
    assert text_of(stopped) == text_of(chunks)[:-1]
    impossible = engine.Sampling(seed=1, banned=["["])
    with pytest.raises(engine.SettingError, match="leave no token"):
        list(tiny.session().generate([97], impossible, 100, schema=LIST))


def test_the_draw_ahead_equals_one_step_after_the_other(tiny: engine.Model) -> None:
    prompt = [97, 98, 99]
    chunks = tiny.session().generate(prompt, engine.Sampling(temperature=0), 60, schema=TREE)
    constraint = tiny.limiter.limits(engine.Sampling(), TREE).constraints
    assert constraint is not None
    alone: list[int] = []
    while len(alone) < 60 and not constraint.finished:
        row = tiny.logits(prompt + alone)[-1][: tiny.tokenizer.vocab_size]
        alone.append(most_likely(mx.where(constraint.mask(), row, -mx.inf)))
        constraint.advance(alone[-1])
    assert ids_of(chunks) == alone


def test_a_session_goes_on_after_a_schema(tiny: engine.Model) -> None:
    session = tiny.session()
    greedy = engine.Sampling(temperature=0)
    first = ids_of(session.generate([97, 98], greedy, 30, schema=LIST))
    prompt = [97, 98, *first, 99]
    again = ids_of(session.generate(prompt, greedy, 10))
    assert session.reuse.reused_tokens >= len(prompt) - 2
    assert again == ids_of(tiny.session().generate(prompt, greedy, 10))


def test_log_probabilities_are_those_before_the_mask(tiny: engine.Model) -> None:
    chunks = list(
        tiny.session().generate([97], engine.Sampling(seed=1), 2, schema=LIST, logprobs=3)
    )
    row = np.array(tiny.logits([97])[-1].tolist())
    logprobs = row - np.log(np.exp(row).sum())
    token = chunks[0].token
    assert token is not None
    assert chunks[0].logprob == pytest.approx(logprobs[token], abs=1e-4)
    assert chunks[0].top[0].token == int(row.argmax())


def test_the_stages_show_what_the_schema_leaves(tiny: engine.Model) -> None:
    logits = tiny.logits([97, ord("[")])[-1]
    shown = tiny.limiter.stages(logits, engine.Sampling(), [97], [ord("[")], LIST)
    assert [stage.name for stage in shown] == ["model", "allowed", "top_p", "temperature"]
    left = np.flatnonzero(np.isfinite(shown[1].logprobs)).tolist()
    assert {chr(token) for token in left} == set('"3n \n')
    with pytest.raises(engine.SettingError, match="does not keep to"):
        tiny.limiter.stages(logits, engine.Sampling(), [97], [ord("{")], LIST)


REFUSED: list[tuple[Schema, str]] = [
    ({"type": "nonsense"}, "Invalid type: nonsense"),
    ({"type": "object", "properties": 3}, "properties must be an object"),
    ({"type": "string", "pattern": "("}, "regex parse error: unclosed group"),
    ({"type": "array", "uniqueItems": True}, "uniqueItems"),
    ({"type": "array", "uniqueItems": True, "x-guidance": {"lenient": True}}, "uniqueItems"),
    ({"oneOf": [{}, {}], "x-guidance": {"coerce_one_of": True}}, "oneOf"),
    ({"$ref": "https://example.org/schema.json"}, "does not fetch"),
    ({"enum": []}, "anyOf is empty"),
    ({"const": {1}}, "is not JSON"),
    ({"minimum": float("nan")}, "is not JSON"),
    ({"description": "x" * (1 << 20)}, "larger than a megabyte"),
]


@pytest.mark.parametrize(("schema", "sentence"), REFUSED)
def test_a_schema_that_cannot_be_enforced_is_refused_in_a_sentence(
    tiny: engine.Model, schema: Schema, sentence: str
) -> None:
    with pytest.raises(engine.SettingError) as refusal:
        tiny.session().generate([97], schema=schema)
    said = str(refusal.value)
    assert sentence in said
    assert said.endswith(".")
    assert "\n" not in said


def test_schemas_nested_without_end_are_refused(tiny: engine.Model) -> None:
    schema: Schema = {}
    for _ in range(3000):
        schema = {"items": schema}
    with pytest.raises(engine.EngineError, match=r"\.$"):
        tiny.session().generate([97], schema=schema)


names = st.sampled_from(["a", "b c", "é", "😀"])


def integers(low: int) -> Schema:
    return {"type": "integer", "minimum": low, "maximum": low + 99}


def strings(most: int) -> Schema:
    return {"type": "string", "maxLength": most}


def choices(values: list[str]) -> Schema:
    return {"enum": values}


def arrays(items: Schema, low: int) -> Schema:
    return {"type": "array", "items": items, "minItems": low, "maxItems": 2}


def objects(properties: dict[str, Schema], required: int) -> Schema:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties)[:required],
        "additionalProperties": False,
    }


def nested(inner: st.SearchStrategy[Schema]) -> st.SearchStrategy[Schema]:
    return st.builds(arrays, inner, st.integers(0, 2)) | st.builds(
        objects, st.dictionaries(names, inner, max_size=3), st.integers(0, 3)
    )


constants: list[Schema] = [{"type": "boolean"}, {"type": "null"}]
leaves = (
    st.sampled_from(constants)
    | st.builds(integers, st.integers(-50, 50))
    | st.builds(strings, st.integers(0, 5))
    | st.builds(choices, st.lists(names, min_size=1, unique=True))
)
schemas = st.recursive(leaves, nested, max_leaves=5)


def validates(value: Json, schema: Schema) -> bool:
    """Whether a value is allowed, for the keywords above."""
    match schema:
        case {"type": "integer", "minimum": low, "maximum": high}:
            found = isinstance(value, int) and not isinstance(value, bool) and low <= value <= high
        case {"type": "string", "maxLength": most}:
            found = isinstance(value, str) and len(value) <= most
        case {"type": "array", "items": items, "minItems": low, "maxItems": high}:
            found = low <= len(value) <= high and all(validates(item, items) for item in value)
        case {"type": "object", "properties": properties, "required": required}:
            known = set(required) <= set(value) <= set(properties)
            found = known and all(validates(value[name], properties[name]) for name in value)
        case {"type": "boolean"}:
            found = isinstance(value, bool)
        case _:
            found = value in schema.get("enum", [None])
    return found


def walk(schema: Schema, tokens: GrammarTokens, ends: set[int], seed: int) -> list[int]:
    """Draw allowed tokens blindly until the JSON ends."""
    constraint, chance, ids = SchemaConstraint(schema, tokens), random.Random(seed), list[int]()
    while not constraint.finished and len(ids) < 400:
        token = chance.choice(np.flatnonzero(constraint.allowed()).tolist())
        if token in ends:
            break
        constraint.advance(token)
        ids.append(token)
    return ids


@pytest.fixture(scope="module")
def starter_tokens(starter: engine.Model) -> GrammarTokens:
    return GrammarTokens(starter.tokenizer, starter.limiter.end_ids)


@settings(max_examples=60, derandomize=True, deadline=None)
@given(schemas, st.integers(0, 999))
def test_every_blind_walk_through_a_mask_validates(
    starter: engine.Model, starter_tokens: GrammarTokens, schema: Schema, seed: int
) -> None:
    ids = walk(schema, starter_tokens, set(starter.limiter.end_ids), seed)
    assert starter.tokenizer.control_ids.isdisjoint(ids)
    assert validates(json.loads(starter.tokenizer.decode(ids)), schema)


def test_a_sentencepiece_vocabulary_keeps_to_a_schema(tmp_path: Path) -> None:
    sentencepiece.SentencePieceTrainer.Train(
        sentence_iterator=iter(['{"name": "the cat", "age": 42} and more of it'] * 20),
        model_prefix=str(tmp_path / "tokenizer"),
        model_type="bpe",
        vocab_size=300,
        byte_fallback=True,
        minloglevel=2,
        num_threads=1,
    )
    tokenizer = Tokenizer.load(tmp_path)
    tokens = GrammarTokens(tokenizer, tokenizer.eos_token_ids)
    for seed in range(10):
        ids = walk(PERSON, tokens, set(tokenizer.eos_token_ids), seed)
        assert is_person(json.loads(tokenizer.decode(ids)))


def test_a_tokenizer_without_an_end_still_ends(tiny: engine.Model) -> None:
    tokens = GrammarTokens(tiny.tokenizer, frozenset())
    ids = walk(LIST, tokens, set(), 1)
    assert is_list(json.loads(tiny.tokenizer.decode(ids)))


@pytest.mark.parametrize("text", ["\ue000", "\U00100000", "e\u0301", "\u00a0", "日本"])
def test_text_that_has_to_come_is_spelled_to_the_byte(
    starter: engine.Model, starter_tokens: GrammarTokens, text: str
) -> None:
    ids = walk({"const": text}, starter_tokens, set(starter.limiter.end_ids), 1)
    assert json.loads(starter.tokenizer.decode(ids)) == text


def test_text_that_the_vocabulary_cannot_spell_is_said_so(starter: engine.Model) -> None:
    # The starter has no token for the byte F1.
    chunks = starter.session().generate([1], max_tokens=9, schema={"const": "\U00040000"})
    with pytest.raises(engine.EngineError, match=r"\.$"):
        list(chunks)
