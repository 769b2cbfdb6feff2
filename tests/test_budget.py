"""Budgets are of processor time: waiting costs nothing, work does, and the end of a budget is not an interrupt."""

import threading
import time
from collections.abc import Callable
from math import inf

import pytest

import zermelo
from zermelo.budget import Budget, budgeted, processor_left
from zermelo.cgt import engines as boards
from zermelo.cgt.engines import solve_sum_game
from zermelo.cgt.game import BoardSum
from zermelo.engine import Task
from zermelo.errors import LimitReachedError
from zermelo.kernel_thread import HeardControl, run_native
from zermelo.limits import Limits
from zermelo.options import Options
from zermelo.solving.lanes import Lanes
from zermelo.stop import Stop

LARGE = "domineering:9x9"


def _worked(control: HeardControl) -> None:
    while True:
        control.look()


def test_who_waits_spends_nothing() -> None:
    limits = budgeted(Limits(), 0.2)
    time.sleep(0.4)
    assert not limits.expired()
    assert not limits.budget.over


def test_who_works_is_stopped_as_by_the_clock() -> None:
    limits = budgeted(Limits(), 0.05)
    control = HeardControl(limits)
    with pytest.raises(LimitReachedError, match="the limit of time"):
        run_native("work", lambda _: _worked(control), control)
    assert limits.budget.spent() >= 0.05
    assert not control.interrupted
    assert control.cause in ("time", "none")


def test_native_work_is_stopped_too() -> None:
    limits = budgeted(Limits(), 0.05)
    with pytest.raises(LimitReachedError, match="the limit of time"):
        boards._Solving(BoardSum.named(LARGE), Task(Limits())).by_outcome(limits, certify=False)
    assert limits.budget.over
    assert not Limits().stop.asked


def test_several_runs_share_a_budget() -> None:
    limits = budgeted(Limits(), inf)
    for _ in range(3):
        control = HeardControl(limits)
        run_native("work", lambda _: sum(range(300_000)), control)
    alone = Budget(inf, Stop())
    sum(range(300_000))
    assert limits.budget.spent() > alone.spent()


def test_an_interrupt_under_a_budget_stays_one() -> None:
    outer = Stop()
    limits = budgeted(Limits(stop=outer), inf)
    control = HeardControl(limits)
    outer.request("interrupt")
    with pytest.raises(LimitReachedError, match="interrupted"):
        run_native("work", lambda _: _worked(control), control)
    assert control.interrupted


def test_a_part_of_the_clock_bounds_it_as_well() -> None:
    assert budgeted(Limits(0.0), inf).expired()
    assert budgeted(Limits(8.0), inf, 0.5).seconds_left() <= 4.0  # type: ignore[operator]
    whole = Stop()
    limits = budgeted(Limits(stop=whole), inf)
    assert limits.seconds_left() is None
    whole.request("terminate")
    assert limits.expired()


def test_a_budget_within_a_budget_ends_with_the_outer_one() -> None:
    outer = budgeted(Limits(), 0.02)
    inner = budgeted(outer, inf)
    while not inner.expired():
        pass
    assert outer.budget.over
    assert not inner.budget.over


def test_a_thread_that_ended_has_spent_what_it_had() -> None:
    budget = Budget(inf, Stop())

    def work() -> None:
        with budget.counted():
            sum(range(300_000))

    before = budget.spent()
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    after = budget.spent()
    assert after > before
    assert budget.spent() >= after


@pytest.mark.parametrize(
    "target", ["domineering:4x4", "clobber:xoxo|oxox", "snort:2x4", "cram:3x4", "hackenbush:bbrrb"]
)
def test_boards_are_answered_however_small_the_budgets(monkeypatch: pytest.MonkeyPatch, target: str) -> None:
    known = zermelo.solve(target, options=Options(verify=False))
    for name in ("BOARD_SECONDS", "IMPARTIAL_SECONDS", "PROOF_OF_VALUE"):
        monkeypatch.setattr(boards, name, 0.0)
    found = solve_sum_game(BoardSum.named(target), "outcome+cgt", Task(Limits(), Options(certify=True)))
    assert (found.status, found.winner) == ("solved", known.winner)


@pytest.mark.parametrize("target", ["{5|-5} + {3||2|-1}", "{9|1} + {5|-5} + {2|-3}", "{4|1||-2} + {6|-1}"])
def test_sums_are_answered_however_small_the_budgets(monkeypatch: pytest.MonkeyPatch, target: str) -> None:
    known = zermelo.solve(target, options=Options(verify=False))
    for name in ("QUICK_SECONDS", "PROOF_SECONDS"):
        monkeypatch.setattr(boards, name, 0.0)
    found = zermelo.solve(target, options=Options(verify=False))
    assert (found.status, found.value) == ("solved", known.value)


def _left(stop: Stop, seconds: float | None) -> tuple[float | None, float]:
    del seconds
    return processor_left(), budgeted(Limits(stop=stop), 10.0, 0.5).budget.seconds


def test_in_a_lane_a_part_is_one_of_its_share() -> None:
    jobs: list[Callable[[Stop, float | None], tuple[float | None, float]]] = [_left]
    lanes = Lanes(jobs, 1)
    lanes.begin(0, 6.0)
    ended = []
    while not ended:
        ended = lanes.hear()
    lanes.close()
    left, half = ended[0].result
    assert 5.0 < left < 6.5  # the system counts in ticks
    assert half < 3.5
    assert processor_left() is None
