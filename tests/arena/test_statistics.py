"""Intervals hold what they promise, tests err as seldom as they promise, and known values come out."""

from __future__ import annotations

import math
import random
from collections import Counter
from fractions import Fraction
from itertools import combinations, count

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.arena.games import drawn_results, duel, duels, game
from zermelo.arena.ratings import ratings
from zermelo.arena.record import GameRecord
from zermelo.arena.statistics import (
    Tally,
    difference_interval,
    elo_difference,
    elo_of_score,
    log_likelihood_ratio,
    result_of,
    score_interval,
    score_of_elo,
    sequential_test,
    sprt,
    tally_of,
    tally_of_results,
    wilson,
)
from zermelo.errors import ArgumentError

HALF = Fraction(1, 2)


def won(wins: int, games: int) -> Tally:
    return tally_of_results([Fraction(1)] * wins + [Fraction(0)] * (games - wins))


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    # Newcombe 1998, "Two-sided confidence intervals for the single proportion", table I, method 3.
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_gives_newcombes_values(successes: int, n: int, low: float, high: float) -> None:
    assert wilson(successes, n) == pytest.approx((low, high), abs=5e-5)


@pytest.mark.parametrize(
    ("a", "b", "low", "high"),
    # Newcombe 1998, "Interval estimation for the difference between independent proportions", table II, method 10.
    [((56, 70), (48, 80), 0.0524, 0.3339), ((9, 10), (3, 10), 0.1705, 0.8090), ((10, 10), (0, 10), 0.6075, 1.0)],
)
def test_differences_give_newcombes_values(a: tuple[int, int], b: tuple[int, int], low: float, high: float) -> None:
    assert difference_interval(won(*a), won(*b)) == pytest.approx((low, high), abs=5e-5)


def test_without_games_everything_is_possible() -> None:
    assert score_interval(tally_of_results([])) == (0.0, 1.0)
    assert elo_difference(tally_of_results([])).interval == (-math.inf, math.inf)


@given(st.lists(st.sampled_from([Fraction(0), Fraction(1, 3), HALF, Fraction(1)]), min_size=1, max_size=60))
def test_intervals_hold_the_mean_and_are_mirrored(results: list[Fraction]) -> None:
    tally = tally_of_results(results)
    mirrored = score_interval(tally_of_results([1 - x for x in results]))
    low, high = score_interval(tally)
    assert 0 <= low <= float(tally.mean) + 1e-12 and float(tally.mean) - 1e-12 <= high <= 1
    assert mirrored == pytest.approx((1 - high, 1 - low))


@given(st.integers(0, 40), st.integers(0, 40), st.integers(1, 40))
def test_draws_make_intervals_narrower(wins: int, losses: int, draws: int) -> None:
    drawn = score_interval(tally_of_results([Fraction(1)] * wins + [HALF] * draws + [Fraction(0)] * losses))
    plain = wilson(wins + draws / 2, wins + draws + losses)
    assert plain.low <= drawn.low and drawn.high <= plain.high


@pytest.mark.parametrize(("win", "draw"), [(0.5, 0.0), (0.3, 0.4), (0.45, 0.5), (0.1, 0.85), (0.7, 0.1), (0.0, 1.0)])
def test_intervals_hold_the_truth_about_as_often_as_they_say(win: float, draw: float) -> None:
    dice, runs = random.Random(2), 400
    truth = win + draw / 2
    held = 0
    for _ in range(runs):
        low, high = score_interval(tally_of_results(drawn_results(win, draw, 60, dice)))
        held += low <= truth <= high
    assert held / runs > 0.95 - 3 * math.sqrt(0.95 * 0.05 / runs)


def test_a_place_shared_by_three_is_a_third_of_a_win() -> None:
    shared, alone = game(0, "abb", ("0", "0", "0")), game(1, "bab", ("0", "1", "0"))
    assert [result_of(record, "a") for record in (shared, alone)] == [Fraction(1, 3), 1]
    tally = tally_of([shared, alone], "a")
    assert tally.expected == Fraction(1, 3) and tally.mean == Fraction(2, 3)
    assert elo_difference(tally_of([shared], "a")).value == pytest.approx(0)


def test_alone_a_players_result_is_its_score() -> None:
    assert result_of(game(0, ["a"], ["7/10"]), "a") == Fraction(7, 10)
    assert result_of(game(0, "aa", ("1", "1/2")), "a") == Fraction(3, 4)


def test_a_player_without_a_seat_has_no_result() -> None:
    with pytest.raises(ArgumentError, match="'c' has no seat in a game of a, b"):
        result_of(duel(0, HALF), "c")


@given(st.floats(-800, 800), st.fractions(Fraction(1, 5), Fraction(4, 5), max_denominator=5))
def test_elo_and_score_are_inverse(elo: float, expected: Fraction) -> None:
    assert elo_of_score(score_of_elo(elo, expected), expected) == pytest.approx(elo, abs=1e-6)


@given(st.lists(st.integers(1, 30), min_size=5, max_size=5), st.floats(0.3, 0.7))
def test_the_likelihood_is_that_of_the_best_distribution_of_its_mean(counts: list[int], mean: float) -> None:
    """Against a plain search: distributions of that mean near the one found are no likelier."""
    values = [Fraction(i, 4) for i in range(5)]
    total = sum(counts)
    own = float(sum(v * c for v, c in zip(values, counts, strict=True)) / total)
    found = -log_likelihood_ratio(Counter(dict(zip(values, counts, strict=True))), mean, own)
    assert found <= 1e-6
    # A distribution of that mean by exponential tilting, another family: not likelier than the best one.
    low, high = -60.0, 60.0
    for _ in range(60):
        t = (low + high) / 2
        weights = np.array([c * math.exp(t * float(v)) for v, c in zip(values, counts, strict=True)])
        weights /= weights.sum()
        low, high = (t, high) if weights @ [float(v) for v in values] < mean else (low, t)
    other = sum(c * math.log(w * total / c) for c, w in zip(counts, weights, strict=True))
    assert other <= found + 1e-6


@pytest.mark.parametrize(
    ("pairs", "llr"),
    # What fastchess prints for these pairs (pull requests 783 and 426 there), by another formula.
    [((379, 10170, 21828, 10640, 343), 2.946), ((365, 16618, 36229, 16974, 390), 2.25)],
)
def test_likelihood_ratios_agree_with_those_of_another_program(pairs: tuple[int, ...], llr: float) -> None:
    """Its hypotheses are normalised: 0 and 2 points in units of the standard deviation of a game."""
    seen = Counter({Fraction(i, 4): count for i, count in enumerate(pairs)})
    mean = sum(float(v) * c for v, c in seen.items()) / seen.total()
    variance = sum((float(v) - mean) ** 2 * c for v, c in seen.items()) / seen.total()
    mean1 = 0.5 + 2 * math.sqrt(2 * variance) / (800 / math.log(10))
    assert log_likelihood_ratio(seen, 0.5, mean1) == pytest.approx(llr, abs=0.001)


def test_many_games_give_the_normal_approximation() -> None:
    seen = Counter({Fraction(i, 4): count for i, count in enumerate((100, 400, 1000, 420, 110))})
    n = sum(seen.values())
    mean = float(sum(v * c for v, c in seen.items()) / n)
    variance = sum(c * (float(v) - mean) ** 2 for v, c in seen.items()) / n
    s0, s1 = score_of_elo(0), score_of_elo(10)
    assert log_likelihood_ratio(seen, s0, s1) == pytest.approx(
        n * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance), rel=0.02
    )


@pytest.mark.parametrize(("elo", "wrong"), [(0.0, "accepted"), (100.0, "rejected")])
@pytest.mark.parametrize("seats", [1, 2])
def test_the_sequential_test_errs_as_seldom_as_it_says(elo: float, wrong: str, seats: int) -> None:
    """Trinomial, and pentanomial with a first move that is worth 200 Elo."""
    dice, runs, draw = random.Random(3), 120, 0.3
    chances = [score_of_elo(elo + bonus) - draw / 2 for bonus in ((0.0,) if seats == 1 else (200.0, -200.0))]
    truth = sum(chances) / len(chances) + draw / 2
    errors = 0
    for _ in range(runs):
        observed = (sum(drawn_results(win, draw, 1, dice)[0] for win in chances) / len(chances) for _ in count())
        test = sequential_test(observed, elo0=0, elo1=100 if elo == 0 else elo_of_score(truth))
        errors += test.verdict == wrong
    assert errors / runs < 0.05 + 2 * math.sqrt(0.05 * 0.95 / runs)


def test_pairs_with_the_luck_of_the_seat_need_fewer_games() -> None:
    """The first player mostly wins: each pair is even, which single games do not show."""
    results = [x for n in range(400) for x in ((1, 1) if n % 10 == 0 else (1, 0))]
    by_pair, by_game = (sprt(duels(results), "a", elo1=30, paired=paired) for paired in (True, False))
    assert by_pair.verdict == "accepted" and by_pair.games < by_game.games


def test_verdicts_depend_on_numbers_and_not_on_order_or_later_games() -> None:
    dice = random.Random(4)
    games = duels(drawn_results(0.7, 0.1, 600, dice))
    test = sprt(games, "a", elo1=40)
    assert test.verdict == "accepted"
    shuffled = games[:]
    dice.shuffle(shuffled)
    assert sprt(shuffled, "a", elo1=40) == test == sprt(games[: test.games], "a", elo1=40)
    assert sprt(games[: test.games - 1], "a", elo1=40).verdict == "open"
    assert sprt(games[:10] + games[11:], "a", elo1=40).games == 10


def test_three_players_are_tested_against_a_third() -> None:
    games = [game(n, ["abb", "bab", "bba"][n % 3], ["100", "010", "001"][n % 3 if n % 2 else 0]) for n in range(300)]
    assert sprt(games, "a", elo0=0, elo1=50).verdict == "accepted"
    fair = [game(n, ["abb", "bab", "bba"][n % 3], "100") for n in range(900)]
    assert sprt(fair, "a", elo0=0, elo1=50).verdict == "rejected"


def test_players_that_play_alone_are_compared_on_the_same_dice() -> None:
    def match(a_wins: int) -> list[GameRecord]:
        return [game(n, ["ab"[n % 2]], [str(int(n % 2 == 0 and n % 20 < 2 * a_wins))], seed=n // 2) for n in range(400)]

    assert sprt(match(3), "a", elo1=50).verdict == "accepted"
    assert sprt(match(3), "b", elo1=50).verdict == sprt(match(0), "a", elo1=50).verdict == "rejected"
    assert sprt(match(3)[:1], "a").games == 0


@pytest.mark.parametrize("wrong", [{"elo0": 10, "elo1": 10}, {"alpha": 0}, {"beta": 0.7}])
def test_hypotheses_have_to_make_sense(wrong: dict[str, float]) -> None:
    with pytest.raises(ArgumentError, match="expected"):
        sprt([], "a", **wrong)


def test_two_players_are_rated_as_their_score_says() -> None:
    results = [Fraction(1)] * 600 + [HALF] * 200 + [Fraction(0)] * 200
    a, b = ratings(duels(results))
    assert (a.player, b.player) == ("a", "b")
    # Davidson's curve is flatter than Elo's where many games are drawn; both are read as the odds of decisive games.
    assert a.elo - b.elo == pytest.approx(elo_of_score(600 / 800), abs=4)


def test_ratings_of_four_players_are_found_again() -> None:
    dice, truth = random.Random(5), {"a": 150.0, "b": 50.0, "c": -50.0, "d": -150.0}
    games = []
    for (first, high), (second, low) in combinations(truth.items(), 2):
        games += duels(drawn_results(score_of_elo(high - low), 0.0, 400, dice), first, second)
    found = ratings(games)
    assert [rating.player for rating in found] == list("abcd")
    assert sum(rating.interval.low <= truth[rating.player] <= rating.interval.high for rating in found) >= 3
    assert all(rating.games == 1200 for rating in found)


def test_ratings_are_finite_whoever_wins() -> None:
    assert all(math.isfinite(rating.elo) for rating in ratings(duels([1] * 1000)))
    assert [rating.elo for rating in ratings(duels([HALF] * 1000))] == pytest.approx([0, 0])
    assert ratings([game(0, "aa", ("1", "0"))]) == []


def test_games_alone_do_not_count_for_ratings() -> None:
    assert [rating.games for rating in ratings([*duels([1, 0]), game(0, "aa", ("1", "0"))])] == [2, 2]


def test_ratings_of_three_at_a_table() -> None:
    games = [game(n, ["abc", "cab", "bca"][n % 3], ["100", "010", "001"][n % 3]) for n in range(30)]
    assert ratings(games)[0].player == "a"
