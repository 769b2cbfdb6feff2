"""Games as trees: Gambit's files of games in extensive form (``.efg``).

A file lists the nodes of the tree in the order of a walk that goes down first: decisions (``p``), chance (``c``), ends
(``t``). Payoffs may stand at any node and add up along the way. Here every player sees everything: an information set
with two nodes is refused.

>>> game = parse_extensive('''EFG 2 R "cake" { "Ann" "Bob" }
... p "" 1 1 "" { "half" "all" } 0
... t "" 1 "" { 1, 1 }
... p "" 2 1 "" { "take it" "fight" } 0
... t "" 2 "" { 2, 0 }
... t "" 3 "" { -1, -1 }''', "cake.efg")
>>> game.roles, game.moves(game.start()), game.result(game.play(0, "half"))
(('Ann', 'Bob'), ('half', 'all'), (1, 1))
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from zermelo.game import CHANCE, Game, Role, Score, plain_score
from zermelo.games.gambit_text import Reader, Token, labels

if TYPE_CHECKING:
    from zermelo.draw.payoffs import Branching
    from zermelo.draw.scene import Scene


@dataclass(frozen=True)
class Node:
    """A node of a tree: whose turn it is (``None`` at an end), the moves with the nodes they lead to, and what is paid.

    ``chances`` are the probabilities of the outcomes of chance; ``paid`` is what each role has got on the way there.
    """

    turn: Role | None
    moves: tuple[str, ...] = ()
    after: tuple[int, ...] = ()
    chances: tuple[Fraction, ...] = ()
    paid: tuple[Score, ...] = ()


class ExtensiveGame(Game):
    """A game whose tree is written down; a position is the number of a node, a move its name."""

    def __init__(self, roles: Sequence[Role], nodes: Sequence[Node], name: str = ""):
        self.roles, self.nodes, self.name = tuple(roles), tuple(nodes), name

    def start(self) -> int:
        """The root."""
        return 0

    def turn(self, position: int) -> Role:
        """Whose node it is."""
        return self.nodes[position].turn or self.roles[0]

    def moves(self, position: int) -> tuple[str, ...]:
        """The names of the branches."""
        return self.nodes[position].moves

    def chances(self, position: int) -> list[tuple[str, Fraction]]:
        """The branches of chance with their probabilities."""
        node = self.nodes[position]
        return list(zip(node.moves, node.chances, strict=True))

    def play(self, position: int, move: str) -> int:
        """The node at the end of the branch."""
        node = self.nodes[position]
        return node.after[node.moves.index(move)]

    def result(self, position: int) -> tuple[Score, ...] | None:
        """What everybody was paid, at an end."""
        node = self.nodes[position]
        return node.paid if node.turn is None else None

    def text(self, position: int) -> str:
        """Whose turn it is, and the moves."""
        node = self.nodes[position]
        if node.turn is None:
            return "  ".join(f"{role} {score}" for role, score in zip(self.roles, node.paid, strict=True))
        return f"{node.turn}: {', '.join(node.moves)}"

    def scene(self, position: int) -> Scene:
        """The tree, with a ring around the node."""
        from zermelo.draw.payoffs import choices_scene

        return choices_scene(self._branchings, self.roles, position)

    @cached_property
    def _branchings(self) -> list[Branching]:
        from zermelo.draw.payoffs import Branching

        places = {role: place for place, role in enumerate(self.roles)} | {CHANCE: -1, None: None}
        return [
            Branching(
                places[node.turn], node.moves, node.after, tuple(map(str, node.paid)) if node.turn is None else ()
            )
            for node in self.nodes
        ]


@dataclass
class _Open:
    """A node whose branches are being read."""

    turn: Role
    moves: tuple[str, ...]
    chances: tuple[Fraction, ...]
    paid: tuple[Score, ...]
    place: int
    after: list[int]


class _Extensive:
    """One file that is read."""

    def __init__(self, text: str, name: str) -> None:
        self.read = Reader(text, name)
        self.roles: tuple[Role, ...] = ()
        self.outcomes: dict[int, tuple[Score, ...]] = {}
        self.sets: dict[tuple[int, int], tuple[str, ...]] = {}
        """The moves at each information set, by player (0 is chance) and number."""
        self.chances: dict[int, tuple[Fraction, ...]] = {}
        self.nodes: list[Node | None] = []
        self.open: list[_Open] = []

    def game(self) -> ExtensiveGame:
        read = self.read
        read.word("EFG")
        read.word("2")
        read.take("word", "R (rational) or D (decimal)", "D" if read.sees("word", "D") else "R")
        title = read.text("the title").text
        self.roles = read.players()
        if read.sees("text"):
            read.text("a comment")
        self.node(tuple([0] * len(self.roles)))
        while self.open:
            top = self.open[-1]
            if len(top.after) < len(top.moves):
                top.after.append(len(self.nodes))
                self.node(top.paid)
            else:
                self.open.pop()
                self.nodes[top.place] = Node(top.turn, top.moves, tuple(top.after), top.chances)
        if not read.ended:
            read.fail("something follows the last node of the tree")
        return ExtensiveGame(self.roles, [node for node in self.nodes if node is not None], title)

    def node(self, paid: tuple[Score, ...]) -> None:
        """One line: a node of any kind."""
        read = self.read
        kind = read.take("word", "p, c or t, for the next node of the tree")
        if kind.text not in ("p", "c", "t"):
            read.fail(f"{kind.text[:40]!r}, expected p, c or t, for the next node of the tree", kind)
        read.text("the name of the node")
        if kind.text == "t":
            self.nodes.append(Node(None, paid=self.paid_at(paid)))
            return
        player = 0
        if kind.text == "p":
            player = read.whole("the number of a player")
            if not 1 <= player <= len(self.roles):
                read.fail(f"there is no player {player}, expected 1..{len(self.roles)}", kind)
        number = read.whole("the number of an information set")
        moves = self.information_set(kind, player, number)
        chances = () if player else self.chances[number]
        turn = self.roles[player - 1] if player else CHANCE
        self.open.append(_Open(turn, moves, chances, self.paid_at(paid), len(self.nodes), []))
        self.nodes.append(None)

    def information_set(self, kind: Token, player: int, number: int) -> tuple[str, ...]:
        """The moves at an information set: listed where it comes first, and perhaps again."""
        read, known = self.read, self.sets.get((player, number))
        if player and known is not None:
            role = self.roles[player - 1]
            read.fail(
                f"information set {number} of {role} has a second node here: {role} would not see everything, "
                "expected a game of perfect information",
                kind,
            )
        if read.sees("text"):
            read.text("the name of the information set")
        if not read.sees("brace", "{"):
            if known is None:
                read.fail(f"information set {number} comes first here, expected its moves in braces")
            return known
        moves = labels([token.text for token in (self.outcomes_of(number) if not player else read.texts("a move"))])
        if not moves:
            read.fail("no moves, expected at least one", kind)
        self.sets[player, number] = moves
        return moves

    def outcomes_of(self, number: int) -> list[Token]:
        """The outcomes of chance, each with its probability."""
        read = self.read
        begin = read.take("brace", "{", "{")
        names, chances = [], []
        while not read.sees("brace", "}"):
            names.append(read.text("an outcome of chance"))
            chances.append(Fraction(read.number("a probability")))
            if chances[-1] < 0:
                read.fail("a probability is negative", names[-1])
        read.take("brace", "}", "}")
        if sum(chances) != 1:
            read.fail(f"probabilities add up to {sum(chances)}, expected 1", begin)
        self.chances[number] = tuple(chances)
        return names

    def paid_at(self, paid: tuple[Score, ...]) -> tuple[Score, ...]:
        """What has been paid on the way to a node, with what is paid there."""
        read = self.read
        number = read.whole("the number of an outcome, or 0")
        if number and read.sees("text"):
            read.text("the name of the outcome")
        if number and read.sees("brace", "{"):
            self.outcomes[number] = read.numbers(len(self.roles), "a payoff")
        if number and number not in self.outcomes:
            read.fail(f"outcome {number} comes first here, expected its payoffs in braces")
        more = self.outcomes[number] if number else (0,) * len(paid)
        return tuple(plain_score(Fraction(a) + b) for a, b in zip(paid, more, strict=True))


def parse_extensive(text: str, name: str = "text") -> ExtensiveGame:
    """The game that a file of Gambit's states."""
    return _Extensive(text, name).game()
