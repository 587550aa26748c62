"""Sessions by key within a budget."""

import engine

GREEDY = engine.Sampling(temperature=0.0)


def fill(session: engine.Session) -> int:
    """Let a session answer; what it has allocated then."""
    list(session.generate([1, 2, 3], GREEDY, 2))
    return session.memory().allocated_bytes


def test_a_key_keeps_its_session(tiny: engine.Model) -> None:
    pool = engine.SessionPool(tiny, 1 << 30)
    one, other = pool.session("one"), pool.session("other")
    assert one is not other
    assert pool.session("one") is one
    assert pool.held("other") is other
    assert pool.held("never asked for") is None


def test_the_least_recently_used_go_first(tiny: engine.Model) -> None:
    size = fill(tiny.session())
    pool = engine.SessionPool(tiny, 2 * size)
    sessions = {key: pool.session(key) for key in "abc"}
    for session in sessions.values():
        assert fill(session) == size
    pool.session("a")
    pool.shrink()
    assert pool.held("b") is None
    assert pool.held("a") is sessions["a"]
    assert pool.held("c") is sessions["c"]
    pool.shrink()
    assert pool.held("c") is sessions["c"], "within the budget nothing goes"


def test_the_most_recent_stays_whatever_it_takes(tiny: engine.Model) -> None:
    pool = engine.SessionPool(tiny, 0)
    for key in "abc":
        fill(pool.session(key))
    pool.shrink()
    assert [pool.held(key) is not None for key in "abc"] == [False, False, True]
    engine.SessionPool(tiny, 0).shrink()
