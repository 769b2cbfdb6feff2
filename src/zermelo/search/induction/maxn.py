"""The engine ``maxn``: max^n search with shallow pruning, for games that are too large to be explored as a whole.

What each role gets, as backward induction says, by a depth-first search that keeps the vectors found (Luckhardt and
Irani, An algorithmic solution of n-person games, 1986). If every score is at least ``l`` and all of them add up to at
most ``U`` (:attr:`Game.score_sum <zermelo.game.Game.score_sum>`), then a role that gets ``b`` leaves another at most
``U - b - (n - 2) l``. Two things follow (Korf, Multi-player alpha-beta pruning, 1991):

* *immediate pruning*: a move that gives the mover all that there is need not be compared with later ones;
* *shallow pruning*: once the mover of a position is sure of so much that the role which moved before cannot get more
  than by a move it has tried already, the rest of that position does not matter.

Deeper cuts are unsound with more than two roles. Ties are taken ``first``: a later move that is only as good is not
chosen, which is why equal bounds may be cut. Positions that were cut have no value, so there is no certificate:
``induction`` writes one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from time import monotonic
from typing import Any, Final

from zermelo.answer import Answer
from zermelo.engine import Engine, Task, or_stopped
from zermelo.errors import InputError, NotApplicableError
from zermelo.game import CHANCE, Game, plain_score
from zermelo.limits import step_watch
from zermelo.search.induction.payoffs import Vector
from zermelo.user_game import well_behaved

NAME: Final = "maxn"
NOTE: Final = "not verified: positions that were cut have no value (--engine induction proves what it says)"


@dataclass(slots=True)
class _Frame:
    """A position under way: its mover (-1: chance), what is to be tried, and the best so far."""

    position: Any
    mover: int
    moves: Sequence[Any]
    weights: Sequence[Fraction] = ()
    enough: Any = None
    """Once the mover has this, who moved before will not come here."""
    tried: int = 0
    best: Vector | None = None
    choice: Any = None
    after: list[Vector] = field(default_factory=list)
    """What follows, where chance moves."""


class MaxN:
    """One search. ``nodes`` counts the positions that were looked at, ``cuts`` those that were left half-way.

    >>> from zermelo.games import make_game
    >>> game = make_game("nim:2,1")
    >>> MaxN(game, (-1, 0)).value()
    (1, -1)
    """

    def __init__(self, game: Game, score_sum: tuple[Any, Any] | None, step: Callable[[], None] = lambda: None) -> None:
        self.game, self.step = game, step
        self.roles = {role: number for number, role in enumerate(game.roles)}
        self.bounds = score_sum
        self.known: dict[Any, Vector] = {}
        self.stack: list[_Frame] = []
        self.open: set[Any] = set()
        self.nodes = self.cuts = 0
        self.move: Any = None

    def value(self) -> Vector:
        """What each role gets from the start on; ``move`` is then the first move."""
        found = self.enter(self.game.start())
        while self.stack:
            top = self.stack[-1]
            if found is not None:
                self.take(top, found)
                found = None
            if self.cut(top):
                self.leave()
                self.cuts += 1
            elif top.tried < len(top.moves) and not self.has_all(top):
                top.tried += 1
                found = self.enter(self.game.play(top.position, top.moves[top.tried - 1]))
            else:
                found = self.leave()
        assert found is not None
        return found

    def enter(self, position: Any) -> Vector | None:
        """The vector of a position, if it is known; else the position lies on the stack."""
        self.step()
        self.nodes += 1
        if (known := self.known.get(position)) is not None:
            return known
        if position in self.open:
            raise NotApplicableError("positions repeat: max^n takes games in which they do not")
        if (scores := self.game.result(position)) is not None:
            return scores
        turn = self.game.turn(position)
        if isinstance(turn, tuple):
            raise NotApplicableError("several roles move at once: max^n takes games in which one moves at a time")
        self.open.add(position)
        if turn == CHANCE:
            outcomes = self.game.chances(position)
            moves, weights = [move for move, _ in outcomes], [weight for _, weight in outcomes]
            self.stack.append(_Frame(position, -1, moves, weights))
        else:
            self.stack.append(_Frame(position, self.roles[turn], self.game.moves(position), enough=self.enough(turn)))
        return None

    def enough(self, turn: str) -> Any:
        """What the mover must get so that the role that moved before has as much by an earlier move."""
        before = self.stack[-1] if self.stack else None
        if before is None or before.mover in (-1, self.roles[turn]) or before.best is None or self.bounds is None:
            return None
        least, total = self.bounds
        return total - before.best[before.mover] - (len(self.roles) - 2) * least

    def cut(self, top: _Frame) -> bool:
        """Whether the rest of a position cannot matter."""
        return top.enough is not None and top.best is not None and top.best[top.mover] >= top.enough

    def has_all(self, top: _Frame) -> bool:
        """Whether the mover has all that there is."""
        if self.bounds is None or top.best is None or top.mover < 0:
            return False
        least, total = self.bounds
        return bool(top.best[top.mover] >= total - (len(self.roles) - 1) * least)

    def take(self, top: _Frame, found: Vector) -> None:
        """Hands what a move leads to to the position before it."""
        if top.mover < 0:
            top.after.append(found)
        elif top.best is None or found[top.mover] > top.best[top.mover]:
            top.best, top.choice = found, top.moves[top.tried - 1]

    def leave(self) -> Vector | None:
        """Takes a position off the stack; its vector, if it was not cut."""
        top = self.stack.pop()
        self.open.discard(top.position)
        if self.cut(top):
            return None
        if top.mover < 0:
            columns = zip(*top.after, strict=True)
            top.best = tuple(
                sum((weight * part for weight, part in zip(top.weights, column, strict=True)), Fraction(0))
                for column in columns
            )
        assert top.best is not None
        self.known[top.position] = top.best
        if not self.stack:
            self.move = top.choice
        return top.best


def _run(names: Sequence[str], game: Game, task: Task) -> Answer:
    if task.options.depth is not None:
        raise InputError(f"{'+'.join(names)} takes no depth: games are solved to their end")
    if task.options.ties != "first":
        raise NotApplicableError(f"{NAME} takes ties first; --ties {task.options.ties} is for induction")
    game, began = well_behaved(game), monotonic()
    game.limits = task.limits
    search = MaxN(game, game.score_sum, step_watch(task.limits))

    def stats() -> dict[str, Any]:
        return {"seconds": round(monotonic() - began, 6), "nodes": search.nodes, "cuts": search.cuts}

    def solve() -> Answer:
        vector = tuple(plain_score(score) for score in search.value())
        values = dict(zip(game.roles, vector, strict=True))
        value, move = vector[0], search.move
        line = () if move is None else (move,)
        return Answer(
            NAME, "solved", value, (value, value), move=move, line=line, values=values, note=NOTE, stats=stats()
        )

    return or_stopped(solve, lambda note, cause: Answer(NAME, "unknown", note=note, stopped_by=cause, stats=stats()))


def why_not(game: Game) -> str | None:
    """Why the engine does not take a game; ``None`` if it does.

    >>> from zermelo.games import make_game
    >>> why_not(make_game("nim:1"))
    'it takes games of three roles or more: the kernels know better cuts for two'
    """
    if game.hidden_information:
        return "some role does not see every move: backward induction takes games of complete information"
    if len(game.roles) <= 2:
        return "it takes games of three roles or more: the kernels know better cuts for two"
    return None


ENGINE = Engine(
    NAME,
    "max^n with shallow pruning: what each of three roles or more gets, depth first",
    "induction",
    _run,
    (),
    "Luckhardt and Irani 1986; Korf, Multi-player alpha-beta pruning, 1991",
    "at best b^(d/2) nodes for many roles and tight sums, b^d at worst; memory grows with the positions",
    proves="the value, without a certificate",
    why_not=why_not,
)
