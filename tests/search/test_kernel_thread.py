"""Waiting for kernels."""

from __future__ import annotations

import pytest

from zermelo import _native, kernel_thread
from zermelo.errors import LimitReachedError
from zermelo.kernel_thread import KernelRun, control_for, race
from zermelo.limits import Limits
from zermelo.progress import Progress
from zermelo.search.problem import problem_of
from zermelo.solving import game_of, solve_game
from zermelo.stop import Stop


class EndsWhileWatched(KernelRun[int]):
    """A run that is seen running once, and has ended at the next look."""

    looks = 0

    @property
    def running(self) -> bool:
        self._done.wait()
        self.looks += 1
        return self.looks == 1


def test_a_run_that_ends_between_two_looks_is_still_waited_for() -> None:
    run = EndsWhileWatched("demo", lambda control: 42, _native.Control())
    assert race([run]).result() == 42


def test_a_search_by_proof_numbers_tells_its_numbers() -> None:
    told: list[Progress] = []
    solve_game(game_of("connect:5,5,4"), "pns", Limits(nodes=400_000), watch=told.append)
    questions = [progress.question for progress in told]
    assert all(asked is not None and min(asked.proof, asked.disproof) > 0 for asked in questions)
    assert {asked.at_least for asked in questions if asked is not None} <= {0, 1}
    assert all(progress.depth <= 25 for progress in told)  # plies: the board has no more cells


def test_other_searches_have_no_proof_numbers() -> None:
    run = KernelRun("demo", lambda control: 42, _native.Control())
    race([run])
    assert run.progress().question is None


def test_a_question_that_is_answered_has_one_number_that_is_nought() -> None:
    control = _native.Control()
    native = problem_of(game_of("mnk:3,3,3"), Limits()).native
    assert native.search("pns", _native.SearchParams()).solve(control).solved
    assert 0 in control.proof_numbers
    assert sum(control.proof_numbers) > 0


def works_on(control: _native.Control) -> int:
    """Work in Python that never looks at its control."""
    while True:
        pass


def test_work_in_python_that_does_not_look_is_told_by_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel_thread, "HEARING", 0.02)
    run = KernelRun("demo", works_on, _native.Control())
    run.stop()
    with pytest.raises(LimitReachedError, match="stopped"):
        run.result()


def test_whoever_waits_for_work_that_does_not_look_hears_the_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel_thread, "HEARING", 0.02)
    stop = Stop()
    run = KernelRun("demo", works_on, control_for(Limits(stop=stop)))
    stop.request("interrupt")
    with pytest.raises(LimitReachedError, match="stopped"):
        race([run]).result()
