"""Limits and calls to stop reach every loop over a large sum, and what is known by then is said."""

from __future__ import annotations

import time

import pytest

from zermelo.answer import Answer
from zermelo.cgt import engines
from zermelo.cgt.boards.board_value import value_by_position, value_of_board
from zermelo.cgt.boards.value_proof import board_data, sum_data
from zermelo.cgt.game import BoardSum, WrittenSum
from zermelo.cgt.scores.scored import trees_of
from zermelo.cgt.scores.sums import solve_sum
from zermelo.cgt.text.printing import text
from zermelo.cgt.values.arena import controlled
from zermelo.cgt.values.value import value_of
from zermelo.engine import Task
from zermelo.errors import LimitReachedError
from zermelo.game import Game
from zermelo.kernel_thread import HeardControl
from zermelo.limits import Limits
from zermelo.solving import solve, solve_game
from zermelo.solving.routes import Route

NESTED = "".join(f"{{{600 - n}|" for n in range(600)) + "0" + "}" * 600
UP = Limits(seconds=1e-9)


def stopped_control() -> HeardControl:
    control = HeardControl(Limits(), often=1)
    control.stop()
    return control


def test_a_literal_that_is_read_as_a_value_heeds_a_call_to_stop() -> None:
    with controlled(stopped_control()), pytest.raises(LimitReachedError, match="interrupted"):
        value_of(NESTED)


def test_printing_and_certifying_a_value_heed_a_call_to_stop() -> None:
    value = value_of("{5|{3|{1|-7}}}")
    for work in (text, sum_data):
        with controlled(stopped_control()), pytest.raises(LimitReachedError, match="interrupted"):
            work(value)


def test_certifying_boards_heeds_a_call_to_stop() -> None:
    game = BoardSum.named("domineering:3x3")
    rules, boards = game.ruleset, game.positions
    total = value_of_board(rules, boards)
    with controlled(stopped_control()), pytest.raises(LimitReachedError, match="interrupted"):
        board_data(rules, boards, total, value_by_position(rules, Limits()), Limits())


def test_a_control_that_is_out_of_time_says_so() -> None:
    with pytest.raises(LimitReachedError, match="time"):
        HeardControl(UP, often=1).look()


@pytest.mark.parametrize("literal", [NESTED, "{500*{1|-1}|-9}", "+-" * 300 + "5"])
def test_trees_are_made_under_limits(literal: str) -> None:
    looks = 0

    def look() -> None:
        nonlocal looks
        looks += 1
        if looks > 500:
            raise LimitReachedError("enough")

    with pytest.raises(LimitReachedError, match="enough"):
        trees_of(literal, look=look)


@pytest.mark.parametrize("engine", ["auto", "sum", "cgt"])
def test_a_sum_out_of_time_has_no_answer(engine: str) -> None:
    solution = solve_game(WrittenSum(NESTED + " + " + NESTED), engine, UP)
    assert solution.status != "solved"
    assert solution.stopped_by == "limit"


@pytest.mark.parametrize("engine", ["sum+cgt", "sum", "cgt"])
def test_time_that_was_spent_before_the_call_is_not_given_back(engine: str) -> None:
    spent = Limits(seconds=3600, started=time.monotonic() - 3601)
    answer = engines.solve_sum_game(WrittenSum(NESTED + " + " + NESTED), engine, Task(spent))
    assert answer.status != "solved"
    assert answer.stats["seconds"] >= 3601


def test_every_engine_of_one_call_gets_what_the_others_left(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[Limits] = []
    run = Route.answer

    def answer(route: Route, game: Game, task: Task) -> Answer:
        given.append(task.limits)
        return run(route, game, task)

    monkeypatch.setattr(Route, "answer", answer)
    monkeypatch.setattr("zermelo.solving.all_routes.lanes_possible", lambda: False)
    half_spent = Limits(seconds=3600, started=time.monotonic() - 1800)
    assert solve_game(WrittenSum("{5|-5} + {3||2|-1}"), "all", half_spent).status == "solved"
    left = [limits.seconds_left() for limits in given]
    assert len(left) > 2 and all(seconds is not None and seconds <= 1800 for seconds in left)


def test_the_value_leaves_half_of_the_time_to_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[Limits] = []

    def by_value(task: object, limits: Limits, alone: bool) -> None:
        given.append(limits)
        raise LimitReachedError("not found")

    monkeypatch.setattr(engines._Solving, "by_value", by_value)
    assert solve_game(WrittenSum("{5|-5}"), "auto", Limits(seconds=3)).status == "solved"
    assert given[0].seconds is not None and given[0].seconds <= 1.5


def test_limits_may_be_used_again_where_a_call_starts_their_clock() -> None:
    spent = Limits(seconds=3600, started=time.monotonic() - 3601)
    assert solve("{5|-5} + {3||2|-1}", limits=spent).status == "solved"


def test_a_sum_out_of_time_is_bounded_by_its_stops() -> None:
    components = trees_of("".join(f"{{{600 - n}|" for n in range(600)) + "{1|-2}" + "}" * 600)
    answer = solve_sum(components, UP)
    assert answer.stopped == "time" and not answer.solved
    assert answer.left_first.lower[0] == components[0].right_stop
    assert answer.left_first.upper[0] == components[0].left_stop


def test_boards_out_of_nodes_say_how_many_they_took_and_what_bounds_there_are() -> None:
    solution = solve_game(BoardSum.named("domineering:7x7"), limits=Limits(nodes=2000))
    assert solution.status == "bounded" and solution.bounds == (None, None)  # -1 and 1 are what the rules say
    assert solution.stats["nodes"] >= 2000
    assert solution.details.value_bounds == ("-21", "21")
    assert solution.to_json()["value_bounds"] == ["-21", "21"]
