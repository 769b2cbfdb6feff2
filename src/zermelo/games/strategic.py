"""Games as tables: Gambit's files of games in strategic form (``.nfg``).

Every player chooses a strategy, all at once, and a table says what each of them gets. The strategy of the first player
changes fastest in the table. A file gives the payoffs themselves, or numbers of outcomes that it lists before.

>>> game = parse_strategic('NFG 1 R "pennies" { "Even" "Odd" } { 2 2 } 1 -1  -1 1  -1 1  1 -1', "pennies.nfg")
>>> game.turn(game.start()), game.result(("1", "2"))
(('Even', 'Odd'), (-1, 1))
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Final

from zermelo.game import Game, Role, Score
from zermelo.games.gambit_text import Reader, labels

if TYPE_CHECKING:
    from zermelo.draw.scene import Scene

MOST_DRAWN: Final = 12
"""Choices of a role that are drawn."""
MOST_CELLS: Final = 10_000_000
"""Larger tables are refused."""


class StrategicGame(Game):
    """A game in which everybody moves once, and all at once; a position is the moves that were made.

    ``table`` has the scores for every way to choose, the first role's choice changing fastest.
    """

    def __init__(
        self,
        roles: Sequence[Role],
        choices: Sequence[Sequence[str]],
        table: Sequence[tuple[Score, ...]],
        name: str = "",
    ):
        self.roles, self.choices = tuple(roles), tuple(map(tuple, choices))
        self.table, self.name = tuple(table), name

    def start(self) -> tuple[str, ...]:
        """Nobody has moved."""
        return ()

    def turn(self, position: tuple[str, ...]) -> Role | tuple[Role, ...]:
        """Everybody, at once."""
        del position
        return self.roles if len(self.roles) > 1 else self.roles[0]

    def moves(self, position: tuple[str, ...]) -> Sequence[str | tuple[str, ...]]:
        """All ways to choose, or the choices of the only role."""
        del position
        return list(product(*self.choices)) if len(self.roles) > 1 else self.choices[0]

    def moves_of(self, position: tuple[str, ...], role: Role) -> Sequence[str]:
        """The choices of one role."""
        del position
        return self.choices[self.roles.index(role)]

    def play(self, position: tuple[str, ...], move: str | tuple[str, ...]) -> tuple[str, ...]:
        """What everybody chose."""
        del position
        return move if isinstance(move, tuple) else (move,)

    def result(self, position: tuple[str, ...]) -> tuple[Score, ...] | None:
        """The cell of the table."""
        if not position:
            return None
        at, step = 0, 1
        for choice, choices in zip(position, self.choices, strict=True):
            at, step = at + step * choices.index(choice), step * len(choices)
        return self.table[at]

    def scene(self, position: tuple[str, ...]) -> Scene:
        """The table of payoffs of two roles; else what every role may choose."""
        from zermelo.draw.hands import cards_scene, role_token
        from zermelo.draw.payoffs import table_scene

        if len(self.roles) == 2 and max(map(len, self.choices)) <= MOST_DRAWN:
            rows, columns = self.choices
            paid = {(row, column): self._paid(row, column) for row in rows for column in columns}
            return table_scene((self.roles[0], self.roles[1]), (rows, columns), paid, position)
        held = self.choices if not position else [(choice,) for choice in position]
        short = [choices[:MOST_DRAWN] for choices in held]
        rows_of = [(role, role_token(place), short[place]) for place, role in enumerate(self.roles)]
        return cards_scene(rows_of, title="choices")

    def _paid(self, *position: str) -> tuple[str, str]:
        first, second = self.result(position) or (0, 0)
        return str(first), str(second)


def parse_strategic(text: str, name: str = "text") -> StrategicGame:
    """The game that a file of Gambit's states."""
    read = Reader(text, name)
    read.word("NFG")
    read.word("1")
    read.take("word", "R (rational) or D (decimal)", "D" if read.sees("word", "D") else "R")
    title = read.text("the title").text
    roles = read.players()
    choices = _choices(read, len(roles))
    cells = prod(map(len, choices))
    if cells > MOST_CELLS:
        read.fail(f"a table of {cells} cells, expected at most {MOST_CELLS}")
    if read.sees("text"):
        read.text("a comment")
    table = _by_outcomes(read, len(roles), cells) if read.sees("brace", "{") else _by_payoffs(read, len(roles), cells)
    if not read.ended:
        read.fail("something follows the table")
    return StrategicGame(roles, choices, table, title)


def _choices(read: Reader, count: int) -> list[tuple[str, ...]]:
    """The strategies of each player: how many there are, or their names."""
    read.take("brace", "{ and the strategies of each player", "{")
    found = []
    for _ in range(count):
        if read.sees("brace", "{"):
            names = [token.text for token in read.texts("the name of a strategy")]
        else:
            names = [""] * read.whole("how many strategies a player has, or their names in braces")
        if not names:
            read.fail("a player without strategies, expected at least one")
        found.append(labels(names))
    read.take("brace", f"}} after the strategies of {count} players", "}")
    return found


def _by_payoffs(read: Reader, players: int, cells: int) -> list[tuple[Score, ...]]:
    return [tuple(read.number("a payoff") for _ in range(players)) for _ in range(cells)]


def _by_outcomes(read: Reader, players: int, cells: int) -> list[tuple[Score, ...]]:
    """Outcomes in braces, then the number of one for each cell; 0 pays nothing."""
    read.take("brace", "{ and the outcomes", "{")
    outcomes: list[tuple[Score, ...]] = [(0,) * players]
    while read.sees("brace", "{"):
        read.take("brace", "{", "{")
        read.text("the name of an outcome")
        outcomes.append(tuple(read.number("a payoff") for _ in range(players)))
        read.take("brace", f"}} after {players} payoffs", "}")
    read.take("brace", "} after the outcomes", "}")
    table = []
    for _ in range(cells):
        number = read.whole("the number of an outcome, or 0")
        if number >= len(outcomes):
            read.fail(f"there is no outcome {number}, expected 0..{len(outcomes) - 1}")
        table.append(outcomes[number])
    return table
