"""What a role of a GDL-II game may believe: the positions that explain all it did and perceived, with weights.

Where few joint moves are possible all of them are followed, and the weights are exact probabilities if the other
roles move at random, as chance does (Bayes' rule). Where there are too many they are sampled (a particle filter;
Schofield, Cerexhe and Thielscher 2012 call it HyperPlay): first the joint moves that percepts name, as in
``(sees ?r (did ?p ?m))``, which a blind guess would hardly ever meet.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Sequence, Sized
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

from zermelo.errors import InputError
from zermelo.gdl.kif import read_term
from zermelo.gdl.syntax import subterms
from zermelo.play.ggp_message import meant
from zermelo.search.forward import PerceivedModel

PARTICLES = 256
"""So many positions are kept."""
FEW_JOINT_MOVES = 2000
"""So many joint moves, over all positions, are followed one by one."""


@dataclass(frozen=True)
class _Step:
    """What we did and perceived, and all terms inside the percepts; percepts in small letters."""

    move: str
    percepts: frozenset[str]
    named: frozenset[str]


@dataclass(frozen=True)
class _Time:
    """Until when more explanations are looked for, and until when a first one is."""

    more: float
    first: float

    def is_up(self, found: Sized) -> bool:
        return time.monotonic() > (self.more if found else self.first)


class Belief:
    """The positions that one role takes to be possible.

    >>> from zermelo.gdl.kif import read_kif
    >>> from zermelo.gdl.reasoner import Reasoner
    >>> from zermelo.search.forward import ReasonerModel
    >>> rules = "(role random) (role you) (legal random heads) (legal random tails) (legal you wait)"
    >>> toss = " (<= (next (coin ?c)) (does random ?c)) (<= (sees you ?c) (does random ?c)) (<= terminal (true over))"
    >>> belief = Belief(ReasonerModel(Reasoner(read_kif(rules + toss))), 1)
    >>> belief.advance("wait", ["heads"])
    >>> belief.weights
    {('(coin heads)',): 1.0}
    """

    def __init__(self, model: PerceivedModel, role: int, seed: int = 1):
        self.model, self.role = model, role
        self.random = random.Random(seed)
        self.history: list[_Step] = []
        self.weights: dict[Any, float] = {model.start(): 1.0}
        self.views: dict[Any, tuple[int, ...]] = {model.start(): (0,) * len(model.roles)}
        """Of each believed position what every role did and perceived on the way there, as numbers to tell apart; one
        way, drawn by weight, where there are several."""

    def legal(self) -> list[int]:
        """The moves that are legal in the most likely part of the positions: in all of them, where rules are fair."""
        likely: dict[int, float] = {}
        for state, weight in self.weights.items():
            for move in self.model.legal(state, self.role):
                likely[move] = likely.get(move, 0.0) + weight
        most = max(likely.values(), default=0.0)
        return [move for move, weight in likely.items() if weight >= 0.999 * most]

    def sample(self, count: int) -> list[tuple[Any, float]]:
        """At most so many positions, each with what it counts."""
        if len(self.weights) <= count:
            return list(self.weights.items())
        drawn = Counter(self.random.choices(list(self.weights), list(self.weights.values()), k=count))
        return [(state, float(times)) for state, times in drawn.items()]

    def advance(self, move: str, percepts: Sequence[str], seconds: float = 1.0, patience: float | None = None) -> None:
        """We have moved and perceived: keeps what explains it.

        After so many seconds what was found has to do. Where nothing was found, which moves are legal is not known
        either: then one explanation is looked for until ``patience`` (twice the seconds) is at an end, since on a busy
        machine seconds may pass in which we hardly do anything.
        """
        step = _Step(move, frozenset(text.lower() for text in percepts), _named(percepts))
        self.history.append(step)
        begin = time.monotonic()
        given = _Time(begin + seconds, begin + (2 * seconds if patience is None else max(seconds, patience)))
        found = self._all_after(self.weights, step, given)
        if found is None:
            found = self._some_after(self.weights, step, given, PARTICLES)
        while not found and not given.is_up(found):
            found = self._explained(given)
        self._keep(found or self._any_after(step))

    def _keep(self, found: dict[Any, float]) -> None:
        if len(found) > PARTICLES:
            drawn = Counter(self.random.choices(list(found), list(found.values()), k=PARTICLES))
            found = {state: float(times) for state, times in drawn.items()}
        total = sum(found.values())
        if total > 0:
            self.weights = {state: weight / total for state, weight in found.items()}
        self.views = {state: self.views[state] for state in self.weights}

    def _choices(self, state: Any, move: str, named: frozenset[str] = frozenset()) -> list[list[int]]:
        """The moves that each role may have made; of the named ones, if it has any."""
        choices = []
        for role in range(len(self.model.roles)):
            legal = self.model.legal(state, role)
            if role == self.role:
                choices.append(self._fitting(move, legal))
            elif named:
                choices.append([known for known in legal if self.model.move_text(known).lower() in named] or legal)
            else:
                choices.append(legal)
        return choices

    def _fitting(self, move: str, legal: list[int]) -> list[int]:
        texts = [self.model.move_text(known) for known in legal]
        try:
            return [legal[texts.index(meant(move, texts))]]
        except InputError:
            return []

    def _after(self, state: Any, joint: Sequence[int], percepts: frozenset[str]) -> Any:
        """The next position, if we would have perceived just that, and if play went on; else ``None``."""
        seen = frozenset(text.lower() for text in self.model.sees(state, joint, self.role))
        if seen != percepts:
            return None
        after = self.model.play(state, joint)
        return None if self.model.over(after) else after

    def _add(self, found: dict[Any, float], state: Any, joint: Sequence[int], after: Any, share: float) -> None:
        """One explanation more, with what each role perceives of it."""
        found[after] = found.get(after, 0.0) + share
        if after not in self.views or self.random.random() * found[after] <= share:
            before = self.views.get(state, (0,) * len(joint))
            self.views[after] = tuple(
                viewed(before[role], joint[role], self.model.sees(state, joint, role)) for role in range(len(joint))
            )

    def _all_after(self, weights: dict[Any, float], step: _Step, given: _Time) -> dict[Any, float] | None:
        """Every explanation, if there are few joint moves, or at least few of those that percepts name."""
        nothing: frozenset[str] = frozenset()
        for named in (nothing, step.named):
            choices = {}
            allowed = FEW_JOINT_MOVES
            for state in weights:
                choices[state] = self._choices(state, step.move, named)
                allowed -= prod(map(len, choices[state]))
                if allowed < 0 or time.monotonic() > given.more:
                    break
            else:
                found = self._explanations(weights, choices, step.percepts, given)
                # That the named moves explain nothing says nothing of the others.
                return found if found or named is nothing else None
        return None

    def _explanations(
        self, weights: dict[Any, float], choices: dict[Any, list[list[int]]], percepts: frozenset[str], given: _Time
    ) -> dict[Any, float]:
        found: dict[Any, float] = {}
        for state, moves in choices.items():
            share = weights[state] / max(1, prod(map(len, moves)))
            for joint in product(*moves):
                if given.is_up(found):
                    return found
                after = self._after(state, joint, percepts)
                if after is not None:
                    self._add(found, state, joint, after, share)
        return found

    def _some_after(self, weights: dict[Any, float], step: _Step, given: _Time, enough: int) -> dict[Any, float]:
        """Explanations found by sampling; every other guess is among the moves that percepts name."""
        found: dict[Any, float] = {}
        states, shares = list(weights), list(weights.values())
        tries = 0
        while len(found) < enough and tries < 64 * enough and not given.is_up(found):
            tries += 1
            state = self.random.choices(states, shares)[0]
            choices = self._choices(state, step.move, step.named if tries % 2 else frozenset())
            if not all(choices):
                continue
            joint = [self.random.choice(moves) for moves in choices]
            after = self._after(state, joint, step.percepts)
            if after is not None:
                self._add(found, state, joint, after, 1.0)
        return found

    def _explained(self, given: _Time) -> dict[Any, float]:
        """A whole line from the start that explains everything; empty if it got stuck."""
        line: dict[Any, float] = {self.model.start(): 1.0}
        for step in self.history:
            line = self._some_after(line, step, given, 1)
            if not line:
                return {}
        return line

    def _any_after(self, step: _Step) -> dict[Any, float]:
        """Where nothing explains the percepts: the positions after our move at least, so that the turn is right."""
        found: dict[Any, float] = {}
        for state, weight in self.weights.items():
            choices = self._choices(state, step.move, step.named)
            if all(choices):
                joint = [self.random.choice(moves) for moves in choices]
                self._add(found, state, joint, self.model.play(state, joint), weight)
        return found


def viewed(before: int, move: int, percepts: Sequence[str]) -> int:
    """A number for what a role has done and perceived, from the one before its move.

    >>> viewed(0, 1, ["heads"]) == viewed(0, 1, ["heads"]) != viewed(0, 1, ["tails"])
    True
    """
    return hash((before, move, frozenset(percepts)))


def _named(percepts: Sequence[str]) -> frozenset[str]:
    return frozenset(str(term).lower() for percept in percepts for term in subterms(read_term(percept)))
