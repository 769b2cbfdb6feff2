"""Claims that rest on a rule instead of a table: who checks which, each in a module loaded when it is needed."""

from __future__ import annotations

from importlib import import_module
from typing import Final

from zermelo.certificate import Claim
from zermelo.check.verdict import Verdict
from zermelo.game import Game
from zermelo.limits import Limits

CHECKERS: Final[dict[str, tuple[str, str]]] = {
    "clauses": ("zermelo.check.derivation", "check_clauses_claim"),
    "equilibrium": ("zermelo.check.equilibrium", "check_equilibrium"),
    "expectation": ("zermelo.check.expected", "check_expectation"),
    "forced": ("zermelo.check.forced", "check_forced_claim"),
    "functions": ("zermelo.check.formula", "check_functions"),
    "held": ("zermelo.check.held", "check_held_claim"),
    "nimbers": ("zermelo.check.sequences", "check_nimbers_claim"),
    "outcome": ("zermelo.check.outcomes", "check_outcome_claim"),
    "policy": ("zermelo.check.network", "check_policy_claim"),
    "program": ("zermelo.check.program", "check_program_claim"),
    "sum": ("zermelo.check.sums", "check_sum_claim"),
    "value": ("zermelo.check.values", "check_value_claim"),
}
"""Rules by name, with the module and the function that check them."""
NAMED: Final = ("zermelo.check.named", "check_named")
"""All other names are those of strategies for games of the library."""


def check_rule(game: Game, claim: Claim, limits: Limits) -> Verdict:
    """Checks a claim that rests on a rule.

    >>> from zermelo.games.nim import Nim
    >>> check_rule(Nim(100_000, 99_999, 3), Claim("first", 1, rule="nim-sum"), Limits()).status
    'accepted'
    """
    module, name = CHECKERS.get(str(claim.rule), NAMED)
    verdict: Verdict = getattr(import_module(module), name)(game, claim, limits)
    return verdict
