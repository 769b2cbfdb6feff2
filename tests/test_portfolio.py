"""Solvers by turns: shares of processor time, resumed where they paused, nobody starved."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, replace

from zermelo import _native
from zermelo.games import make_game
from zermelo.kernel_thread import KernelRun, control_for
from zermelo.limits import Limits
from zermelo.portfolio import Portfolio, Share, Solver, TurnLimits, Turns
from zermelo.progress import Progress, Watch, no_watch


@dataclass(frozen=True)
class Said:
    """An answer: a word, or none."""

    word: str | None
    nodes: int = 0
    cause: str = "none"


WORDS: Portfolio[str, Said] = Portfolio(
    decided=lambda answer: answer.word is not None, unknown=lambda cause: Said(None, cause=cause)
)


class Busy:
    """Uses the processor for so many steps of about a millisecond, then says its word."""

    def __init__(self, steps: int, word: str | None = "done") -> None:
        self.steps, self.word, self.calls, self.done = steps, word, 0, 0

    def __call__(self, problem: str, limits: Limits, watch: Watch) -> Said:
        self.calls += 1
        while self.done < self.steps and not limits.expired():
            until = time.thread_time() + 0.001
            while time.thread_time() < until:
                pass
            self.done += 1
        return Said(self.word if self.done == self.steps else None, cause="time")


class Asleep:
    """Waits for something else than the processor, as for a program of others."""

    def __call__(self, problem: str, limits: Limits, watch: Watch) -> Said:
        while not limits.expired():
            time.sleep(0.002)
        return Said(None, cause="time")


def by_turns(solvers: dict[str, Solver[str, Said]], shares: dict[str, Share] | None = None, most: int = 1) -> str:
    return WORDS.by_turns(solvers, shares or {}, "p", Limits(seconds=60), no_watch, most)[0]


def test_a_solver_is_resumed_where_it_paused() -> None:
    right, wrong = Busy(150), Busy(1 << 30)
    assert by_turns({"wrong": wrong, "right": right}) == "right"
    assert (right.calls, wrong.calls) == (1, 1)


def test_equal_shares_cost_about_twice_as_much_as_the_right_solver_alone() -> None:
    right, wrong = Busy(200), Busy(1 << 30)
    by_turns({"wrong": wrong, "right": right})
    assert wrong.done < 3 * right.done


def test_who_has_the_larger_share_gets_more() -> None:
    right, wrong = Busy(200), Busy(1 << 30)
    by_turns({"wrong": wrong, "right": right}, {"right": Share(4.0)})
    assert wrong.done < right.done


def test_who_comes_later_does_not_catch_up() -> None:
    first, late = Busy(400), Busy(1 << 30)
    assert by_turns({"late": late, "first": first}, {"late": Share(1.0, after=0.2)}) == "first"
    assert 0 < late.done < 2 * (first.done - 100)


def test_who_is_to_come_later_comes_at_once_where_nobody_else_is_left() -> None:
    assert by_turns({"gone": Busy(1, None), "late": Busy(1)}, {"late": Share(1.0, after=100.0)}) == "late"


def test_whose_bounds_are_closest_together_leads() -> None:
    class Closing(Busy):
        def __call__(self, problem: str, limits: Limits, watch: Watch) -> Said:
            watch(Progress("closing", 0.0, 0, 0, (0, 1), 0))
            return super().__call__(problem, limits, watch)

    leading = replace(WORDS, gap=lambda bounds: bounds[1] - bounds[0])
    wrong, right = Busy(1 << 30), Closing(300)
    assert leading.by_turns({"wrong": wrong, "right": right}, {}, "p", Limits(seconds=60), no_watch, 1)[0] == "right"
    assert wrong.done < right.done


def test_a_solver_that_makes_no_use_of_its_turns_starves_nobody() -> None:
    assert by_turns({"asleep": Asleep(), "right": Busy(30)}) == "right"


def test_shares_do_not_depend_on_what_else_the_machine_does() -> None:
    stop = threading.Event()

    def others() -> None:
        while not stop.is_set():
            pass

    thread = threading.Thread(target=others, daemon=True)
    thread.start()
    try:
        right, wrong = Busy(60), Busy(1 << 30)
        assert by_turns({"wrong": wrong, "right": right}) == "right"
        assert wrong.done < 4 * right.done
    finally:
        stop.set()
        thread.join()


def test_two_run_at_once_where_there_are_processors_for_them() -> None:
    first, second = Busy(400, None), Busy(400)
    assert by_turns({"first": first, "second": second}, most=2) == "second"


def test_the_time_limit_ends_paused_solvers_too() -> None:
    solvers: dict[str, Solver[str, Said]] = {name: Busy(1 << 30) for name in "abc"}
    _, answer = WORDS.by_turns(solvers, {}, "p", Limits(seconds=0.3), no_watch)
    assert (answer.word, answer.cause) == (None, "time")


def test_a_native_kernel_pauses_and_goes_on() -> None:
    turns = Turns()
    limits = TurnLimits(seconds=60, turns=turns)
    search = make_game("connect:6,7,4").native().search("alphabeta", _native.SearchParams())  # type: ignore[union-attr]
    run = KernelRun("alphabeta", search.solve, control_for(limits))
    while run.control.nodes < 10_000:
        run.wait(0.001)
    turns.pause()
    before = -1
    while run.control.nodes != before:  # it takes note at its next look
        before = run.control.nodes
        run.wait(0.1)
    assert run.running and turns.spent() > 0
    turns.resume()
    while run.control.nodes == before:
        run.wait(0.001)
    turns.pause()
    turns.stop()
    run.wait(10)
    assert not run.running and not run.result().solved
