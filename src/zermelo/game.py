"""The game: roles, a start position, legal moves, successor, end, score.

Write one as a small class. This is subtraction: take one to three from a pile, whoever takes the last wins.

>>> class Pile(Game):
...     def __init__(self, size=5):
...         self.size = size
...     def start(self):
...         return (self.size, 0)                       # what is left, and whose turn it is
...     def turn(self, position):
...         return self.roles[position[1]]
...     def moves(self, position):
...         return [take for take in (1, 2, 3) if take <= position[0]]
...     def play(self, position, move):
...         return (position[0] - move, 1 - position[1])
...     def result(self, position):
...         return win_for(1 - position[1]) if position[0] == 0 else None
>>> game = Pile(5)
>>> [game.move_text(move) for move in game.moves(game.start())]
['1', '2', '3']
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, TypeVar

from zermelo.brief import cut, introduced
from zermelo.errors import AmbiguousMoveError, GameError, IllegalMoveError

if TYPE_CHECKING:
    from zermelo import _native
    from zermelo.certificate import Claim
    from zermelo.closing import ClosingRule, Images
    from zermelo.draw.scene import Scene
    from zermelo.draw.shape import Board
    from zermelo.graph import GameGraph, Growing
    from zermelo.limits import Limits
    from zermelo.source import Source
    from zermelo.strategy import Strategy

Position = Hashable
Move = Hashable
Role = str
Score = int | Fraction

CHANCE: Final = "chance"
"""What :meth:`Game.turn` says where dice fall or cards are drawn."""


RULES: Final = ("roles", "endless", "start", "turn", "moves", "play", "result", "chances", "moves_of")
"""The names of :class:`Game` that state rules."""


GameClass = TypeVar("GameClass", bound="Game")


def taken_as(wanted: type[GameClass], game: Game) -> GameClass:
    """The game, known to be of a class: what an engine may rely on, since it is given games of its own kinds alone.

    >>> from zermelo.games import make_game
    >>> from zermelo.games.nim import Nim
    >>> taken_as(Nim, make_game("nim:3,4")).heaps
    (3, 4)
    >>> taken_as(Nim, make_game("hex:3"))
    Traceback (most recent call last):
        ...
    TypeError: expected a Nim, not a Hex
    """
    if not isinstance(game, wanted):
        raise TypeError(f"expected a {wanted.__name__}, not a {type(game).__name__}")
    return game


def win_for(role: int) -> tuple[int, int]:
    """The scores of a two-role game won by role 0 or role 1.

    >>> win_for(0), win_for(1)
    ((1, -1), (-1, 1))
    """
    return (1, -1) if role == 0 else (-1, 1)


NOBODY: Final = "nobody"
"""The adversary of a one-role game: "nobody gets at least -v" says that the one role gets at most v."""

DRAW: Final = (0, 0)
"""The scores of a drawn two-role game."""


class Game(ABC):
    """A game of perfect information with one or more roles, chance or simultaneous moves.

    A position is any hashable value. It holds everything that matters, including whose turn it is. Exact search
    takes games of one role, and of two roles whose scores always add up to the same number.
    """

    kind: str = "game"
    """The :mod:`kind <zermelo.kind>` of game that this is, by name."""
    roles: tuple[Role, ...] = ("first", "second")
    endless: tuple[Score, ...] | None = None
    """The scores of play that never ends, where positions can repeat; by default 0 for everyone (a draw)."""
    score_range: tuple[Score, Score] | None = None
    """The least and the greatest score that the first role can have at an end, such as ``(-1, 1)``, if you know it.

    With it search stops at a move that wins as much as can be won; without, it looks on for more.
    """
    drawless: bool = False
    """Whether there are only two scores, so that nothing can be drawn: then searches that prove a win come first."""
    score_sum: tuple[Score, Score] | None = None
    """The least score that any role can have at an end, and the most that all scores add up to, if you know them.

    With it, search in games of many roles leaves out what cannot matter (:mod:`~zermelo.search.induction.maxn`).
    """
    hidden_information: bool = False
    """Whether some role does not see everything: exact engines and the checker refuse such a game."""
    total: Score = 0
    """What the scores of two roles add up to at every end, where there is a native twin."""
    limits: Limits | None = None
    """The limits of the run under way, for games whose native twin takes time to make."""
    native_refused: bool = False
    """Whether the native twin, asked, turned out not to take the game; then its positions are explored."""
    remark: str = ""
    """What a solution should say of how the positions were found, if anything."""
    source: Source | None = None
    """The text that the game was read from, where there is one; the checker reads it again."""
    line: tuple[Move, ...] = ()
    """The moves that lead from the start of the rules to the start of this game, where it was taken up later."""
    played_as: Game | None = None
    """The game on a board that people play, where this one is a formula or program about it."""
    title: str = ""
    """The target by which people name the game, such as ``nim:3,4``, where it was made by one."""
    longest: int = 100_000
    """More plies than this without an end or a repetition, and the game is taken for one that never ends."""

    @abstractmethod
    def start(self) -> Any:
        """The position in which play begins."""

    @abstractmethod
    def turn(self, position: Any) -> Role | tuple[Role, ...]:
        """The role to move; ``CHANCE``; or several roles that move at once. Not asked where the game is over."""

    @abstractmethod
    def moves(self, position: Any) -> Sequence[Any]:
        """The legal moves of the role to move, always in the same order; at least one unless the game is over."""

    def some_move(self, position: Any) -> Any:
        """A legal move, or ``None`` where there is none; to be found quickly where a list of all takes long."""
        return next(iter(self.moves(position)), None)

    @abstractmethod
    def play(self, position: Any, move: Any) -> Any:
        """The position after a move: an outcome where chance moves, a tuple of moves where several roles do."""

    @abstractmethod
    def result(self, position: Any) -> tuple[Score, ...] | None:
        """The score of each role where the game is over, else ``None``."""

    def chances(self, position: Any) -> Sequence[tuple[Any, Fraction]]:
        """The outcomes where chance moves, with their exact probabilities; by default all alike."""
        outcomes = self.moves(position)
        return [(outcome, Fraction(1, len(outcomes))) for outcome in outcomes]

    def moves_of(self, position: Any, role: Role) -> Sequence[Any]:
        """The moves of one role where several move at once."""
        del role
        return self.moves(position)

    def move_text(self, move: Any) -> str:
        """How people write a move."""
        if isinstance(move, tuple):
            return ",".join(str(part) for part in move)
        return str(move)

    def parse_move(self, position: Any, text: str) -> Any:
        """The legal move that people write so; the inverse of :meth:`move_text`."""
        wanted = text.strip()
        named = [(self.move_text(move).strip(), move) for move in self.moves(position)]
        # As written; only if nothing is written so, whatever the case of the letters.
        found = [move for name, move in named if name == wanted]
        found = found or [move for name, move in named if name.lower() == wanted.lower()]
        if not found:
            raise IllegalMoveError(f"{wanted!r} is not a legal move here")
        if any(move != found[0] for move in found):
            raise AmbiguousMoveError(f"{wanted!r} fits {len(found)} legal moves")
        return found[0]

    def evaluate(self, position: Any) -> Score:
        """How good a position that is not over looks for the first role: what search with ``--depth`` sees there.

        In the same units as the scores, an exact number; need not lie between them. By default nothing is known: 0.
        """
        del position
        return 0

    def verdict(self, value: Score) -> tuple[Role, str] | None:
        """Who wins with that score of the first role, and in words what it means.

        ``None``, as for most games: who gets more wins.
        """
        del value
        return None

    def key(self, position: Any) -> str:
        """The position as text: the same for equal positions and only for them. Certificates use it."""
        return canonical_text(position)

    def board(self, position: Any) -> Board | None:
        """The position as a board, for games that have one."""
        del position
        return None

    def text(self, position: Any) -> str:
        """The position as people see it in a terminal."""
        board = self.board(position)
        if board is None:
            return self.key(position)
        from zermelo.draw.board import board_text

        return board_text(board)

    def scene(self, position: Any) -> Scene:
        """The position as shapes with named places: its board, or the picture that a class draws, or text."""
        from zermelo.draw.board import board_scene
        from zermelo.draw.scene import embedded_scene, text_scene

        if (board := self.board(position)) is not None:
            return board_scene(board)
        own = type(self).svg is not Game.svg
        return embedded_scene(self.svg(position)) if own else text_scene(self.text(position))

    def svg(self, position: Any) -> str:
        """The position as a picture; :func:`zermelo.picture` takes options."""
        from zermelo.picturing import picture

        return picture(self, position).svg

    def native(self) -> _native.Game | None:
        """The same rules as a native kernel knows them, move for move in the same order; ``None`` if there are none."""
        return None

    def puzzle(self) -> _native.Game | None:
        """A game of one role for the kernel that looks for one line, also where positions repeat; else ``None``."""
        return None

    def explored(self, limits: Limits, visit: Callable[[int], None]) -> GameGraph | None:
        """All positions at once, for games that find them faster than move by move; ``None`` by default."""
        del limits, visit
        return None

    def growing(self, position: Any, limits: Limits) -> Growing | None:
        """The positions from one on, found natively where a question is decided; ``None`` by default."""
        del position, limits
        return None

    def explorer(self, limits: Limits) -> Game:
        """The game whose rules are asked where positions are found move by move: the same ones, perhaps faster."""
        del limits
        return self

    def at(self, moves: Sequence[Any]) -> Game:
        """The same game, taken up after these moves.

        >>> from zermelo.games import make_game
        >>> make_game("nim:3,4").at([(0, 3)]).start()
        ((0, 4), 1)
        """
        from zermelo.continued import Continued

        return Continued(self, moves)

    def set_up(self, position: Any) -> Game | None:
        """The same rules with another position to begin at, where a native twin can be made for that; else ``None``."""
        del position
        return None

    def strategy(self, claim: Claim) -> Strategy | None:
        """The strategy that a claim with a rule states; ``None`` if it states none."""
        from zermelo.strategy import RuleStrategy

        return RuleStrategy(self, claim)

    def rule_move(self, position: Any, claim: Claim) -> Any:
        """The move that the rule of a claim plays in a position; ``None`` for a rule that this game does not know."""
        del position, claim
        return None

    def images(self) -> Images | None:
        """The images of a board, from which play is the same, as certificates may use them; ``None`` if none are known.

        >>> from zermelo.games import make_game
        >>> make_game("connect:2,2,2").images().least("..x.")
        '...x'
        """
        return None

    def closing(self, rule: str) -> ClosingRule | None:
        """The rule of that name by which certificates may close positions of this game; ``None`` if it has none.

        >>> from zermelo.games import make_game
        >>> make_game("mnk:3,3,3").closing("lines").closes("xoxxooox.", 0, 0)
        True
        """
        del rule
        return None

    def graph_svg(self, line: Sequence[Any]) -> str | None:
        """A picture of the graph on which the game is played, after a line of moves; ``None`` if there is no graph."""
        del line
        return None

    def __repr__(self) -> str:
        roles = " and ".join(self.roles) if len(self.roles) <= 4 else f"{len(self.roles)} roles"
        after = f"after {' '.join(map(self.move_text, self.line[:20]))}" if self.line else ""
        return introduced(self, cut(self.title, 60) or roles, after)

    def _repr_svg_(self) -> str:
        return self.svg(self.start())


def canonical_text(value: object) -> str:
    """Text that is equal exactly for equal values built of the usual immutable types.

    >>> canonical_text((3, frozenset({2, 1}), "a", None, Fraction(1, 2)))
    "(3,{1,2},'a',None,1/2)"
    """
    if value is None:
        return "None"
    if isinstance(value, int):
        return str(int(value))  # True == 1
    if isinstance(value, Fraction):
        return str(value)  # and Fraction(4, 2) == 2
    if isinstance(value, str):
        return str.__repr__(value)
    if isinstance(value, bytes):
        return bytes.__repr__(value)
    if isinstance(value, Enum):
        return f"{type(value).__name__}.{value.name}"
    if isinstance(value, tuple):
        return "(" + ",".join(canonical_text(part) for part in value) + ")"
    if isinstance(value, frozenset):
        return "{" + ",".join(sorted(canonical_text(part) for part in value)) + "}"
    if is_dataclass(value) and not isinstance(value, type):
        inner = ",".join(canonical_text(getattr(value, field.name)) for field in fields(value) if field.compare)
        return f"{type(value).__name__}({inner})"
    raise GameError(
        f"a position holds a {type(value).__name__}, which has no canonical text: "
        "build positions of tuples, whole numbers, fractions, strings and frozensets, or define key(position)"
    )


def plain_score(score: Score) -> Score:
    """A whole number where the score is one.

    >>> plain_score(Fraction(4, 2)), plain_score(Fraction(1, 2))
    (2, Fraction(1, 2))
    """
    return score.numerator if isinstance(score, Fraction) and score.denominator == 1 else score


def winner_of(game: Game, value: Score, total: Score = 0) -> Role | None:
    """Who wins when the first role gets ``value`` of ``total``: a role, ``"draw"``, or nobody in a puzzle lost.

    >>> from zermelo.games import make_game
    >>> winner_of(make_game("nim:1"), -1), winner_of(make_game("nim:1"), 0)
    ('second', 'draw')
    """
    if len(game.roles) == 1:
        return game.roles[0] if value > 0 else None
    if (verdict := game.verdict(value)) is not None:
        return verdict[0]
    other = total - value
    if value == other:
        return "draw"
    return game.roles[0] if value > other else game.roles[1]


def illegal(game: Game, move: object) -> IllegalMoveError:
    """The error that names a move which cannot be made, be it none of the game at all.

    >>> from zermelo.games import make_game
    >>> illegal(make_game("hex:3"), None)
    IllegalMoveError('None is not a legal move here')
    """
    try:
        named = game.move_text(move)
    except (TypeError, ValueError, LookupError, AttributeError):
        named = cut(repr(move), 60)
    return IllegalMoveError(f"{named} is not a legal move here")


def play_line(game: Game, line: Sequence[Move], position: Position | None = None) -> Position:
    """The position after a line of moves, each checked for legality.

    >>> from zermelo.games import make_game
    >>> play_line(make_game("nim:3,4"), [(0, 3), (1, 4)])
    ((0, 0), 0)
    """
    here = game.start() if position is None else position
    for move in line:
        if game.result(here) is not None or move not in game.moves(here):
            raise illegal(game, move)
        here = game.play(here, move)
    return here
