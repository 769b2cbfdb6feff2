"""Rulesheets with one role: one line of play to the best score is found, and proves itself."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo import solve
from zermelo.errors import NotApplicableError
from zermelo.gdl.game import RulesheetGame
from zermelo.gdl.kif import read_kif
from zermelo.limits import Limits

LIGHTS = """
(role you) (succ 1 2) (succ 2 3) (succ 0 1)
(<= (near ?a ?b) (succ ?a ?b)) (<= (near ?a ?b) (succ ?b ?a))
(row 1) (row 2) (row 3)
(<= (cross ?x ?y ?x ?y) (row ?x) (row ?y))
(<= (cross ?x ?y ?z ?y) (near ?x ?z) (row ?x) (row ?y) (row ?z))
(<= (cross ?x ?y ?x ?z) (near ?y ?z) (row ?x) (row ?y) (row ?z))
(init (on 2 2)) (init (on 1 2)) (init (on 2 1)) (init (on 3 1)) (init (step 0))
(tick 0 1) (tick 1 2) (tick 2 3) (tick 3 4) (tick 4 5) (tick 5 6) (tick 6 7) (tick 7 8) (tick 8 9)
(<= (legal you (press ?x ?y)) (row ?x) (row ?y))
(<= (flips ?x ?y) (does you (press ?a ?b)) (cross ?a ?b ?x ?y))
(<= (next (on ?x ?y)) (true (on ?x ?y)) (not (flips ?x ?y)))
(<= (next (on ?x ?y)) (flips ?x ?y) (not (true (on ?x ?y))))
(<= (next (step ?n)) (true (step ?m)) (tick ?m ?n))
(<= lit (true (on ?x ?y)))
(<= terminal (not lit)) (<= terminal (true (step 9)))
(<= (goal you 100) (not lit)) (<= (goal you 0) lit)
"""
"""Nine lamps: pressing one flips it and its neighbours. The order of presses never matters."""

ON_TIME = """
(role you) (init (at 1)) (init (step 0)) (tick 0 1) (tick 1 2) (tick 2 3) (tick 3 4) (tick 4 5)
(way 1 2) (way 2 1) (way 1 3) (way 2 3) (way 3 3)
(<= (legal you (go ?y)) (true (at ?x)) (way ?x ?y))
(<= (next (at ?y)) (does you (go ?y)))
(<= (next (step ?n)) (true (step ?m)) (tick ?m ?n))
(<= terminal (true (at 3))) (<= terminal (true (step 5)))
(<= late (true (step 4)))
(<= (goal you 100) (true (at 3)) late) (<= (goal you 90) (true (at 3)) (not late)) (<= (goal you 0) (not (true (at 3))))
"""
"""The house 3 is one step away, but who enters it at step 4 exactly gets most: the shortest way is not the best."""

HANOI = """
(role you) (peg a) (peg b) (peg c)
(smaller 1 2) (smaller 1 3) (smaller 1 4) (smaller 2 3) (smaller 2 4) (smaller 3 4)
(init (disc 1 a)) (init (disc 2 a)) (init (disc 3 a)) (init (disc 4 a))
(<= (covered ?d) (true (disc ?d ?p)) (smaller ?e ?d) (true (disc ?e ?p)))
(<= (blocked ?d ?q) (smaller ?e ?d) (true (disc ?e ?q)) (true (disc ?d ?p)))
(<= (legal you (move ?d ?q)) (true (disc ?d ?p)) (peg ?q) (distinct ?p ?q) (not (covered ?d)) (not (blocked ?d ?q)))
(<= (next (disc ?d ?q)) (does you (move ?d ?q)))
(<= (moved ?d) (does you (move ?d ?q)))
(<= (next (disc ?d ?p)) (true (disc ?d ?p)) (not (moved ?d)))
(<= there (true (disc 1 c)) (true (disc 2 c)) (true (disc 3 c)) (true (disc 4 c)))
(<= terminal there) (<= (goal you 100) there) (<= (goal you 0) (not there))
"""
"""Nothing counts the moves here: positions repeat."""


def test_lamps_are_put_out_by_the_fewest_presses() -> None:
    solution = solve(RulesheetGame(read_kif(LIGHTS)), "path")
    assert (solution.value, solution.verified, solution.engine) == (100, True, "path")
    assert solution.distance == len(solution.line) <= 9


def test_a_line_that_depends_on_the_clock_is_found() -> None:
    solution = solve(RulesheetGame(read_kif(ON_TIME)), "path")
    assert (solution.value, solution.verified, len(solution.line)) == (100, True, 4)


@pytest.mark.parametrize("engine", ["auto", "path"])
def test_a_line_is_found_where_positions_repeat(engine: str) -> None:
    solution = solve(RulesheetGame(read_kif(HANOI)), engine)
    assert (solution.value, solution.verified, len(solution.line)) == (100, True, 15)


def test_every_engine_agrees_on_a_puzzle() -> None:
    solution = solve(RulesheetGame(read_kif(ON_TIME)), "all")
    assert solution.value == 100
    assert "path" in solution.stats["engines"]


def test_a_puzzle_that_cannot_be_won_is_left_to_other_engines() -> None:
    sheet = read_kif(ON_TIME.replace("(way 2 3)", ""))  # the house is entered in odd steps only
    solution = solve(RulesheetGame(sheet))
    assert (solution.value, solution.verified, solution.winner) == (90, True, "you")
    assert solve(RulesheetGame(sheet), "path", Limits(nodes=1000)).status == "bounded"


def test_games_of_two_roles_are_not_searched_for_a_line() -> None:
    with pytest.raises(NotApplicableError, match="one role"):
        solve("gdl:tictactoe", "path")


EDGES = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=14)


@settings(max_examples=40, deadline=None)
@given(EDGES, st.dictionaries(st.integers(1, 5), st.sampled_from([10, 50, 100]), min_size=1), st.booleans())
def test_the_value_is_that_of_the_best_end_that_can_be_reached(
    edges: list[tuple[int, int]], goals: dict[int, int], counted: bool
) -> None:
    ways = {(a, b) for a, b in edges if a not in goals} | {(a, a) for a in range(6)}
    lines = ["(role you) (init (at 0)) (init (step 0))", *(f"(way {a} {b})" for a, b in sorted(ways))]
    lines += ["(<= (legal you (go ?y)) (true (at ?x)) (way ?x ?y)) (<= (next (at ?y)) (does you (go ?y)))"]
    if counted:
        lines += [f"(tick {n} {n + 1})" for n in range(8)]
        lines += ["(<= (next (step ?n)) (true (step ?m)) (tick ?m ?n)) (<= terminal (true (step 8)))"]
    lines += ["(<= terminal (true (at ?x)) (worth ?x ?v)) (<= (goal you ?v) (true (at ?x)) (worth ?x ?v))"]
    lines += ["(<= (goal you 0) (true (at ?x)) (not (end ?x)))", "(<= (end ?x) (worth ?x ?v))", "(worth 9 5)"]
    lines += [f"(worth {node} {value})" for node, value in sorted(goals.items())]
    reached = {0}
    for _ in range(7):
        reached |= {b for a, b in ways if a in reached and a not in goals}
    solution = solve(RulesheetGame(read_kif("\n".join(lines))))
    assert solution.value == max((goals[node] for node in reached if node in goals), default=0)
    assert solution.verified
