"""Strategies stated as a rule ("pair the cells", "mirror the last move") and how each is checked.

A rule's checker gets the game and the claim and owes a :class:`Verdict`, like the checker of tables. Rules are
named in certificates; a name that is not registered here is refused.
"""

from __future__ import annotations

from collections.abc import Callable

from zermelo.certificate import Claim
from zermelo.check.strategy import Verdict
from zermelo.game import Game
from zermelo.limits import Limits

RuleChecker = Callable[[Game, Claim, Limits], Verdict]

RULES: dict[str, RuleChecker] = {}


def check_rule(game: Game, claim: Claim, limits: Limits) -> Verdict:
    """Checks a claim that rests on a named rule."""
    checker = RULES.get(claim.rule or "")
    if checker is None:
        known = ", ".join(sorted(RULES)) or "none"
        return Verdict("refuted", f"the checker knows no rule {claim.rule!r}, only: {known}")
    return checker(game, claim, limits)
