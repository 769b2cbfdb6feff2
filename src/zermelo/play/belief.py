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
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Generic

from zermelo.errors import InputError
from zermelo.gdl.kif import read_term
from zermelo.gdl.syntax import subterms
from zermelo.play.rulesheet_positions import P, Positions, meant

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


class Belief(Generic[P]):
    """The positions that one role takes to be possible.

    >>> from zermelo.gdl.kif import read_kif
    >>> from zermelo.gdl.reasoner import Reasoner
    >>> from zermelo.play.rulesheet_positions import PlainPositions
    >>> rules = "(role random) (role you) (legal random heads) (legal random tails) (legal you wait)"
    >>> toss = " (<= (next (coin ?c)) (does random ?c)) (<= (sees you ?c) (does random ?c)) (<= terminal (true over))"
    >>> belief = Belief(PlainPositions(Reasoner(read_kif(rules + toss))), 1)
    >>> belief.advance("wait", ["heads"])
    >>> belief.weights
    {('(coin heads)',): 1.0}
    """

    def __init__(self, positions: Positions[P], role: int, seed: int = 1):
        self.positions, self.role = positions, role
        self.random = random.Random(seed)
        self.history: list[_Step] = []
        self.weights: dict[P, float] = {positions.start(): 1.0}

    def legal(self) -> list[str]:
        """The moves that are legal in the most likely part of the positions: in all of them, where rules are fair."""
        likely: dict[str, float] = {}
        for state, weight in self.weights.items():
            for move in self.positions.legal(state, self.role):
                likely[move] = likely.get(move, 0.0) + weight
        most = max(likely.values(), default=0.0)
        return sorted(move for move, weight in likely.items() if weight >= 0.999 * most)

    def sample(self, count: int) -> list[tuple[P, float]]:
        """At most so many positions, each with what it counts."""
        if len(self.weights) <= count:
            return list(self.weights.items())
        drawn = Counter(self.random.choices(list(self.weights), list(self.weights.values()), k=count))
        return [(state, float(times)) for state, times in drawn.items()]

    def advance(self, move: str, percepts: Sequence[str], seconds: float = 1.0) -> None:
        """We have moved and perceived: keeps what explains it."""
        step = _Step(move, frozenset(text.lower() for text in percepts), _named(percepts))
        self.history.append(step)
        end = time.monotonic() + seconds
        found = self._all_after(self.weights, step, end)
        if found is None:
            found = self._some_after(self.weights, step, end, PARTICLES)
        while not found and time.monotonic() < end + seconds:
            found = self._explained(end + seconds)
        self._keep(found or self._any_after(step))

    def _keep(self, found: dict[P, float]) -> None:
        if len(found) > PARTICLES:
            drawn = Counter(self.random.choices(list(found), list(found.values()), k=PARTICLES))
            found = {state: float(times) for state, times in drawn.items()}
        total = sum(found.values())
        if total > 0:
            self.weights = {state: weight / total for state, weight in found.items()}

    def _choices(self, state: P, move: str, named: frozenset[str] = frozenset()) -> list[list[str]]:
        """The moves that each role may have made; of the named ones, if it has any."""
        choices = []
        for role in range(len(self.positions.roles)):
            legal = self.positions.legal(state, role)
            if role == self.role:
                choices.append(_fitting(move, legal))
            else:
                choices.append([known for known in legal if known.lower() in named] or legal)
        return choices

    def _after(self, state: P, joint: Sequence[str], percepts: frozenset[str]) -> P | None:
        """The next position, if we would have perceived just that, and if play went on."""
        seen = frozenset(text.lower() for text in self.positions.sees(state, joint, self.role))
        if seen != percepts:
            return None
        after = self.positions.next(state, joint)
        return None if self.positions.terminal(after) else after

    def _all_after(self, weights: dict[P, float], step: _Step, end: float) -> dict[P, float] | None:
        """Every explanation, if there are few joint moves, or at least few of those that percepts name."""
        nothing: frozenset[str] = frozenset()
        for named in (nothing, step.named):
            choices = {}
            allowed = FEW_JOINT_MOVES
            for state in weights:
                choices[state] = self._choices(state, step.move, named)
                allowed -= prod(map(len, choices[state]))
                if allowed < 0 or time.monotonic() > end:
                    break
            else:
                found = self._explanations(weights, choices, step.percepts, end)
                # That the named moves explain nothing says nothing of the others.
                return found if found or named is nothing else None
        return None

    def _explanations(
        self, weights: dict[P, float], choices: dict[P, list[list[str]]], percepts: frozenset[str], end: float
    ) -> dict[P, float]:
        found: dict[P, float] = {}
        for state, moves in choices.items():
            share = weights[state] / max(1, prod(map(len, moves)))
            for joint in product(*moves):
                if time.monotonic() > end:
                    return found
                after = self._after(state, joint, percepts)
                if after is not None:
                    found[after] = found.get(after, 0.0) + share
        return found

    def _some_after(self, weights: dict[P, float], step: _Step, end: float, enough: int) -> dict[P, float]:
        """Explanations found by sampling; every other guess is among the moves that percepts name."""
        found: dict[P, float] = {}
        states, shares = list(weights), list(weights.values())
        tries = 0
        while len(found) < enough and tries < 64 * enough and time.monotonic() < end:
            tries += 1
            state = self.random.choices(states, shares)[0]
            choices = self._choices(state, step.move, step.named if tries % 2 else frozenset())
            if not all(choices):
                continue
            after = self._after(state, [self.random.choice(moves) for moves in choices], step.percepts)
            if after is not None:
                found[after] = found.get(after, 0.0) + 1.0
        return found

    def _explained(self, end: float) -> dict[P, float]:
        """A whole line from the start that explains everything; empty if it got stuck."""
        line: dict[P, float] = {self.positions.start(): 1.0}
        for step in self.history:
            line = self._some_after(line, step, end, 1)
            if not line:
                return {}
        return line

    def _any_after(self, step: _Step) -> dict[P, float]:
        """Where nothing explains the percepts: the positions after our move at least, so that the turn is right."""
        found: dict[P, float] = {}
        for state, weight in self.weights.items():
            choices = self._choices(state, step.move, step.named)
            if all(choices):
                after = self.positions.next(state, [self.random.choice(moves) for moves in choices])
                found[after] = found.get(after, 0.0) + weight
        return found


def _fitting(move: str, legal: Sequence[str]) -> list[str]:
    try:
        return [meant(move, legal)]
    except InputError:
        return []


def _named(percepts: Sequence[str]) -> frozenset[str]:
    return frozenset(str(term).lower() for percept in percepts for term in subterms(read_term(percept)))
