"""A network under way: variables, tables, and functions of the variables that become tables.

Functions stay truth tables as long as they are small. One that is not, or that a table needs as a condition, becomes
a derived variable with a table of its own; equal functions share it. A gate of many inputs is a table of one row for
each input and one for none of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Literal

import numpy as np

from zermelo.encode.scsp.functions import Function, Joint, Numbers, Space, count_rows, cover
from zermelo.scsp.network import ANY, Values

CELLS = 4096
"""The most entries of a truth table, and rows of a constraint that is made of one."""
_FEW = 256
"""The most entries where everything was made a variable before."""
_ROWS = 128
"""The most rows of a function that is not divided among derived variables, moves that do the same counted once."""
_ALWAYS = 32
"""A function with so few entries is never divided."""
_WIDE = 48
"""The most inputs of a gate in one table."""
_NONE_ROWS = 64
"""The most rows that say that no input of a gate holds."""
_NAMED = 3
"""The most values that the name of a class tells."""

Kind = Literal["state", "terminal", "goal", "now", "possible", "action", "chance", "step", "next"]
BOOLEAN = ("false", "true")


@dataclass
class DraftVariable:
    """A variable: what it is called without its stage, its values, and what it is for."""

    name: str
    domain: tuple[str, ...]
    kind: Kind


@dataclass(frozen=True)
class DraftTable:
    """A hard constraint; ``defines`` is the derived variable whose value it gives."""

    scope: Values
    rows: frozenset[Values]
    defines: int | None = None


class Draft:
    """Variables and tables, with what is known of functions.

    >>> draft = Draft()
    >>> colour = draft.variable("colour", ("red", "green", "blue"), "state")
    >>> lamp = draft.variable("lamp", BOOLEAN, "state")
    >>> made = draft.truth(draft.all([draft.is_value(colour, 2), draft.is_value(lamp, 1)]))
    >>> draft.variables[made].kind, sorted(draft.tables[0].rows)
    ('now', [(0, -1, 0), (1, -1, 0), (2, 0, 0), (2, 1, 1)])
    """

    def __init__(self) -> None:
        self.space = Space()
        self.variables: list[DraftVariable] = []
        self.tables: list[DraftTable] = []
        self._literals: dict[object, Function] = {}
        self._quotients: dict[tuple[int, int], int] = {}

    def variable(self, name: str, domain: Iterable[str], kind: Kind) -> int:
        """A new variable."""
        values = tuple(domain)
        self.variables.append(DraftVariable(name, values, kind))
        return self.space.variable(len(values))

    def derived(self, axes: Iterable[int], domain: Iterable[str] = BOOLEAN) -> int:
        """A new variable whose value follows from those of others."""
        later = any(self.variables[axis].kind in ("action", "chance", "step") for axis in axes)
        return self.variable("", domain, "step" if later else "now")

    def is_value(self, variable: int, value: int) -> Function:
        """Whether a variable has a value."""
        mask = np.zeros(self.space.sizes[variable], dtype=np.bool_)
        mask[value] = True
        return self.space.within(variable, mask)

    def either(self, functions: Iterable[Function]) -> Function:
        """Whether some of the functions hold: as a truth table if that is small, else as a derived variable."""
        parts = self.space.merged(functions)
        small = self.space.disjunction(parts, CELLS)
        if small is not None and self._is_simple(small):
            return small
        parts = self.space.merged(self.literal(part) for part in parts)
        small = self.space.disjunction(parts, _FEW)
        return self._wide(parts) if small is None else small

    def _is_simple(self, function: Function) -> bool:
        if function.array.size <= _ALWAYS:
            return True
        moves = [self.variables[axis].kind in ("action", "chance") for axis in function.axes]
        sizes = [
            [1] * self.space.classes[part] if move else self.space.class_sizes(part)
            for move, part in zip(moves, function.parts, strict=True)
        ]
        return count_rows(sizes, cover(function.array)) <= _ROWS

    def all(self, functions: Iterable[Function]) -> Function:
        """Whether all of the functions hold."""
        return self.either(function.negated() for function in functions).negated()

    def literal(self, function: Function) -> Function:
        """The function as one of a single variable."""
        if len(function.axes) < 2:
            return function
        if function.array.flat[0]:
            return self.literal(function.negated()).negated()
        if function.key not in self._literals:
            made = self.derived(function.axes)
            self._literals[function.key] = self.is_value(made, 1)
            self.define(made, function.numbers())
        return self._literals[function.key]

    def truth(self, function: Function) -> int:
        """A variable of two values that is 1 where the function holds."""
        literal = self.literal(function)
        if literal.axes and self.space.sizes[literal.axes[0]] == 2 and literal.array[1]:
            return literal.axes[0]
        key = ("truth", *function.key)
        if key not in self._literals:
            made = self.derived(literal.axes)
            self._literals[key] = self.is_value(made, 1)
            self.define(made, literal.numbers())
        return self._literals[key].axes[0]

    def define(self, variable: int, value: Joint) -> None:
        """A variable has the value that a function says."""
        axes, parts = self._manageable(value.axes, value.parts, value.array)
        rows, values = self.space.rows(axes, parts, cover(value.array))
        scope, place = (*axes, variable), len(axes)
        made = frozenset((*row[:place], result) for row, result in zip(rows, values, strict=True))
        self.tables.append(DraftTable(scope, made, variable))

    def table(self, scope: Sequence[int], rows: Iterable[Values], defines: int | None = None) -> None:
        """A hard constraint."""
        self.tables.append(DraftTable(tuple(scope), frozenset(rows), defines))

    def quotient(self, variable: int, part: int) -> int:
        """The variable that says in which class of a partition another variable's value lies."""
        key = (variable, part)
        if key not in self._quotients:
            names = self.variables[variable].domain
            classes = self.space.members(part)
            if len(classes) == 2 and self.space.sizes[variable] == 2:
                return variable
            made = self.derived([variable], _class_names(names, classes))
            self._quotients[key] = made
            labels = self.space.labels[part].tolist()
            self.tables.append(DraftTable((variable, made), frozenset(enumerate(labels)), made))
        return self._quotients[key]

    def _manageable(
        self, axes: Sequence[int], parts: Sequence[int], array: Numbers
    ) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The axes of a table, those of many values in quotients if else there would be too many rows."""
        axes, parts, cubes = list(axes), list(parts), cover(array)
        while self.space.row_count(parts, cubes) > CELLS:
            ratio = [self.space.sizes[v] / self.space.classes[p] for v, p in zip(axes, parts, strict=True)]
            worst = int(np.argmax(ratio))
            if ratio[worst] <= 1:
                break
            axes[worst] = self.quotient(axes[worst], parts[worst])
            parts[worst] = self.space.partition(range(self.space.classes[parts[worst]]))
        return tuple(axes), tuple(parts)

    def _wide(self, parts: Sequence[Function]) -> Function:
        """A gate of many inputs, each a condition on one variable, as a derived variable."""
        while len(parts) > _WIDE:
            chunks = [parts[begin : begin + _WIDE] for begin in range(0, len(parts), _WIDE)]
            parts = [self._wide(chunk) if len(chunk) > 1 else chunk[0] for chunk in chunks]
        key = ("wide", *(part.key for part in parts))
        if key in self._literals:
            return self._literals[key]
        parts = self._few_complements(parts)
        variables = [part.axes[0] for part in parts]
        masks = [self.space.mask(part) for part in parts]
        made = self.derived(variables)
        rows: list[Values] = [(*none, 0) for none in product(*(np.flatnonzero(~mask).tolist() for mask in masks))]
        for place, mask in enumerate(masks):
            rows += [
                (*(value if other == place else ANY for other in range(len(masks))), 1)
                for value in np.flatnonzero(mask).tolist()
            ]
        self.tables.append(DraftTable((*variables, made), frozenset(rows), made))
        self._literals[key] = self.is_value(made, 1)
        return self._literals[key]

    def _few_complements(self, parts: Sequence[Function]) -> list[Function]:
        """The same conditions, those with many ways to fail as conditions on a quotient."""
        parts = list(parts)
        ways = [int((~self.space.mask(part)).sum()) for part in parts]
        while int(np.prod(ways, dtype=np.float64)) > _NONE_ROWS:
            worst = int(np.argmax(ways))
            (variable,), (part,) = parts[worst].axes, parts[worst].parts
            reduced = self.quotient(variable, part)
            parts[worst] = self.space.within(reduced, parts[worst].array)
            ways[worst] = 1
        return parts


def _class_names(names: Sequence[str], classes: Sequence[Sequence[int]]) -> list[str]:
    """Classes of values by the first of the values and the number of others."""
    found: list[str] = []
    for values in classes:
        some = [names[value] for value in values[:_NAMED]]
        text = "|".join(some if len(values) <= _NAMED else [*some, f"{len(values) - _NAMED} more"])
        while text in found:
            text += "_"
        found.append(text)
    return found


def condition_rows(space: Space, conditions: Sequence[Function]) -> list[dict[int, int]]:
    """The ways to meet all conditions, each as values of some variables."""
    ways: list[dict[int, int]] = [{}]
    for condition in conditions:
        cubes = [cube for cube in cover(condition.array) if cube[1]]
        rows, _ = space.rows(condition.axes, condition.parts, cubes)
        said = [{v: value for v, value in zip(condition.axes, row, strict=True) if value != ANY} for row in rows]
        ways = [
            way | more for way in ways for more in said if all(way.get(v, value) == value for v, value in more.items())
        ]
    return ways
