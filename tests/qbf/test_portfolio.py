"""Several solvers on one formula: who answers first, who is stopped, what happens at limits and on Ctrl-C."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable

import pytest

from zermelo import portfolio as together
from zermelo.errors import DisagreementError, LimitReachedError, NotApplicableError
from zermelo.limits import Limits
from zermelo.progress import Progress, Watch
from zermelo.qbf.circuit import TRUE, Circuit
from zermelo.qbf.formula import Formula
from zermelo.qbf.formula_portfolio import portfolio
from zermelo.qbf.solver_answer import Answer, Solver

FORMULA = Formula(Circuit(), (), TRUE)


def yes(formula: Formula, limits: Limits, watch: Watch) -> Answer:
    return Answer(True, nodes=1)


class Patient:
    """Works until the time is up, looking at the clock now and then."""

    def __init__(self) -> None:
        self.stopped = threading.Event()

    def __call__(self, formula: Formula, limits: Limits, watch: Watch) -> Answer:
        while not limits.expired():
            time.sleep(0.005)
        self.stopped.set()
        return Answer(None, cause="time")


class Deaf:
    """Never looks at the clock after the start, as a native kernel does, but shows progress."""

    def __init__(self) -> None:
        self.stopped = threading.Event()

    def __call__(self, formula: Formula, limits: Limits, watch: Watch) -> Answer:
        end = time.monotonic() + min(limits.seconds_left() or 60, 60)
        try:
            while time.monotonic() < end:
                time.sleep(0.005)
                watch(Progress("deaf", 0, 0, 0, (0, 0), 0))
        finally:
            self.stopped.set()
        return Answer(None, cause="time")


def both_ways(test: Callable[[], None], monkeypatch: pytest.MonkeyPatch) -> None:
    for cores in (1, 2):
        monkeypatch.setattr(together, "cores", lambda cores=cores: cores)
        test()


def test_the_first_solver_alone_answers_easy_formulas() -> None:
    assert portfolio({"yes": yes, "never": _never}, FORMULA, Limits())[0] == "yes"


def _never(formula: Formula, limits: Limits, watch: Watch) -> Answer:
    raise AssertionError("nobody should ask")


def test_the_other_solver_answers_where_the_first_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    def test() -> None:
        for slow in (Patient(), Deaf()):
            name, answer = portfolio({"slow": slow, "yes": yes}, FORMULA, Limits())
            assert (name, answer.value) == ("yes", True)
            assert slow.stopped.wait(5)

    both_ways(test, monkeypatch)


def test_nobody_answers_within_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    def test() -> None:
        _, answer = portfolio({"a": Patient(), "b": Patient()}, FORMULA, Limits(seconds=0.1))
        assert (answer.value, answer.cause) == (None, "time")

    both_ways(test, monkeypatch)


def test_a_solver_that_runs_into_a_limit_says_so_in_its_answer() -> None:
    def fails(formula: Formula, limits: Limits, watch: Watch) -> Answer:
        raise LimitReachedError("too large")

    def grows(formula: Formula, limits: Limits, watch: Watch) -> Answer:
        raise MemoryError

    for solver in (fails, grows):
        assert portfolio({"one": solver}, FORMULA, Limits())[1].cause == "memory"


def test_a_solver_that_fails_does_not_hide_the_answer_of_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(together, "cores", lambda: 2)

    def broken(formula: Formula, limits: Limits, watch: Watch) -> Answer:
        raise DisagreementError("a bug")

    def later(formula: Formula, limits: Limits, watch: Watch) -> Answer:
        time.sleep(0.05)
        return Answer(False)

    assert portfolio({"broken": broken, "later": later}, FORMULA, Limits())[1].value is False
    with pytest.raises(DisagreementError):
        portfolio({"broken": broken, "patient": Patient()}, FORMULA, Limits(seconds=0.2))


def test_ctrl_c_stops_all_solvers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(together, "cores", lambda: 2)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    solvers: dict[str, Solver] = {"patient": Patient(), "deaf": Deaf()}
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    try:
        _, answer = portfolio(solvers, FORMULA, Limits(seconds=30))
    finally:
        timer.cancel()
        signal.signal(signal.SIGINT, before)
    assert (answer.value, answer.cause) == (None, "interrupt")
    for solver in solvers.values():
        assert isinstance(solver, Patient | Deaf)
        assert solver.stopped.wait(5)


def test_no_solver_at_all_is_said_in_words() -> None:
    with pytest.raises(NotApplicableError):
        portfolio({}, FORMULA, Limits())
