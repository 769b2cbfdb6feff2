"""Claims that rest on a proof about a program: which program that is, and whether the proof promises enough.

The score of ``exists`` is the objective, with the sign that makes larger scores better for her; that of ``forall`` is
its opposite. If a row is broken, ``exists`` gets less than for any values that keep all rows. A formula is a program
without an objective (:mod:`zermelo.check.clausal`): true if its rows can be kept, and then worth 1 to ``exists``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeVar

from zermelo.certificate import Claim, score_text
from zermelo.check.instance import instance_of
from zermelo.check.quantified import ROLES, QuantifiedProgram, Role
from zermelo.check.verdict import Fault
from zermelo.game import Game
from zermelo.wrapper import GameWrapper

if TYPE_CHECKING:
    from zermelo.check.clause_steps import Derivation
    from zermelo.check.steps import Proof

P = TypeVar("P", "Proof", "Derivation")


def promised(game: Game, claim: Claim, read: Callable[[Role, Mapping[str, Any]], P]) -> tuple[QuantifiedProgram, P]:
    """The program of a game and the proof in the data of a claim, if that promises what is claimed; a fault if not."""
    # A wrapper may have changed the rules: what it wraps says nothing of it.
    program = None if isinstance(game, GameWrapper) else instance_of(game)
    of_formula = not isinstance(program, QuantifiedProgram)
    if of_formula:
        from zermelo.check.clausal import program_of  # whoever asks about a program need not trust it

        program = program_of(program)
    if not isinstance(program, QuantifiedProgram):
        raise Fault(f"the rule {claim.rule!r} is for programs, not {type(game).__name__}")
    if claim.role not in ROLES:
        raise Fault(f"{claim.role!r} is not a role of the game: {', '.join(ROLES)}")
    role: Role = "exists" if claim.role == "exists" else "forall"
    try:
        proof = read(role, claim.data)
    except Fault as fault:
        raise Fault(f"the data of the rule {claim.rule!r} is not as it should be: {fault}") from None
    if proof.owner != role or (role == "exists" and proof.value is None):
        raise Fault(f"such a proof is none of {role}")
    promise = program.score(proof.value) if role == "exists" else -program.most_for_exists(proof.value)
    at_least = Fraction(claim.at_least)
    if of_formula:
        if at_least > 1:
            raise Fault(f"a formula is worth 1 at most, the claim is at least {score_text(at_least)}")
        at_least = program.score(Fraction(0)) if role == "exists" else -program.score(None)
    if promise < at_least:
        raise Fault(f"the proof promises {score_text(promise)}, the claim is at least {score_text(at_least)}")
    return program, proof
