"""Tables of named things: kinds of games, engines, encodings.

A line of a table names a module and what is to be found there. Lines are loaded one after the other until a name is
found, so those that are asked for most stand first. Other packages add lines by
:meth:`Table.register`, or by an entry point in the group that bears the table's name.

>>> class Fruit:
...     def __init__(self, name):
...         self.name = name
>>> fruits = Table("zermelo.fruits", ())
>>> fruits.register(Fruit("apple"))
>>> list(fruits), fruits["apple"].name
(['apple'], 'apple')
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from typing import Any, Generic, Protocol, TypeVar

from zermelo.brief import counted, introduced


class Named(Protocol):
    """What can stand in a table."""

    @property
    def name(self) -> str:
        """The word by which it is found."""


T = TypeVar("T", bound=Named)


class Table(Mapping[str, T], Generic[T]):
    """Things by name, in the order of the lines.

    A line is ``"package.module:NAME"``, where ``NAME`` is one thing, several, or a function that returns several.
    """

    def __init__(self, group: str, lines: Iterable[str]) -> None:
        self.group, self._waiting = group, list(lines)
        self._things: dict[str, T] = {}
        self._asked_others = False

    def __repr__(self) -> str:
        return introduced(
            self,
            self.group,
            counted(len(self._things), "thing"),
            f"{len(self._waiting)} lines not loaded" if self._waiting else "",
        )

    def register(self, thing: T) -> None:
        """Adds a thing; it takes the place of another one of its name."""
        self._load()
        self._things[thing.name] = thing

    def remove(self, name: str) -> None:
        """Takes a thing away again."""
        self._load()
        del self._things[name]

    def __getitem__(self, name: str) -> T:
        while name not in self._things and self._waiting:
            self._load_line()
        if name not in self._things:
            self._load()
        return self._things[name]

    def __iter__(self) -> Iterator[str]:
        self._load()
        return iter(tuple(self._things))

    def __len__(self) -> int:
        self._load()
        return len(self._things)

    def _load(self) -> None:
        while self._waiting:
            self._load_line()
        if not self._asked_others:
            self._asked_others = True
            from importlib.metadata import entry_points  # here, since it loads much

            for point in entry_points(group=self.group):
                self._add(point.load())

    def _load_line(self) -> None:
        module, _, name = self._waiting[0].partition(":")
        found = getattr(import_module(module), name)
        del self._waiting[0]
        self._add(found)

    def _add(self, found: Any) -> None:
        made = found() if callable(found) and not hasattr(found, "name") else found
        for thing in (made,) if hasattr(made, "name") else made:
            self._things[thing.name] = thing
