"""A rulesheet as a game, by the checker's own reasoner, with the keys and texts of moves that certificates use.

In GDL all roles move at once. Where one of them has a choice, it has the turn; where several have, they move at once.
Where ``random`` chooses in the same step as players, chance moves after them. Where nobody has a choice, the turn is
that of the first role whose move is more than a bare name such as ``noop``, else that of the first role.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any, Final, NamedTuple

from zermelo.check.read.kif import ground_term
from zermelo.check.sheets.reason import Reasoner, State
from zermelo.check.sheets.rules import Sheet
from zermelo.check.sheets.terms import RANDOM, Term, text_of
from zermelo.errors import GameError, IllegalMoveError
from zermelo.game import CHANCE, NOBODY, Game, Role

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
        self.players = tuple(role for role in self.reasoner.roles if role != RANDOM)
        # A role whose name has a meaning of its own gets another one.
        self.roles = tuple(f"{role}_role" if role in (CHANCE, NOBODY, "draw") else role for role in self.players)
        if not 1 <= len(self.players) <= MOST_ROLES:
            raise GameError(f"{len(self.players)} roles to play, expected 1 to {MOST_ROLES}", file=sheet.name)
        if len(set(self.roles)) < len(self.roles):
            raise GameError("a role has the name that another one gets", file=sheet.name)
        self._names = dict(zip(self.roles, self.players, strict=True)) | {CHANCE: RANDOM}
        self.hidden_information = not _all_is_seen(sheet, self.reasoner.roles)
        if len(self.roles) == 2:
            self.endless = (50, 50)

    def start(self) -> Position:
        return self.reasoner.start()

    def turn(self, position: Position) -> Role | tuple[Role, ...]:
        if isinstance(position, Between):
            return CHANCE
        choosing = tuple(role for role in self.roles if len(self.moves_of(position, role)) > 1)
        if choosing:
            return choosing if len(choosing) > 1 else choosing[0]
        if self._chance_chooses(position):
            return CHANCE
        busy = (role for role in self.roles if self.moves_of(position, role)[0].startswith("("))
        return next(busy, self.roles[0])

    def moves(self, position: Position) -> Sequence[Any]:
        turn = self.turn(position)
        if isinstance(turn, tuple):
            return list(product(*(self.moves_of(position, role) for role in turn)))
        return self.moves_of(position, turn)

    def moves_of(self, position: Position, role: Role) -> Sequence[str]:
        state, name = position.state if isinstance(position, Between) else position, self._names[role]
        moves = self.reasoner.pairs("legal", state).get(name)
        if not moves:
            raise GameError(f"{name} has no legal move in the state {_cut(state)}", file=self.sheet.name)
        return moves

    def play(self, position: Position, move: Any) -> Position:
        if isinstance(position, Between):
            return self._after(position.state, {**dict(zip(self.roles, position.joint, strict=True)), CHANCE: move})
        turn = self.turn(position)
        chosen = dict(zip(turn, move, strict=True)) if isinstance(turn, tuple) else {turn: move}
        if turn != CHANCE and self._chance_chooses(position):
            return Between(position, tuple(self._moves_made(position, chosen, self.roles)))
        return self._after(position, chosen)

    def result(self, position: Position) -> tuple[int, ...] | None:
        if isinstance(position, Between) or not self.reasoner.terminal(position):
            return None
        return tuple(self._goal(position, role) for role in self.players)

    def move_text(self, move: Any) -> str:
        """Without blanks: ``mark(1,3)`` for ``(mark 1 3)``; moves at once are joined by ``+``."""
        return "+".join(_written(ground_term(one)) for one in (move if isinstance(move, tuple) else (move,)))

    def parse_move(self, position: Position, text: str) -> Any:
        try:
            return super().parse_move(position, text)
        except IllegalMoveError:
            try:
                move = text_of(ground_term(text))
            except ValueError:
                move = ""
            if move not in self.moves(position):
                raise
            return move

    def key(self, position: Position) -> str:
        if isinstance(position, Between):
            return f"{' '.join(position.state)} | {' '.join(position.joint)}"
        return " ".join(position)

    def _chance_chooses(self, state: State) -> bool:
        return RANDOM in self.reasoner.roles and len(self.moves_of(state, CHANCE)) > 1

    def _moves_made(self, state: State, chosen: dict[Role, str], roles: Sequence[Role]) -> list[str]:
        """The moves of some roles: those chosen, and of others the only one that each has."""
        return [chosen.get(role) or self.moves_of(state, role)[0] for role in roles]

    def _after(self, state: State, chosen: dict[Role, str]) -> State:
        named = {name: role for role, name in self._names.items()}
        return self.reasoner.next(state, self._moves_made(state, chosen, [named[name] for name in self.reasoner.roles]))

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


def _written(term: Term) -> str:
    """A move as people write it."""
    if isinstance(term, str):
        return f"'{term}'" if len(term) > 1 and any(mark in term for mark in ",+'") else term
    return f"{_written(term[0])}({','.join(map(_written, term[1:]))})"
