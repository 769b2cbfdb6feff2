"""A rulesheet as a game, by the checker's own reasoner, with the keys and texts of moves that certificates use.

In GDL all roles move at once. Where one of them has a choice, it has the turn; where several have, they move at once.
Where ``random`` chooses in the same step as players, chance moves after them. Where nobody has a choice, the turn is
that of the first role whose move is more than a bare name such as ``noop``, else that of the first role.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from typing import Any, Final, NamedTuple

from zermelo.check.read.kif import term_of_kif
from zermelo.check.sheets.reason import Reasoner, State
from zermelo.check.sheets.terms import RANDOM, Sheet, Term, text_of
from zermelo.errors import GameError, IllegalMoveError
from zermelo.game import CHANCE, NOBODY, Game, Role

RESERVED: Final = (CHANCE, NOBODY, "draw")
"""Names with a meaning of their own: a role that is called so gets another one."""
MOST_ROLES: Final = 250


class Between(NamedTuple):
    """A step in which the players have moved and chance has not: their moves in the order of the roles."""

    state: State
    joint: tuple[str, ...]


Position = State | Between


class SheetGame(Game):
    """The game of a rulesheet. Scores are the goals.

    >>> from zermelo.check.read.kif import rules_of_kif
    >>> rules = '''(role you) (init (left 2)) (less 2 1) (less 1 0) (goal you 100) (<= terminal (true (left 0)))
    ... (<= (legal you (take ?n)) (true (left ?n))) (<= (next (left ?m)) (does you (take ?n)) (less ?n ?m))'''
    >>> game = SheetGame(Sheet(tuple(rules_of_kif(rules, "small.kif"))))
    >>> [game.move_text(move) for move in game.moves(game.start())], game.play(game.start(), "(take 2)")
    (['take(2)'], ('(left 1)',))
    """

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self.reasoner = Reasoner(sheet)
        self.all_roles = self.reasoner.roles
        self.players = tuple(role for role in self.all_roles if role != RANDOM)
        if not 1 <= len(self.players) <= MOST_ROLES:
            raise GameError(f"{len(self.players)} roles to play, expected 1 to {MOST_ROLES}", file=sheet.name)
        self.roles = tuple(f"{role}_role" if role in RESERVED else role for role in self.players)
        if len(set(self.roles)) < len(self.roles):
            raise GameError("a role has the name that another one gets", file=sheet.name)
        self._names = dict(zip(self.roles, self.players, strict=True)) | {CHANCE: RANDOM}
        self.hidden_information = not _all_is_seen(sheet, self.all_roles)
        if len(self.roles) == 2:
            self.endless = (50, 50)

    def start(self) -> Position:
        return self.reasoner.start()

    def turn(self, position: Position) -> Role | tuple[Role, ...]:
        if isinstance(position, Between):
            return CHANCE
        choosing = tuple(role for role in self.roles if len(self._legal(position, self._names[role])) > 1)
        if len(choosing) > 1:
            return choosing
        if choosing:
            return choosing[0]
        if self._chance_chooses(position):
            return CHANCE
        busy = (role for role in self.roles if self._legal(position, self._names[role])[0].startswith("("))
        return next(busy, self.roles[0])

    def moves(self, position: Position) -> Sequence[Any]:
        turn = self.turn(position)
        if isinstance(turn, tuple):
            return list(product(*(self.moves_of(position, role) for role in turn)))
        return self.moves_of(position, turn)

    def moves_of(self, position: Position, role: Role) -> Sequence[str]:
        state = position.state if isinstance(position, Between) else position
        return self._legal(state, self._names[role])

    def play(self, position: Position, move: Any) -> Position:
        if isinstance(position, Between):
            return self._after(position.state, position.joint, move)
        turn = self.turn(position)
        chosen = dict(zip(turn, move, strict=True)) if isinstance(turn, tuple) else {turn: move}
        joint = tuple(chosen.get(role) or self._legal(position, self._names[role])[0] for role in self.roles)
        if turn == CHANCE:
            return self._after(position, joint, move)
        if self._chance_chooses(position):
            return Between(position, joint)
        return self._after(position, joint, None)

    def result(self, position: Position) -> tuple[int, ...] | None:
        if isinstance(position, Between) or not self.reasoner.terminal(position):
            return None
        return tuple(self._goal(position, role) for role in self.players)

    def move_text(self, move: Any) -> str:
        """Without blanks: ``mark(1,3)`` for ``(mark 1 3)``; moves at once are joined by ``+``."""
        return "+".join(map(_short_text, move)) if isinstance(move, tuple) else _short_text(move)

    def parse_move(self, position: Position, text: str) -> Any:
        try:
            return super().parse_move(position, text)
        except IllegalMoveError:
            term = term_of_kif(text)
            if term is None or text_of(term) not in self.moves(position):
                raise
            return text_of(term)

    def key(self, position: Position) -> str:
        if isinstance(position, Between):
            return f"{' '.join(position.state)} | {' '.join(position.joint)}"
        return " ".join(position)

    def _legal(self, state: State, role: str) -> list[str]:
        moves = self.reasoner.pairs("legal", state).get(role)
        if not moves:
            raise GameError(f"{role} has no legal move in the state {_cut(state)}", file=self.sheet.name)
        return moves

    def _chance_chooses(self, state: State) -> bool:
        return RANDOM in self.all_roles and len(self._legal(state, RANDOM)) > 1

    def _after(self, state: State, joint: tuple[str, ...], chance: str | None) -> State:
        moves = dict(zip(self.players, joint, strict=True))
        if RANDOM in self.all_roles:
            moves[RANDOM] = self._legal(state, RANDOM)[0] if chance is None else chance
        return self.reasoner.next(state, [moves[role] for role in self.all_roles])

    def _goal(self, state: State, role: str) -> int:
        goals = self.reasoner.pairs("goal", state).get(role, [])
        if len(goals) != 1:
            raise GameError(f"{role} has {len(goals)} goals in the terminal state {_cut(state)}", file=self.sheet.name)
        number = goals[0].removeprefix("-")
        if not (number.isdigit() and number.isascii()):
            raise GameError(f"the goal {goals[0]} of {role} is not a whole number", file=self.sheet.name)
        return int(goals[0])


def _all_is_seen(sheet: Sheet, roles: Sequence[str]) -> bool:
    """Whether every role sees every move: always in GDL-I, which has neither ``random`` nor ``sees``."""
    if RANDOM not in roles and not any(rule.head[0] == "sees" for rule in sheet.rules):
        return True
    from zermelo.check.sheets.seeing import sees_everything

    return sees_everything(sheet, roles)


def _cut(state: State) -> str:
    text = " ".join(state) or "without facts"
    return text if len(text) <= 300 else text[:297] + "..."


@lru_cache(maxsize=1 << 14)
def _short_text(move: str) -> str:
    """A move as people write it."""
    term = term_of_kif(move) if move.startswith("(") else move
    return _written(move if term is None else term)


def _written(term: Term) -> str:
    if isinstance(term, str):
        return f"'{term}'" if len(term) > 1 and any(mark in term for mark in ",+'") else term
    return f"{_written(term[0])}({','.join(map(_written, term[1:]))})"
