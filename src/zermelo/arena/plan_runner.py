"""Runs a plan: claims games, has them played, keeps what comes back, and stops when it is enough.

What is counted depends on the numbers of games alone, never on when they ended: a sequential test looks at the
unbroken sequence of finished rounds. So a run that was killed and resumed, or was shared by many workers, comes to the
same result as one in a single process without a break.

>>> from zermelo.arena.plan import plan_of
>>> from zermelo.arena.pool import Here
>>> plan = plan_of('''
... [[pairing]]
... game = "gdl:tictactoe"
... players = ["uct", "random"]
... clock = "50sims"
... sprt = {elo0 = 0, elo1 = 200, games = 100}
... ''')
>>> with Store(":memory:") as store:
...     [standing] = run_plan(plan, store, Here())
>>> standing.verdict, standing.finished == standing.end < 100
('accepted', True)
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from zermelo.arena.plan import Pairing, Plan, Sprt
from zermelo.arena.statistics import (
    Verdict,
    expected_share,
    log_likelihood_ratio,
    result_of,
    score_of_elo,
    sprt_bounds,
    tally_of,
)
from zermelo.arena.store import Played, Store
from zermelo.arena.work import Task, Workers

LOOK = 1.0
"""Seconds between two looks at what other processes have done."""
LIFE = 10.0
"""Seconds between two signs of life."""
AHEAD = 4
"""A sequential test may be ahead of its unbroken sequence by so many games for each worker."""


@dataclass(frozen=True)
class Standing:
    """How far a pairing is: its ``finished`` games without a gap, and where it ends, as far as that is known.

    ``verdict`` is that of the sequential test (``open`` if there is none or it has not decided); ``failure`` is why a
    game could not be played, if there was one.
    """

    pairing: Pairing
    finished: int
    end: int
    verdict: Verdict = "open"
    llr: float = 0.0
    failure: str = ""

    @property
    def over(self) -> bool:
        """Whether nothing is left to be played.

        >>> from zermelo.play.player import Clock
        >>> Standing(Pairing("gdl:nim", ("uct", "random"), Clock(1.0), 1, 10), finished=9, end=10).over
        False
        """
        return self.finished >= self.end


@dataclass(frozen=True)
class RunProgress:
    """One look at a run: games finished and to be finished at most, those of this run, and what is being played."""

    finished: int
    end: int
    played: int
    seconds: float
    pairing: str
    failures: int


def round_result(games: Sequence[Played], player: str) -> tuple[Fraction, Fraction]:
    """What a player has made of one round, from 0 to 1, and what it would have by chance.

    Against others that is its mean share of the first place. Where players play alone it is (1 + own - others') / 2.
    """
    records = [game.record for game in games]
    if not games[0].alone:
        return tally_of(records, player).mean, expected_share(records[0], player)
    results = [(record.players[0], result_of(record, record.players[0])) for record in records]
    own = next(result for name, result in results if name == player)
    others = [result for name, result in results if name != player]
    mean = sum(others, Fraction(0)) / len(others) if others else own
    return (1 + own - mean) / 2, Fraction(1, 2)


class Front:
    """The games of a pairing as far as there is no gap; told of each in order, it says where the pairing ends."""

    def __init__(self, pairing: Pairing):
        self.pairing, self.finished, self.end, self.failure = pairing, 0, pairing.games, ""
        self._round: list[Played] = []
        self._test = None if pairing.sprt is None else _Test(pairing.sprt, pairing.players[0])

    def add(self, played: Played) -> None:
        """The next game; nothing that comes after the end counts."""
        if self.finished >= self.end:
            return
        self.finished += 1
        if self._test is None or self._test.verdict != "open":
            return
        self._round.append(played)
        if len(self._round) == played.round:
            self._test.add(*round_result(self._round, self.pairing.players[0]))
            self._round.clear()
            if self._test.verdict != "open":
                self.end = max(self.finished, self._test.least)

    def read(self, store: Store) -> None:
        """Takes in what the store has after the games that are known."""
        if self.finished < self.end:
            for played in store.games(self.pairing.key, self.finished, self.end):
                if played.record.number != self.finished:
                    break
                self.add(played)

    def standing(self) -> Standing:
        """How far the pairing is."""
        test = self._test
        verdict: Verdict = "open" if test is None else test.verdict
        return Standing(self.pairing, self.finished, self.end, verdict, 0.0 if test is None else test.llr, self.failure)


class _Test:
    """The sequential test of :func:`zermelo.arena.statistics.sprt`, one round at a time."""

    def __init__(self, sprt: Sprt, player: str):
        self._sprt, self._player = sprt, player
        self._bounds = sprt_bounds(sprt.elo0, sprt.elo1, sprt.alpha, sprt.beta)
        self._seen: Counter[Fraction] = Counter()
        self.llr, self.least = 0.0, sprt.least

    def add(self, result: Fraction, expected: Fraction) -> None:
        self._seen[result] += 1
        means = (score_of_elo(elo, expected) for elo in (self._sprt.elo0, self._sprt.elo1))
        self.llr = log_likelihood_ratio(self._seen, *means)

    @property
    def verdict(self) -> Verdict:
        low, high = self._bounds
        return "accepted" if self.llr >= high else "rejected" if self.llr <= low else "open"


def standings(plan: Plan, store: Store) -> list[Standing]:
    """How far each pairing of a plan is."""
    found = []
    for pairing in plan.pairings:
        front = Front(pairing)
        front.read(store)
        front.failure = "; ".join(message for _, message in store.failures(pairing.key)[:1])
        found.append(front.standing())
    return found


def counted(plan: Plan, store: Store) -> list[tuple[Standing, list[Played]]]:
    """The games that count, for each pairing: those without a gap up to its end."""
    return [(standing, store.games(standing.pairing.key, 0, standing.finished)) for standing in standings(plan, store)]


def run_plan(
    plan: Plan, store: Store, workers: Workers, watch: Callable[[RunProgress], None] = lambda progress: None
) -> list[Standing]:
    """Plays what is missing of a plan, together with whoever else is at it, and closes the workers.

    A game that cannot be played ends its pairing for this run; the others go on.
    """
    run = _PlanRunner(plan, store, workers, watch)
    try:
        run.go_on()
    finally:
        workers.close()
        store.release()
    return [front.standing() for front in run.fronts]


class _PlanRunner:
    def __init__(self, plan: Plan, store: Store, workers: Workers, watch: Callable[[RunProgress], None]):
        self.store, self.workers, self.watch = store, workers, watch
        self.fronts = [Front(pairing) for pairing in plan.pairings]
        self.by_key = {front.pairing.key: front for front in self.fronts}
        self.under_way = self.played = self.failures = 0
        self.begin = time.monotonic()
        store.keep_plan(plan.file, plan.text)

    def go_on(self) -> None:
        looked = alive = -LIFE
        while True:
            now = time.monotonic()
            if now - looked >= LOOK:
                looked = now
                for front in self.fronts:
                    front.read(self.store)
            if now - alive >= LIFE:
                alive = now
                self.store.show_life()
            left = self.left()
            self.watch(self._progress(left))
            if not left:
                return
            self._claim(left)
            if not self._take() and not self.under_way:
                time.sleep(LOOK / 4)  # all that is left is being played by others

    def left(self) -> list[Front]:
        """The pairings that are not over; one with a failure is over for now."""
        return [front for front in self.fronts if front.finished < front.end and not front.failure]

    def _claim(self, left: list[Front]) -> None:
        # Twice as many as there are workers, so that none waits while a result is written.
        wanted = 2 * self.workers.count - self.under_way
        for front in left:
            if wanted <= 0:
                return
            end = front.end
            if front.pairing.sprt is not None:
                end = min(end, front.finished + AHEAD * self.workers.count)
            for number in self.store.claim(front.pairing.key, front.finished, end, wanted):
                self.workers.submit(Task(front.pairing, number))
                self.under_way += 1
                wanted -= 1

    def _take(self) -> bool:
        answers = self.workers.wait(LOOK)
        for answer in answers:
            self.under_way -= 1
            front = self.by_key[answer.task.pairing.key]
            if answer.played is None:
                self.failures += 1
                front.failure = answer.failure
                self.store.fail(front.pairing.key, answer.task.number, answer.failure)
            elif self.store.add(front.pairing.key, answer.played):
                self.played += 1
        for key in {answer.task.pairing.key for answer in answers}:
            self.by_key[key].read(self.store)
        return bool(answers)

    def _progress(self, left: list[Front]) -> RunProgress:
        return RunProgress(
            sum(front.finished for front in self.fronts),
            sum(front.end for front in self.fronts),
            self.played,
            time.monotonic() - self.begin,
            left[0].pairing.name if left else "",
            self.failures,
        )
