"""What the tests of rulesheets with chance share: states, steps, walks and exact values."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from random import Random
from statistics import mean

from zermelo.game import CHANCE
from zermelo.gdl.game import Position, RulesheetGame
from zermelo.gdl.library import rulesheet
from zermelo.gdl.reasoner import Reasoner, State

Table = dict[str, list[tuple[str, ...]]]
Best = Callable[[list[Fraction]], Fraction]


@cache
def rules(name: str) -> Reasoner:
    return Reasoner(rulesheet(name))


def state(*facts: str) -> State:
    return tuple(sorted(facts))


def after(name: str, here: State, **moves: str) -> State:
    """The next state, where the roles that are not named have their only move."""
    joint = []
    for role in rules(name).roles:
        legal = rules(name).legal(here, role)
        assert moves.get(role, legal[0]) in legal
        assert role in moves or len(legal) == 1
        joint.append(moves.get(role, legal[0]))
    return rules(name).next(here, joint)


def facts(here: State) -> Table:
    """The facts of a state by their names."""
    table: Table = {}
    for fact in here:
        name, *rest = fact.strip("()").split()
        table.setdefault(name, []).append(tuple(rest))
    return table


def walk(name: str, seed: int, longest: int = 400) -> Iterator[State]:
    """The states of a line of random moves."""
    reasoner, rng = rules(name), Random(seed)
    here = reasoner.start()
    for _ in range(longest):
        yield here
        if reasoner.terminal(here):
            return
        here = reasoner.next(here, [rng.choice(reasoner.legal(here, role)) for role in reasoner.roles])


def expected(game: RulesheetGame, best: Best = max) -> Fraction:
    """What the first role scores on average if all roles choose together by ``best``; moves at once count as one."""
    known: dict[str, Fraction] = {}

    def value(position: Position) -> Fraction:
        result = game.result(position)
        if result is not None:
            return Fraction(result[0])
        key = game.key(position)
        if key not in known:
            values = [value(game.play(position, move)) for move in game.moves(position)]
            known[key] = mean(values) if game.turn(position) == CHANCE else best(values)
        return known[key]

    return value(game.start())
