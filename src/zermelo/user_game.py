"""Games of users, made to behave: whatever one does wrong becomes one clear :class:`GameError`."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from zermelo.errors import GameError, ZermeloError
from zermelo.game import CHANCE, NOBODY, RULES, Game, Role, Score
from zermelo.wrapper import GameWrapper

if TYPE_CHECKING:
    from zermelo import _native
    from zermelo.graph import GameGraph, Growing
    from zermelo.limits import Limits

T = TypeVar("T")

RESERVED = frozenset({CHANCE, NOBODY, "draw"})
MOST_ROLES = 250


def well_behaved(game: Game) -> Game:
    """The game itself if it comes from the library, else the game behind checks of its contract.

    >>> class Broken(Game):
    ...     def start(self): return 0
    ...     def turn(self, position): return "first"
    ...     def moves(self, position): return [1 // position]
    ...     def play(self, position, move): return position + 1
    ...     def result(self, position): return None
    >>> well_behaved(Broken()).moves(0)
    Traceback (most recent call last):
        ...
    zermelo.errors.GameError: ...Broken.moves raised ZeroDivisionError...
    """
    return game if _behaves(game) else _UserGame(game)


def _behaves(game: Game) -> bool:
    """Whether the game is the library's or wrapped already, or a wrapper of the library around such a game."""
    if isinstance(game, _UserGame):
        return True
    if isinstance(game, GameWrapper) and type(game).__module__.startswith("zermelo."):
        return _behaves(game.inner)
    rooms = ("games", "gdl", "qbf", "qip", "cgt", "scsp", "check")
    return type(game).__module__.startswith(tuple(f"zermelo.{room}." for room in rooms))


class _UserGame(GameWrapper):
    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self._set: dict[str, Any] = {}
        self._name = type(game).__name__
        roles = getattr(game, "roles", None)
        good = isinstance(roles, tuple) and roles and all(isinstance(role, str) and role for role in roles)
        if not good or len(set(roles or ())) != len(roles or ()):
            raise GameError(f"{self._name}.roles is {roles!r}, expected a tuple of different names")
        if taken := RESERVED.intersection(game.roles):
            raise GameError(f"{self._name}.roles has the name {min(taken)!r}, which has a meaning of its own")
        if len(game.roles) > MOST_ROLES:
            raise GameError(f"{self._name}.roles has {len(game.roles)} names, expected at most {MOST_ROLES}")
        if self.endless is not None and not self._are_scores(self.endless):
            expected = f"None or a tuple of {len(self.roles)} whole numbers or Fractions"
            raise GameError(f"{self._name}.endless is {self.endless!r}, expected {expected}")
        if self.score_range is not None and not self._is_range(self.score_range):
            expected = "None or a pair of whole numbers or Fractions, the smaller one first"
            raise GameError(f"{self._name}.score_range is {self.score_range!r}, expected {expected}")
        if self.score_sum is not None and not self._is_pair(self.score_sum):
            expected = "None or a pair of whole numbers or Fractions: the least score, the most that they add up to"
            raise GameError(f"{self._name}.score_sum is {self.score_sum!r}, expected {expected}")
        if not isinstance(self.hidden_information, bool):
            raise GameError(f"{self._name}.hidden_information is {self.hidden_information!r}, expected True or False")
        if not isinstance(self.longest, int) or self.longest < 1:
            raise GameError(f"{self._name}.longest is {self.longest!r}, expected a positive number of moves")

    def set_forwarded(self, name: str, value: Any) -> None:
        self._set[name] = value  # and not in the user's object, which may be frozen or mean something else by it

    def forwarded(self, name: str) -> Any:
        if name in self._set:
            return self._set[name]
        found = getattr(self.inner, name)
        return partial(self._call, name, found) if callable(found) else found

    @property
    def score_range(self) -> Any:  # type: ignore[override]
        """As inside, unless a class that changes the rules has it from one that did not."""
        return self._own_or_still_true("score_range")

    @property
    def score_sum(self) -> Any:  # type: ignore[override]
        """As inside, unless a class that changes the rules has it from one that did not."""
        return self._own_or_still_true("score_sum")

    def _own_or_still_true(self, name: str) -> Any:
        own = name in getattr(self._stated(), "__dict__", {})
        return self.forwarded(name) if own or self._still_true(name) else None

    def start(self) -> Any:
        position = self._call("start", self.inner.start)
        return self._hashable("start", position)

    def turn(self, position: Any) -> Role | tuple[Role, ...]:
        turn = self._call("turn", self.inner.turn, position)
        known = turn == CHANCE or turn in self.roles
        several = isinstance(turn, tuple) and len(turn) > 1 and all(role in self.roles for role in turn)
        if not known and not several:
            raise self._fault("turn", f"returned {turn!r}, expected one of {', '.join(self.roles)} or CHANCE", position)
        return turn

    def moves(self, position: Any) -> Sequence[Any]:
        moves = self._call("moves", lambda: list(self.inner.moves(position)), position=position)
        if not moves:
            raise self._fault("moves", "returned no move although result(position) is None", position)
        return moves

    def moves_of(self, position: Any, role: Role) -> Sequence[Any]:
        return self._call("moves_of", lambda: list(self.inner.moves_of(position, role)), position=position)

    def some_move(self, position: Any) -> Any:
        return self._call("some_move", self.inner.some_move, position, position=position)

    def play(self, position: Any, move: Any) -> Any:
        return self._hashable("play", self._call("play", self.inner.play, position, move))

    def result(self, position: Any) -> tuple[Score, ...] | None:
        scores = self._call("result", self.inner.result, position)
        if scores is None:
            return None
        if not self._are_scores(scores):
            expected = f"None or a tuple of {len(self.roles)} whole numbers or Fractions"
            raise self._fault("result", f"returned {scores!r}, expected {expected}", position)
        if self.score_range is not None and not self.score_range[0] <= scores[0] <= self.score_range[1]:
            raise self._fault("result", f"returned {scores!r}, beyond score_range {self.score_range!r}", position)
        if self.score_sum is not None and not (self.score_sum[0] <= min(scores) and sum(scores) <= self.score_sum[1]):
            raise self._fault("result", f"returned {scores!r}, beyond score_sum {self.score_sum!r}", position)
        return scores

    def chances(self, position: Any) -> Sequence[tuple[Any, Fraction]]:
        chances = self._call("chances", lambda: list(self.inner.chances(position)), position=position)
        if not all(isinstance(chance, tuple) and len(chance) == 2 for chance in chances):
            raise self._fault("chances", "returned something else than pairs (outcome, probability)", position)
        for _, weight in chances:
            if not isinstance(weight, int | Fraction) or weight < 0:
                raise self._fault("chances", f"has the probability {weight!r}, expected a Fraction", position)
        if (total := sum(weight for _, weight in chances)) != 1:
            raise self._fault("chances", f"has probabilities that add up to {total}, expected 1", position)
        return chances

    def evaluate(self, position: Any) -> Score:
        value = self._call("evaluate", self.inner.evaluate, position)
        if not isinstance(value, int | Fraction):
            raise self._fault("evaluate", f"returned {value!r}, expected a whole number or a Fraction", position)
        return value

    def verdict(self, value: Score) -> tuple[Role, str] | None:
        verdict = self._call("verdict", self.inner.verdict, value)
        known = isinstance(verdict, tuple) and len(verdict) == 2 and verdict[0] in (*self.roles, "draw")
        if verdict is not None and not (known and isinstance(verdict[1], str)):
            expected = f"None or a pair of {', '.join(self.roles)} or draw, and a text"
            raise self._fault("verdict", f"returned {verdict!r}, expected {expected}", None)
        return verdict

    def native(self) -> _native.Game | None:
        return self._call("native", self.inner.native) if self._still_true("native") else None

    def puzzle(self) -> _native.Game | None:
        return self._call("puzzle", self.inner.puzzle) if self._still_true("puzzle") else None

    def explored(self, limits: Limits, visit: Callable[[int], None]) -> GameGraph | None:
        return self._call("explored", self.inner.explored, limits, visit) if self._still_true("explored") else None

    def growing(self, position: Any, limits: Limits) -> Growing | None:
        return self._call("growing", self.inner.growing, position, limits) if self._still_true("growing") else None

    def set_up(self, position: Any) -> Game | None:
        return self._call("set_up", self.inner.set_up, position) if self._still_true("set_up") else None

    def explorer(self, limits: Limits) -> Game:
        return super().explorer(limits) if self._still_true("explorer") else self

    def _stated(self) -> Game:
        """The user's own game: wrappers of the library say themselves what they change."""
        game = self.inner
        while isinstance(game, GameWrapper) and type(game).__module__.startswith("zermelo."):
            game = game.inner
        return game

    def _still_true(self, name: str) -> bool:
        """False where a class changes the rules of a library game: its quicker forms know the old ones."""
        for ancestor in type(self._stated()).__mro__:
            if name in vars(ancestor):
                return True
            if any(rule in vars(ancestor) for rule in RULES):
                return False
        return False

    def _call(self, method: str, function: Callable[..., T], *arguments: Any, position: Any = None) -> T:
        try:
            return function(*arguments)
        except (ZermeloError, MemoryError):  # that the memory is full is no fault of the rules
            raise
        except SystemExit as error:
            raise self._fault(method, f"called sys.exit({error})", arguments[0] if arguments else position) from None
        except RecursionError:
            raise self._fault(method, "recursed too deeply", arguments[0] if arguments else position) from None
        except Exception as error:
            last = traceback.extract_tb(error.__traceback__)[-1]
            detail = f"raised {type(error).__name__}: {error}".rstrip(": ")
            where = arguments[0] if arguments else position
            raise self._fault(method, detail, where, file=last.filename, line=last.lineno) from None

    def _fault(
        self, method: str, what: str, position: Any, file: str | None = None, line: int | None = None
    ) -> GameError:
        shown = repr(position)
        at = "" if position is None else f" at position {shown if len(shown) < 80 else shown[:77] + '...'}"
        return GameError(f"{self._name}.{method} {what}{at}", file=file, line=line)

    def _are_scores(self, scores: object) -> bool:
        return (
            isinstance(scores, tuple)
            and len(scores) == len(self.roles)
            and all(isinstance(score, int | Fraction) for score in scores)
        )

    @staticmethod
    def _is_pair(pair: Any) -> bool:
        return isinstance(pair, tuple) and len(pair) == 2 and all(isinstance(score, int | Fraction) for score in pair)

    def _is_range(self, pair: Any) -> bool:
        return self._is_pair(pair) and bool(pair[0] <= pair[1])

    def _hashable(self, method: str, position: Any) -> Any:
        try:
            hash(position)
        except TypeError:
            kind = type(position).__name__
            raise GameError(
                f"{self._name}.{method} returned a {kind}, expected a hashable position (a tuple, say)"
            ) from None
        return position
