"""Stopped anywhere, every complete engine still says something true, and often something new."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.randomgames import TableGame, oracle, oracle_values, random_game

from zermelo import _native
from zermelo.errors import LimitReachedError
from zermelo.game import Score
from zermelo.games import make_game
from zermelo.graph import GameGraph, graph_of
from zermelo.limits import Limits
from zermelo.options import Options
from zermelo.search.chance import solve_chance
from zermelo.search.expectation import Expectation, expected_bounds, induction
from zermelo.search.kernels import KERNELS
from zermelo.search.partial import Part, proved_by_part
from zermelo.search.problem import Problem, problem_of
from zermelo.solving import solve_game

EXACT = [name for name, engine in KERNELS.items() if engine.complete]
SEEDS = st.integers(0, 2**32)
BARE = Options(certify=False, move_values=False)
NATIVE = (
    "mnk:3,3,3",
    "nim:3,4,5",
    "connect:3,4,3",
    "dotsandboxes:1,3",
    "breakthrough:4,3",
    "hex:3",
    "coins:1,1,2,2,2,1,3,3",
)


def stopped_after(problem: Problem, engine: str, nodes: int) -> tuple[_native.Outcome, _native.Control]:
    control = _native.Control(0.0, nodes, 1 << 30)
    params = _native.SearchParams()
    params.table_bytes = 1 << 20
    return problem.native.search(engine, params).solve(control), control


def narrower(problem: Problem, outcome: _native.Outcome) -> bool:
    return outcome.lower > problem.native.worst or outcome.upper < problem.native.best


def explored(game: TableGame, nodes: int) -> GameGraph:
    graph = GameGraph()
    try:
        graph_of(game, Limits(nodes=nodes), into=graph)
    except LimitReachedError:
        assert graph.rows == nodes
    return graph


def holds(bounds: tuple[Score | None, Score | None], value: Score) -> bool:
    lower, upper = bounds
    return (lower is None or lower <= value) and (upper is None or value <= upper)


@pytest.mark.parametrize("engine", EXACT)
@settings(max_examples=40)
@given(seed=SEEDS, cyclic=st.booleans())
def test_bounds_hold_after_any_number_of_nodes_and_end_in_the_value(engine: str, seed: int, cyclic: bool) -> None:
    game = random_game(seed, nodes=40, cyclic=cyclic, values=(-5, Fraction(-1, 3), 0, 1, 7))
    problem, value = problem_of(game, Limits()), oracle(game)
    _, whole = stopped_after(problem, engine, 0)
    for nodes in {*range(1, min(whole.nodes, 60)), whole.nodes, whole.nodes + 1}:
        outcome, control = stopped_after(problem, engine, nodes)
        assert problem.exact(outcome.lower) <= value <= problem.exact(outcome.upper)
        if outcome.solved:
            assert problem.exact(outcome.lower) == value == problem.exact(outcome.upper)
        if control.nodes:
            assert (control.lower, control.upper) == (outcome.lower, outcome.upper)  # what a watcher sees last
    assert outcome.solved or nodes <= whole.nodes


@pytest.mark.parametrize("engine", ["dp", "minimax"])
def test_close_to_the_end_most_games_have_better_bounds_than_their_rules_give(engine: str) -> None:
    games = proved = 0
    for seed in range(200):
        problem = problem_of(random_game(seed, nodes=60), Limits())
        _, whole = stopped_after(problem, engine, 0)
        if whole.nodes >= 10 and problem.native.worst < problem.native.best:
            games += 1
            proved += narrower(problem, stopped_after(problem, engine, whole.nodes * 9 // 10)[0])
    assert games > 50 and proved > games * 3 / 4


@pytest.mark.parametrize("engine", ["dp", "minimax"])
@pytest.mark.parametrize("target", NATIVE)
def test_library_games_have_sound_bounds_wherever_they_are_stopped(engine: str, target: str) -> None:
    problem = problem_of(make_game(target), Limits())
    solved, whole = stopped_after(problem, engine, 0)
    proved = False
    for nodes in {*range(1, whole.nodes, whole.nodes // 12), whole.nodes - 1}:
        outcome, control = stopped_after(problem, engine, nodes)
        assert control.cause == "nodes"
        assert outcome.lower <= solved.lower <= outcome.upper
        assert outcome.solved == (outcome.lower == outcome.upper)
        proved = proved or narrower(problem, outcome)
        if outcome.move >= 0 and narrower(problem, outcome):
            after, _ = stopped_after(problem.after(outcome.move), engine, 0)
            first = problem.native.turn == 0
            assert after.lower >= outcome.lower if first else after.lower <= outcome.upper
    assert proved


def test_a_compact_table_swept_in_part_bounds_the_root() -> None:
    game = make_game("mnk:4,3,3")  # more ranks than dp cares to enumerate when memory is short
    problem = problem_of(game, Limits())
    params = _native.SearchParams()
    found = []
    for percent in range(10, 100, 10):
        control = _native.Control(0.0, 531_441 * percent // 100, 200_000)
        outcome = problem.native.search("dp", params).solve(control)
        assert outcome.lower <= 1 <= outcome.upper  # x wins
        found.append(narrower(problem, outcome) or control.cause == "none")
    assert any(found)


@settings(max_examples=150)
@given(
    seed=SEEDS, cyclic=st.booleans(), nodes=st.integers(1, 40), roles=st.sampled_from([("first", "second"), ("one",)])
)
def test_the_explored_part_of_a_game_bounds_it(seed: int, cyclic: bool, nodes: int, roles: tuple[str, ...]) -> None:
    game = random_game(seed, nodes=40, cyclic=cyclic, roles=roles, values=(-1, 0, Fraction(1, 2), 1))
    graph = explored(game, nodes)
    part = proved_by_part(game, graph)
    assert holds(part.bounds, oracle(game))
    if graph.rows == len(graph.positions):
        assert part.bounds == (oracle(game), oracle(game))
    if part.move is not None:
        value = oracle_values(game)[game.play(0, part.move)]
        assert holds(part.bounds if game.turn(0) != roles[0] else (part.bounds[0], None), value)


@settings(max_examples=150)
@given(seed=SEEDS, nodes=st.integers(1, 40))
def test_the_explored_part_of_a_game_of_chance_bounds_its_expectation(seed: int, nodes: int) -> None:
    game = random_game(seed, nodes=40, chance=True, values=(-2, 0, Fraction(1, 3), 1))
    graph = explored(game, nodes)
    part = proved_by_part(game, graph)
    assert holds(part.bounds, oracle(game))
    if graph.rows == len(graph.positions):
        assert part.bounds == (oracle(game), oracle(game))


def test_nearly_explored_games_are_mostly_bounded() -> None:
    games = bounded = 0
    for seed in range(150):
        game = random_game(seed, nodes=40, cyclic=seed % 2 == 0, chance=seed % 3 == 0 and seed % 2 == 1)
        size = graph_of(game, Limits()).rows
        if size >= 10:
            solution = solve_game(game, "dp", Limits(nodes=size - 1), BARE)
            assert holds(solution.bounds, oracle(game))
            assert solution.status == "solved" or solution.value is None
            games += 1
            bounded += solution.status != "unknown"
    assert games > 30 and bounded > games / 2


@settings(max_examples=100)
@given(seed=SEEDS, steps=st.integers(0, 40), most=st.integers(1, 40))
def test_an_induction_stopped_half_way_bounds_the_expectation(seed: int, steps: int, most: int) -> None:
    values = (Fraction(-2), Fraction(0), Fraction(1, 3), Fraction(1))
    game = random_game(seed, nodes=40, chance=True, values=values)
    graph = graph_of(game, Limits())
    scores = [Fraction(graph.results[node][0]) if node in graph.results else Fraction(0) for node in range(graph.rows)]
    found, final = Expectation([Fraction(0)] * graph.rows, [-1] * graph.rows), set()
    arrays = graph.first_edge, graph.target, graph.turn
    for _, node in zip(range(steps), induction(*arrays, scores, graph.probability, found), strict=False):
        final.add(node)
    ends = {node: Fraction(scores[0]) for node, scores in graph.results.items()}
    known = ends | {node: found.values[node] for node in final}
    lower, upper = expected_bounds(*arrays, graph.probability, known.get, (values[0], values[-1]), most=most)
    assert lower is not None and upper is not None
    assert lower <= oracle(game) <= upper
    if most >= graph.rows or 0 in final:
        assert lower == upper


def test_a_game_of_chance_at_its_time_limit_reports_bounds() -> None:
    # The first role may take 1 at once; or a thousand coins decide, one after another.
    length, half = 1500, Fraction(1, 2)
    successors = [(1, length + 1), *((node + 1, length + 1) for node in range(1, length)), (length + 2,)]
    game = TableGame(
        turns=("first", *["chance"] * length, "first", "first"),
        successors=(*successors, (), ()),
        scores=(*[None] * (length + 1), 1, 5),
        weights=((), *[(half, half)] * (length - 1), (Fraction(1),), (), ()),
    )
    problem = problem_of(game, Limits())
    whole = solve_game(game, "dp", options=BARE)
    stopped = solve_chance(problem, Limits(seconds=0.0))
    assert stopped.stopped_by == "seconds" and "the time limit was reached" in stopped.note
    assert whole.value is not None and holds(stopped.bounds, whole.value)
    assert stopped.status != "unknown"


def test_nothing_is_claimed_of_three_roles_or_of_nothing_explored() -> None:
    game = random_game(3)
    assert proved_by_part(game, GameGraph()) == Part()
    crowd = TableGame(("a", "b"), ((1,), ()), (None, 1), roles=("a", "b", "c"))
    assert proved_by_part(crowd, GameGraph()) == Part()


def test_a_move_found_before_the_limit_is_reported_with_its_bound() -> None:
    # One move wins at once, the other leads into a long corridor.
    corridor = 50
    game = TableGame(
        turns=("first",) * (corridor + 2),
        successors=((1, 2), (), *((node + 1,) for node in range(2, corridor + 1)), ()),
        scores=(None, 1, *[None] * (corridor - 1), -1),
    )
    solution = solve_game(game, "dp", Limits(nodes=10), BARE)
    assert (solution.status, solution.bounds, solution.move) == ("bounded", (1, None), 0)
    assert "limit reached after 10 positions" in solution.note
