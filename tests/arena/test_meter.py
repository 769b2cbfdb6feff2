"""Clocks of processor time: what is measured, what is paid back, and where it is kept."""

from __future__ import annotations

import json
import sqlite3
import time
from pathlib import Path

import pytest

from zermelo.arena.match import model_of, play_game
from zermelo.arena.meter import Meter
from zermelo.arena.record import GameRecord
from zermelo.arena.store import Played, Store
from zermelo.cli import main
from zermelo.decision import Clock
from zermelo.play.player import read_clock


@pytest.mark.parametrize("rate", [0.25, 1.0, 2.0, 7.5])
def test_whatever_it_keeps_busy_a_player_comes_to_the_same_processor_time(rate: float) -> None:
    meter, clock, moves = Meter(), Clock(0.1, processor=True), 40
    for _ in range(moves):
        seconds = meter.clock(clock).seconds
        assert seconds is not None
        meter.add(seconds, rate * seconds)
    assert 0.85 * moves * 0.1 <= meter.cpu_seconds <= 1.05 * moves * 0.1


def test_what_a_move_leaves_is_not_kept() -> None:
    meter, clock = Meter(), Clock(0.1, processor=True)
    for _ in range(5):
        assert meter.clock(clock).seconds == 0.1
        meter.add(0.01, 0.01)


def test_other_clocks_are_left_alone() -> None:
    meter = Meter()
    meter.add(1.0, 4.0)
    for clock in (Clock(0.5), Clock(simulations=9)):
        assert meter.clock(clock) is clock


def test_waiting_is_no_processor_time_and_computing_is() -> None:
    meter = Meter()
    with meter.running():
        time.sleep(0.05)
    asleep = meter.cpu_seconds
    with meter.running():
        sum(range(2_000_000))
    assert asleep < 0.5 * meter.seconds and meter.cpu_seconds > asleep


def test_a_clock_of_processor_time_is_read_as_it_is_written() -> None:
    assert read_clock(str(read_clock("cpu:250ms"))) == Clock(0.25, processor=True)
    with pytest.raises(ValueError, match="is no clock"):
        read_clock("cpu:9sims")


def test_a_game_by_processor_time_tells_what_each_seat_took() -> None:
    record = play_game(model_of("gdl:nim:3,4"), ("uct", "random"), read_clock("cpu:5ms"), seed=1)
    assert record.clock == "cpu:0.005s" and len(record.cpu_seconds) == 2 and record.cpu_seconds[0] > 0


def test_a_match_by_processor_time_reports_it(capsys: pytest.CaptureFixture[str]) -> None:
    told = [
        "match",
        "gdl:nim:3,4",
        "--players",
        "uct(threads=2),random",
        "--games",
        "2",
        "--clock",
        "cpu:4ms",
        "--json",
    ]
    assert main(told) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["clock"] == "cpu:0.004s"
    assert all(player["cpu_seconds"] >= 0 for player in report["players"])


def test_a_store_of_an_earlier_version_gets_the_column(tmp_path: Path) -> None:
    record = GameRecord("g", ("a", "b"), 0, 1, "1s", "", ("1", "0"), 7, (9, 9), (9, 9), (1.0, 1.0))
    with Store(tmp_path / "s.sqlite") as store:
        store.add("p", Played(record, 2, False))
    base = sqlite3.connect(tmp_path / "s.sqlite")
    base.execute("ALTER TABLE games DROP COLUMN cpu_seconds")
    base.commit()
    base.close()
    with Store(tmp_path / "s.sqlite") as store:
        later = GameRecord(
            "g", ("b", "a"), 1, 1, "1s", "", ("1", "0"), 7, (9, 9), (9, 9), (1.0, 1.0), False, (0.5, 0.25)
        )
        store.add("p", Played(later, 2, False))
        assert [game.record.cpu_seconds for game in store.games("p")] == [(), (0.5, 0.25)]
