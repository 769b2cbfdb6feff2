"""Claims that rest on a proof about a program: which program that is, and whether the proof promises enough.

The score of ``exists`` is the objective, with the sign that makes larger scores better for her; that of ``forall`` is
its opposite. If a row is broken, ``exists`` gets less than for any values that keep all rows. A formula is a program
without an objective (:mod:`zermelo.check.clausal`): true if its rows can be kept, and then worth 1 to ``exists``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, Protocol, TypeVar

from zermelo.certificate import Claim, score_text
from zermelo.check.instance import instance_of
from zermelo.check.quantified import QuantifiedProgram, Role
from zermelo.check.verdict import Fault
from zermelo.game import Game
from zermelo.wrapper import GameWrapper

ROLES: tuple[Role, ...] = ("exists", "forall")


class Proving(Protocol):
    """What shows that its owner gets the objective to a value; ``None``: that rows cannot be kept."""

    @property
    def owner(self) -> Role:
        """Who gets it there."""

    @property
    def value(self) -> Fraction | None:
        """How far."""


P = TypeVar("P", bound=Proving)


def promised(game: Game, claim: Claim, read: Callable[[Role, Mapping[str, Any]], P]) -> tuple[QuantifiedProgram, P]:
    """The program of a game and the proof in the data of a claim, if that promises what is claimed; a fault if not."""
    role: Role = "exists" if claim.role == "exists" else "forall"
    program, at_least = _asked(game, claim, role)
    if claim.role not in ROLES:
        raise Fault(f"{claim.role!r} is not a role of the game: {', '.join(ROLES)}")
    try:
        proof = read(role, claim.data)
    except Fault as fault:
        raise Fault(f"the data of the rule {claim.rule!r} is not as it should be: {fault}") from None
    if proof.owner != role or (role == "exists" and proof.value is None):
        raise Fault(f"such a proof is none of {role}")
    promise = program.score(proof.value) if role == "exists" else -program.most_for_exists(proof.value)
    if promise < at_least:
        raise Fault(f"the proof promises {score_text(promise)}, the claim is at least {score_text(at_least)}")
    return program, proof


def _asked(game: Game, claim: Claim, role: Role) -> tuple[QuantifiedProgram, Fraction | int]:
    """The program that a claim is about, and what the role is to get in it."""
    # A wrapper may have changed the rules: what it wraps says nothing of it.
    instance = None if isinstance(game, GameWrapper) else instance_of(game)
    if isinstance(instance, QuantifiedProgram):
        return instance, claim.at_least
    from zermelo.check.clausal import program_of  # whoever asks about a program need not trust it

    program = program_of(instance)
    if program is None:
        raise Fault(f"the rule {claim.rule!r} is for programs, not {type(game).__name__}")
    if claim.at_least > 1:
        raise Fault(f"a formula is worth 1 at most, the claim is at least {score_text(claim.at_least)}")
    return program, program.score(Fraction(0)) if role == "exists" else -program.score(None)
