"""Plays the functions of a solved formula against the rules of the game: they become a table of moves.

A wrong encoding can make a formula true that should be false, and its Skolem functions would pass every test of the
formula. They do not pass this one: legal moves and results come from the game itself, and the table that is written
down is a claim of a certificate, which the strategy checker verifies against every reply.

All lines of one length are followed at once: a gate of the functions is a whole number with one bit for each line, so
that one pass over the gates of a ply answers for all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from zermelo.encode.qbf.encoded import ROLES, Choice, Encoded
from zermelo.errors import DisagreementError, LimitReachedError
from zermelo.game import Game, Score
from zermelo.limits import Limits
from zermelo.qbf.circuit import Kind, Literal, bits_of_gate, cone
from zermelo.qbf.functions import Functions


@dataclass(frozen=True)
class Played:
    """A table of moves with ranks, as a claim holds it.

    ``scores`` are those of the first role at the ends that the lines came to; ``unfinished`` counts lines that the
    horizon cut.
    """

    table: dict[str, tuple[str, int | None]]
    scores: frozenset[Score]
    unfinished: int


def played_back(game: Game, encoded: Encoded, functions: Functions, limits: Limits | None = None) -> Played:
    """What the owner of the functions plays in every position that it can meet, ply by ply.

    Lines that meet in a position after as many plies go on as one. A position met after different numbers of plies
    gets the move of the latest: the rank, the plies left then, falls from each position of the owner to the next.
    """
    game = encoded.followed(game)
    owner = ROLES.index(functions.owner)
    role, limits = game.roles[owner], limits or Limits()
    table: dict[str, tuple[str, int | None]] = {}
    # For each position, what the other side chose on the way there.
    layer: dict[Any, dict[int, bool]] = {game.start(): {}}
    count = 0
    scores: set[Score] = set()
    for ply, choices in enumerate(encoded.plies):
        own, other = choices[owner], choices[1 - owner]
        going = []
        for position, chosen in layer.items():
            result = game.result(position)
            if result is not None:
                scores.add(result[0])
            else:
                mine = game.turn(position) == role
                # Where the owner is to move, what the other side chooses in the ply is said already: its only move.
                going.append((position, mine, chosen | _said(other, game, position, None) if mine else chosen))
        said = _values(functions, () if own is None else own.variables, [chosen for _, _, chosen in going])
        layer = {}
        for line, (position, mine, chosen) in enumerate(going):
            count += 1
            if count % 256 == 0 and limits.expired():
                raise LimitReachedError("the time limit was reached while the strategy was written down")
            moves = game.moves(position)
            if not mine:
                for reply in moves:
                    if (after := game.play(position, reply)) not in layer:
                        layer[after] = chosen | _said(other, game, position, reply)
                continue
            move = moves[0] if own is None else own.move(game, position, [bits >> line & 1 == 1 for bits in said])
            if move is None or move not in moves:
                raise DisagreementError(f"the functions of {role} say no legal move in {game.key(position)}")
            table[game.key(position)] = (game.move_text(move), len(encoded.plies) - ply)
            layer.setdefault(game.play(position, move), chosen)
    results = [game.result(position) for position in layer]
    scores.update(result[0] for result in results if result is not None)
    return Played(table, frozenset(scores), results.count(None))


def _said(choice: Choice | None, game: Game, position: Any, move: Any) -> dict[int, bool]:
    """The values by which a role says its move."""
    return {} if choice is None else dict(zip(choice.variables, choice.values(game, position, move), strict=True))


def _values(functions: Functions, variables: Iterable[int], lines: Sequence[Mapping[int, bool]]) -> list[int]:
    """For each variable of the owner a number whose bits are its values, one for each line."""
    circuit = functions.circuit
    outputs: list[Literal] = [functions.outputs.get(variable, 0) for variable in variables]
    everyone = (1 << len(lines)) - 1
    source = {node: variable for variable, node in functions.inputs.items()}
    value: dict[int, int] = {0: 0}

    def read(literal: Literal) -> int:
        return value[literal >> 1] ^ (everyone if literal & 1 else 0)

    for node in cone(circuit, outputs):
        match kind := circuit.kind[node]:
            case Kind.CONSTANT:
                value[node] = 0
            case Kind.VARIABLE:
                variable = source[node]
                bits = "".join("1" if chosen.get(variable) else "0" for chosen in reversed(lines))
                value[node] = int(bits, 2) if bits else 0
            case _:
                value[node] = bits_of_gate(kind, [read(literal) for literal in circuit.inputs[node]], everyone)
    return [read(output) for output in outputs]
