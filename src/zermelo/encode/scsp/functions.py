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

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

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


class Space:
    """Variables by the number of their values, and the partitions of these."""

    def __init__(self) -> None:
        self.sizes: list[int] = []
        self.labels: list[Numbers] = []
        self.classes: list[int] = []
        self._known: dict[bytes, int] = {}
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
        if values.all() or not values.any():
            return TRUE if values[0] else FALSE
        part = self.partition(values.astype(np.int64))
        return Function((variable,), (part,), np.array([values[0], not values[0]]))

    def mask(self, function: Function) -> Booleans:
        """The values for which a function of one variable is true."""
        return function.array[self.labels[function.parts[0]]]

    def disjunction(self, functions: Iterable[Function], limit: int) -> Function | None:
        """Whether some function holds; ``None`` if a table on the way has more than ``limit`` entries."""
        made = self.merged(functions)
        result = FALSE
        for function in sorted(made, key=lambda f: (len(f.axes), f.axes)):
            joined = self._either(result, function, limit)
            if joined is None:
                return None
            result = joined
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
            result = same[0]
            for function in same[1:]:
                joined = self._either(result, function, 1 << 14)
                if joined is None:
                    made.append(result)
                    result = function
                else:
                    result = joined
            made.append(result)
        return [TRUE] if any(f.constant for f in made) else [f for f in made if f.constant is None]

    def joint(
        self, functions: Sequence[Function], limit: int
    ) -> tuple[tuple[int, ...], tuple[int, ...], Booleans] | None:
        """The tables of several functions over the same axes and partitions, the functions along the first axis."""
        parts: dict[int, int] = {}
        for function in functions:
            for variable, part in zip(function.axes, function.parts, strict=True):
                parts[variable] = self._refine(parts[variable], part)[0] if variable in parts else part
        axes = tuple(sorted(parts))
        shape = tuple(self.classes[parts[variable]] for variable in axes)
        if len(axes) > 30 or int(np.prod(shape, dtype=np.float64)) > limit:
            return None
        target = tuple(parts[variable] for variable in axes)
        made = np.empty((len(functions), *shape), dtype=np.bool_)
        for place, function in enumerate(functions):
            made[place] = self._spread(function, axes, target)
        return axes, target, made

    def reduced(self, axes: Sequence[int], parts: Sequence[int], array: Numbers) -> Joint:
        """The same function with every axis as coarse as can be."""
        kept: list[tuple[int, int]] = []
        for axis in range(len(axes) - 1, -1, -1):
            rows = np.moveaxis(array, axis, 0).reshape(array.shape[axis], -1)
            number, first = _same_rows(rows)
            if len(first) == 1:
                array = np.take(array, 0, axis=axis)
                continue
            if len(first) < len(rows):
                array = np.take(array, first, axis=axis)
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
        sizes: list[int] = np.bincount(self.labels[part]).tolist()
        return sizes

    def members(self, part: int) -> list[tuple[int, ...]]:
        """The values of each class."""
        found: list[list[int]] = [[] for _ in range(self.classes[part])]
        for value, label in enumerate(self.labels[part].tolist()):
            found[label].append(value)
        return [tuple(values) for values in found]

    def _either(self, first: Function, second: Function, limit: int) -> Function | None:
        found = self.joint((first, second), limit)
        if found is None:
            return None
        axes, parts, tables = found
        made = self.reduced(axes, parts, tables[0] | tables[1])
        return Function(made.axes, made.parts, np.ascontiguousarray(made.array))

    def _spread(self, function: Function, axes: Sequence[int], parts: Sequence[int]) -> Booleans:
        array = function.array
        own = dict(zip(function.axes, function.parts, strict=True))
        for place, (variable, part) in enumerate(zip(axes, parts, strict=True)):
            if variable not in own:
                array = np.expand_dims(array, place)
            elif own[variable] != part:
                array = np.take(array, self._refine(own[variable], part)[1], axis=place)
        return array

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


def _same_rows(rows: NDArray[np.generic]) -> tuple[Numbers, Numbers]:
    """For each row the number of the first class of equal rows, and where each class first occurs."""
    seen: dict[bytes, int] = {}
    number = np.empty(len(rows), dtype=np.int64)
    first: list[int] = []
    for place, row in enumerate(rows):
        key = row.tobytes()
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


def _best_axis(cube: Sequence[int], part: Numbers) -> int:
    """The axis with the greatest share of classes that decide the function."""
    low = np.where(part < 0, np.iinfo(np.int64).max, part)
    best, most = -1, -1.0
    for axis, entry in enumerate(cube):
        if entry == ANY and part.shape[axis] > 1:
            others = tuple(a for a in range(part.ndim) if a != axis)
            decided = np.asarray(part.max(axis=others) <= low.min(axis=others))
            share = float(decided.sum()) / part.shape[axis]
            if share > most:
                best, most = axis, share
    return best
