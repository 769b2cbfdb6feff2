"""A network as a game: one role sets the decisions, chance draws the rest, in the order of the variables."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from math import floor
from typing import TYPE_CHECKING

from zermelo.errors import NotApplicableError
from zermelo.game import CHANCE, Game, Role
from zermelo.scsp.network import Chance, Network, Table, Utility, Values, frontiers

if TYPE_CHECKING:
    from zermelo.draw.scene import Scene

DECIDER = "decider"
NETWORK_ENGINE = "scsp"
Vector = tuple[Fraction, ...]
Position = tuple[int, Values, Vector]
"""How many variables have a value, those values that still matter, and what each player has so far."""
Setting = tuple[int, int]
"""A move: the number of a variable and that of its value."""


class NetworkGame(Game):
    """The game of a network. ``decider`` sets values that break no table and gets the utility of the only player.

    A policy is feasible if no outcome of chance breaks a table. So whatever is broken costs so much that, however
    unlikely it is, every feasible policy is better: at least :attr:`least` is expected of a feasible one, less of any
    other. With several players there is no score, only the question whether all of them can reach their thresholds.

    >>> from zermelo.scsp import read_network
    >>> game = NetworkGame(read_network("examples/onestage.json"))
    >>> [game.move_text(move) for move in game.moves(game.start())]
    ['x1=1', 'x1=2', 'x1=3']
    """

    kind = "network"
    roles: tuple[Role, ...] = (DECIDER,)

    def __init__(self, network: Network) -> None:
        self.network = network
        self.longest = max(Game.longest, len(network.variables) + 1)
        count = len(network.variables)
        self._frontier = [*frontiers(network), ()]
        self._tables: list[list[Table]] = [[] for _ in range(count + 1)]
        self._utilities: list[list[Utility]] = [[] for _ in range(count + 1)]
        for table in network.tables:
            self._tables[max(table.scope, default=-1) + 1].append(table)
        for soft in network.utilities:
            self._utilities[max(soft.scope, default=-1) + 1].append(soft)

    def start(self) -> Position:
        gained = (Fraction(0),) * self.network.players
        return (0, (), self._gained(0, {}, gained)) if self._kept(0, {}) else (-1, (), gained)

    def turn(self, position: Position) -> Role:
        return CHANCE if self.network.variables[position[0]].stochastic else DECIDER

    def moves(self, position: Position) -> Sequence[Setting]:
        number = position[0]
        if not 0 <= number < len(self.network.variables):
            return ()
        known = self.known(position)
        values = range(self.network.variables[number].size)
        return [(number, value) for value in values if self._kept(number + 1, {**known, number: value})]

    def chances(self, position: Position) -> Sequence[tuple[Setting, Fraction]]:
        number, known = position[0], self.known(position)
        chance = self.network.chance_of(number)
        given = chance.given(tuple(known[v] for v in chance.scope))
        return [((number, value), share) for value, share in enumerate(given) if share]

    def play(self, position: Position, move: Setting) -> Position:
        """What follows; number -1 where a table is broken."""
        number, value = move
        known = {**self.known(position), number: value}
        if not self._kept(number + 1, known):
            return (-1, (), (Fraction(0),) * self.network.players)
        values = tuple(known[v] for v in self._frontier[number + 1])
        return number + 1, values, self._gained(number + 1, known, position[2])

    def result(self, position: Position) -> tuple[Fraction] | None:
        number = position[0]
        if not self.is_broken(position) and number < len(self.network.variables):
            return None
        if self.network.players != 1:
            raise NotApplicableError(
                f"a network of {self.network.players} players has no score of one: solve tells whether all thresholds "
                "can be reached"
            )
        return (self.worst if self.is_broken(position) else position[2][0],)

    def is_broken(self, position: Position) -> bool:
        """Whether a table is broken, or will be whatever is decided next."""
        number = position[0]
        if number < 0:
            return True
        over = number == len(self.network.variables)
        return not over and not self.network.variables[number].stochastic and not self.moves(position)

    def move_text(self, move: Setting) -> str:
        variable = self.network.variables[move[0]]
        return f"{variable.name}={variable.domain[move[1]]}"

    def key(self, position: Position) -> str:
        number, values, gained = position
        return f"{number}|{','.join(map(str, values))}|{','.join(map(str, gained))}"

    def text(self, position: Position) -> str:
        if self.is_broken(position):
            return "a table is broken"
        known = self.known(position)
        said = [self.move_text((number, known[number])) for number in sorted(known)]
        return f"{position[0]} of {len(self.network.variables)} variables have a value\n{' '.join(said)}".rstrip()

    def scene(self, position: Position) -> Scene:
        from zermelo.scsp.picture import network_scene

        return network_scene(self, position)

    @cached_property
    def least(self) -> Fraction:
        """What the player has at least, by the tables of utilities."""
        return sum(
            (min([Fraction(0), *(row[0] for row in u.table.values())]) for u in self.network.utilities), Fraction(0)
        )

    @cached_property
    def most(self) -> Fraction:
        """What the player has at most."""
        return sum(
            (max([Fraction(0), *(row[0] for row in u.table.values())]) for u in self.network.utilities), Fraction(0)
        )

    @cached_property
    def worst(self) -> Fraction:
        """What it costs to break a table.

        With probability p or more a table is broken; then at most ``most + p * (worst - most)`` is expected, and that
        is below ``least``.
        """
        return Fraction(floor(self.most - (self.most - self.least) / self.rarest) - 1)

    @cached_property
    def rarest(self) -> Fraction:
        """Nothing that is possible is less likely."""
        rarest = Fraction(1)
        for chance in self.network.chances:
            rows = [*chance.table.values()] if isinstance(chance, Chance) else []
            shares = [share for row in rows for share in row if share]
            rarest *= min(shares, default=Fraction(1, self.network.variables[chance.variable].size))
        return rarest

    def known(self, position: Position) -> dict[int, int]:
        """The values that still matter, by the numbers of their variables."""
        return dict(zip(self._frontier[position[0]], position[1], strict=True))

    def _kept(self, number: int, known: dict[int, int]) -> bool:
        """Whether the tables whose last variable has just got its value allow that."""
        return all(table.allows(tuple(known[v] for v in table.scope)) for table in self._tables[number])

    def _gained(self, number: int, known: dict[int, int], before: Vector) -> Vector:
        total = before
        for soft in self._utilities[number]:
            own = soft.of(tuple(known[v] for v in soft.scope), self.network.players)
            total = tuple(a + b for a, b in zip(total, own, strict=True))
        return total


class ThresholdGame(NetworkGame):
    """A network of several players as a game with a score: 1 on a line where all reach their thresholds, else -1.

    Thresholds are of averages, and single lines say little of those: this is for estimates, and proves nothing.

    >>> from zermelo.scsp.network import Variable
    >>> game = ThresholdGame(Network(2, (Variable("a", ("0", "1")),), threshold=(Fraction(0), Fraction(1))))
    >>> game.result(game.play(game.start(), (0, 1)))
    (Fraction(-1, 1),)
    """

    def result(self, position: Position) -> tuple[Fraction] | None:
        broken = self.is_broken(position)
        if not broken and position[0] < len(self.network.variables):
            return None
        enough = all(have >= least for have, least in zip(position[2], self.network.threshold, strict=True))
        return (Fraction(1 if enough and not broken else -1),)
