"""A game hangs if it does not come back though it has the processor; a busy machine is no fault of the game."""

from __future__ import annotations

from time import monotonic, process_time, sleep

import pytest

from zermelo import watchdog
from zermelo.errors import GameError
from zermelo.limits import Limits

LONG_AGO = monotonic()


class AllWaited:
    """What the system says of a thread that others keep from the processor: it has waited all the time."""

    def __init__(self, name: str) -> None:
        assert name == "/proc/thread-self/schedstat"

    def read_text(self, encoding: str) -> str:
        del encoding
        return f"0 {int((monotonic() - LONG_AGO) * 1e9)} 1"


def _work() -> None:
    with watchdog.watchdog(Limits(), lambda: 7):
        ends = process_time() + 1.0
        while process_time() < ends:
            pass


def test_a_call_that_works_on_and_on_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watchdog, "PATIENCE", 0.2)
    with pytest.raises(GameError, match="_work has not returned"):
        _work()


def test_a_call_that_sleeps_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watchdog, "PATIENCE", 0.2)
    with pytest.raises(GameError, match="hangs"), watchdog.watchdog(Limits(), lambda: 7):
        sleep(30)


def test_time_that_others_had_the_processor_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watchdog, "PATIENCE", 0.2)
    monkeypatch.setattr(watchdog, "Path", AllWaited)
    _work()


def test_where_the_system_tells_nothing_the_clock_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(name: str) -> None:
        raise FileNotFoundError(name)

    monkeypatch.setattr(watchdog, "PATIENCE", 0.2)
    monkeypatch.setattr(watchdog, "Path", nothing)
    with pytest.raises(GameError, match="hangs"):
        _work()
