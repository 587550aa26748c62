"""Banned texts: never in a reply, and nothing else is kept out."""

import itertools
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.banned import BannedTexts
from engine.token_sets import TokenTable
from tests.engine.running import ids_of, text_of

PROMPT = [{"role": "user", "content": "Tell me about the sea."}]
texts = st.text("abé", min_size=1, max_size=5)


def splits(text: str) -> list[bytes]:
    """Every piece of a text's bytes, also ones that cut a character in two."""
    data = text.encode()
    return [data[a:b] for a in range(len(data)) for b in range(a + 1, len(data) + 1)]


@settings(max_examples=200, derandomize=True, deadline=None)
@given(st.lists(texts, min_size=1, max_size=4), st.lists(texts, max_size=4), st.integers(0, 999))
def test_exactly_the_tokens_that_would_complete_a_banned_text_are_kept_out(
    banned: list[str], others: list[str], seed: int
) -> None:
    pieces = {b"a", b"b", b""} | {piece for text in banned + others for piece in splits(text)}
    table = TokenTable(sorted(pieces))
    constraint, reply, chance = BannedTexts(banned, table), b"", random.Random(seed)
    for _ in range(30):
        allowed = constraint.allowed()
        for token, piece in enumerate(table.texts):
            whole = reply + piece
            completes = any(whole.endswith(t.encode()) or t.encode() in whole for t in banned)
            assert bool(allowed[token]) == (not completes)
        token = chance.choice(np.flatnonzero(allowed).tolist())
        constraint.advance(token)
        reply += table.texts[token]
    assert not any(text.encode() in reply for text in banned)


def test_a_text_of_one_byte_and_texts_inside_each_other() -> None:
    table = TokenTable([b"a", b"b", b"ab", b""])
    constraint = BannedTexts(["b", "ab"], table)
    assert constraint.allowed().tolist() == [True, False, False, True]
    constraint.advance(0)
    assert constraint.allowed().tolist() == [True, False, False, True]


@pytest.mark.slow
@pytest.mark.parametrize("temperature", [0.0, 1.2])
def test_what_the_starter_would_write_is_kept_out_also_across_tokens(
    starter: engine.Model, temperature: float
) -> None:
    ids = starter.prompt_tokens(PROMPT)
    plain = engine.Sampling(temperature=temperature, top_p=1.0, seed=3)
    would = ids_of(starter.session().generate(ids, plain, 8))
    pieces = [starter.tokenizer.decode([token]) for token in would]
    across = [a[-2:] + b[:3] for a, b in itertools.pairwise(pieces[2:]) if a and b]
    banned = [text for text in (*across, " the", "\ufffd") if text]
    sampling = engine.Sampling(temperature=temperature, top_p=1.0, seed=3, banned=banned)
    chunks = list(starter.session().generate(ids, sampling, 14))
    assert not any(text in text_of(chunks) for text in banned)
    assert ids_of(chunks)[: len(would)] != would


def test_when_everything_is_banned_the_reply_ends(tiny: engine.Model) -> None:
    every = [chr(code) for code in range(128)] + [bytes([b]).decode("latin-1") for b in range(256)]
    bytes_left = engine.Sampling(banned=sorted(set(every)), temperature=1.0, seed=1)
    chunks = list(tiny.session().generate([97, 98], bytes_left, 60))
    assert not any(character in text_of(chunks) for character in every)


def test_bans_that_leave_nothing_end_the_reply_in_a_sentence(tiny: engine.Model) -> None:
    ends = tiny.limiter.end_ids
    rest = [token for token in range(tiny.tokenizer.vocab_size) if token != 97]
    assert ends <= set(rest)
    bias = dict.fromkeys(rest, -float("inf"))
    session = tiny.session()
    with pytest.raises(engine.SettingError, match=r"leave no token; loosen one of them\.$"):
        list(session.generate([98], engine.Sampling(logit_bias=bias, banned=["a"]), 5))
    assert ids_of(session.generate([98], engine.Sampling(logit_bias=bias), 3)) == [97] * 3
    bias[97] = -float("inf")
    with pytest.raises(engine.SettingError, match=r"bans every token; leave some\.$"):
        session.generate([98], engine.Sampling(logit_bias=bias), 5)
