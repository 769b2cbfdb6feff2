"""What finished games say about strength: results counted, scores with intervals, Elo, and a sequential test.

A player's *result* in a game is a number from 0 to 1: its share of the first place where players compete (1 for a win,
1/2 for a draw of two, 1/3 for a first place shared by three), the mean of the seats' scores where one player has every
seat, as in a solitaire or cooperative game. By chance alone a player with m of k seats has m/k.

>>> from zermelo.arena.record import GameRecord
>>> def game(number, players, scores):
...     return GameRecord("gdl:nim", players, number, number // 2, "1s", "", scores, 7, (9, 9), (9, 9), (1.0, 1.0))
>>> games = [game(0, ("a", "b"), ("1", "0")), game(1, ("b", "a"), ("1/2", "1/2"))]
>>> tally = tally_of(games, "a")
>>> (tally.wins, tally.draws, tally.losses), tally.mean
((1, 1, 0), Fraction(3, 4))
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby
from statistics import NormalDist
from typing import Literal, NamedTuple

from zermelo.arena.record import GameRecord
from zermelo.errors import ArgumentError

Z95 = NormalDist().inv_cdf(0.975)
"""The standard normal quantile of two-sided intervals of 95 %."""
ELO_SCALE = 400 / math.log(10)
"""Elo points in a natural logarithm of the odds."""


class Interval(NamedTuple):
    """From ``low`` to ``high``, both included; a side that nothing bounds is infinite."""

    low: float
    high: float


@dataclass(frozen=True)
class Tally:
    """A player's results, added up.

    ``wins`` counts results of 1, ``losses`` those of 0, ``draws`` all others; ``points`` is their sum. ``unspread`` is
    the sum of x(1 - x) over all results x: a quarter for each draw, nothing for wins and losses.
    """

    games: int
    wins: int
    draws: int
    losses: int
    points: Fraction
    unspread: Fraction
    expected: Fraction = Fraction(1, 2)

    @property
    def mean(self) -> Fraction:
        """Points a game; what chance gives where no game has been played."""
        return self.points / self.games if self.games else self.expected


def result_of(record: GameRecord, player: str) -> Fraction:
    """A player's result in one game; :class:`~zermelo.errors.ArgumentError` if it has no seat.

    >>> record = GameRecord("g", ("a", "b", "b"), 0, 0, "1s", "", ("1", "1", "0"), 9, (1,) * 3, (1,) * 3, (1.0,) * 3)
    >>> result_of(record, "a"), result_of(record, "b")
    (Fraction(1, 2), Fraction(1, 2))
    """
    own = [seat for seat, name in enumerate(record.players) if name == player]
    if not own:
        raise ArgumentError(f"{player!r} has no seat in a game of {', '.join(record.players)}")
    if len(own) == len(record.players):
        return sum((Fraction(score) for score in record.scores), Fraction(0)) / len(own)
    return sum((record.points[seat] for seat in own), Fraction(0))


def expected_share(record: GameRecord, player: str) -> Fraction:
    """What chance alone gives a player: its share of the seats; 1/2 where it has all of them.

    >>> record = GameRecord("g", ("a", "b", "b"), 0, 0, "1s", "", ("1", "1", "0"), 9, (1,) * 3, (1,) * 3, (1.0,) * 3)
    >>> expected_share(record, "a")
    Fraction(1, 3)
    """
    own = record.players.count(player)
    return Fraction(1, 2) if own == len(record.players) else Fraction(own, len(record.players))


def tally_of(records: Iterable[GameRecord], player: str) -> Tally:
    """The results of a player, added up; all games must give it the same share of the seats.

    >>> tally_of([], "a").games
    0
    """
    results, shares = [], set()
    for record in records:
        results.append(result_of(record, player))
        shares.add(expected_share(record, player))
    if len(shares) > 1:
        raise ArgumentError(f"{player!r} has different shares of the seats in these games: count them apart")
    return tally_of_results(results, shares.pop() if shares else Fraction(1, 2))


def tally_of_results(results: Sequence[Fraction], expected: Fraction = Fraction(1, 2)) -> Tally:
    """Results, added up.

    >>> tally_of_results([Fraction(1), Fraction(1, 2)]).unspread
    Fraction(1, 4)
    """
    wins, losses = sum(x == 1 for x in results), sum(x == 0 for x in results)
    points, unspread = sum(results, Fraction(0)), sum((x * (1 - x) for x in results), Fraction(0))
    return Tally(len(results), wins, len(results) - wins - losses, losses, points, unspread, expected)


def wilson(successes: float, n: int, z: float = Z95) -> Interval:
    """Wilson's score interval of a share (Wilson 1927).

    >>> [round(end, 4) for end in wilson(8, 10)]
    [0.4902, 0.9433]
    """
    return bounded_interval(successes / n if n else 0.5, 0.0, n, z)


def score_interval(tally: Tally, z: float = Z95) -> Interval:
    """An interval for the mean result: Wilson's where there are no draws, narrower where there are.

    Wilson keeps every p that the score test does not reject: (mean - p)^2 <= z^2 V(p) / n with V(p) = p(1 - p), the
    variance of wins and losses. Results between 0 and 1 have V(p) = p(1 - p) - u, where u is the mean of x(1 - x), for
    wins, draws and losses a quarter of the share of draws: the trinomial variance at mean p. Taken as observed, n draws
    in n games would leave no doubt at all; so u is shrunk by n / (n + z^2), as if z^2 further games had no draw. Then n
    draws leave the doubt of about three decisive games, as the rule of three has it.

    >>> drawn = tally_of_results([Fraction(1, 2)] * 100)
    >>> [round(end, 3) for end in score_interval(drawn)]
    [0.482, 0.518]
    """
    unspread = float(tally.unspread / tally.games) if tally.games else 0.0
    return bounded_interval(float(tally.mean), unspread, tally.games, z)


def bounded_interval(mean: float, unspread: float, n: int, z: float = Z95) -> Interval:
    """The interval of :func:`score_interval` from numbers: the mean of n results and the mean of x(1 - x).

    >>> bounded_interval(0.5, 0.0, 0)
    Interval(low=0.0, high=1.0)
    """
    if n <= 0:
        return Interval(0.0, 1.0)
    ratio = z * z / n
    kept = unspread * n / (n + z * z)
    # The roots of (mean - p)^2 = ratio (p - p^2 - kept) in p.
    a, b, c = 1 + ratio, 2 * mean + ratio, mean * mean + ratio * kept
    root = math.sqrt(max(b * b - 4 * a * c, 0.0))
    return Interval(max((b - root) / (2 * a), 0.0), min((b + root) / (2 * a), 1.0))


def difference_interval(a: Tally, b: Tally, z: float = Z95) -> Interval:
    """An interval for the mean of ``a`` less that of ``b``, of games apart (Newcombe 1998, method 10).

    For players that are not opponents: each plays a solitaire or a cooperative game for itself.

    >>> better, worse = (tally_of_results([Fraction(1)] * n + [Fraction(0)] * (100 - n)) for n in (70, 50))
    >>> [round(end, 3) for end in difference_interval(better, worse)]
    [0.064, 0.326]
    """
    mean_a, mean_b = float(a.mean), float(b.mean)
    (low_a, high_a), (low_b, high_b) = score_interval(a, z), score_interval(b, z)
    less, more = math.hypot(mean_a - low_a, high_b - mean_b), math.hypot(high_a - mean_a, mean_b - low_b)
    return Interval(mean_a - mean_b - less, mean_a - mean_b + more)


def score_of_elo(elo: float, expected: Fraction | float = Fraction(1, 2)) -> float:
    """The mean result of a player that is so many Elo points stronger than each of its opponents.

    Each seat has the first place with odds 10^(elo/400) of its player (Luce 1959); for two seats that is Elo's logistic
    curve, and at 0 everybody has its share of the seats.

    >>> round(score_of_elo(100), 4), score_of_elo(0, Fraction(1, 3))
    (0.6401, 0.3333333333333333)
    """
    return 1 / (1 + (1 / float(expected) - 1) * 10 ** (-elo / 400))


def elo_of_score(score: float, expected: Fraction | float = Fraction(1, 2)) -> float:
    """The inverse of :func:`score_of_elo`; infinite at scores of 0 and 1.

    >>> round(elo_of_score(0.75), 1), elo_of_score(1.0)
    (190.8, inf)
    """
    if score <= 0:
        return -math.inf
    if score >= 1:
        return math.inf
    return ELO_SCALE * (math.log(score / (1 - score)) + math.log(1 / float(expected) - 1))


@dataclass(frozen=True)
class EloDifference:
    """Elo points between a player and each of its opponents; infinite where only one side has won."""

    value: float
    interval: Interval


def elo_difference(tally: Tally, z: float = Z95) -> EloDifference:
    """The difference in Elo that the mean result stands for, with that of its interval's ends.

    >>> found = elo_difference(tally_of_results([Fraction(1)] * 60 + [Fraction(0)] * 40))
    >>> round(found.value), [round(end) for end in found.interval]
    (70, [1, 139])
    """
    ends = [elo_of_score(end, tally.expected) for end in score_interval(tally, z)]
    return EloDifference(elo_of_score(float(tally.mean), tally.expected), Interval(*ends))


FIRST_NUMBER = 0
"""The number of the first game of a pairing."""
UNSEEN = 1e-3
"""The weight of results that nobody has had yet: without it no distribution might have the mean of a hypothesis."""
Verdict = Literal["accepted", "rejected", "open"]


@dataclass(frozen=True)
class SprtResult:
    """Where a sequential test stands.

    ``accepted``: the player is ``elo1`` stronger rather than ``elo0``; ``rejected``: the other way round; ``open``: it
    takes more games to tell. ``llr`` is the logarithm of the likelihood ratio after ``games`` games, between ``lower``
    and ``upper`` as long as the test is open.
    """

    verdict: Verdict
    llr: float
    lower: float
    upper: float
    games: int
    elo0: float
    elo1: float


def sprt(
    records: Iterable[GameRecord],
    player: str,
    *,
    elo0: float = 0.0,
    elo1: float = 10.0,
    alpha: float = 0.05,
    beta: float = 0.05,
    paired: bool = True,
) -> SprtResult:
    """The sequential test of a player's strength against that of its opponents, on the games of one pairing.

    ``paired`` takes the games of a round as one observation, the mean of the player's results: for two players one of
    five values (the pentanomial model). Else each game is one, as in the trinomial model. Where players play alone an
    observation is (1 + own - others') / 2, from the results of all on the same dice.

    The verdict depends on the numbers of the games, not on when they ended: they are read in order, only as far as none
    is missing, and what follows the first decision is not looked at.

    >>> from zermelo.arena.record import GameRecord
    >>> games = [GameRecord("g", ("a", "b") if n % 2 == 0 else ("b", "a"), n, n // 2, "1s", "",
    ...     ("1", "0") if n % 2 == 0 else ("1/2", "1/2"), 7, (9, 9), (9, 9), (1.0, 1.0)) for n in range(100)]
    >>> test = sprt(games, "a", elo1=50)
    >>> test.verdict, test.games
    ('accepted', 46)
    """
    prefix = unbroken(records)
    alone = bool(prefix) and all(is_alone(record) for record in prefix)
    expected = expected_share(prefix[0], player) if prefix and not alone else Fraction(1, 2)
    groups = rounds(prefix) if paired or alone else [[record] for record in prefix]
    if alone and groups and len(groups[0]) == 1:  # there is nobody to compare it with
        groups = []
    test = sequential_test(
        (_compared(group, player) if alone else tally_of(group, player).mean for group in groups),
        elo0=elo0,
        elo1=elo1,
        alpha=alpha,
        beta=beta,
        expected=expected,
    )
    return replace(test, games=sum(map(len, groups[: test.games])))


def sequential_test(
    observations: Iterable[Fraction],
    *,
    elo0: float = 0.0,
    elo1: float = 10.0,
    alpha: float = 0.05,
    beta: float = 0.05,
    expected: Fraction = Fraction(1, 2),
) -> SprtResult:
    """The generalised sequential probability ratio test of a mean; ``games`` counts the observations it took.

    Wald's test (1945) with the likelihood ratio of a mean: under each hypothesis the observations have the distribution
    that is most likely among all of that mean (Van den Bergh's note for Fishtest; Li, Liu and Ying 2014). ``alpha``
    bounds how often a player of ``elo0`` is accepted, ``beta`` how often one of ``elo1`` is rejected.

    >>> sequential_test([Fraction(1, 2)] * 200, elo1=20).verdict
    'rejected'
    """
    lower, upper = sprt_bounds(elo0, elo1, alpha, beta)
    means = score_of_elo(elo0, expected), score_of_elo(elo1, expected)
    seen: Counter[Fraction] = Counter()
    llr = 0.0
    for observation in observations:
        seen[observation] += 1
        llr = log_likelihood_ratio(seen, *means)
        if not lower < llr < upper:
            break
    verdict: Verdict = "accepted" if llr >= upper else "rejected" if llr <= lower else "open"
    return SprtResult(verdict, llr, lower, upper, sum(seen.values()), elo0, elo1)


def sprt_bounds(elo0: float, elo1: float, alpha: float, beta: float) -> tuple[float, float]:
    """Wald's bounds on the logarithm of the likelihood ratio.

    >>> [round(bound, 3) for bound in sprt_bounds(0, 10, 0.05, 0.05)]
    [-2.944, 2.944]
    """
    if not elo0 < elo1:
        raise ArgumentError(f"elo0 = {elo0:g} and elo1 = {elo1:g}, expected elo0 < elo1")
    if not (0 < alpha < 0.5 and 0 < beta < 0.5):
        raise ArgumentError(f"alpha = {alpha:g} and beta = {beta:g}, expected numbers between 0 and 0.5")
    return math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)


def unbroken(records: Iterable[GameRecord]) -> list[GameRecord]:
    """The games in the order of their numbers, from the first on, up to the first that is missing.

    >>> one = GameRecord("g", ("a",), 0, 1, "1s", "", ("1",), 7, (9,), (9,), (1.0,))
    >>> later = GameRecord("g", ("a",), 2, 1, "1s", "", ("1",), 7, (9,), (9,), (1.0,))
    >>> [record.number for record in unbroken([later, one])]
    [0]
    """
    ordered = sorted(records, key=lambda record: record.number)
    if not ordered or ordered[0].number > FIRST_NUMBER:
        return []
    end = next((i for i, record in enumerate(ordered) if record.number != FIRST_NUMBER + i), len(ordered))
    return ordered[:end]


def is_alone(record: GameRecord) -> bool:
    """Whether one player has all the seats, so that it plays against nobody else.

    >>> is_alone(GameRecord("g", ("a",), 0, 1, "1s", "", ("1",), 7, (9,), (9,), (1.0,)))
    True
    """
    return len(set(record.players)) == 1


def rounds(records: Sequence[GameRecord]) -> list[list[GameRecord]]:
    """Games of one seed together, in order: one for each rotation of the seats, or each player's alone.

    A round that is not complete is left out.

    >>> rounds([])
    []
    """
    players = len({name for record in records for name in record.players})
    groups = [list(group) for _, group in groupby(records, key=lambda record: record.seed)]
    return [group for group in groups if len(group) == (players if is_alone(group[0]) else len(group[0].players))]


def _compared(group: Sequence[GameRecord], player: str) -> Fraction:
    """How a player that plays alone did against the others on the same dice: 1/2 for as well as they."""
    results = {record.players[0]: result_of(record, record.players[0]) for record in group}
    others = [result for name, result in results.items() if name != player]
    return (1 + results[player] - sum(others, Fraction(0)) / len(others)) / 2


def log_likelihood_ratio(seen: Counter[Fraction], mean0: float, mean1: float) -> float:
    """How much more likely results are at the second mean, each with the distribution that suits them best.

    >>> round(log_likelihood_ratio(Counter({Fraction(1): 60, Fraction(0): 40}), 0.5, 0.6), 3)
    2.014
    """
    weights = {0.0: UNSEEN, 1.0: UNSEEN} | {float(value): float(count) for value, count in seen.items()}
    values, counts = list(weights), list(weights.values())
    tilts = [_tilt(values, counts, mean) for mean in (mean0, mean1)]
    return sum(
        count * (math.log1p(tilts[0] * (value - mean0)) - math.log1p(tilts[1] * (value - mean1)))
        for value, count in zip(values, counts, strict=True)
    )


def _tilt(values: Sequence[float], counts: Sequence[float], mean: float) -> float:
    """The t with sum of c (v - mean) / (1 + t (v - mean)) = 0.

    Weights c / (1 + t (v - mean)), divided by the sum of c, are then the most likely distribution of that mean (Owen's
    empirical likelihood). The sum falls from plus to minus infinity between the poles: Newton's steps find its zero,
    and halving where one leaves what is still possible.
    """
    low, high = -1 / (max(values) - mean), 1 / (mean - min(values))
    tilt = 0.0
    for _ in range(100):
        terms = [(c, (v - mean) / (1 + tilt * (v - mean))) for v, c in zip(values, counts, strict=True)]
        slope = sum(c * term for c, term in terms)
        low, high = (tilt, high) if slope > 0 else (low, tilt)
        newton = tilt + slope / sum(c * term * term for c, term in terms)
        step = (newton if low < newton < high else (low + high) / 2) - tilt
        tilt += step
        if abs(step) < 1e-12 * (1 + abs(tilt)):
            break
    return tilt
