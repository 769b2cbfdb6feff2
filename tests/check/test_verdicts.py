"""What a check ends with, whatever way it ends."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from zermelo.check.verdict import Fault, Undecided, Verdict, judged, watch
from zermelo.errors import LimitReachedError
from zermelo.limits import Limits

OPEN = "the limit was reached before everything was checked"


def raising(error: Exception) -> Callable[[], Verdict]:
    def check() -> Verdict:
        raise error

    return check


@pytest.mark.parametrize(
    ("error", "verdict"),
    [
        (Fault("wrong"), Verdict("refuted", "wrong")),
        (Undecided("no solver"), Verdict("limit", "no solver")),
        (LimitReachedError("stopped"), Verdict("limit", "stopped")),
        (TimeoutError(), Verdict("limit", OPEN)),
    ],
)
def test_a_fault_refutes_and_what_is_not_decided_leaves_open(error: Exception, verdict: Verdict) -> None:
    assert judged(raising(error)) == verdict


def test_a_verdict_stays_as_it_is_and_other_errors_are_not_hidden() -> None:
    accepted = Verdict("accepted", positions=3, how="by trust", most=1)
    assert judged(lambda: accepted) is accepted and accepted.accepted
    assert (Verdict("accepted").positions, Verdict("accepted").line) == (0, ())
    assert not Verdict("limit").accepted and not Verdict("refuted").accepted
    with pytest.raises(ZeroDivisionError):
        judged(raising(ZeroDivisionError()))


class Expired(Limits):
    """Limits that were reached before anything began, for whoever looks."""

    def expired(self) -> bool:
        return True


def test_time_and_memory_leave_a_check_open_once_they_are_used_up(monkeypatch: pytest.MonkeyPatch) -> None:
    watch(Limits())()
    with pytest.raises(Undecided, match=OPEN):
        watch(Expired())()
    monkeypatch.setattr("zermelo.check.verdict.memory_watch", lambda memory: lambda: memory == 7)
    watch(Limits(memory=6))()
    with pytest.raises(Undecided, match=OPEN):
        watch(Limits(memory=7))()


def test_what_is_too_deep_for_the_checker_is_a_limit_and_no_crash() -> None:
    def deeper() -> Verdict:
        return deeper()

    assert judged(deeper).status == "limit"
