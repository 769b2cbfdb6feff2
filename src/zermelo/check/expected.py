"""Checks that a role can expect a score, whatever the others do: by chance, by mixed moves, where positions repeat.

The certificate has a number for every position that the role's own play can lead to, and the role's moves there, with
chances where it mixes them. Accepted is "ROLE gets at least the number at the start" if

1. at an end, the number is what the role gets by the rules (the certificate is not asked);
2. at every other position, for every choice of the others, the mean of the numbers that come next (over the role's own
   mixture and over chance) is not less than the number there;
3. wherever the others can keep play for ever against these moves, the number is at most what endless play is worth.

*Why that proves it.* Against any play of the others, the numbers met one after the other form a submartingale by 2; it
is bounded, since there are finitely many positions. With probability 1 either play ends, and the last number is the
score by 1; or the positions that come again and again form a set in which the others can keep play for ever (an end
component: de Alfaro 1997, theorem 3.2), and the numbers there are at most the score of endless play by 3. So the
expected score is at least the limit of the expected numbers, which is at least the number at the start. Where
nobody can keep play for ever, the moves are *proper* (Bertsekas and Tsitsiklis 1991), and 3 asks nothing.

Legal moves, what they lead to, and the chances of chance come from the rules, never from the certificate. No linear
program is solved: the best reply to a mixture is a pure one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from zermelo.certificate import Claim, score_text
from zermelo.check.choices import Places, Weighed, every_choice, exact, mixture
from zermelo.check.instance import own_game
from zermelo.check.verdict import Fault, Verdict
from zermelo.errors import LimitReachedError
from zermelo.game import NOBODY, Game, Score
from zermelo.limits import Limits
from zermelo.watchdog import watchdog


def check_expectation(game: Game, claim: Claim, limits: Limits) -> Verdict:
    """Checks a claim that rests on the rule ``expectation``.

    >>> from zermelo.games import make_game
    >>> positions = {"((1),0)": ["1", "0,1"]}
    >>> claim = Claim("first", 1, rule="expectation", data={"positions": positions})
    >>> check_expectation(make_game("nim:1"), claim, Limits()).status
    'accepted'
    """
    own = own_game(game)
    if claim.role not in own.roles and not (claim.role == NOBODY and len(own.roles) == 1):
        return Verdict("refuted", f"{claim.role!r} is not a role of the game: {', '.join(own.roles)}")
    listed = claim.data.get("positions")
    if not isinstance(listed, Mapping):
        return Verdict("refuted", "the certificate lists no positions")
    return _Expectation(own, claim, listed, limits).verdict()


class _Expectation:
    """All positions that the role's play can lead to; for each its number and, for every choice of the others, what
    may come next."""

    def __init__(self, game: Game, claim: Claim, listed: Mapping[object, object], limits: Limits) -> None:
        self.game, self.claim, self.listed, self.limits = game, claim, listed, limits
        self.places = Places(game, limits)
        self.number: list[Fraction] = []
        self.choices: list[list[Weighed]] = []
        self.most: Score | None = None
        self.here = 0

    def verdict(self) -> Verdict:
        try:
            with watchdog(self.limits, lambda: len(self.number) + self.here):
                self.explore()
                self.compare()
                self.look_for_circles()
        except Fault as fault:
            return Verdict("refuted", str(fault), self.places.line(self.here), len(self.number))
        except LimitReachedError:
            return Verdict("limit", "the limit was reached before every reply was tried", (), len(self.number))
        if self.number[0] < self.claim.at_least:
            reason = f"{self.claim.role} can expect {score_text(self.number[0])} by what is listed, "
            return Verdict("refuted", reason + f"the claim is at least {score_text(self.claim.at_least)}")
        return Verdict("accepted", positions=len(self.number), most=self.most)

    def share(self, scores: Sequence[Score]) -> Fraction:
        """What the role gets of an end's scores."""
        total = sum(scores)
        self.most = total if self.most is None else max(self.most, total)
        if self.claim.role in self.game.roles:
            return Fraction(scores[self.game.roles.index(self.claim.role)])
        return Fraction(-scores[0])  # nobody, in a game of one role

    def explore(self) -> None:
        while len(self.number) < len(self.places.positions):
            self.places.look()
            self.here = here = len(self.number)
            scores = self.places.scores(here)
            if scores is not None:
                self.number.append(self.share(scores))
                self.choices.append([])
                continue
            entry = self.listed.get(self.game.key(self.places.positions[here]))
            if not isinstance(entry, Sequence) or isinstance(entry, str) or not entry:
                raise Fault(f"the certificate of {self.claim.role} has nothing on this position")
            self.number.append(exact(entry[0]))
            self.choices.append(self.replies(here, entry[1] if len(entry) > 1 else None))

    def replies(self, here: int, said: object) -> list[Weighed]:
        """For every choice of the others what may come next."""
        movers = self.places.movers(here)
        if not movers:
            return [self.places.chances(here)]
        own = next((place for place, (role, _, _) in enumerate(movers) if role == self.claim.role), None)
        weights = [Fraction(1)] if own is None else mixture(said, movers[own][2], self.claim.role)
        found: dict[tuple[int, ...], Weighed] = {}
        for places in every_choice(movers):
            weight = weights[0] if own is None else weights[places[own]]
            others = places if own is None else (*places[:own], *places[own + 1 :])
            if weight:
                found.setdefault(others, []).append((weight, self.places.joint(here, places, movers)))
        return list(found.values())

    def compare(self) -> None:
        """Nobody can bring the mean below the number of a position."""
        for here, choices in enumerate(self.choices):
            self.places.look()
            self.here = here
            for choice in choices:
                mean = sum(weight * self.number[after] for weight, after in choice)
                if mean < self.number[here]:
                    promised = f"{self.claim.role} is to expect {score_text(self.number[here])} here"
                    raise Fault(f"{promised}, and there is a reply that leaves {score_text(mean)}")

    def look_for_circles(self) -> None:
        """Where the others can keep play for ever, that is good enough."""
        kept = kept_for_ever([[[after for _, after in choice] for choice in each] for each in self.choices])
        if not kept:
            return
        endless = self.share(self.game.endless or (0,) * len(self.game.roles))
        for here in sorted(kept):
            self.here = here
            if self.number[here] > endless:
                promised = f"{self.claim.role} is to expect {score_text(self.number[here])} here"
                raise Fault(f"{promised}, and play can be kept going for ever, which is worth {score_text(endless)}")


def kept_for_ever(choices: Sequence[Sequence[Sequence[int]]]) -> set[int]:
    """The largest set of positions in which play can be kept for ever: each has a choice after which it stays in.

    ``choices`` has for every position, and every choice there, what may come next. Linear in their number.

    >>> kept_for_ever([[[1], [2]], [[0]], []]), kept_for_ever([[[0, 1]], []])
    ({0, 1}, set())
    """
    led_from: dict[int, list[tuple[int, int]]] = {}
    good = [[True] * len(each) for each in choices]
    ways = [len(each) for each in choices]
    for here, each in enumerate(choices):
        for place, choice in enumerate(each):
            for after in set(choice):
                led_from.setdefault(after, []).append((here, place))
    leaving = [here for here, count in enumerate(ways) if not count]
    kept = set(range(len(choices))).difference(leaving)
    while leaving:
        for here, place in led_from.get(leaving.pop(), ()):
            if good[here][place]:
                good[here][place] = False
                ways[here] -= 1
                if not ways[here]:
                    kept.discard(here)
                    leaving.append(here)
    return kept
