"""Plays the proofs of a solved program against the rules of the game: they become tables of moves.

As with formulas, a wrong encoding does not get past this: legal moves and results come from the game itself, and the
table is a claim that the strategy checker verifies against every reply.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from zermelo.encode.qbf.encoded import ROLES
from zermelo.encode.qbf.playback import Played
from zermelo.encode.qip.encoded import EncodedProgram, ProgramChoice
from zermelo.errors import DisagreementError, LimitReachedError
from zermelo.game import Game, Score
from zermelo.limits import Limits
from zermelo.qip.game import ProgramGame
from zermelo.qip.proofs.derivation import Derivation
from zermelo.qip.proofs.proof import Proof
from zermelo.qip.proofs.proof_strategy import ProgramStrategy

Values = tuple[int, ...]
Choices = tuple[ProgramChoice | None, ProgramChoice | None]


def played_by_program(
    game: Game, encoded: EncodedProgram, proof: Proof | Derivation, limits: Limits | None = None
) -> Played:
    """What the owner of a proof plays in every position that it can meet, ply by ply.

    Lines that meet in a position after as many plies go on as one. A position met after different numbers of plies
    gets the move of the latest: the rank, the plies left then, falls from each position of the owner to the next.
    """
    return _Playback(game, encoded, proof, limits or Limits()).played()


class _Playback:
    """Lines of the game and of the program side by side."""

    def __init__(self, game: Game, encoded: EncodedProgram, proof: Proof | Derivation, limits: Limits) -> None:
        self.game, self.encoded, self.limits = game, encoded, limits
        self.strategy = ProgramStrategy(ProgramGame(encoded.program), proof)
        self.owner = ROLES.index(proof.owner)
        self.role = game.roles[self.owner]
        variables = encoded.program.variables
        self.own = frozenset(place for place in encoded.chosen if variables[place].quantifier == proof.owner)
        self.count = 0

    def played(self) -> Played:
        game, plies = self.game, self.encoded.plies
        table: dict[str, tuple[str, int | None]] = {}
        scores: set[Score] = set()
        # For each position, the values of the program's variables on the way there.
        layer: dict[Any, Values] = {game.start(): ()}
        for ply, choices in enumerate(plies):
            following: dict[Any, Values] = {}
            for position, values in layer.items():
                self.tick()
                result = game.result(position)
                if result is not None:
                    scores.add(result[0])
                elif game.turn(position) == self.role:
                    move, after = self.own_move(choices, position, values)
                    table[game.key(position)] = (game.move_text(move), len(plies) - ply)
                    following.setdefault(game.play(position, move), after)
                else:
                    for reply in game.moves(position):
                        child = game.play(position, reply)
                        if child not in following:
                            following[child] = self.reply(choices, position, values, reply)
            layer = following
        results = [game.result(position) for position in layer]
        scores.update(result[0] for result in results if result is not None)
        return Played(table, frozenset(scores), results.count(None))

    def own_move(self, choices: Choices, position: Any, values: Values) -> tuple[Any, Values]:
        """The owner's move, and the values after it."""
        own, other = choices[self.owner], choices[1 - self.owner]
        said = {} if other is None else dict(other.values(self.game, position, None))
        moves = self.game.moves(position)
        move = moves[0]
        if own is not None:
            values = self.extended(values, [place for place in own.places if place in self.own], said)
            move = own.move(self.game, position, values)
            if move is None or move not in moves:
                where = self.game.key(position)
                raise DisagreementError(f"the program's strategy for {self.role} says no legal move in {where}")
            # What the move says of variables that the owner does not set.
            said |= own.values(self.game, position, move)
        return move, self.extended(values, _places(choices), said)

    def reply(self, choices: Choices, position: Any, values: Values, move: Any) -> Values:
        """The values after a move of the other role."""
        other = choices[1 - self.owner]
        said = {} if other is None else other.values(self.game, position, move)
        return self.extended(values, _places(choices), said)

    def extended(self, values: Values, places: Sequence[int], said: Mapping[int, int]) -> Values:
        """The values up to the last of some places: what was said, what the proof says, what follows from the rows."""
        end = 1 + max(places, default=-1)
        made = list(values)
        while len(made) < end:
            here = len(made)
            if here in self.own:
                made.append(int(self.strategy(tuple(made))[1]))
            elif here in said:
                made.append(said[here])
            else:
                made.append(self.encoded.settled(here, made))
        return tuple(made)

    def tick(self) -> None:
        self.count += 1
        if self.count % 64 == 0 and self.limits.expired():
            raise LimitReachedError("the time limit was reached while the strategy was written down")


def _places(choices: Choices) -> list[int]:
    return [place for choice in choices if choice is not None for place in choice.places]
