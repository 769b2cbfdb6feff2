"""Strategies stated as a rule ("pair the cells", "mirror the last move") and how each is checked.

A claim by a rule is checked in one of two ways. On small boards the rule is *played out*: its moves against
every reply, as for a table of moves. On larger ones a *lemma* is applied: a few conditions that are tested on
this very board, and from which the claim follows for boards of every size; each lemma's proof is in its
docstring. Tests compare the two ways on all small boards.

Rules are named in certificates; a name that is not registered here is refused. The data of a certificate is
not trusted: its shape is tested before anything else is done with it. All rules speak of play from the start
position.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final, Generic, TypeVar

from zermelo.certificate import Claim, score_text
from zermelo.check.rules import CHECKERS
from zermelo.check.verdict import Verdict
from zermelo.check.walk import check_choice
from zermelo.game import Game, Score
from zermelo.games.strategy_rules import rule_move
from zermelo.limits import Limits

MODULES: Final[dict[str, str]] = {
    "answer-on-top": "lines",
    "equal-heaps": "wythoff",
    "golden-ratio": "wythoff",
    "mirror-heaps": "nim",
    "mirror-row": "treblecross",
    "nim-sum": "nim",
    "pairing": "lines",
    "period": "subtraction",
    "single-coins": "coins",
}
"""The rules by name, and the module that has the lemma of each: a check of one loads no others."""
EXPANSION = 200_000
"""A rule is played out where positions times moves are at most this many."""

G = TypeVar("G", bound=Game)
Data = Mapping[str, Any]


def check_named(game: Game, claim: Claim, limits: Limits) -> Verdict:
    """Checks a claim that rests on a rule for a game of the library.

    >>> from zermelo.games.nim import Nim
    >>> check_named(Nim(100_000, 99_999, 3), Claim("first", 1, rule="nim-sum"), Limits()).status
    'accepted'
    >>> check_named(Nim(2, 2), Claim("first", 1, rule="nim-sum"), Limits()).line
    ((0, 1), (1, 1), (0, 1), (1, 1))
    """
    if claim.rule not in MODULES:
        known = ", ".join(sorted([*MODULES, *CHECKERS]))
        return Verdict("refuted", f"the checker knows no rule {claim.rule!r}, only: {known}")
    return rule_named(claim.rule).check(game, claim, limits)


def rule_named(name: str) -> RuleChecker[Any]:
    """How claims by the rule of that name are checked.

    >>> rule_named("nim-sum").kind.__name__
    'Nim'
    """
    checker: RuleChecker[Any] = import_module(f"{__name__}.{MODULES[name]}").RULES[name]
    return checker


@dataclass(frozen=True)
class RuleChecker(Generic[G]):
    """How claims by one rule are checked, for games of exactly one kind: a subclass may have other rules.

    ``shape`` says what is wrong with the form of the data, ``lemma`` which condition fails for the role (0 or
    1); both say ``None`` if all is well. ``effort`` bounds what it takes to play the rule out.
    """

    kind: type[G]
    promise: Score
    shape: Callable[[G, Data], str | None]
    effort: Callable[[G], int]
    lemma: Callable[[G, int, Data, Limits], str | None]

    def check(self, game: Game, claim: Claim, limits: Limits) -> Verdict:
        """Checks a claim: played out where that is cheap, else by the lemma."""
        if type(game) is not self.kind:
            return Verdict("refuted", f"the rule {claim.rule!r} is for {self.kind.__name__}, not {type(game).__name__}")
        if claim.role not in game.roles:
            return Verdict("refuted", f"{claim.role!r} is not a role of the game: {', '.join(game.roles)}")
        if (fault := self.shape(game, claim.data)) is not None:
            return Verdict("refuted", f"the data of the rule {claim.rule!r} is not as it should be: {fault}")
        return self.play_out(game, claim, limits) if self.effort(game) <= EXPANSION else self.apply(game, claim, limits)

    def play_out(self, game: G, claim: Claim, limits: Limits) -> Verdict:
        """Plays the rule against every reply. The data must have the right shape."""
        return check_choice(
            game, claim, lambda position: (rule_move(game, position, claim), None), limits, ranked=False
        )

    def apply(self, game: G, claim: Claim, limits: Limits) -> Verdict:
        """Tests the conditions of the lemma. The data must have the right shape."""
        if claim.at_least > self.promise:
            goal = score_text(claim.at_least)
            reason = f"the rule promises {score_text(self.promise)}, the claim is at least {goal}"
            return Verdict("refuted", reason)
        try:
            fault = self.lemma(game, game.roles.index(claim.role), claim.data, limits)
        except TimeoutError:
            return Verdict("limit", "the limit was reached before the lemma's conditions were tested")
        if fault is not None:
            return Verdict("refuted", f"the rule {claim.rule!r} proves nothing for {claim.role} here: {fault}")
        return Verdict("accepted", how="by a lemma")


def no_data(game: Game, data: Data) -> str | None:
    """The shape of a rule that needs no data."""
    del game
    return "there should be none" if data else None


def is_index(value: object, end: int) -> bool:
    """Whether a value counts from 0 to before an end."""
    return type(value) is int and 0 <= value < end
