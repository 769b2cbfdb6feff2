"""A game as a program: the choices of both roles ply by ply, gates as rows, the score as the objective.

The first role of the game is ``exists``, the second ``forall``, whoever moves first. Only moves are quantified; all
else are gates of the circuit that the game's rules make (:mod:`zermelo.encode.qbf`), see :mod:`zermelo.encode.qip.gates`.

Where there are two scores, the program is feasible exactly if the first role gets the higher one. Where there are more,
s_0 < s_1 < ... < s_n, it is asked of every play for each i > 0 whether the first role gets at least s_i, and the program
maximises s_0 + sum (s_i - s_(i-1)) z_i, which is the score.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from zermelo.encode.qbf.encoded import ROLES, Choice, Encoded, Question
from zermelo.encode.qbf.encoders import LAYERS, Encoder, encoder_of
from zermelo.encode.qip.gates import Wired, row_of, wired
from zermelo.game import Game, Score
from zermelo.limits import Limits
from zermelo.qbf.circuit import Circuit, cone, substituted
from zermelo.qip.program import Objective, Program, Quantifier, terms


@dataclass(frozen=True)
class PlacedChoice:
    """What one role chooses in one ply: variables of the program, and how their values are read as moves.

    Of the variables of ``choice`` some may matter to nobody: their ``places`` are ``None``, and they are 0.
    """

    choice: Choice
    places: tuple[int | None, ...]

    def move(self, game: Game, position: Any, values: Sequence[int]) -> Any:
        """The legal move that a play of the program says; ``None`` where it says none."""
        said = [place is not None and bool(values[place]) for place in self.places]
        return self.choice.move(game, position, said)

    def values(self, game: Game, position: Any, move: Any) -> dict[int, int]:
        """Values by place that say a move; a move of ``None`` is the only one of a role that is not to move."""
        said = self.choice.values(game, position, move)
        return {place: int(value) for place, value in zip(self.places, said, strict=True) if place is not None}


@dataclass(frozen=True)
class EncodedProgram:
    """A program, how its variables are read as moves, and what its values mean.

    ``scores`` are those of the first role, the lowest first; a program of two is feasible or not.
    """

    program: Program
    wired: Wired
    plies: tuple[tuple[PlacedChoice | None, PlacedChoice | None], ...]
    scores: tuple[Score, ...]

    def score(self, value: Fraction | None) -> Score:
        """The first role's score that a value of the program stands for; ``None``: it is infeasible."""
        if len(self.scores) <= 2:
            return self.scores[0] if value is None else self.scores[-1]
        assert value is not None
        return value.numerator if value.denominator == 1 else value

    @property
    def sizes(self) -> dict[str, int]:
        """How large the program is."""
        return {
            "variables": len(self.program.variables),
            "blocks": len(self.program.blocks),
            "rows": len(self.program.rows),
        }


def program_encoder(game: Game, encoding: str | None = None, limits: Limits | None = None) -> Encoder:
    """The encoder for a game; unless another is asked for, that in which no choice is against the rules.

    Its choices are numbers in bits, and a number whose move is illegal is read as a legal one: neither role has rules
    to keep, and of the encodings that have none this is the smallest.

    >>> from zermelo.games import make_game
    >>> program_encoder(make_game("tictactoe")).encoding, program_encoder(make_game("nim:1,2")).encoding
    ('index', 'layers')
    """
    encoder = encoder_of(game, encoding, limits)
    return encoder if encoding is not None or encoder.encoding == LAYERS else encoder_of(game, "index", limits)


def encode_program(encoder: Encoder, plies: int, *, unfinished: bool = False, name: str = "game") -> EncodedProgram:
    """The game up to so many plies as a program; a line that is not over by then counts as the lowest score.

    With ``unfinished`` it counts as the highest.

    >>> from zermelo.encode.qbf import encoder_of
    >>> from zermelo.games import make_game
    >>> encoded = encode_program(encoder_of(make_game("nim:2,1")), 3)
    >>> [f"{v.quantifier} {v.name}" for v in encoded.program.variables][:3]
    ['exists x1_1', 'exists x1_2', 'forall y2_1']
    """
    asked = encoder.scores[1:] or encoder.scores
    parts = [encoder.encode(Question(plies, score, unfinished)) for score in asked]
    circuit = Circuit()
    nodes = [
        tuple(None if choice is None else [circuit.variable() >> 1 for _ in choice.variables] for choice in choices)
        for choices in parts[0].plies
    ]
    outputs = []
    for part in parts:
        leaves = {
            variable: 2 * node
            for choices, made in zip(part.plies, nodes, strict=True)
            for choice, own in zip(choices, made, strict=True)
            if choice is not None and own is not None
            for variable, node in zip(choice.variables, own, strict=True)
        }
        outputs += substituted(part.formula.circuit, [part.formula.output], circuit, leaves)
    used = set(cone(circuit, outputs))
    prefix: list[tuple[Quantifier, list[int]]] = []
    for made in nodes:
        for quantifier, own in zip(ROLES, made, strict=True):
            kept = [node for node in own or () if node in used]
            if kept and prefix and prefix[-1][0] == quantifier:
                prefix[-1][1].extend(kept)
            elif kept:
                prefix.append((quantifier, kept))
    wiring = wired(circuit, outputs, prefix, _names(parts[0], nodes))
    program = _asked(wiring, outputs, encoder.scores, name)
    placed = tuple(
        tuple(
            None if choice is None else PlacedChoice(choice, tuple(wiring.place.get(node) for node in own or ()))
            for choice, own in zip(choices, made, strict=True)
        )
        for choices, made in zip(parts[0].plies, nodes, strict=True)
    )
    return EncodedProgram(program, wiring, tuple((first, second) for first, second in placed), encoder.scores)


def _asked(wiring: Wired, outputs: Sequence[int], scores: Sequence[Score], name: str) -> Program:
    """The program that asks for the outputs: one is to hold, several are worth scores."""
    if len(outputs) == 1:
        goal = row_of([(1, wiring.value(outputs[0]))], ">=", 1, "goal")
        return Program(wiring.variables, (*wiring.rows, goal), name=name)
    constant, worth = Fraction(scores[0]), list[tuple[int, Fraction]]()
    for output, below, score in zip(outputs, scores, scores[1:], strict=False):
        form, alone = wiring.value(output)
        constant += (score - below) * alone
        worth += [(variable, (score - below) * Fraction(c)) for variable, c in form.items()]
    return Program(wiring.variables, wiring.rows, Objective("max", terms(worth), constant), name=name)


def _names(part: Encoded, nodes: Sequence[tuple[list[int] | None, ...]]) -> dict[int, str]:
    """What the choices are called: as in the formula where it names them."""
    names: dict[int, str] = {}
    taken: set[str] = set()
    for ply, (choices, made) in enumerate(zip(part.plies, nodes, strict=True), 1):
        for letter, choice, own in zip("xy", choices, made, strict=True):
            if choice is None or own is None:
                continue
            for place, (variable, node) in enumerate(zip(choice.variables, own, strict=True), 1):
                name = part.formula.names.get(variable) or f"{letter}{ply}_{place}"
                while name in taken:
                    name += "_"
                taken.add(name)
                names[node] = name
    return names
