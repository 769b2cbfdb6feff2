"""A network as a game, by the checker's own rules: one role sets the decisions, chance draws the rest, in order.

A position is how many variables have a value, the values that still matter, and what each player has so far. A value
matters while something states it together with a variable that has none yet. Setting a value that breaks a table is
not legal. Where chance breaks one, or no value is left to set, the policy is not feasible: the game ends with a score
so low that every feasible policy is better, however unlikely it is to get there (:attr:`DrawnGame.worst`).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from math import floor, prod
from typing import TYPE_CHECKING, Final

from zermelo.errors import NotApplicableError
from zermelo.game import CHANCE, Game, Role

if TYPE_CHECKING:
    from zermelo.check.read.network import Network, Stated, Values, Vector

DECIDER: Final = "decider"
Position = tuple[int, "Values", "Vector"]
Setting = tuple[int, int]
"""A move: the number of a variable and that of its value."""
BROKEN: Final = -1
"""In place of how many variables have a value: a table is broken."""


class DrawnGame(Game):
    """The game of a network."""

    roles: tuple[Role, ...] = (DECIDER,)

    def __init__(self, network: Network) -> None:
        self.network = network
        count = len(network.variables)
        self._tables: list[list[Stated]] = [[] for _ in range(count + 1)]
        self._gains: list[list[Stated]] = [[] for _ in range(count + 1)]
        for stated, by_end in ((network.tables, self._tables), (network.utilities, self._gains)):
            for one in stated:
                by_end[max(one.scope, default=-1) + 1].append(one)
        self._drawn = {drawn.variable: drawn for drawn in network.drawn}
        self._matters = self._what_matters()
        self._short = {id(one): [row for row in one.rows if -1 in row] for one in network.tables}

    def _what_matters(self) -> list[Values]:
        """After each number of variables: those before it that are stated together with a later one."""
        scopes = [set(one.scope) for one in (*self.network.tables, *self.network.utilities)]
        scopes += [{*drawn.given.scope, drawn.variable} for drawn in self.network.drawn]
        until = [0] * len(self.network.variables)
        for scope in scopes:
            for variable in scope:
                until[variable] = max(until[variable], *scope)
        count = len(self.network.variables)
        return [tuple(v for v in range(number) if until[v] >= number) for number in range(count + 1)]

    def start(self) -> Position:
        zero = (Fraction(0),) * self.network.players
        return (0, (), self._gained(0, {}, zero)) if self._allowed(0, {}) else (BROKEN, (), zero)

    def turn(self, position: Position) -> Role:
        return CHANCE if self.network.variables[position[0]].stochastic else DECIDER

    def moves(self, position: Position) -> list[Setting]:
        number = position[0]
        if number == BROKEN or number == len(self.network.variables):
            return []
        known = self._known(position)
        values = range(len(self.network.variables[number].domain))
        return [(number, value) for value in values if self._allowed(number + 1, {**known, number: value})]

    def chances(self, position: Position) -> list[tuple[Setting, Fraction]]:
        known, drawn = self._known(position), self._drawn[position[0]]
        shares = drawn.shares(tuple(known[v] for v in drawn.given.scope))
        return [((drawn.variable, value), share) for value, share in enumerate(shares) if share]

    def play(self, position: Position, move: Setting) -> Position:
        number, value = move
        known = {**self._known(position), number: value}
        if not self._allowed(number + 1, known):
            return (BROKEN, (), (Fraction(0),) * self.network.players)
        values = tuple(known[v] for v in self._matters[number + 1])
        return (number + 1, values, self._gained(number + 1, known, position[2]))

    def result(self, position: Position) -> tuple[Fraction] | None:
        broken = self.is_broken(position)
        if not broken and position[0] < len(self.network.variables):
            return None
        if self.network.players != 1:
            raise NotApplicableError(f"a network of {self.network.players} players has no score of one")
        return (self.worst if broken else position[2][0],)

    def is_broken(self, position: Position) -> bool:
        """Whether a table is broken, or no value is left to decide on."""
        number = position[0]
        if number == BROKEN or number == len(self.network.variables):
            return number == BROKEN
        return not self.network.variables[number].stochastic and not self.moves(position)

    def move_text(self, move: Setting) -> str:
        variable = self.network.variables[move[0]]
        return f"{variable.name}={variable.domain[move[1]]}"

    def key(self, position: Position) -> str:
        number, values, gained = position
        return f"{number}|{','.join(map(str, values))}|{','.join(map(str, gained))}"

    @cached_property
    def worst(self) -> Fraction:
        """The score of an infeasible policy.

        A policy gets from ``least`` to ``most``. One that breaks a table does so with probability p at least, p the
        product of the smallest probabilities of all draws, so it gets at most ``most - p * (most - worst)``. That is
        below ``least`` if ``worst`` is below ``most - (most - least) / p``.
        """
        ends = [[Fraction(0), *(row[0] for row in one.rows.values())] for one in self.network.utilities]
        least, most = sum(map(min, ends), Fraction(0)), sum(map(max, ends), Fraction(0))
        rarest = prod(map(self._rarest, self._drawn), start=Fraction(1))
        return Fraction(floor(most - (most - least) / rarest) - 1)

    def _rarest(self, variable: int) -> Fraction:
        drawn = self._drawn[variable]
        if drawn.even:
            return Fraction(1, len(self.network.variables[variable].domain))
        return min(share for row in drawn.given.rows.values() for share in row if share)

    def _known(self, position: Position) -> dict[int, int]:
        return dict(zip(self._matters[position[0]], position[1], strict=True))

    def _allowed(self, number: int, known: dict[int, int]) -> bool:
        """Whether the tables allow it whose last variable has just got its value."""
        for table in self._tables[number]:
            values = tuple(known[v] for v in table.scope)
            if values not in table.rows and not any(_fits(row, values) for row in self._short[id(table)]):
                return False
        return True

    def _gained(self, number: int, known: dict[int, int], before: Vector) -> Vector:
        total = before
        for utility in self._gains[number]:
            row: Sequence[Fraction] | None = utility.rows.get(tuple(known[v] for v in utility.scope))
            if row is not None:
                total = tuple(have + more for have, more in zip(total, row, strict=True))
        return total


def _fits(row: Values, values: Values) -> bool:
    return all(entry in (-1, value) for entry, value in zip(row, values, strict=True))
