"""Checks a subgame-perfect equilibrium of any number of roles: nobody gains by one move of its own, anywhere.

The certificate lists every position that can be met, with what each role gets from there on and what is played there.
Accepted is "play from the start gives the roles these scores, and it is a subgame-perfect equilibrium" if

1. at an end, what the roles get is what the rules say (the certificate is not asked);
2. at every other position, what is listed is the mean, over the moves listed there and over chance, of what is listed
   for the positions that come next;
3. at every position, no role that moves there gets more, in what is listed, by any other legal move of its own, the
   moves of the others being as listed;
4. no position can come back.

*Why that proves it.* By 4 play ends, and by 1 and 2 (induction from the ends) the numbers are what the roles get if
everybody plays as listed. By 3 and the one-deviation principle (Selten 1965; for games of finite length Blackwell
1965, Osborne and Rubinstein 1994, lemma 98.2) a role that gains by no single change gains by none at all, anywhere.

The claim may also name a rule for ties. Then each role's move is the one that the rule picks among the moves that are
best for it: ``first``, the first in the order of the rules; ``best-for-others`` and ``worst-for-others``, the first of
those with which the other roles get most, or least, in all. ``any`` says nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import prod
from typing import Any, Final

from zermelo.certificate import Claim, score_text
from zermelo.check.choices import Places, Weighed, every_choice, exact, mixture
from zermelo.check.instance import own_game
from zermelo.check.verdict import Fault, Verdict
from zermelo.errors import LimitReachedError
from zermelo.game import Game, Role
from zermelo.limits import Limits
from zermelo.watchdog import watchdog

ANY: Final = "any"
SIGNS: Final[Mapping[str, int]] = {"first": 0, "best-for-others": 1, "worst-for-others": -1}
"""Rules for ties: how what the others get counts among moves that are equally good for the mover."""
Vector = tuple[Fraction, ...]


def check_equilibrium(game: Game, claim: Claim, limits: Limits) -> Verdict:
    """Checks a claim that rests on the rule ``equilibrium``.

    >>> from zermelo.games import make_game
    >>> data = {"roles": ["first", "second"], "values": ["1", "-1"], "ties": "first",
    ...     "vectors": [["1", "-1"]], "positions": {"((1),0)": [0, "0,1"]}}
    >>> claim = Claim("first", 1, rule="equilibrium", data=data, play="equilibrium")
    >>> check_equilibrium(make_game("nim:1"), claim, Limits()).status
    'accepted'
    """
    return _Equilibrium(own_game(game), claim, limits).verdict()


class _Equilibrium:
    """All positions; for each its vector, what comes next as listed, and what each single change leads to."""

    def __init__(self, game: Game, claim: Claim, limits: Limits) -> None:
        self.game, self.claim, self.limits = game, claim, limits
        self.places = Places(game, limits)
        self.vectors: list[Vector] = []
        self.listed: list[Vector] = []
        self.ties = claim.data.get("ties")
        self.played: list[Weighed] = []
        self.changes: list[list[tuple[Role, list[Weighed]]]] = []
        """For each position and each role that moves there, what comes next after each of its moves."""
        self.here = 0

    def verdict(self) -> Verdict:
        try:
            with watchdog(self.limits, lambda: len(self.vectors) + self.here):
                self.read_head()
                self.explore()
                self.compare()
                self.need_an_end()
        except Fault as fault:
            return Verdict("refuted", str(fault), self.places.line(self.here), len(self.vectors))
        except LimitReachedError:
            return Verdict("limit", "the limit was reached before every move was tried", (), len(self.vectors))
        return Verdict("accepted", positions=len(self.vectors))

    def read_head(self) -> None:
        """What is claimed, apart from how it is proved."""
        data, claim = self.claim.data, self.claim
        if claim.play != "equilibrium":
            raise Fault("what is proved is an equilibrium, and not what one role can be sure of")
        if tuple(_listed(data.get("roles"))) != self.game.roles:
            raise Fault(f"the roles are not those of the game: {', '.join(self.game.roles)}")
        if self.ties != ANY and (not isinstance(self.ties, str) or self.ties not in SIGNS):
            raise Fault(f"the rule for ties is none of {ANY}, {', '.join(SIGNS)}")
        self.claimed = self.vector(data.get("values"))
        if claim.role != self.game.roles[0] or claim.at_least != self.claimed[0]:
            raise Fault("the claim speaks of another score of the first role than the vector of the start")
        self.listed = [self.vector(each) for each in _listed(data.get("vectors"))]

    def vector(self, said: object) -> Vector:
        """A score for each role."""
        found = tuple(exact(text) for text in _listed(said))
        if len(found) != len(self.game.roles):
            raise Fault(f"{len(found)} scores, expected one for each of {len(self.game.roles)} roles")
        return found

    def explore(self) -> None:
        positions = self.claim.data.get("positions")
        if not isinstance(positions, Mapping):
            raise Fault("the certificate lists no positions")
        while len(self.vectors) < len(self.places.positions):
            self.places.look()
            self.here = here = len(self.vectors)
            scores = self.places.scores(here)
            if scores is not None:
                self.vectors.append(tuple(map(Fraction, scores)))
                self.played.append([])
                self.changes.append([])
                continue
            entry = _listed(positions.get(self.game.key(self.places.positions[here])))
            if len(entry) != 2 or type(entry[0]) is not int or not 0 <= entry[0] < len(self.listed):
                raise Fault("the certificate has nothing on this position, or no vector of its list")
            self.vectors.append(self.listed[entry[0]])
            self.expand(here, entry[1])

    def expand(self, here: int, said: object) -> None:
        """What comes next as listed, and after every single change."""
        movers = self.places.movers(here)
        if not movers:
            self.played.append(self.places.chances(here))
            self.changes.append([])
            return
        says = [said] if len(movers) == 1 else _listed(said)
        if len(says) != len(movers):
            raise Fault(f"{len(movers)} roles move at once here, and the certificate speaks of {len(says)}")
        mixtures = [mixture(each, texts, role) for each, (role, _, texts) in zip(says, movers, strict=True)]
        played: Weighed = []
        changes = [[Weighed() for _ in moves] for _, moves, _ in movers]
        for places in every_choice(movers):
            after = self.places.joint(here, places, movers)
            weights = [mixed[place] for mixed, place in zip(mixtures, places, strict=True)]
            played.append((prod(weights, start=Fraction(1)), after))
            for number, place in enumerate(places):
                others = prod((*weights[:number], *weights[number + 1 :]), start=Fraction(1))
                changes[number][place].append((others, after))
        self.played.append(played)
        self.changes.append([(role, each) for (role, _, _), each in zip(movers, changes, strict=True)])
        if self.ties != ANY and not isinstance(said, str):
            raise Fault("a rule for ties picks one move of one role, and here moves are mixed or made at once")

    def mean(self, weighed: Weighed, role: int) -> Fraction:
        """What a role can expect."""
        return sum((weight * self.vectors[after][role] for weight, after in weighed), Fraction(0))

    def compare(self) -> None:
        """Vectors are means, and nobody gains by a single change."""
        roles = self.game.roles
        if self.vectors[0] != self.claimed:
            raise Fault("the vector of the start is not the one that is claimed")
        for here, vector in enumerate(self.vectors):
            self.places.look()
            self.here = here
            for number, role in enumerate(roles):
                if self.played[here] and (mean := self.mean(self.played[here], number)) != vector[number]:
                    said = f"{role} is to get {score_text(vector[number])} here"
                    raise Fault(f"{said}, but what is played leads to {score_text(mean)}")
            for role, moves in self.changes[here]:
                number = roles.index(role)
                gains = [self.mean(weighed, number) for weighed in moves]
                if max(gains) > vector[number]:
                    said = f"{role} is to get {score_text(vector[number])} here"
                    raise Fault(f"{said}, but a single change of its own gives it {score_text(max(gains))}")
                if self.ties != ANY:
                    self.need_tie(number, moves, self.played[here])

    def need_tie(self, number: int, moves: Sequence[Weighed], played: Weighed) -> None:
        """The move played is the one that the rule for ties picks."""
        sign = SIGNS[str(self.ties)]
        after = [self.vectors[weighed[0][1]] for weighed in moves]
        worth = [(vector[number], sign * (sum(vector) - vector[number])) for vector in after]
        made = next(place for place, (weight, _) in enumerate(played) if weight)
        if made != worth.index(max(worth)):
            raise Fault(f"{self.game.roles[number]}'s move here is not the one that ties {self.ties} picks")

    def need_an_end(self) -> None:
        """No position can come back: all of them can be taken away one by one, those without a next one first."""
        nexts = [{after for _, after in weighed} for weighed in self.played]
        before: dict[int, list[int]] = {}
        for here, each in enumerate(nexts):
            for after in each:
                before.setdefault(after, []).append(here)
        waiting = [len(each) for each in nexts]
        gone = [here for here, count in enumerate(waiting) if not count]
        for here in gone:
            for earlier in before.get(here, ()):
                waiting[earlier] -= 1
                if not waiting[earlier]:
                    gone.append(earlier)
        if len(gone) < len(nexts):
            self.here = next(here for here, count in enumerate(waiting) if count)
            raise Fault("a position can come back, and then nothing is proved by looking one move ahead")


def _listed(said: Any) -> Sequence[Any]:
    """What a certificate lists; a fault where it is no list."""
    if not isinstance(said, Sequence) or isinstance(said, str):
        raise Fault("the certificate has no list where one is expected, or nothing on this position")
    return said
