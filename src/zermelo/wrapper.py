"""One wrapper for games: whatever it does not change it hands to the game inside.

A class that copies the interface of :class:`Game` by hand loses what the interface gains later: a copy without
``hidden_information`` once had a game of hidden coins solved as if everybody saw them. So a wrapper states only what
is *different*, and every other name, known to :class:`Game` or not, is that of the game inside.

>>> from zermelo.games import make_game
>>> class Renamed(GameWrapper):
...     def move_text(self, move):
...         return f"take {move[1]} of heap {move[0]}"
>>> nim = Renamed(make_game("nim:3,4"))
>>> nim.move_text((0, 2)), nim.start(), nim.heaps, nim.hidden_information
('take 2 of heap 0', ((3, 4), 0), (3, 4), False)
"""

from __future__ import annotations

from abc import abstractmethod, update_abstractmethods
from collections.abc import Callable, Sequence
from copy import copy
from inspect import signature
from typing import TYPE_CHECKING, Any

from zermelo.game import Game, Role, Score

if TYPE_CHECKING:
    from zermelo import _native
    from zermelo.graph import GameGraph, Growing
    from zermelo.limits import Limits


class _Forwarded:
    """A name of :class:`Game` in a wrapper: read from the game inside, and set there."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, wrapper: GameWrapper | None, owner: type[GameWrapper]) -> Any:
        return self if wrapper is None else wrapper.forwarded(self.name)

    def __set__(self, wrapper: GameWrapper, value: Any) -> None:
        wrapper.set_forwarded(self.name, value)


class GameWrapper(Game):
    """A game that is another game but for what a subclass defines.

    Methods of the game inside call each other there, not on the wrapper: one that changes what a position is derives
    from :class:`Repositioned`.
    """

    def __init__(self, inner: Game) -> None:
        self.__dict__["inner"] = inner

    inner: Game
    """The game inside."""
    kind = "game"
    """Whatever is inside: other rooms know the rules that they state themselves, and a wrapper may change them."""

    def forwarded(self, name: str) -> Any:
        """What the game inside has by that name; a subclass may look at it first."""
        return getattr(self.inner, name)

    def set_forwarded(self, name: str, value: Any) -> None:
        """Sets what the game inside has by that name."""
        setattr(self.inner, name, value)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or "inner" not in self.__dict__:
            raise AttributeError(name)
        return self.forwarded(name)

    # Written out for the type checker alone: a loop below makes them and all the others.
    def start(self) -> Any:
        """As inside."""
        return self.inner.start()

    def turn(self, position: Any) -> Role | tuple[Role, ...]:
        """As inside."""
        return self.inner.turn(position)

    def moves(self, position: Any) -> Sequence[Any]:
        """As inside."""
        return self.inner.moves(position)

    def play(self, position: Any, move: Any) -> Any:
        """As inside."""
        return self.inner.play(position, move)

    def result(self, position: Any) -> tuple[Score, ...] | None:
        """As inside."""
        return self.inner.result(position)

    def explorer(self, limits: Limits) -> Game:
        """The same wrapper around what the game inside names: a game that names itself is not to lose its wrapper."""
        quick = self.forwarded("explorer")(limits)
        if quick is self.inner:
            return self
        other = copy(self)
        other.__dict__["inner"] = quick
        return other

    def _repr_svg_(self) -> str:
        return self.svg(self.start())


def interface() -> tuple[str, ...]:
    """Every public name of :class:`Game`, attributes and methods alike.

    >>> {"hidden_information", "verdict", "moves_of", "native"} <= set(interface())
    True
    """
    return tuple(sorted(name for name in {*vars(Game), *Game.__annotations__} if not name.startswith("_")))


class Repositioned(GameWrapper):
    """A wrapper whose positions hold a position of the game inside and something else.

    A subclass says in :meth:`inside` which one; every method that takes a position is then asked inside with that. It
    defines ``start`` and ``play``, and whatever else is to be different.

    >>> from zermelo.games import make_game
    >>> class Counted(Repositioned):
    ...     def start(self):
    ...         return (0, self.inner.start())
    ...     def play(self, position, move):
    ...         return (position[0] + 1, self.inner.play(position[1], move))
    ...     def inside(self, position):
    ...         return position[1]
    >>> nim = Counted(make_game("nim:3,4"))
    >>> nim.turn(nim.play(nim.start(), (0, 2)))
    'second'
    """

    @abstractmethod
    def inside(self, position: Any) -> Any:
        """The position of the game inside."""

    def forwarded(self, name: str) -> Any:
        """What the game inside has by that name; a method that takes a position takes one of this wrapper."""
        found = super().forwarded(name)
        if name not in _TAKE_A_POSITION:
            return found
        return lambda position, *arguments: found(self.inside(position), *arguments)

    # What the game inside knows of all its positions at once it knows of its own positions.

    def native(self) -> _native.Game | None:
        """None: the twin has other positions."""
        return None

    def puzzle(self) -> _native.Game | None:
        """None: the twin has other positions."""
        return None

    def explored(self, limits: Limits, visit: Callable[[int], None]) -> GameGraph | None:
        """None: the positions there are others."""
        del limits, visit
        return None

    def growing(self, position: Any, limits: Limits) -> Growing | None:
        """None: the positions there are others."""
        del position, limits
        return None

    def set_up(self, position: Any) -> Game | None:
        """None: the positions there are others."""
        del position
        return None


_TAKE_A_POSITION = frozenset(
    name
    for name in interface()
    if callable(getattr(Game, name, None)) and "position" in signature(getattr(Game, name)).parameters
)
for _name in set(interface()) - {"explorer", "at", "kind", "strategy"}:
    setattr(GameWrapper, _name, _Forwarded(_name))
update_abstractmethods(GameWrapper)
