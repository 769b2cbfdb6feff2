"""What an engine returns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from zermelo.certificate import Certificate, Claim, score_text
from zermelo.game import Game, Role, Score
from zermelo.strategy import FunctionsStrategy, RuleStrategy, Strategy, TableStrategy

if TYPE_CHECKING:
    from zermelo.qbf.formula import Quantifier

Status = Literal["solved", "bounded", "unknown"]


@dataclass(frozen=True)
class Solution:
    """The answer to "who wins, how, and is it so?".

    ``value`` and ``bounds`` are the first role's score. ``verified`` is ``True`` after the independent
    checker accepted the certificate, ``False`` if it was not asked or ran into a limit (``note`` says which).
    Of a solution that is not ``solved``, ``bounds`` are proved, ``None`` where nothing better is proved than the rules
    say; ``move`` and ``estimate`` are a guess.

    >>> import zermelo
    >>> solution = zermelo.solve("wythoff:3,5")
    >>> solution.winner, str(solution.value), solution.verified
    ('second', '-1', True)
    """

    target: str
    game: Game
    engine: str
    status: Status
    value: Score | None = None
    bounds: tuple[Score | None, Score | None] = (None, None)
    winner: Role | None = None
    move: Any = None
    line: Sequence[Any] = ()
    distance: int | None = None
    move_values: Mapping[str, Score | None] = field(default_factory=dict)
    certificate: Certificate | None = None
    verified: bool = False
    note: str = ""
    stopped_by: str = "none"
    stats: Mapping[str, Any] = field(default_factory=dict)
    assignment: Mapping[str, bool | Score] | None = None
    """Of a formula that is solved: what the winner chooses first, before the other role has chosen anything; of a
    program: what ``exists`` sets first."""
    feasible: bool | None = None
    """Of a program: whether ``exists`` can keep the rows; then ``value`` and ``bounds`` are its own objective."""
    estimate: float | None = None
    """Where nothing is proved: what the first role might get, after ``move`` if the turn is a player's."""
    estimate_from: str = ""
    """What the estimate rests on, or why there is none."""
    reached: str = ""
    """How far a run got that ended without an answer."""
    room: Mapping[str, Any] = field(default_factory=dict)
    """What only a sum of games has, as JSON: ``outcome``, the canonical form as ``value``, ``mean``, ``temperature``,
    ``thermograph``; ``left_first`` and ``right_first``. What only a network has: ``satisfiable``, ``feasible``,
    ``utility`` and ``threshold``."""

    @property
    def strategy(self) -> Strategy | None:
        """The winner's strategy, or the first role's where the game is drawn; ``None`` if there is none."""
        for claim in self.certificate.claims if self.certificate else ():
            if self.winner not in (claim.role, "draw"):
                continue
            if claim.rule == "functions":
                return _by_functions(self.game, claim)
            if claim.rule in ("program", "clauses"):
                return _by_proof(self.game, claim)
            if claim.rule == "policy":
                return None  # what it decides depends on the way, not on the position alone
            if claim.rule is not None:
                return RuleStrategy(self.game, claim)
            if claim.table:
                return TableStrategy(self.game, claim.role, {key: move for key, (move, _) in claim.table.items()})
        return None

    def _repr_svg_(self) -> str:
        from zermelo.render.solution import solution_svg

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
            "verified": self.verified,
            "stats": dict(self.stats),
            **self._room_json(),
        }

    def _room_json(self) -> dict[str, Any]:
        """What only solutions of formulas, of programs and of sums have."""
        from zermelo.qip.game import ProgramGame

        if self.room:
            return dict(self.room)
        if isinstance(self.game, ProgramGame):
            chosen = None if self.assignment is None else {n: score_text(v) for n, v in self.assignment.items()}
            return {"feasible": self.feasible, "assignment": chosen}
        return {} if self.assignment is None else {"assignment": dict(self.assignment)}


def _by_functions(game: Game, claim: Claim) -> Strategy | None:
    from zermelo.qbf.game import FormulaGame

    if not isinstance(game, FormulaGame):
        return None
    role: Quantifier = "exists" if claim.role == "exists" else "forall"
    return FunctionsStrategy(game, game.functions(role, claim.data["aag"]))


def _by_proof(game: Game, claim: Claim) -> Strategy | None:
    from zermelo.qip.game import ProgramGame
    from zermelo.qip.strategy import strategy_of_claim

    return strategy_of_claim(game, claim) if isinstance(game, ProgramGame) else None


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
        "verified": False,
        "note": note,
        "stats": {},
    }
