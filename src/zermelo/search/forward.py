"""The forward model: one set of rules in motion, which is all that players and referees ask of a game.

Positions are opaque and hashable; moves are numbers, for each role those that ``legal`` lists. Chance is a role of its
own, which no player takes and whose moves are drawn evenly. Scores are exact and between 0 and 1, as goals of 0 to 100
are in a rulesheet.

There are three: of a ground game (:class:`RulesheetModel`), of rules as they stand, where these are too large to ground
(:class:`ReasonerModel`), and of any :class:`~zermelo.game.Game` (:class:`~zermelo.search.game_model.GameModel`).

>>> from zermelo.gdl.library import rulesheet
>>> model = rulesheet_model(rulesheet("tictactoe"))
>>> model.seats, model.chance, len(model.legal(model.start(), 0))
((0, 1), None, 9)
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from fractions import Fraction
from typing import Any, Protocol

from zermelo.errors import GameError
from zermelo.gdl.ground import GroundReasoner, InterpretedReasoner, ground
from zermelo.gdl.reasoner import Reasoner, State
from zermelo.gdl.syntax import RANDOM, Rulesheet
from zermelo.limits import Limits


class ForwardModel(Protocol):
    """Rules in motion. ``roles`` are all roles with chance; ``seats`` are the numbers of those that players take."""

    @property
    def roles(self) -> tuple[str, ...]: ...
    @property
    def seats(self) -> tuple[int, ...]: ...
    @property
    def chance(self) -> int | None: ...
    def start(self) -> Any: ...
    def over(self, position: Any) -> bool: ...
    def legal(self, position: Any, role: int) -> list[int]: ...
    def play(self, position: Any, joint: Sequence[int]) -> Any: ...
    def score(self, position: Any, role: int) -> Fraction: ...
    def move_text(self, move: int) -> str: ...


class PerceivedModel(ForwardModel, Protocol):
    """Rules that say what each role perceives of a joint move (GDL-II), as KIF text."""

    def sees(self, position: Any, joint: Sequence[int], role: int) -> list[str]: ...


class RulesheetModel:
    """The forward model of a ground game; positions are its packed states."""

    def __init__(self, game: GroundReasoner):
        self.game = game
        self.roles = game.roles
        self.chance, self.seats = _chance_and_seats(self.roles)

    def start(self) -> bytes:
        """Where play begins."""
        return self.game.native.start()

    def over(self, position: bytes) -> bool:
        """Whether play has ended, by the rules or because somebody has no move."""
        native = self.game.native
        return native.terminal(position) or not all(native.legal(position, role) for role in range(len(self.roles)))

    def legal(self, position: bytes, role: int) -> list[int]:
        """The moves of a role, in a fixed order."""
        return self.game.native.legal(position, role)

    def play(self, position: bytes, joint: Sequence[int]) -> bytes:
        """The position after a legal move of each role."""
        return self.game.native.next(position, list(joint))

    def sees(self, position: bytes, joint: Sequence[int], role: int) -> list[str]:
        """What a role perceives of a joint move."""
        return [self.game.percepts[percept] for percept in self.game.native.sees(position, list(joint), role)]

    def score(self, position: bytes, role: int) -> Fraction:
        """What a role has at the end, from 0 to 1."""
        return _score(self.game.native.goals(position, role), self.roles[role], self.game.sheet)

    def move_text(self, move: int) -> str:
        """The move as the rulesheet writes it."""
        return self.game.moves[move]


class ReasonerModel:
    """The forward model of rules as they stand; positions are its states, moves are numbered as they turn up.

    Play has ended here where the rules say so: to see that somebody has no move takes a while.

    >>> from zermelo.gdl.kif import read_kif
    >>> from zermelo.gdl.reasoner import Reasoner
    >>> sheet = read_kif("(role a) (init p) (legal a go) (<= terminal (not (true p))) (goal a 70)")
    >>> model = ReasonerModel(Reasoner(sheet))
    >>> after = model.play(model.start(), model.legal(model.start(), 0))
    >>> after, model.over(after), model.score(after, 0), model.move_text(0)
    ((), True, Fraction(7, 10), 'go')
    """

    def __init__(self, reasoner: Reasoner | InterpretedReasoner):
        self.reasoner = reasoner
        self.roles = reasoner.roles
        self.chance, self.seats = _chance_and_seats(self.roles)
        self._moves: list[str] = []
        self._numbers: dict[str, int] = {}

    def start(self) -> State:
        """Where play begins."""
        return self.reasoner.start()

    def over(self, position: State) -> bool:
        """Whether play has ended, by the rules."""
        return self.reasoner.terminal(position)

    def legal(self, position: State, role: int) -> list[int]:
        """The moves of a role, sorted by their text."""
        return [self._number_of(text) for text in self.reasoner.legal(position, self.roles[role])]

    def play(self, position: State, joint: Sequence[int]) -> State:
        """The position after a legal move of each role."""
        return self.reasoner.next(position, [self._moves[move] for move in joint])

    def sees(self, position: State, joint: Sequence[int], role: int) -> list[str]:
        """What a role perceives of a joint move."""
        return self.reasoner.sees(position, [self._moves[move] for move in joint], self.roles[role])

    def score(self, position: State, role: int) -> Fraction:
        """What a role has at the end, from 0 to 1."""
        texts = self.reasoner.goals(position, self.roles[role])
        values = [int(text) for text in texts] if all(t.removeprefix("-").isdecimal() for t in texts) else []
        return _score(values, self.roles[role], self.reasoner.sheet)

    def move_text(self, move: int) -> str:
        """The move as the rulesheet writes it."""
        return self._moves[move]

    def _number_of(self, text: str) -> int:
        number = self._numbers.setdefault(text, len(self._moves))
        if number == len(self._moves):
            self._moves.append(text)
        return number


class InterpretedModel:
    """The same by the native interpreter, in its own numbers: no texts are made for moves that nobody plays.

    >>> from zermelo.gdl.kif import read_kif
    >>> sheet = read_kif("(role a) (init p) (legal a go) (<= terminal (not (true p))) (goal a 70)")
    >>> model = InterpretedModel(InterpretedReasoner(sheet, "to show it"))
    >>> after = model.play(model.start(), model.legal(model.start(), 0))
    >>> after, model.over(after), model.score(after, 0), model.move_text(model.legal(model.start(), 0)[0])
    ((), True, Fraction(7, 10), 'go')
    """

    def __init__(self, reasoner: InterpretedReasoner):
        self.reasoner = reasoner
        self.roles = reasoner.roles
        self.chance, self.seats = _chance_and_seats(self.roles)
        self._asked: tuple[int, ...] | None = None
        self._legal: list[list[int]] = []

    def start(self) -> tuple[int, ...]:
        """Where play begins."""
        return tuple(sorted(self.reasoner.native.start()))

    def over(self, position: tuple[int, ...]) -> bool:
        """Whether play has ended, by the rules."""
        return self.reasoner.ask(self.reasoner.native.terminal, position)

    def legal(self, position: tuple[int, ...], role: int) -> list[int]:
        """The moves of a role, in a fixed order."""
        if position != self._asked:
            self._legal = [sorted(moves) for moves in self.reasoner.ask(self.reasoner.native.legal, position)]
            self._asked = position
        return list(self._legal[role])

    def play(self, position: tuple[int, ...], joint: Sequence[int]) -> tuple[int, ...]:
        """The position after a legal move of each role."""
        return tuple(sorted(self.reasoner.ask(self.reasoner.native.next, position, list(joint))))

    def score(self, position: tuple[int, ...], role: int) -> Fraction:
        """What a role has at the end, from 0 to 1."""
        values = self.reasoner.ask(self.reasoner.native.goals, position)[role]
        return _score(values, self.roles[role], self.reasoner.sheet)

    def move_text(self, move: int) -> str:
        """The move as the rulesheet writes it."""
        return self.reasoner.text_of(move)


def _chance_and_seats(roles: tuple[str, ...]) -> tuple[int | None, tuple[int, ...]]:
    chance = roles.index(RANDOM) if RANDOM in roles else None
    return chance, tuple(role for role in range(len(roles)) if role != chance)


def _score(values: Sequence[int], role: str, sheet: Rulesheet) -> Fraction:
    if len(values) != 1:
        said = " and ".join(map(str, sorted(values))) or "none"
        raise GameError(f"the goal of {role} is {said}, expected one", file=sheet.file)
    return min(max(Fraction(values[0], 100), Fraction(0)), Fraction(1))


def rulesheet_model(sheet: Rulesheet, limits: Limits | None = None) -> RulesheetModel:
    """The forward model of a rulesheet; :class:`~zermelo.errors.LimitReachedError` where it is too large to ground."""
    return RulesheetModel(ground(sheet, limits))


def joint_moves(model: ForwardModel, position: Hashable) -> list[list[int]]:
    """The legal moves of each role.

    >>> from zermelo.gdl.library import rulesheet
    >>> model = rulesheet_model(rulesheet("matchingpennies"))
    >>> [len(moves) for moves in joint_moves(model, model.start())]
    [2, 2, 1]
    """
    return [model.legal(position, role) for role in range(len(model.roles))]
