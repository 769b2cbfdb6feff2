"""The page of results: every game has its row, the paper's figure stands beside ours, and no loss goes unsaid."""

from __future__ import annotations

import random
from fractions import Fraction
from pathlib import Path

import pytest

from tests.arena.games import drawn_results, duels, game
from zermelo.arena.paper import PAPER, TIMES
from zermelo.arena.record import GameRecord
from zermelo.arena.reproduce import Played, Results, page, pictures, why_no_win
from zermelo.arena.tables import pairings_of, report, row_of
from zermelo.errors import ArgumentError, InputError


def results(records: list[GameRecord]) -> Results:
    return Results([Played(row_of(games), tuple(games)) for games in pairings_of(records)])


def mac_uct(wins: float, draws: float, target: str, games: int = 100, clock: str = "0.02s") -> list[GameRecord]:
    counts = [round(wins * games), round(draws * games)]
    found = [Fraction(1)] * counts[0] + [Fraction(1, 2)] * counts[1] + [Fraction(0)] * (games - sum(counts))
    random.Random(1).shuffle(found)
    return duels(found, "mac-ucb", "uct", name=target, clock=clock)


def alone(shares: dict[str, float], target: str = "gdl:orchard", games: int = 100) -> list[GameRecord]:
    names = list(shares)
    return [
        game(n, [name], [str(int(n // len(names) < shares[name] * games))], name=target, seed=n // len(names))
        for n in range(games * len(names))
        for name in [names[n % len(names)]]
    ]


def sentence(records: list[GameRecord]) -> str:
    found = results(records).outcome(records[0].game, "mac-ucb", "uct", records[0].clock)
    assert found is not None
    return why_no_win(next(entry for entry in PAPER if entry.target == records[0].game), found)


def test_the_paper_has_fifteen_games_and_its_two_tables_agree() -> None:
    assert len(PAPER) == 15
    for entry in PAPER:
        assert len(entry.by_time) == len(TIMES)
        assert entry.by_time[TIMES.index(30)] == entry.mac_uct.percent


def test_every_game_has_a_row_with_the_papers_figure() -> None:
    text = page(results(mac_uct(0.7, 0.1, "gdl:hex")), "plan.toml")
    for entry in PAPER:
        assert f"| {entry.title} | {entry.mac_uct.percent:.1f} ± {entry.mac_uct.deviation:.2f} |" in text
    assert "| Hex | 69.7 ± 2.45 | **75.0 [" in text and "70-10-20" in text
    assert "Not played: Awale, Backgammon" in text
    assert "100 games by the plan `plan.toml`, played by the code of abc1234" in text


def test_verdicts_of_sequential_tests_are_shown_where_there_were_tests() -> None:
    games = mac_uct(0.7, 0.1, "gdl:hex")
    tested = Results([Played(row_of(games, elo0=-40, elo1=0), tuple(games), tested=True)])
    text = page(tested, "plan.toml")
    assert "70-10-20 | 100 | accepted |" in text and "test of 0 Elo points above UCT (accepted) against -40" in text
    assert "SPRT" not in page(results(games), "plan.toml")


def test_a_remark_on_the_run_stands_on_the_page() -> None:
    found = results(mac_uct(0.7, 0.1, "gdl:hex"))
    assert "**About this run**: on a busy machine." in page(found, "plan.toml", "on a busy machine.")
    assert "About this run" not in page(found, "plan.toml")


def test_wins_losses_and_doubts_are_counted() -> None:
    games = mac_uct(0.7, 0.1, "gdl:hex") + mac_uct(0.1, 0.1, "gdl:chess") + mac_uct(0.5, 0, "gdl:othello")
    text = page(results([*games, *alone({"mac-ucb": 0.5, "uct": 0.5})]), "plan.toml")
    assert "MAC-UCB is ahead in 1 of the 4 games played, and behind in 1, by more than the interval. 2 are not" in text


def test_a_win_needs_no_sentence() -> None:
    assert sentence(mac_uct(0.7, 0.1, "gdl:hex")) == ""
    assert sentence(alone({"mac-ucb": 0.7, "uct": 0.4})) == ""


def test_a_loss_is_said_plainly() -> None:
    assert sentence(mac_uct(0.2, 0.1, "gdl:chess")).startswith("UCT is stronger: MAC-UCB has 25.0 [")
    assert "UCT does better." in sentence(alone({"mac-ucb": 0.3, "uct": 0.6}))


def test_what_is_not_decided_is_said_so() -> None:
    assert "after 100 games does not exclude the 50 % of equal players." in sentence(mac_uct(0.5, 0.05, "gdl:chess"))
    assert "; 80 of them were drawn." in sentence(mac_uct(0.1, 0.8, "gdl:checkers"))
    assert "100 games do not tell them apart." in sentence(alone({"mac-ucb": 0.68, "uct": 0.66}))


def test_draws_at_tic_tac_toe_are_explained() -> None:
    said = sentence(mac_uct(0.0, 1.0, "gdl:tictactoe"))
    assert said.startswith("all 100 games were drawn.") and said.endswith("every game is a draw.")


def test_three_players_are_held_against_a_third() -> None:
    seatings = [("mac-ucb", "uct", "uct"), ("uct", "mac-ucb", "uct"), ("uct", "uct", "mac-ucb")]
    games = [game(n, seatings[n % 3], "100", name="gdl:chinesecheckers") for n in range(90)]
    assert "the 33.33 % of equal players" in sentence(games)


def test_three_that_play_alone_are_compared_two_by_two() -> None:
    found = results(alone({"mac-ucb": 0.7, "uct": 0.4, "fc-ucb": 0.65}))
    for first, second, wins in (("mac-ucb", "uct", True), ("mac-ucb", "fc-ucb", False), ("fc-ucb", "uct", True)):
        outcome = found.outcome("gdl:orchard", first, second, "0.02s")
        assert outcome is not None and outcome.wins == wins
        assert [standing.player for standing in outcome.row.standings] == [first, second]
    assert "| Orchard | 70.2 ± 3.41 | **70.0 [" in page(found, "plan.toml")


def test_the_table_of_times_has_a_column_for_each_clock() -> None:
    games = [g for clock in ("0.04s", "0.005s", "0.02s") for g in mac_uct(0.6, 0.1, "gdl:hex", clock=clock)]
    found = results(games)
    text = page(found, "plan.toml")
    assert "| game | 5 ms | 20 ms | 40 ms | paper, 1 s | paper, 5 s |" in text
    assert "pictures/results-time.svg" in text and "pictures/results-share.svg" not in text
    assert [curve.name for curve in pictures(found)["results-time.svg"][0].panels[0].curves] == ["mac-ucb : uct"]


def test_shares_of_solving_are_drawn_but_not_taken_for_the_player_itself() -> None:
    dice = random.Random(2)
    swept = [
        record
        for share in ("0", "0.5", "1")
        for record in duels(drawn_results(0.5, 0, 20, dice), f"mac-ucb(share={share})", "uct", name="gdl:hex")
    ]
    found = results(mac_uct(0.6, 0.1, "gdl:hex", clock="1s") + swept)
    assert found.clock == "1s"
    assert "pictures/results-share.svg" in page(found, "plan.toml")


def test_what_a_plan_does_not_play_has_no_table_and_another_clock_is_named() -> None:
    games = [*mac_uct(0.7, 0, "gdl:hex"), *mac_uct(0.6, 0, "gdl:oware"), *mac_uct(0.8, 0, "gdl:chess", clock="0.09s")]
    text = page(results(games), "strength.toml", name="strength")
    assert text.startswith("# Strength\n") and "| Chess (90 ms) | 53.8 ± 1.75 | **80.0 [" in text
    assert "FC-UCB (" not in text and "(Table 4)" not in text and "pictures/strength-games.svg" in text


def test_a_store_without_such_games_is_refused() -> None:
    with pytest.raises(ArgumentError, match="no games of the paper's players"):
        page(results(duels([1, 0])), "plan.toml")


def test_a_report_is_a_folder_of_tables_and_pictures(tmp_path: Path) -> None:
    games = [g for clock in ("0.04s", "0.02s") for g in mac_uct(0.6, 0.1, "gdl:hex", 20, clock)]
    written = report(games, tmp_path / "new" / "folder")
    assert {path.name for path in written} == {
        *("results.md", "results.csv", "results.json", "games.svg", "games.csv", "time.svg", "time.csv")
    }
    assert all(path.read_text(encoding="utf-8") for path in written)
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="cannot be made"):
        report(games, tmp_path / "file")
