"""Generalized geography as a formula, as the thesis writes it and smaller.

Round i is one move of one player; x(i, v) says that it goes to node v. The rules of the thesis for round i are

    a. exactly one x(i, v) is true;
    b. x(i, v) implies that no x(j, v) with j < i is true;
    c. x(i, v) implies x(i - 1, u) for some u with an edge to v;
    d. for i = 1 instead: some x(1, v) with an edge from the start to v is true.

With L(i) for the rules of round i, the formula is nested like the game: L(1) and (L(2) implies (L(3) and ...)), since
whoever cannot move loses: the rules of the universal player are premises (erratum 2.2). After the last round the last
mover has won, which is the game without a bound where no play is longer (erratum 2.1).

``thesis``
    A variable for each round and each node but the start, every rule as printed.
``unary``
    Variables only for nodes that so many moves can reach, along edges that some play can take; of rule a only what
    the others do not imply: two nodes exclude each other where one node has edges to both.
``index``
    The number of the edge to follow in bits, each node with a code as long as its edges need. An edge to a visited
    node is read as the first one to a node that is not: no rule is left to be broken.
``rank``
    The number of the edge among those to new nodes, in as many bits as these need: no two values of the bits that are
    read mean the same move.
``symmetry``
    As ``unary``, but in the first rounds, as long as what is left of the graph is symmetric, only one of the moves that
    its automorphisms turn into each other (:mod:`zermelo.encode.qbf.symmetry`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from zermelo.encode.qbf.codes import bits_for, codes, corrected, number_of, ranked
from zermelo.encode.qbf.encoded import Encoded, Question, formula_of
from zermelo.encode.qbf.symmetry import Branch, Mirrored, MirroredChoice, lines_of_representatives
from zermelo.errors import InputError
from zermelo.game import Game
from zermelo.games.digraph import components, most_steps, playable
from zermelo.games.geography import Geography
from zermelo.qbf.circuit import FALSE, TRUE, Circuit, Literal, negate

GEOGRAPHY_ENCODINGS: Final = ("unary", "index", "rank", "symmetry", "thesis")


@dataclass(frozen=True)
class NodeChoice:
    """One variable for each node that a round may go to."""

    nodes: tuple[int, ...]
    variables: tuple[int, ...]

    def move(self, game: Game, position: Any, values: Sequence[bool]) -> Any:
        """The node whose variable alone is true."""
        said = [node for node, value in zip(self.nodes, values, strict=True) if value]
        return said[0] if len(said) == 1 else None

    def values(self, game: Game, position: Any, move: Any) -> Sequence[bool]:
        """The node's variable true, all others false."""
        return tuple(node == move for node in self.nodes)


@dataclass(frozen=True)
class EdgeChoice:
    """The number of an edge among those of the token's node, in bits; ``ranked``: among those to new nodes."""

    rows: tuple[tuple[int, ...], ...]
    variables: tuple[int, ...]
    ranked: bool

    def row(self, game: Game, position: Any) -> list[int]:
        """The ends of the edges that are numbered."""
        legal = game.moves(position)
        return [head for head in self.rows[position[0]] if not self.ranked or head in legal]

    def move(self, game: Game, position: Any, values: Sequence[bool]) -> Any:
        """The end of the edge, or the first new node where that has been visited."""
        row, legal = self.row(game, position), game.moves(position)
        said = row[number_of(len(row), values)]
        return said if said in legal else next((head for head in row if head in legal), None)

    def values(self, game: Game, position: Any, move: Any) -> Sequence[bool]:
        """The bits of an edge."""
        row = self.row(game, position)
        code = codes(len(row))[row.index(move)]
        return (*code, *(False for _ in range(len(self.variables) - len(code))))


@dataclass(frozen=True)
class Rounds:
    """What is left of a game of geography: edges, the token's node, who moves first, and how many rounds.

    ``closed``: after the last round nobody can or may move, so that the last mover has won.
    """

    names: tuple[str, ...]
    rows: tuple[tuple[int, ...], ...]
    gone: frozenset[int]
    start: int
    mover: int
    count: int
    closed: bool


def rounds_of(game: Geography, position: Any, plies: int, *, literal: bool = False) -> Rounds:
    """The rounds from a position on, at most so many plies; ``literal``: with edges that no play can take.

    >>> from zermelo.games.graphfile import Graph
    >>> rounds_of(Geography(Graph(("a", "b", "c"), ((1, 2), (0, 2), ()))), (0, frozenset(), 0), 9).count
    2
    """
    node, visited, clock = position
    gone = visited | {node}
    all_rows: Sequence[Sequence[int]] = game.graph.successors
    if position != game.start():
        # A position names visited nodes only where an edge that some play can take leads back to them.
        all_rows = playable(all_rows, game.graph.start)
    rows: Sequence[Sequence[int]] = [
        [head for head in row if head not in gone] if tail not in visited else [] for tail, row in enumerate(all_rows)
    ]
    open_rows = playable(rows, node)
    longest = most_steps(open_rows, node, components(open_rows, node))
    # A bound that cuts nothing is dropped by the game, and its clock with it; the printed formula has it all the same.
    if literal and position == game.start() and game.graph.bound is not None:
        longest = game.graph.bound
    elif game.bound is not None:
        longest = min(longest, game.bound - clock)
    count = min(plies, longest)
    kept = tuple(tuple(row) for row in (rows if literal else open_rows))
    plain = all(re.fullmatch(r"[A-Za-z0-9_]+", name) for name in game.graph.names)
    names = game.graph.names if plain else tuple(str(number) for number in range(len(kept)))
    return Rounds(names, kept, gone, node, clock % 2, count, count == longest)


def encode_geography(game: Geography, position: Any, question: Question, encoding: str = "unary") -> Encoded:
    """The question whether the first player wins, as a formula.

    >>> from zermelo.games.graphfile import parse_graph
    >>> rows = "3 \\n 0 1 2 \\n 1 0 3 4 \\n 2 0 5 \\n 3 1 6 \\n 4 1 7 \\n 5 2 \\n 6 3 \\n 7 4"
    >>> game = Geography(parse_graph(rows))
    >>> encoded = encode_geography(game, game.start(), Question(3, 1), "thesis")
    >>> [[encoded.formula.name(v) for v in block.variables][:2] for block in encoded.formula.prefix]
    [['x1_1', 'x1_2'], ['x2_1', 'x2_2'], ['x3_1', 'x3_2']]
    """
    if encoding not in GEOGRAPHY_ENCODINGS:
        raise InputError(f"unknown encoding {encoding!r}, expected one of {', '.join(GEOGRAPHY_ENCODINGS)}")
    rounds = rounds_of(game, position, question.plies, literal=encoding == "thesis")
    lines: list[list[Branch]] = []
    if encoding == "symmetry":
        lines = lines_of_representatives(rounds.rows, rounds.start, rounds.gone, rounds.count)
    # To tell many lines apart may take more than their symmetry saves.
    written = (_Writer(rounds, question, encoding, lines[:count]).encoded() for count in range(len(lines) + 1))
    return min(written, key=lambda encoded: encoded.sizes["inputs"])


def thesis_size(nodes: int, rounds: int) -> tuple[int, int]:
    """Variables with those of gates, and lines of the QCIR file, of the encoding ``thesis``: the columns of its table.

    For graphs in which every node but the start has an edge to it from another, and the start does not lead to all.
    The number of edges does not matter: they are inputs of gates that are there anyway.

    >>> thesis_size(8, 3)
    (128, 112)
    """
    others = nodes - 1
    gates = 0
    for i in range(1, rounds + 1):
        exactly_one = 1 + others * (others - 1) // 2
        adjacent = 1 if i == 1 else others
        gates += exactly_one + (i - 1) * others + adjacent + 1  # the last joins the rules of the round
    gates += rounds - 1  # and these the rounds
    return gates + others * rounds, gates + rounds + 2


class _Writer:
    """One formula under way. ``at[i][v]`` is the literal "after i rounds the token is on v"."""

    def __init__(self, rounds: Rounds, question: Question, encoding: str, lines: Sequence[Sequence[Branch]]) -> None:
        self.rounds, self.question, self.encoding, self.lines = rounds, question, encoding, lines
        self.circuit = Circuit()
        self.names: dict[int, str] = {}
        self.at: list[dict[int, Literal]] = [{rounds.start: TRUE}]
        self.visited: dict[int, Literal] = dict.fromkeys(rounds.gone, TRUE)
        self.before: dict[int, list[int]] = {}
        for tail, row in enumerate(rounds.rows):
            for head in row:
                self.before.setdefault(head, []).append(tail)
        self.along: dict[tuple[int, ...], Literal] = {(rounds.start,): TRUE}  # lines of representatives

    def encoded(self) -> Encoded:
        rounds, circuit = self.rounds, self.circuit
        turn = [(rounds.mover + i) % 2 for i in range(rounds.count + 1)]
        choices: list[NodeChoice | EdgeChoice | MirroredChoice] = []
        legal: list[Literal] = []
        for i in range(1, rounds.count + 1):
            if self.encoding in ("index", "rank"):
                edges = self.edges(i)
                choices.append(edges)
                legal.append(self.way_on())
                self.move_along(edges)
            elif self.encoding == "thesis":
                choices.append(self.nodes(i, self.all_nodes()))
                legal.append(self.printed_rules(i))
            elif i <= len(self.lines):
                choices.append(self.nodes(i, sorted({move for branch in self.lines[i - 1] for move in branch.moves})))
                legal.append(self.rules_of_lines(i))
            else:
                choices.append(self.nodes(i, self.reached()))
                legal.append(self.needed_rules(i))
            for node, literal in self.at[i].items():
                # Rule b of the thesis names the rounds themselves.
                if self.encoding != "thesis":
                    self.visited[node] = circuit.disjunction((self.visited.get(node, FALSE), literal))
        value = self.end(turn[rounds.count])
        for i in range(rounds.count - 1, -1, -1):
            own = turn[i] == 0
            value = circuit.conjunction((legal[i], value)) if own else circuit.implication(legal[i], value)
        plies = tuple((c, None) if t == 0 else (None, c) for c, t in zip(choices, turn[:-1], strict=True))
        formula = formula_of(circuit, value, plies, self.names, all_variables=self.encoding == "thesis")
        if not self.lines:
            return Encoded(formula, self.question, plies)
        nodes, ((first,), *_), count = len(rounds.rows), self.lines, len(self.lines)
        return Encoded(formula, self.question, plies, followed=lambda game: Mirrored(game, nodes, first, count))

    def end(self, mover: int) -> Literal:
        """The value after the last round, with a player to move."""
        if self.rounds.closed:
            return TRUE if mover == 1 else FALSE
        if self.question.unfinished:
            return TRUE if mover == 1 else self.way_on()
        return FALSE if mover == 0 else negate(self.way_on())

    def variable(self, name: str) -> Literal:
        literal = self.circuit.variable()
        self.names[literal >> 1] = name
        return literal

    def reached(self) -> list[int]:
        """The nodes that the next move may go to."""
        return sorted({head for tail in self.at[-1] for head in self.rounds.rows[tail]})

    def all_nodes(self) -> list[int]:
        return [node for node in range(len(self.rounds.rows)) if node not in self.rounds.gone]

    def nodes(self, i: int, nodes: Sequence[int]) -> NodeChoice | MirroredChoice:
        literals = [self.variable(f"x{i}_{self.rounds.names[node]}") for node in nodes]
        self.at.append(dict(zip(nodes, literals, strict=True)))
        kind = MirroredChoice if self.lines else NodeChoice
        return kind(tuple(nodes), tuple(literal >> 1 for literal in literals))

    def printed_rules(self, i: int) -> Literal:
        """Rules a to d for round i, as printed."""
        circuit, here, last = self.circuit, self.at[i], self.at[i - 1]
        rules = [circuit.disjunction(here.values())]
        items = list(here.items())
        for place, (_, one) in enumerate(items):
            rules.extend(circuit.disjunction((negate(one), negate(other))) for _, other in items[place + 1 :])
        for node, literal in items:
            rules.extend(circuit.disjunction((negate(self.at[j][node]), negate(literal))) for j in range(1, i))
        if i == 1:
            rules.append(circuit.disjunction(here[head] for head in self.rounds.rows[self.rounds.start]))
        else:
            for node, literal in items:
                tails = (last[tail] for tail in self.before.get(node, ()) if tail in last)
                rules.append(circuit.disjunction((negate(literal), *tails)))
        return circuit.conjunction(rules)

    def needed_rules(self, i: int) -> Literal:
        """What rules a to d say that does not follow from the rest of them."""
        circuit, here, last = self.circuit, self.at[i], self.at[i - 1]
        rules = [circuit.disjunction(here.values())]
        for node, literal in here.items():
            came = circuit.disjunction(last[tail] for tail in self.before[node] if tail in last)
            rules.append(circuit.implication(literal, came))
            rules.append(circuit.implication(literal, negate(self.visited.get(node, FALSE))))
        pairs = {
            (one, other)
            for tail in last
            for place, one in enumerate(self.rounds.rows[tail])
            for other in self.rounds.rows[tail][place + 1 :]
        }
        rules.extend(circuit.disjunction((negate(here[one]), negate(here[other]))) for one, other in sorted(pairs))
        return circuit.conjunction(rules)

    def rules_of_lines(self, i: int) -> Literal:
        """The same for a round in which every line of representatives is known: each goes on by one more."""
        circuit, here = self.circuit, self.at[i]
        lines = {branch.path: branch.moves for branch in self.lines[i - 1]}
        rules = [circuit.disjunction(here.values())]
        for node, literal in here.items():
            came = [self.along[path] for path, moves in lines.items() if node in moves]
            rules.append(circuit.implication(literal, circuit.disjunction(came)))
            for path, moves in lines.items():
                if node in moves:
                    # Where one line only goes to a node, to be there is to have come along it.
                    ways = (literal,) if len(came) == 1 else (self.along[path], literal)
                    self.along[*path, node] = circuit.conjunction(ways)
        pairs = {
            (one, other) for moves in lines.values() for place, one in enumerate(moves) for other in moves[place + 1 :]
        }
        rules.extend(circuit.disjunction((negate(here[one]), negate(here[other]))) for one, other in sorted(pairs))
        return circuit.conjunction(rules)

    def edges(self, i: int) -> EdgeChoice:
        most = max((len(self.rounds.rows[tail]) for tail in self.at[-1]), default=0)
        bits = [self.variable(f"x{i}_{place + 1}") for place in range(bits_for(most))]
        return EdgeChoice(self.rounds.rows, tuple(bit >> 1 for bit in bits), self.encoding == "rank")

    def new(self, node: int) -> Literal:
        return negate(self.visited.get(node, FALSE))

    def way_on(self) -> Literal:
        """Whether the player to move can."""
        circuit = self.circuit
        if self.encoding == "thesis":
            # Visited nodes are not gates of their own there.
            for places in self.at[1:]:
                for node, literal in places.items():
                    self.visited[node] = circuit.disjunction((self.visited.get(node, FALSE), literal))
        return circuit.disjunction(
            circuit.conjunction((here, circuit.disjunction(map(self.new, self.rounds.rows[tail]))))
            for tail, here in self.at[-1].items()
        )

    def move_along(self, choice: EdgeChoice) -> None:
        """The places after a round in which an edge is chosen."""
        circuit = self.circuit
        bits = [2 * variable for variable in choice.variables]
        came: dict[int, list[Literal]] = {}
        for tail, here in self.at[-1].items():
            row = self.rounds.rows[tail]
            new = [self.new(head) for head in row]
            taken = ranked(circuit, bits, new) if choice.ranked else corrected(circuit, bits, new)
            for head, goes in zip(row, taken, strict=True):
                came.setdefault(head, []).append(circuit.conjunction((here, goes)))
        self.at.append({node: circuit.disjunction(ways) for node, ways in sorted(came.items())})
