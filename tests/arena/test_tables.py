"""Tables say what the games came to, in four forms that agree."""

from __future__ import annotations

import csv
import json
from fractions import Fraction
from io import StringIO

import pytest

from tests.arena.games import duels, game
from zermelo.arena.record import GameRecord
from zermelo.arena.tables import csv_table, json_table, markdown_table, row_of, rows_of, text_table

GAMES = duels([1] * 30 + [Fraction(1, 2)] * 10 + [0] * 20, "mac-ucb", "uct", name="gdl:hex")


def test_a_pairing_is_one_row_whatever_the_seats() -> None:
    (row,) = rows_of(GAMES)
    assert [standing.player for standing in row.standings] == ["mac-ucb", "uct"]
    assert (row.first.tally.wins, row.first.tally.draws, row.first.tally.losses) == (30, 10, 20)
    assert row.first.tally.mean == Fraction(35, 60) == 1 - row.standings[1].tally.mean
    assert row.first.simulations_per_second == pytest.approx(20_000)
    assert row.elo is not None and row.elo.value == pytest.approx(58, abs=1)


def test_games_clocks_and_players_are_kept_apart() -> None:
    others = duels([1, 0], "mac-ucb", "uct", name="gdl:hex", clock="1s") + duels([1, 0], "mac-ucb", "fc-ucb")
    assert [(row.game, row.clock, row.games) for row in rows_of(GAMES + others)] == [
        ("gdl:hex", "0.02s", 60),
        ("gdl:hex", "1s", 2),
        ("gdl:tictactoe", "0.02s", 2),
    ]


def test_all_forms_say_the_same() -> None:
    rows = rows_of(GAMES)
    (told,) = json.loads(json_table(rows))
    first, second = csv.DictReader(StringIO(csv_table(rows)))
    assert told["players"][0]["wins"] == int(first["wins"]) == int(second["losses"]) == 30
    assert told["players"][0]["points"] == "35" and float(first["score"]) == pytest.approx(35 / 60, abs=1e-6)
    assert told["elo"] == float(first["elo"]) and second["elo"] == ""
    for shown in (text_table(rows), markdown_table(rows)):
        assert all(part in shown for part in ("hex", "20 ms", "mac-ucb : uct", "30-10-20", "58.3 [", "20,000 : 20,000"))


def test_a_lost_cause_is_no_number_in_json() -> None:
    (told,) = json.loads(json_table(rows_of(duels([0] * 8))))
    assert told["elo"] is None and told["elo_interval"][0] is None


def test_players_alone_share_a_row_without_elo() -> None:
    games = [game(n, ["ab"[n % 2]], [str(int(n % 4 == 0))], name="gdl:orchard", seed=n // 2) for n in range(40)]
    (row,) = rows_of(games)
    assert row.alone and row.elo is None and row.difference is not None and row.difference.low > 0
    assert [standing.tally.mean for standing in row.standings] == [Fraction(1, 2), 0]
    shown = text_table([row])
    assert "a : b (alone)" in shown and "10-0-10 : 0-0-20" in shown


def test_games_that_were_cut_are_counted() -> None:
    cut = [GameRecord(**{**vars(record), "cut": True}) for record in duels([Fraction(1, 2)] * 2)]
    assert "2 (2 cut)" in text_table(rows_of(cut))


def test_a_row_is_about_the_player_that_sits_first_in_the_first_game() -> None:
    backwards = list(reversed(duels([1, 0, 1], "uct", "mac-ucb")))
    assert row_of(backwards).first.player == "uct"
