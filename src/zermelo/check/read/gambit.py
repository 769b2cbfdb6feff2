"""Gambit's files as the checker reads them: trees of perfect information (``.efg``) and tables (``.nfg``).

The nodes of a tree are numbered in the order of the file; a certificate names a position by its number. A move is
named as in the file, with ``#`` and its number where names alone do not tell all moves of a node apart.

>>> from zermelo.source import Source
>>> tree = read(Source("efg", 'EFG 2 R "" {"A"} p "" 1 1 {"x" ""} 0 t "" 1 {5} t "" 2 {7}', "a.efg"))
>>> tree.game().moves(0), tree.game().result(2)
(['x#1', '#2'], (Fraction(7, 1),))
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any, Final

from zermelo.errors import InputError
from zermelo.game import CHANCE, Game
from zermelo.source import Source

PIECE: Final = re.compile(r'"((?:\\.|[^\\"])*)"|([{}])|([^\s",{}]+)|(")', re.DOTALL)
NUMBER: Final = re.compile(r"[+-]?(?:[0-9]+/[0-9]+|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?)")
MOST_CELLS: Final = 10_000_000


class Pieces:
    """The pieces of a file, each as a mark, a text and a place. The mark is ``"`` for texts, ``w`` for words."""

    def __init__(self, source: Source) -> None:
        self.source, self.text = source, source.text.removeprefix("\ufeff")
        self.all: list[tuple[str, str, int]] = []
        for found in PIECE.finditer(self.text):
            said, brace, word, loose = found.groups()
            if loose is not None:
                raise self.error("a text in quotes does not end", found.start())
            mark = '"' if said is not None else brace or "w"
            self.all.append((mark, re.sub(r"(?s)\\(.)", r"\1", said) if mark == '"' else brace or word, found.start()))
        self.at = 0

    def error(self, message: str, place: int | None = None) -> InputError:
        """What is wrong, at a place in the text or at the last piece that was taken."""
        if place is None:
            place = self.all[self.at - 1][2]
        line = self.text.count("\n", 0, place) + 1
        return InputError(message, file=self.source.name, line=line, column=place - self.text.rfind("\n", 0, place))

    def next(self, mark: str, expected: str) -> str:
        """The next piece, which has to bear that mark."""
        end = ("", "the end of the file", len(self.text))
        found, said, place = self.all[self.at] if self.at < len(self.all) else end
        if found != mark:
            raise self.error(f"{said[:40]!r}, expected {expected}", place)
        self.at += 1
        return said

    def comes(self, mark: str) -> bool:
        """Whether a piece with that mark comes next."""
        return self.at < len(self.all) and self.all[self.at][0] == mark

    def whole(self, expected: str) -> int:
        said = self.next("w", expected)
        if not re.fullmatch("[0-9]{1,9}", said):
            raise self.error(f"{said[:40]!r}, expected {expected}")
        return int(said)

    def number(self) -> Fraction:
        said = self.next("w", "a number")
        if len(said) > 300 or not NUMBER.fullmatch(said) or re.search("/0+$", said):
            raise self.error(f"{said[:40]!r}, expected a number")
        return Fraction(said)

    def texts(self) -> list[str]:
        self.next("{", "{")
        found = []
        while not self.comes("}"):
            found.append(self.next('"', "a text in quotes"))
        self.at += 1
        return found

    def head(self, word: str, version: str) -> tuple[str, ...]:
        """The head of a file, and its players."""
        for expected in (word, version):
            if self.next("w", expected) != expected:
                raise self.error(f"expected {expected}")
        if self.next("w", "R or D") not in ("R", "D"):
            raise self.error("expected R or D")
        self.next('"', "the title in quotes")
        roles = tuple(name or f"player {number}" for number, name in enumerate(self.texts(), 1))
        if not roles or len(set(roles)) < len(roles) or {"chance", "nobody", "draw"} & set(roles):
            raise self.error("expected players with names of their own")
        return roles

    def comment(self) -> None:
        if self.comes('"'):
            self.at += 1

    def end(self) -> None:
        if self.at < len(self.all):
            raise self.error("something follows the game", self.all[self.at][2])


def named(names: list[str]) -> list[str]:
    """The names of moves, told apart."""
    if "" not in names and len(set(names)) == len(names):
        return names
    return [f"{name}#{number}" if any(names) else f"{number}" for number, name in enumerate(names, 1)]


@dataclass(frozen=True)
class Tree:
    """The nodes: whose turn it is, the moves, where they lead, their chances; what was paid, at an end."""

    roles: tuple[str, ...]
    nodes: list[tuple[str, list[str], list[int], list[Fraction], tuple[Fraction, ...]]]

    def canonical(self) -> str:
        """Everything, in the order of the file."""
        return json.dumps([self.roles, self.nodes], default=str, separators=(",", ":"))

    def game(self) -> Game:
        """Play from the first node to an end."""
        return TreeGame(self)


class TreeGame(Game):
    """Play along the branches of a tree; a position is the number of a node."""

    def __init__(self, tree: Tree) -> None:
        self.tree, self.roles = tree, tree.roles

    def start(self) -> int:
        return 0

    def turn(self, position: int) -> str:
        return self.tree.nodes[position][0]

    def moves(self, position: int) -> list[str]:
        return self.tree.nodes[position][1]

    def chances(self, position: int) -> list[tuple[str, Fraction]]:
        _, moves, _, chances, _ = self.tree.nodes[position]
        return list(zip(moves, chances, strict=True))

    def play(self, position: int, move: str) -> int:
        _, moves, after, _, _ = self.tree.nodes[position]
        return after[moves.index(move)]

    def result(self, position: int) -> tuple[Fraction, ...] | None:
        turn, _, _, _, paid = self.tree.nodes[position]
        return None if turn else paid


@dataclass(frozen=True)
class Cells:
    """Players, their choices, and what each gets for every way to choose, the first player's changing fastest."""

    roles: tuple[str, ...]
    choices: list[list[str]]
    cells: list[tuple[Fraction, ...]]

    def canonical(self) -> str:
        """Everything."""
        return json.dumps([self.roles, self.choices, self.cells], default=str, separators=(",", ":"))

    def game(self) -> Game:
        """Everybody chooses once, all at once."""
        return CellGame(self)


class CellGame(Game):
    """One move of everybody; a position is what was chosen."""

    def __init__(self, table: Cells) -> None:
        self.table, self.roles = table, table.roles
        backwards = product(*reversed(table.choices))
        self._scores = {choice[::-1]: scores for choice, scores in zip(backwards, table.cells, strict=True)}

    def start(self) -> tuple[str, ...]:
        return ()

    def turn(self, position: Any) -> str | tuple[str, ...]:
        return self.roles if len(self.roles) > 1 else self.roles[0]

    def moves(self, position: Any) -> list[Any]:
        return list(product(*self.table.choices)) if len(self.roles) > 1 else self.table.choices[0]

    def moves_of(self, position: Any, role: str) -> list[str]:
        return self.table.choices[self.roles.index(role)]

    def play(self, position: Any, move: Any) -> tuple[str, ...]:
        return move if isinstance(move, tuple) else (move,)

    def result(self, position: tuple[str, ...]) -> tuple[Fraction, ...] | None:
        return self._scores.get(position)


def tree_of(game: Any) -> Tree:
    """The tree of a game that was made in Python."""
    nodes = []
    for node in game.nodes:
        paid = tuple(Fraction(score) for score in node.paid)
        nodes.append((node.turn or "", list(node.moves), list(node.after), list(node.chances), paid))
    return Tree(tuple(game.roles), nodes)


def cells_of(game: Any) -> Cells:
    """The table of a game that was made in Python."""
    cells = [tuple(Fraction(score) for score in scores) for scores in game.table]
    return Cells(tuple(game.roles), [list(choices) for choices in game.choices], cells)


def read(source: Source) -> Tree | Cells:
    """The game that a text states; ``InputError`` where it states none, or one in which something is not seen."""
    return _tree(Pieces(source)) if source.format == "efg" else _table(Pieces(source))


def _tree(pieces: Pieces) -> Tree:
    roles = pieces.head("EFG", "2")
    pieces.comment()
    sets: dict[tuple[int, int], tuple[list[str], list[Fraction]]] = {}
    outcomes: dict[int, tuple[Fraction, ...]] = {0: (Fraction(0),) * len(roles)}
    tree = Tree(roles, [])
    waiting: list[tuple[list[int] | None, tuple[Fraction, ...]]] = [(None, outcomes[0])]
    while waiting:
        above, paid = waiting.pop()
        if above is not None:
            above.append(len(tree.nodes))
        turn, moves, chances = _moves(pieces, roles, sets)
        number = pieces.whole("the number of an outcome")
        if number and pieces.comes('"'):
            pieces.at += 1
        if number and pieces.comes("{"):
            pieces.at += 1
            outcomes[number] = tuple(pieces.number() for _ in roles)
            pieces.next("}", "}")
        if number not in outcomes:
            raise pieces.error(f"the payoffs of outcome {number} are missing")
        paid = tuple(a + b for a, b in zip(paid, outcomes[number], strict=True))
        after: list[int] = []
        tree.nodes.append((turn, moves, after, chances, () if turn else paid))
        waiting += [(after, paid)] * len(moves)
    pieces.end()
    return tree


def _moves(pieces: Pieces, roles: tuple[str, ...], sets: dict[Any, Any]) -> tuple[str, list[str], list[Fraction]]:
    """Whose turn it is at a node (nobody's at an end), the moves there, and the chances."""
    kind = pieces.next("w", "p, c or t")
    if kind not in ("p", "c", "t"):
        raise pieces.error(f"{kind[:40]!r}, expected p, c or t")
    pieces.next('"', "the name of a node in quotes")
    if kind == "t":
        return "", [], []
    player = pieces.whole("a player") if kind == "p" else 0
    if kind == "p" and not 0 < player <= len(roles):
        raise pieces.error(f"there is no player {player}")
    key = player, pieces.whole("an information set")
    if player and key in sets:
        raise pieces.error("an information set has a second node, expected a game of perfect information")
    pieces.comment()
    if pieces.comes("{"):
        sets[key] = (pieces.texts(), []) if player else _chances(pieces)
    if not sets.get(key, ([],))[0]:
        raise pieces.error("no moves")
    moves, chances = sets[key]
    return roles[player - 1] if player else CHANCE, named(moves), chances


def _chances(pieces: Pieces) -> tuple[list[str], list[Fraction]]:
    pieces.next("{", "{")
    names, chances = [], []
    while not pieces.comes("}"):
        names.append(pieces.next('"', "an outcome of chance"))
        chances.append(pieces.number())
    pieces.at += 1
    if sum(chances) != 1 or any(chance < 0 for chance in chances):
        raise pieces.error("these are no probabilities, expected such that add up to 1")
    return names, chances


def _table(pieces: Pieces) -> Cells:
    roles = pieces.head("NFG", "1")
    pieces.next("{", "{")
    choices, count = [], 1
    for _ in roles:
        names = pieces.texts() if pieces.comes("{") else [""] * pieces.whole("how many strategies a player has")
        count *= len(names)
        if not 0 < count <= MOST_CELLS:
            raise pieces.error(f"a table of {count} cells, expected 1..{MOST_CELLS}")
        choices.append(named(names))
    pieces.next("}", "}")
    pieces.comment()
    cells: list[tuple[Fraction, ...]] = []
    if not pieces.comes("{"):
        cells = [tuple(pieces.number() for _ in roles) for _ in range(count)]
    else:
        outcomes = [tuple(Fraction(0) for _ in roles)]
        pieces.at += 1
        while pieces.comes("{"):
            pieces.at += 1
            pieces.next('"', "the name of an outcome in quotes")
            outcomes.append(tuple(pieces.number() for _ in roles))
            pieces.next("}", "}")
        pieces.next("}", "}")
        for _ in range(count):
            number = pieces.whole("the number of an outcome")
            if number >= len(outcomes):
                raise pieces.error(f"there is no outcome {number}")
            cells.append(outcomes[number])
    pieces.end()
    return Cells(roles, choices, cells)
