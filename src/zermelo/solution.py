"""Solutions: answers that were certified and, where that was asked for, checked."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from zermelo.answer import Answer, Status
from zermelo.brief import cut
from zermelo.certificate import Certificate, score_text
from zermelo.game import Game
from zermelo.kind import Kind
from zermelo.strategy import Strategy, strategy_of
from zermelo.words import shares

__all__ = ["Solution", "Status", "unanswered_json"]

LONGEST_TARGET, LONGEST_SCORE, LONGEST_SHARES = 40, 20, 60
"""Characters of a target, of a score and of what roles get in one line about a solution."""


@dataclass(frozen=True, kw_only=True, repr=False)
class Solution(Answer):
    """The answer to "who wins, how, and is it so?".

    ``value`` and ``bounds`` are the first role's score. ``verified`` is ``True`` if the independent checker accepted
    the certificate, and ``False`` if it was not asked or ran into a limit (``note`` says which). If the game is not
    ``solved``, ``bounds`` are proved all the same, or ``None`` if nothing is proved beyond what the rules imply;
    ``move`` and ``estimate`` are a guess. ``details`` has what only one kind of game has.

    >>> import zermelo
    >>> solution = zermelo.solve("wythoff:3,5")
    >>> solution.winner, str(solution.value), solution.verified
    ('second', '-1', True)
    >>> solution
    <Solution of wythoff:3,5: second wins, value -1, by parity, verified>
    """

    target: str
    game: Game
    kind: Kind = field(repr=False)
    certificate: Certificate | None = None
    verified: bool = False

    @property
    def strategy(self) -> Strategy | None:
        """The winner's strategy, or the first role's where the game is drawn; ``None`` if there is none."""
        for claim in self.certificate.claims if self.certificate else ():
            if self.winner in (claim.role, "draw") and (found := strategy_of(self.game, claim)) is not None:
                return found
        return None

    def __repr__(self) -> str:
        target = cut(self.target, LONGEST_TARGET)
        if self.status != "solved":
            bounds = ("?" if bound is None else cut(score_text(bound), LONGEST_SCORE) for bound in self.bounds)
            return cut(f"<Solution of {target}: {self.status}, bounds {' .. '.join(bounds)}, by {self.engine}>")
        who = {"draw": "a draw", None: "cannot be won"}.get(self.winner, f"{self.winner} wins")
        if self.winner is None and len(self.values) > 1:
            who = cut(shares(self.values), LONGEST_SHARES)
        value = "" if self.value is None else f", value {cut(score_text(self.value), LONGEST_SCORE)}"
        verified = "verified" if self.verified else "not verified"
        return cut(f"<Solution of {target}: {who}{value}, by {self.engine}, {verified}>")

    def __str__(self) -> str:
        return self.kind.report(self)

    def _repr_svg_(self) -> str:
        from zermelo.draw.card import solution_svg

        return solution_svg(self)

    def to_json(self) -> dict[str, Any]:
        """The object that ``zermelo solve --json`` prints."""
        text = self.game.move_text
        return unanswered_json(self.target, self.engine, self.note) | {
            "status": self.status,
            "winner": self.winner,
            "value": None if self.value is None else score_text(self.value),
            "bounds": [None if bound is None else score_text(bound) for bound in self.bounds],
            "move": None if self.move is None else text(self.move),
            "estimate": self.estimate,
            "estimate_from": self.estimate_from or None,
            "reached": self.reached or None,
            "line": [text(move) for move in self.line],
            "distance": self.distance,
            "moves": {move: None if value is None else score_text(value) for move, value in self.move_values.items()},
            "values": {role: score_text(value) for role, value in self.values.items()},
            "moves_by_role": {
                move: {role: score_text(value) for role, value in after.items()}
                for move, after in self.moves_by_role.items()
            },
            "verified": self.verified,
            "stats": dict(self.stats),
            **({} if self.details is None else self.details.to_json()),
        }


def unanswered_json(target: str, engine: str, note: str) -> dict[str, Any]:
    """What ``zermelo solve --json`` prints where a run ends before there is even a game to speak of.

    >>> unanswered_json("nim:3", "auto", "interrupted")["status"]
    'unknown'
    """
    return {
        "target": target,
        "engine": engine,
        "status": "unknown",
        "winner": None,
        "value": None,
        "bounds": [None, None],
        "move": None,
        "estimate": None,
        "estimate_from": None,
        "reached": None,
        "line": [],
        "distance": None,
        "moves": {},
        "values": {},
        "moves_by_role": {},
        "verified": False,
        "note": note,
        "stats": {},
    }
