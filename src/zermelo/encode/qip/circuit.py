"""Games as programs by the circuits of their rules: choices ply by ply, gates as rows, the score as the objective.

The circuits are those by which games become formulas (:mod:`zermelo.encode.qbf`); :mod:`zermelo.encode.qip.gates` makes
rows of them. Where there are two scores, the program is feasible exactly if the first role gets the higher one. Where
there are more, s_0 < s_1 < ... < s_n, it is asked of every play for each i > 0 whether the first role gets at least
s_i, and the program maximises s_0 + sum (s_i - s_(i-1)) z_i, which is the score.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

from zermelo.encode.qbf.encoded import ROLES, Choice, Encoded, Question, need_turns
from zermelo.encode.qbf.encoders import LAYERS, Encoder, encoder_of
from zermelo.encode.qbf.playback import Played
from zermelo.encode.qip.encoded import AnyScore, EncodedProgram, Meaning, OwnScore
from zermelo.encode.qip.gates import Wired, row_of, wired
from zermelo.encode.qip.playback import played_by_program
from zermelo.game import Game, Score
from zermelo.limits import Limits
from zermelo.qbf.circuit import Circuit, Literal, cone, substituted
from zermelo.qip.programs.program import Objective, Program, Quantifier, terms
from zermelo.qip.proofs.derivation import Derivation
from zermelo.qip.proofs.proof import Proof

Nodes = Sequence[tuple[list[int], list[int]]]
"""For each ply the nodes that say what each role chooses."""


@dataclass(frozen=True)
class WiredChoice:
    """A choice of the formula, in the program: variables that matter to nobody are not in it, and are 0."""

    choice: Choice
    wires: tuple[int | None, ...]

    @property
    def places(self) -> Sequence[int]:
        """The numbers of the variables."""
        return [place for place in self.wires if place is not None]

    def move(self, game: Game, position: Any, values: Sequence[int]) -> Any:
        """The legal move that a play of the program says; ``None`` where it says none."""
        said = [place is not None and bool(values[place]) for place in self.wires]
        return self.choice.move(game, position, said)

    def values(self, game: Game, position: Any, move: Any) -> Mapping[int, int]:
        """Values by number that say a move; a move of ``None`` is the only one of a role that is not to move."""
        said = self.choice.values(game, position, move)
        return {place: int(value) for place, value in zip(self.wires, said, strict=True) if place is not None}


class CircuitEncoder:
    """Any game that becomes a formula. Unless another encoding is asked for, that in which nothing is illegal.

    Its choices are numbers in bits, and a number whose move is illegal is read as a legal one: neither role has rules
    to keep, and of the encodings that have none this is the smallest.

    >>> from zermelo.games import make_game
    >>> encoder = CircuitEncoder(make_game("nim:2,1"))
    >>> encoded = encoder.encode(3)
    >>> [f"{v.quantifier} {v.name}" for v in encoded.program.variables][:3], encoded.meaning.score(None)
    (['exists x1_1', 'exists x1_2', 'forall y2_1'], -1)
    """

    grows = True

    def __init__(self, game: Game, encoding: str | None = None, limits: Limits | None = None) -> None:
        formulas = encoder_of(game, encoding, limits)
        if encoding is None and formulas.encoding != LAYERS:
            formulas = encoder_of(game, "index", limits)
        self._formulas: Encoder = formulas
        self.game, self.play = formulas.game, formulas.play
        self.encoding, self.length, self.exact = formulas.encoding, formulas.length, formulas.exact
        self.scores, self.total = formulas.scores, formulas.total

    def encode(self, plies: int, *, unfinished: bool = False) -> EncodedProgram:
        """The game up to so many plies."""
        asked = self.scores[1:] or self.scores
        parts = [self._formulas.encode(Question(plies, score, unfinished)) for score in asked]
        need_turns(parts[0])
        return _program(parts, self.scores)

    def played(self, encoded: EncodedProgram, proof: Proof | Derivation, limits: Limits) -> Played:
        """What the owner of a proof plays in every position that it can meet."""
        return played_by_program(self.play, encoded, proof, limits)


def _program(parts: Sequence[Encoded], scores: tuple[Score, ...]) -> EncodedProgram:
    """One program of several questions about the same plies."""
    circuit = Circuit()
    nodes: Nodes = [(_variables(circuit, first), _variables(circuit, second)) for first, second in parts[0].plies]
    outputs: list[Literal] = []
    for part in parts:
        leaves = {
            variable: 2 * node
            for choices, made in zip(part.plies, nodes, strict=True)
            for choice, own in zip(choices, made, strict=True)
            if choice is not None
            for variable, node in zip(choice.variables, own, strict=True)
        }
        outputs += substituted(part.formula.circuit, [part.formula.output], circuit, leaves)
    wiring = wired(circuit, outputs, _prefix(nodes, set(cone(circuit, outputs))), _names(parts[0], nodes))
    program, meaning = _asked(wiring, outputs, scores)

    def placed(choice: Choice | None, own: Sequence[int]) -> WiredChoice | None:
        return None if choice is None else WiredChoice(choice, tuple(wiring.place.get(node) for node in own))

    plies = tuple(
        (placed(choices[0], made[0]), placed(choices[1], made[1]))
        for choices, made in zip(parts[0].plies, nodes, strict=True)
    )
    return EncodedProgram(program, plies, meaning)


def _variables(circuit: Circuit, choice: Choice | None) -> list[int]:
    return [] if choice is None else [circuit.variable() >> 1 for _ in choice.variables]


def _prefix(nodes: Nodes, used: set[int]) -> list[tuple[Quantifier, list[int]]]:
    prefix: list[tuple[Quantifier, list[int]]] = []
    for made in nodes:
        for quantifier, own in zip(ROLES, made, strict=True):
            kept = [node for node in own if node in used]
            if kept and prefix and prefix[-1][0] == quantifier:
                prefix[-1][1].extend(kept)
            elif kept:
                prefix.append((quantifier, kept))
    return prefix


def _names(part: Encoded, nodes: Nodes) -> dict[int, str]:
    """What the choices are called: as in the formula where it names them."""
    names: dict[int, str] = {}
    taken: set[str] = set()
    for ply, (choices, made) in enumerate(zip(part.plies, nodes, strict=True), 1):
        for letter, choice, own in zip("xy", choices, made, strict=True):
            for place, node in enumerate(own, 1):
                said = None if choice is None else part.formula.names.get(choice.variables[place - 1])
                name = said or f"{letter}{ply}_{place}"
                while name in taken:
                    name += "_"
                taken.add(name)
                names[node] = name
    return names


def _asked(wiring: Wired, outputs: Sequence[Literal], scores: tuple[Score, ...]) -> tuple[Program, Meaning]:
    """The program that asks for the outputs: one is to hold, several are worth scores."""
    if len(outputs) == 1:
        goal = row_of([(1, wiring.value(outputs[0]))], ">=", 1, "goal")
        return Program(wiring.variables, (*wiring.rows, goal)), AnyScore(scores)
    constant, worth = Fraction(scores[0]), list[tuple[int, Fraction]]()
    for output, (below, score) in zip(outputs, pairwise(scores), strict=True):
        form, alone = wiring.value(output)
        constant += (score - below) * alone
        worth += [(variable, (score - below) * Fraction(c)) for variable, c in form.items()]
    return Program(wiring.variables, wiring.rows, Objective("max", terms(worth), constant)), OwnScore()
