"""Functions of finitely many variables as truth tables in which values that make no difference are one.

A variable with many values, such as the move of a role, mostly matters to a rule by whether it lies in one of a few
classes: the moves that touch a square, and all others. So an axis of a truth table is not a variable's domain but the
coarsest partition of it that the function respects. That makes the table canonical: equal functions have equal tables.

>>> space = Space()
>>> colour, switch = space.variable(3), space.variable(2)
>>> red = space.within(colour, [True, False, False])
>>> either = space.disjunction([red, space.within(switch, [False, True])], 100)
>>> either.axes, either.array.shape
((0, 1), (2, 2))
>>> space.rows(either.axes, either.parts, cover(either.array))
([(0, -1), (1, 0), (2, 0), (1, 1), (2, 1)], [1, 0, 0, 1, 1])
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zermelo.scsp.network import ANY, Values

Booleans = NDArray[np.bool_]
Numbers = NDArray[np.int64]
Cube = tuple[Values, int]
"""Classes of the axes (or ANY), and the value that the function has there."""


@dataclass(frozen=True, eq=False)
class Function:
    """A truth table: ``axes`` are variables in order, ``parts`` the partition of each one's values."""

    axes: tuple[int, ...]
    parts: tuple[int, ...]
    array: Booleans

    @property
    def key(self) -> tuple[tuple[int, ...], tuple[int, ...], bytes]:
        """The same for equal functions and different for others."""
        return self.axes, self.parts, self.array.tobytes()

    @property
    def constant(self) -> bool | None:
        """Its value if it has the same everywhere."""
        return None if self.axes else bool(self.array)

    def negated(self) -> Function:
        """The function that is true where this one is false."""
        return Function(self.axes, self.parts, ~self.array)

    def numbers(self) -> Joint:
        """The function with 0 for false and 1 for true."""
        return Joint(self.axes, self.parts, self.array.astype(np.int64))


@dataclass(frozen=True, eq=False)
class Joint:
    """A function whose values are numbers; those below 0 do not matter."""

    axes: tuple[int, ...]
    parts: tuple[int, ...]
    array: Numbers


FALSE = Function((), (), np.array(False))
TRUE = Function((), (), np.array(True))
_NO_MATTER = np.int64(1 << 62)
_AXES = 30
"""The most axes of a table: numpy has no more than 64."""
_STEPS = 12
"""The most functions that are put together one by one if all at once is too much."""
_SAME_AXES = 1 << 14
"""The most entries where functions of the same variables are put together."""
_BOTH, _BOTH_SAME, _FIRST = np.array([0, 1]), np.array([0, 0]), np.array([0])
_TRUE_FALSE, _FALSE_TRUE = np.array([True, False]), np.array([False, True])


class Space:
    """Variables by the number of their values, and the partitions of these."""

    def __init__(self) -> None:
        self.sizes: list[int] = []
        self.labels: list[Numbers] = []
        self.classes: list[int] = []
        self._known: dict[bytes, int] = {}
        self._masks: dict[bytes, int] = {}
        self._members: dict[int, list[tuple[int, ...]]] = {}
        self._refined: dict[tuple[int, int], tuple[int, Numbers, Numbers]] = {}

    def variable(self, size: int) -> int:
        """A new variable."""
        self.sizes.append(size)
        return len(self.sizes) - 1

    def partition(self, labels: Sequence[int] | Numbers) -> int:
        """The partition that puts values with equal labels together; classes are numbered as they first come."""
        _, first, inverse = np.unique(np.asarray(labels, dtype=np.int64), return_index=True, return_inverse=True)
        rank = np.empty(len(first), dtype=np.int64)
        rank[np.argsort(first)] = np.arange(len(first))
        canonical = rank[inverse]
        key = canonical.tobytes()
        number = self._known.get(key)
        if number is None:
            number = self._known[key] = len(self.labels)
            self.labels.append(canonical)
            self.classes.append(len(first))
        return number

    def within(self, variable: int, mask: Sequence[bool] | Booleans) -> Function:
        """Whether the variable has one of the values where the mask is true."""
        values = np.asarray(mask, dtype=np.bool_)
        key = values.tobytes()
        part = self._masks.get(key)
        if part is None:
            part = self._masks[key] = self.partition(values.astype(np.int64))
        if self.classes[part] == 1:
            return TRUE if values[0] else FALSE
        return Function((variable,), (part,), _TRUE_FALSE if values[0] else _FALSE_TRUE)

    def mask(self, function: Function) -> Booleans:
        """The values for which a function of one variable is true."""
        return function.array[self.labels[function.parts[0]]]

    def disjunction(self, functions: Iterable[Function], limit: int) -> Function | None:
        """Whether some function holds; ``None`` if a table on the way to it has more than ``limit`` entries."""
        parts = self.merged(functions)
        whole = self._either(parts, limit)
        if whole is not None or len(parts) > _STEPS:
            return whole
        result: Function | None = FALSE
        for part in sorted(parts, key=lambda function: (len(function.axes), function.axes)):
            result = None if result is None else self._either([result, part], limit)
        return result

    def merged(self, functions: Iterable[Function]) -> list[Function]:
        """Functions with the same disjunction, no two of one variable alone and no two of the same axes."""
        masks: dict[int, Booleans] = {}
        tables: dict[tuple[int, ...], list[Function]] = {}
        for function in functions:
            if function.constant is not None:
                if function.constant:
                    return [TRUE]
            elif len(function.axes) == 1:
                (variable,) = function.axes
                mask = self.mask(function)
                masks[variable] = mask | masks[variable] if variable in masks else mask
            else:
                tables.setdefault(function.axes, []).append(function)
        made = [self.within(variable, mask) for variable, mask in masks.items()]
        for same in tables.values():
            joined = self._either(same, _SAME_AXES)
            made += same if joined is None else [joined]
        return [TRUE] if any(f.constant for f in made) else [f for f in made if f.constant is None]

    def joint(
        self, functions: Sequence[Function], limit: int
    ) -> tuple[tuple[int, ...], tuple[int, ...], Booleans] | None:
        """The tables of several functions over the same axes and partitions, the functions along the first axis."""
        parts: dict[int, int] = {}
        for function in functions:
            for variable, part in zip(function.axes, function.parts, strict=True):
                known = parts.get(variable, part)
                parts[variable] = part if known == part else self._refine(known, part)[0]
        axes = tuple(sorted(parts))
        shape = tuple(self.classes[parts[variable]] for variable in axes)
        if len(axes) > _AXES or math.prod(shape) > limit:
            return None
        target = tuple(parts[variable] for variable in axes)
        made = np.empty((len(functions), *shape), dtype=np.bool_)
        for place, function in enumerate(functions):
            made[place] = self._spread(function, axes, target)
        return axes, target, made

    def reduced(self, axes: Sequence[int], parts: Sequence[int], array: NDArray[Any]) -> Joint:
        """The same function with every axis as coarse as can be."""
        kept: list[tuple[int, int]] = []
        for axis in range(len(axes) - 1, -1, -1):
            number, first = _same_slices(array, axis)
            if len(first) == 1:
                array = array.take(0, axis=axis)
                continue
            if len(first) < len(number):
                array = array.take(first, axis=axis)
                kept.append((axes[axis], self.partition(number[self.labels[parts[axis]]])))
            else:
                kept.append((axes[axis], parts[axis]))
        kept.reverse()
        return Joint(tuple(v for v, _ in kept), tuple(p for _, p in kept), array)

    def rows(self, axes: Sequence[int], parts: Sequence[int], cubes: Iterable[Cube]) -> tuple[list[Values], list[int]]:
        """Cubes of classes as rows of values of the variables, each with the value that the function has there."""
        members = [self.members(part) for part in parts]
        made: list[Values] = []
        values: list[int] = []
        for cube, value in cubes:
            choices = [(ANY,) if entry == ANY else members[axis][entry] for axis, entry in enumerate(cube)]
            before = len(made)
            made += product(*choices)
            values += [value] * (len(made) - before)
        return made, values

    def row_count(self, parts: Sequence[int], cubes: Iterable[Cube]) -> int:
        """How many rows :meth:`rows` would give."""
        return count_rows([self.class_sizes(part) for part in parts], cubes)

    def class_sizes(self, part: int) -> list[int]:
        """How many values each class has."""
        return list(map(len, self.members(part)))

    def members(self, part: int) -> list[tuple[int, ...]]:
        """The values of each class."""
        known = self._members.get(part)
        if known is None:
            found: list[list[int]] = [[] for _ in range(self.classes[part])]
            for value, label in enumerate(self.labels[part].tolist()):
                found[label].append(value)
            known = self._members[part] = [tuple(values) for values in found]
        return known

    def _either(self, functions: Sequence[Function], limit: int) -> Function | None:
        if len(functions) < 2:
            return functions[0] if functions else FALSE
        found = self.joint(functions, limit)
        if found is None:
            return None
        axes, parts, tables = found
        made = self.reduced(axes, parts, np.asarray(tables.any(axis=0)))
        return Function(made.axes, made.parts, np.ascontiguousarray(made.array))

    def _spread(self, function: Function, axes: Sequence[int], parts: Sequence[int]) -> Booleans:
        """The table with an axis, maybe of one class, for each of the given axes."""
        array, place = function.array, 0
        shape = [1] * len(axes)
        for number, (variable, part) in enumerate(zip(axes, parts, strict=True)):
            if place < len(function.axes) and function.axes[place] == variable:
                if function.parts[place] != part:
                    array = array.take(self._refine(function.parts[place], part)[1], axis=place)
                shape[number] = array.shape[place]
                place += 1
        return array.reshape(shape)

    def _refine(self, first: int, second: int) -> tuple[int, Numbers, Numbers]:
        """The partition finer than both, and for each of its classes the class of the first and of the second."""
        key = (first, second)
        found = self._refined.get(key)
        if found is None:
            one, two = self.labels[first], self.labels[second]
            finer = self.partition(one * self.classes[second] + two)
            representative = np.unique(self.labels[finer], return_index=True)[1]
            found = self._refined[key] = (finer, one[representative], two[representative])
        return found


def _same_slices(array: NDArray[np.generic], axis: int) -> tuple[Numbers, Numbers]:
    """For each slice across an axis the number of its class of equal ones, and where each class first occurs."""
    size = array.shape[axis]
    if size == 2:
        same = array.take(0, axis=axis).tobytes() == array.take(1, axis=axis).tobytes()
        return (_BOTH_SAME, _FIRST) if same else (_BOTH, _BOTH)
    seen: dict[bytes, int] = {}
    number, first = np.empty(size, dtype=np.int64), list[int]()
    for place in range(size):
        key = array.take(place, axis=axis).tobytes()
        if key not in seen:
            seen[key] = len(first)
            first.append(place)
        number[place] = seen[key]
    return number, np.array(first, dtype=np.int64)


def count_rows(sizes: Sequence[Sequence[int]], cubes: Iterable[Cube]) -> int:
    """How many rows cubes are, where a class of an axis is as many as its size says."""
    total = 0
    for cube, _ in cubes:
        rows = 1
        for size, entry in zip(sizes, cube, strict=True):
            if entry != ANY:
                rows *= size[entry]
        total += rows
    return total


def cover(array: NDArray[np.generic]) -> list[Cube]:
    """Disjoint cubes in which the function is constant, all of its table: the leaves of a decision tree.

    Entries below 0 do not matter. The tree asks first what leaves the fewest open questions.

    >>> cover(np.array([[0, 0], [0, 1]]))
    [((0, -1), 0), ((1, 0), 0), ((1, 1), 1)]
    """
    numbers = array.astype(np.int64)
    return list(_cover(numbers.shape, numbers.tobytes()))


@lru_cache(maxsize=1 << 14)
def _cover(shape: tuple[int, ...], data: bytes) -> tuple[Cube, ...]:
    cubes: list[Cube] = []
    table = np.frombuffer(data, dtype=np.int64).reshape(shape)
    pending: list[tuple[list[int], Numbers]] = [([ANY] * len(shape), table)]
    while pending:
        cube, part = pending.pop()
        asked = part[part >= 0]
        if not asked.size:
            continue
        if asked.min() == asked.max():
            cubes.append((tuple(cube), int(asked[0])))
            continue
        axis = _best_axis(cube, part)
        index = [slice(None)] * len(shape)
        for entry in range(shape[axis] - 1, -1, -1):
            index[axis] = slice(entry, entry + 1)
            narrower = cube.copy()
            narrower[axis] = entry
            pending.append((narrower, part[tuple(index)]))
    return tuple(cubes)


@cache
def _others(count: int, axis: int) -> tuple[int, ...]:
    return tuple(other for other in range(count) if other != axis)


def _best_axis(cube: Sequence[int], part: Numbers) -> int:
    """The axis with the greatest share of classes that decide the function."""
    low = np.where(part < 0, _NO_MATTER, part)
    best, most = -1, -1.0
    for axis, entry in enumerate(cube):
        if entry == ANY and part.shape[axis] > 1:
            others = _others(part.ndim, axis)
            decided = np.maximum.reduce(part, axis=others) <= np.minimum.reduce(low, axis=others)
            share = float(np.count_nonzero(decided)) / part.shape[axis]
            if share > most:
                best, most = axis, share
    return best
