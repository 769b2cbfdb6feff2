"""Rulesheets as formulas: the ground game unrolled ply by ply.

Only moves are quantified. What holds after t plies is a gate over the choices of the plies before, folded with the
facts of the start, so that the first plies are small. Once the choices of the plies before t have values, all facts
of ply t have values too: what is left of the formula depends on the position alone, and lines that lead to one
position leave one formula.

The value is nested like the game: with ``won`` for "over with at least the score" and ``lost`` for "over with less",

    F(t) = won(t) or (not lost(t) and F(t + 1))

so nothing has to be said about play after the end. The second role's legality is a premise or a reading, never a
conjunct (erratum 2.2); four ways are offered:

``unary``
    One variable for each move that may be legal in the ply. A first role that does not choose exactly one of them, a
    legal one, has lost; a second role that does not has lost.
``premise``
    Those moves are numbered and the number is written in bits; a role that says an illegal one has lost.
``index``
    The same bits, and a number whose move is not legal is read as the first legal move.
``rank``
    The number of the move among the legal ones, in as many bits as these need: no move can be said in two ways, at the
    price of gates that count, quadratic in the number of moves.

A recursive relation (a cyclic block of the circuit) means its least fixpoint. It is written out from "nothing holds"
for as many rounds as a shortest derivation can take, or until a round adds no gate.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from zermelo.encode.qbf.codes import bits_for, codes, corrected, number_of, ranked, selectors
from zermelo.encode.qbf.encoded import Encoded, Question, at_most_one, formula_of
from zermelo.errors import InputError, NotApplicableError
from zermelo.game import Game
from zermelo.gdl.ground import GroundReasoner
from zermelo.gdl.kif import read_term
from zermelo.gdl.syntax import RANDOM, Variable
from zermelo.qbf.circuit import FALSE, TRUE, Circuit, Kind, Literal, negate

GROUND_ENCODINGS: Final = ("unary", "premise", "index", "rank")


@dataclass(frozen=True)
class Part:
    """Gates that are evaluated together; the gates of a cyclic part may refer to each other."""

    gates: tuple[int, ...]
    cyclic: bool


@dataclass(frozen=True)
class GroundCircuit:
    """The circuit of a ground game as lists; ``native/gdl/circuit/circuit.hpp`` says what nodes and literals are."""

    fluents: int
    first_move: tuple[int, ...]
    is_or: bytes
    inputs: tuple[tuple[int, ...], ...]
    next: tuple[int, ...]
    legal: tuple[int, ...]
    terminal: int
    goals: tuple[tuple[int, int, int], ...]
    state_parts: tuple[Part, ...]
    """What tells whether play is over, with which scores, and what is legal."""
    step_parts: tuple[Part, ...]
    """What tells, with the moves, which facts come next."""

    @property
    def first_gate(self) -> int:
        """The node of the first gate; fluents and moves come before."""
        return 1 + self.fluents + self.first_move[-1]


def ground_circuit(ground: GroundReasoner) -> GroundCircuit:
    """The circuit of a ground game, with its gates sorted by when they are needed.

    >>> from zermelo.gdl.ground import ground
    >>> from zermelo.gdl.library import rulesheet
    >>> circuit = ground_circuit(ground(rulesheet("tictactoe")))
    >>> circuit.fluents, len(circuit.legal), sorted({value for _, value, _ in circuit.goals})
    (20, 20, [0, 50, 100])
    """
    native = ground.native
    kind, first_input, flat, block, following, legal, terminal, goal = native.circuit()
    begin, literals = first_input.tolist(), flat.tolist()
    inputs = tuple(tuple(literals[begin[gate] : begin[gate + 1]]) for gate in range(len(kind)))
    first_move = tuple(native.first_move)
    first_gate = 1 + len(ground.fluents) + first_move[-1]
    goals = tuple((role, value, when) for role, value, when in goal.reshape(-1, 3).tolist())
    blocks = [(first, last, bool(cyclic)) for first, last, cyclic in block.reshape(-1, 3).tolist()]

    def needed(roots: Sequence[int], known: set[int]) -> set[int]:
        pending = [literal >> 1 for literal in roots]
        found: set[int] = set()
        while pending:
            node = pending.pop()
            if node >= first_gate and node not in found and node not in known:
                found.add(node)
                pending.extend(literal >> 1 for literal in inputs[node - first_gate])
        return found

    def parts(nodes: set[int]) -> tuple[Part, ...]:
        made = []
        for first, last, cyclic in blocks:
            if gates := tuple(node for node in range(first, last) if node in nodes):
                made.append(Part(by_rounds(gates, kind.tobytes(), inputs, first_gate) if cyclic else gates, cyclic))
        return tuple(made)

    # Goals of the second role say nothing that those of the first do not.
    about_state = needed([*legal.tolist(), terminal, *(when for role, _, when in goals if role == 0)], set())
    return GroundCircuit(
        len(ground.fluents),
        first_move,
        kind.tobytes(),
        inputs,
        tuple(following.tolist()),
        tuple(legal.tolist()),
        terminal,
        goals,
        parts(about_state),
        parts(needed(following.tolist(), about_state)),
    )


def by_rounds(gates: Sequence[int], is_or: bytes, inputs: Sequence[Sequence[int]], first_gate: int) -> tuple[int, ...]:
    """The gates of a cyclic part in an order in which every round takes each derivation one OR gate further.

    First the ANDs, each after the ANDs it reads (a circle of ANDs alone never comes true), then the ORs.
    """
    inside = {node for node in gates if not is_or[node - first_gate]}
    order: dict[int, None] = {}
    for root in sorted(inside):
        pending = [(root, False)]
        opened: set[int] = set()
        while pending:
            node, ready = pending.pop()
            if ready:
                order[node] = None
            elif node not in order and node not in opened:
                opened.add(node)
                pending.append((node, True))
                pending.extend((i >> 1, False) for i in inputs[node - first_gate] if i >> 1 in inside)
    return (*order, *(node for node in gates if is_or[node - first_gate]))


class Words(Protocol):
    """How the moves of the ground game are written in the game that is played."""

    def text(self, move: str) -> str:
        """A move of the ground game, given in KIF, as the game writes it."""

    def legal(self, game: Game, position: Any, role: str) -> Mapping[str, Any]:
        """The legal moves of a role by their text, also of one that is not to move."""

    def said(self, game: Game, position: Any, role: str, move: Any) -> str:
        """The text of a move; of the only one of a role that is not to move, where it is ``None``."""


class PlainWords:
    """The game is the rulesheet's own: moves are KIF."""

    def text(self, move: str) -> str:
        """The same."""
        return move

    def legal(self, game: Game, position: Any, role: str) -> Mapping[str, Any]:
        """The legal moves."""
        return {move: move for move in game.moves_of(position, role)}

    def said(self, game: Game, position: Any, role: str, move: Any) -> str:
        """The move itself."""
        return str(game.moves_of(position, role)[0] if move is None else move)


class TwinWords:
    """The game is the library's class of the same game: its moves are the arguments put together, ``b2`` for
    ``(mark b 2)``, and a role that is not to move has none.

    >>> TwinWords().text("(move a 3 b 2)"), TwinWords().text("noop")
    ('a3b2', 'noop')
    """

    def text(self, move: str) -> str:
        """The arguments of the move, or its name if it has none."""
        term = read_term(move)
        assert not isinstance(term, Variable)
        return "".join(map(str, term.args)) or term.name

    def legal(self, game: Game, position: Any, role: str) -> Mapping[str, Any]:
        """The legal moves."""
        if game.turn(position) != role:
            return {"noop": None}
        return {game.move_text(move): move for move in game.moves(position)}

    def said(self, game: Game, position: Any, role: str, move: Any) -> str:
        """The move as people write it."""
        return "noop" if move is None else game.move_text(move)


@dataclass(frozen=True)
class CodedMove:
    """The number of a move in bits: among those that may be legal in the ply, or by ``rank`` among the legal ones.

    By ``index`` a number whose move is illegal is read as the first legal one, by ``premise`` it is no move.
    """

    words: Words
    role: str
    candidates: tuple[str, ...]
    variables: tuple[int, ...]
    encoding: str

    def numbered(self, legal: Mapping[str, Any]) -> list[str]:
        """The moves that the bits tell apart."""
        return [move for move in self.candidates if self.encoding != "rank" or move in legal]

    def move(self, game: Game, position: Any, values: Sequence[bool]) -> Any:
        """The legal move that the bits say."""
        legal = self.words.legal(game, position, self.role)
        numbered = self.numbered(legal)
        said = numbered[number_of(len(numbered), values)]
        if said not in legal and self.encoding == "index":
            said = next((move for move in self.candidates if move in legal), said)
        return legal.get(said)

    def values(self, game: Game, position: Any, move: Any) -> Sequence[bool]:
        """The bits of a move."""
        said = self.words.said(game, position, self.role, move)
        numbered = self.numbered(self.words.legal(game, position, self.role))
        code = codes(len(numbered))[numbered.index(said)]
        return (*code, *(False for _ in range(len(self.variables) - len(code))))


@dataclass(frozen=True)
class OneOfMoves:
    """One variable for each move that may be legal in the ply."""

    words: Words
    role: str
    candidates: tuple[str, ...]
    variables: tuple[int, ...]

    def move(self, game: Game, position: Any, values: Sequence[bool]) -> Any:
        """The move whose variable alone is true, if it is legal."""
        said = [move for move, value in zip(self.candidates, values, strict=True) if value]
        return self.words.legal(game, position, self.role).get(said[0]) if len(said) == 1 else None

    def values(self, game: Game, position: Any, move: Any) -> Sequence[bool]:
        """The move's variable true, all others false."""
        said = self.words.said(game, position, self.role, move)
        return tuple(candidate == said for candidate in self.candidates)


@dataclass(frozen=True)
class _Chosen:
    """What a ply makes of the choice of one role."""

    choice: CodedMove | OneOfMoves | None
    does: dict[int, Literal]  # for each move that may be done, whether it is
    legal: Literal  # whether the choice is legal


class _Unrolling:
    """One formula under way."""

    def __init__(
        self, rules: GroundCircuit, moves: Sequence[str], roles: tuple[str, str], encoding: str, words: Words
    ) -> None:
        self.rules, self.moves, self.roles, self.encoding = rules, moves, roles, encoding
        self.words = words
        self.circuit = Circuit()
        self.names: dict[int, str] = {}
        self.named: dict[str, int] = {}
        self.known: dict[Literal, Literal] = {}

    def suppose(self, literal: Literal) -> None:
        """From here on a literal counts as true, and so does what it consists of.

        The value of a ply matters only where play was not over before: what "not over" says of earlier plies is true
        of all gates that a move has left as they were.
        """
        circuit, pending = self.circuit, [literal]
        while pending:
            true = pending.pop()
            if true >> 1 == 0 or true in self.known:
                continue
            self.known[true], self.known[negate(true)] = TRUE, FALSE
            if circuit.kind[true >> 1] == (Kind.OR if true & 1 else Kind.AND):
                pending.extend(literal ^ (true & 1) for literal in circuit.inputs[true >> 1])

    def evaluate(self, image: list[Literal], parts: Sequence[Part]) -> None:
        """Fills in the gates of a ply."""
        for part in parts:
            if not part.cyclic:
                for node in part.gates:
                    image[node] = self.gate(image, node)
                continue
            # A shortest derivation meets no OR gate twice, and each round takes it one OR gate further: see by_rounds.
            for node in part.gates:
                image[node] = FALSE
            for _ in range(1 + sum(self.rules.is_or[node - self.rules.first_gate] for node in part.gates)):
                before = [image[node] for node in part.gates]
                for node in part.gates:
                    image[node] = self.gate(image, node)
                if [image[node] for node in part.gates] == before:
                    break

    def gate(self, image: Sequence[Literal], node: int) -> Literal:
        gate = node - self.rules.first_gate
        inputs = [image[literal >> 1] ^ (literal & 1) for literal in self.rules.inputs[gate]]
        made = self.circuit.disjunction(inputs) if self.rules.is_or[gate] else self.circuit.conjunction(inputs)
        return self.known.get(made, made)

    def choose(self, ply: int, role: int, legal: dict[int, Literal]) -> _Chosen:
        """Lets a role choose among the moves that may be legal."""
        # What is legal in every line comes first: one of those makes a default that depends on nothing.
        candidates = sorted(legal, key=lambda move: legal[move] != TRUE)
        if len(candidates) <= 1:
            # Rules of GDL leave every role a legal move while play goes on.
            return _Chosen(None, dict.fromkeys(candidates, TRUE), TRUE)
        texts = tuple(self.words.text(self.moves[move]) for move in candidates)
        circuit = self.circuit
        if self.encoding == "unary":
            variables = [self.variable(f"x{ply + 1}_{_word(text)}") for text in texts]
            rules = [
                circuit.disjunction(variables),
                *at_most_one(circuit, variables),
                *(circuit.implication(x, legal[move]) for x, move in zip(variables, candidates, strict=True)),
            ]
            choice = OneOfMoves(self.words, self.roles[role], texts, tuple(x >> 1 for x in variables))
            return _Chosen(choice, dict(zip(candidates, variables, strict=True)), circuit.conjunction(rules))
        letter = "xy"[role]
        bits = [self.variable(f"{letter}{ply + 1}_{place + 1}") for place in range(bits_for(len(candidates)))]
        coded = CodedMove(self.words, self.roles[role], texts, tuple(bit >> 1 for bit in bits), self.encoding)
        may = [legal[move] for move in candidates]
        if self.encoding == "premise":
            said = selectors(circuit, bits, len(candidates))
            fine = circuit.conjunction(circuit.implication(says, when) for says, when in zip(said, may, strict=True))
            return _Chosen(coded, dict(zip(candidates, said, strict=True)), fine)
        does = ranked(circuit, bits, may) if self.encoding == "rank" else corrected(circuit, bits, may)
        return _Chosen(coded, dict(zip(candidates, does, strict=True)), TRUE)

    def several(self, image: Sequence[Literal], role: int) -> Literal:
        """Whether a role has more than one legal move."""
        rules, circuit = self.rules, self.circuit
        before, twice = FALSE, list[Literal]()
        for move in range(rules.first_move[role], rules.first_move[role + 1]):
            legal = _read(image, rules.legal[move])
            twice.append(circuit.conjunction((before, legal)))
            before = circuit.disjunction((before, legal))
        return circuit.disjunction(twice)

    def variable(self, name: str) -> Literal:
        """A variable of that name, with a number behind it where both roles have a move of one name in a ply."""
        literal = self.circuit.variable()
        before = self.named[name] = self.named.get(name, 0) + 1
        self.names[literal >> 1] = name if before == 1 else f"{name}_{before}"
        return literal

    def run(self, state: Sequence[bool], question: Question) -> Encoded:
        rules, circuit = self.rules, self.circuit
        facts: list[Literal] = [TRUE if holds else FALSE for holds in state]
        shell: list[tuple[Literal, Literal, Literal, Literal]] = []
        plies: list[tuple[CodedMove | OneOfMoves | None, CodedMove | OneOfMoves | None]] = []
        clashes: list[Literal] = []
        going_on: Literal = TRUE
        value: Literal = TRUE if question.unfinished else FALSE
        for ply in range(question.plies + 1):
            image: list[Literal] = [FALSE] * (rules.first_gate + len(rules.inputs))
            image[1 : 1 + rules.fluents] = facts
            self.evaluate(image, rules.state_parts)
            over = _read(image, rules.terminal)
            enough = circuit.disjunction(
                _read(image, when) for role, score, when in rules.goals if role == 0 and score >= question.at_least
            )
            won, lost = circuit.conjunction((over, enough)), circuit.conjunction((over, negate(enough)))
            if ply == question.plies or over == TRUE:
                value = circuit.disjunction((won, circuit.conjunction((negate(lost), value))))
                break
            self.suppose(negate(over))
            chosen: list[_Chosen] = []
            for role in range(2):
                moves = range(rules.first_move[role], rules.first_move[role + 1])
                legal = {move: _read(image, rules.legal[move]) for move in moves}
                chosen.append(self.choose(ply, role, {move: when for move, when in legal.items() if when != FALSE}))
                for move, done in chosen[role].does.items():
                    image[1 + rules.fluents + move] = done
            going_on = circuit.conjunction((going_on, negate(over)))
            if all(part.choice is not None for part in chosen):
                clashes.append(circuit.conjunction((going_on, self.several(image, 0), self.several(image, 1))))
            self.evaluate(image, rules.step_parts)
            facts = [_read(image, literal) for literal in rules.next]
            facts = [self.known.get(fact, fact) for fact in facts]
            shell.append((won, lost, chosen[0].legal, chosen[1].legal))
            plies.append((chosen[0].choice, chosen[1].choice))
        for won, lost, own, other in reversed(shell):
            value = circuit.conjunction((own, circuit.implication(other, value)))
            value = circuit.disjunction((won, circuit.conjunction((negate(lost), value))))
        formula = formula_of(circuit, value, plies, self.names)
        return Encoded(formula, question, tuple(plies), circuit.disjunction(clashes))


def _read(image: Sequence[Literal], literal: int) -> Literal:
    return image[literal >> 1] ^ (literal & 1)


def _word(text: str) -> str:
    """A move as part of a variable's name in QCIR: letters, digits and underscores."""
    words = "".join(c if c.isascii() and c.isalnum() else " " for c in text).split()
    return "_".join(words)


def encode_ground(
    ground: GroundReasoner,
    roles: tuple[str, str],
    state: bytes,
    question: Question,
    encoding: str = "unary",
    rules: GroundCircuit | None = None,
    words: Words | None = None,
) -> Encoded:
    """The question about a ground game of two roles, from a packed state on, as a formula.

    >>> from zermelo.gdl.ground import ground
    >>> from zermelo.gdl.library import rulesheet
    >>> game = ground(rulesheet("tictactoe"))
    >>> encoded = encode_ground(game, ("x", "o"), game.native.start(), Question(3, 100))
    >>> [block.quantifier for block in encoded.formula.prefix]
    ['exists', 'forall', 'exists']
    """
    if encoding not in GROUND_ENCODINGS:
        raise InputError(f"unknown encoding {encoding!r}, expected one of {', '.join(GROUND_ENCODINGS)}")
    if len(ground.roles) != 2 or RANDOM in ground.roles:
        raise NotApplicableError("only games of two roles without chance become formulas")
    rules = rules or ground_circuit(ground)
    bits = int.from_bytes(state, "little")
    holds = [bool(bits >> fluent & 1) for fluent in range(rules.fluents)]
    return _Unrolling(rules, ground.moves, roles, encoding, words or PlainWords()).run(holds, question)
