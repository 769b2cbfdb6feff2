"""Checks what a board, or a sum in brackets, is said to be worth: plain Python, no engine, no native code.

A certificate holds a list of games, options before what they are options of, and says which of them the sum or the
boards are equal to. What a sum in brackets is worth is worked out in :mod:`zermelo.check.sumvalues`; how boards are
compared with games is in :mod:`zermelo.check.boardvalues`. Who wins follows from the value.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Protocol, runtime_checkable

from zermelo.certificate import Claim
from zermelo.check.games import Games
from zermelo.check.instance import instance_of
from zermelo.check.listed import listed, listed_games
from zermelo.check.verdict import Fault, Verdict, judged
from zermelo.errors import one_line
from zermelo.game import Game
from zermelo.limits import Limits

SIDES = ("left", "right")


@runtime_checkable
class Bracketed(Protocol):
    """A reading of a sum in brackets."""

    @property
    def nodes(self) -> Sequence[Any]:
        """Its parts as they were written."""


def check_value_claim(game: Game, claim: Claim, limits: Limits) -> Verdict:
    """Checks a claim of the rule ``value``: a board or a sum in brackets has this value, and so this role wins.

    >>> from zermelo.solving.targets import game_of
    >>> data = {"games": ["0", [[0], [0]]], "root": 1, "value": "*"}
    >>> claim = Claim("left", 1, rule="value", data=data, play="normal")
    >>> check_value_claim(game_of("{0|0}"), claim, Limits()).status
    'accepted'
    """
    return judged(lambda: _checked(game, claim, Games(limits)))


def _checked(game: Game, claim: Claim, games: Games) -> Verdict:
    ids = listed_games(claim.data.get("games"), '"games"', games, games.canonical)
    root = listed(ids, claim.data.get("root"), '"root"')
    if game.line:
        raise Fault("a value is that of boards and sums as they were stated, not after some moves")
    stated = instance_of(game)
    if isinstance(stated, Bracketed):
        from zermelo.check.sumvalues import value_of_sum, value_of_text

        if claim.play != "normal":
            raise Fault(f"{claim.promise}: what a value proves is who wins under normal play")
        if value_of_sum(games, stated.nodes) != root:  # both in canonical form
            raise Fault("the sum is not equal to the game that the certificate names")
        positions, named = 1, value_of_text
    else:
        from zermelo.check.boardvalues import check_boards  # whoever trusts the value of a sum needs no boards
        from zermelo.check.read.value import named_value

        positions, named = check_boards(game, stated, games, ids, claim.data, root), named_value
    # The value in brackets, where the certificate has one, is what people read: it must be that game as well.
    said = claim.data.get("value")
    if "value" in claim.data and not (isinstance(said, str) and named(games, said) == root):
        raise Fault(f"the value is not {one_line(str(said)[:40])}")
    _need_winner(games, claim, root)
    return Verdict("accepted", positions=positions)


def _need_winner(games: Games, claim: Claim, root: int) -> None:
    """Left begins, so he wins unless the value is at most 0."""
    if claim.starts not in ("", "left"):
        raise Fault(f"the claim speaks of play that {claim.starts} starts, values of play that left starts")
    winner = "right" if games.less_equal(root, games.number(Fraction(0))) else "left"
    if claim.role not in SIDES:
        raise Fault(f"{claim.role!r} is not a role of the game: {', '.join(SIDES)}")
    if claim.at_least > (1 if claim.role == winner else -1):
        raise Fault(f"with that value {winner} wins when left begins, and {claim.role} cannot get {claim.at_least}")
