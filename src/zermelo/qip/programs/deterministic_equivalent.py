"""The deterministic equivalent: one ordinary program that says what a quantified program says.

Every line of play of ``forall`` is written out. An existential variable has a copy for each list of choices that
``forall`` can have made before it, so it may depend on them and on nothing else. Rows become one row for each list of
choices before their last existential variable; universal variables after it are taken at the row's worst. The worst
case of the objective is a column of its own, bounded by the objective of every line of play.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from zermelo.errors import InputError, LimitReachedError
from zermelo.qip.programs.program import Program, Relation, Row, Sense, Terms, tightened
from zermelo.qip.programs.scenarios import Choices, Tree, scenario_tree

MOST_ENTRIES = 1 << 22
"""Coefficients that an equivalent may have unless more are asked for."""
OFTEN = 512
"""Rows between two looks at the limits."""


@dataclass(frozen=True)
class Column:
    """A copy of an existential variable after the choices of ``forall``; ``variable`` is ``None`` for the worst case
    of the objective."""

    variable: int | None
    choices: Choices
    lower: Fraction | None
    upper: Fraction | None
    integer: bool


@dataclass(frozen=True)
class Line:
    """A row over columns: row ``source`` of the program (``None``: the objective) where ``forall`` plays ``choices``.

    Without terms, a row that can never hold.
    """

    terms: Terms
    relation: Relation
    right: Fraction
    source: int | None
    choices: Choices


@dataclass(frozen=True)
class Size:
    """How large an equivalent is."""

    scenarios: int
    columns: int
    rows: int
    entries: int


@dataclass(frozen=True)
class Equivalent:
    """A mixed integer program: make ``objective`` plus ``constant`` small or large (``sense``), keep to ``rows``.

    Its optimum is the value of the quantified program, or an optimistic bound where not all scenarios were taken.
    """

    program: Program
    columns: tuple[Column, ...]
    rows: tuple[Line, ...]
    objective: Terms
    constant: Fraction
    sense: Sense
    tree: Tree
    whole: bool
    """Whether every line of play is in it."""
    index: Mapping[tuple[int, Choices], int] = field(repr=False)
    """The number of the column of a variable after choices; variables that are in no row have none."""

    def names(self) -> tuple[str, ...]:
        """A name for each column, unlike all others: the variable's, and which of its copies it is.

        >>> from zermelo.qip.programs.program import Row, Variable, terms
        >>> u, y = Variable("u", "forall"), Variable("y")
        >>> deterministic(Program((u, y), (Row(terms({0: 1, 1: 1}), "=", Fraction(1)),))).names()
        ('y.1', 'y.2')
        """
        copies: dict[int | None, int] = {}
        for column in self.columns:
            copies[column.variable] = copies.get(column.variable, 0) + 1
        used, names, met = set[str](), list[str](), dict[int | None, int]()
        for column in self.columns:
            met[column.variable] = met.get(column.variable, 0) + 1
            base = "worst" if column.variable is None else self.program.variables[column.variable].name
            name = base if copies[column.variable] == 1 else f"{base}.{met[column.variable]}"
            while name in used:
                name += "."
            used.add(name)
            names.append(name)
        return tuple(names)


def deterministic(
    program: Program,
    scenarios: Iterable[Sequence[Fraction | int]] | None = None,
    most: int = MOST_ENTRIES,
    check: Callable[[], None] = lambda: None,
) -> Equivalent:
    """The deterministic equivalent, over all lines of play or over the given ones (all choices of ``forall``, each).

    Given scenarios must keep the rows of ``forall``. ``LimitReachedError`` where there would be more than ``most``
    coefficients: that is counted before anything is written out. ``check`` is called now and then and may raise.

    >>> from zermelo.qip.programs.program import Objective, Row, Variable, terms
    >>> u, y = Variable("u", "forall"), Variable("y", upper=Fraction(2))
    >>> rows = (Row(terms({0: 1, 1: 1}), ">=", Fraction(2)),)
    >>> equivalent = deterministic(Program((u, y), rows, Objective("min", terms({1: 1}))))
    >>> for line in equivalent.rows:
    ...     print(*(f"{c}*{equivalent.names()[n]}" for n, c in line.terms), line.relation, line.right)
    1*y.1 -1*worst <= 0
    1*y.2 -1*worst <= 0
    1*y.1 >= 2
    1*y.2 >= 1
    """
    program = tightened(program)
    tree = scenario_tree(program)
    if scenarios is None:
        size = _size(program, tree)
        if size.entries > most:
            raise LimitReachedError(
                f"the deterministic equivalent would have {size.scenarios} scenarios and {size.entries} coefficients, "
                f"more than {most}"
            )
        return _written(program, tree, _Prefixes(tree, None), check)
    given = sorted({tuple(Fraction(value) for value in choices) for choices in scenarios})
    for choices in given:
        _check(program, tree, choices)
    return _written(program, tree, _Prefixes(tree, given), check)


def _check(program: Program, tree: Tree, choices: Choices) -> None:
    if len(choices) != len(tree.universals):
        raise InputError(f"a scenario has {len(choices)} choices, expected {len(tree.universals)}")
    for number, value in zip(tree.universals, choices, strict=True):
        variable = program.variables[number]
        lower, upper = variable.lower, variable.upper
        inside = (lower is None or lower <= value) and (upper is None or value <= upper)
        if not inside or (variable.integer and value.denominator != 1):
            raise InputError(f"a scenario sets {variable.name} to {value}, which is not one of its values")
    tree.state_after(choices)


def size(program: Program) -> Size:
    """How large the deterministic equivalent over all lines of play is, without writing it out.

    >>> from zermelo.qip.programs.program import Row, Variable, terms
    >>> universal = tuple(Variable(f"u{n}", "forall") for n in range(100))
    >>> rows = (Row(terms({n: 1 for n in range(101)}), "<=", Fraction(60)),)
    >>> size(Program((*universal, Variable("y")), rows)).scenarios == 2**100
    True
    """
    program = tightened(program)
    return _size(program, scenario_tree(program))


@dataclass(frozen=True)
class _Shape:
    """A row of the program, by role: its universal part has a level for each variable."""

    source: int | None
    relation: Relation
    right: Fraction
    existential: Terms
    universal: Terms
    before: int
    """How many choices ``forall`` has made before the row's last existential variable."""


def _shapes(program: Program, tree: Tree) -> list[_Shape]:
    level = {number: position for position, number in enumerate(tree.universals)}
    rows: list[tuple[int | None, Terms, Relation, Fraction]] = []
    if program.objective.terms:
        relation: Relation = "<=" if program.objective.sense == "min" else ">="
        rows.append((None, program.objective.terms, relation, -program.objective.constant))
    rows += [(number, row.terms, row.relation, row.right) for number, row in enumerate(program.rows)]
    made = []
    for source, form, relation, right in rows:
        existential = tuple((n, c) for n, c in form if n not in level)
        universal = tuple((level[n], c) for n, c in form if n in level)
        last = existential[-1][0] if existential else -1
        before = sum(number < last for number in tree.universals)
        made.append(_Shape(source, relation, right, existential, universal, before))
    return made


def _size(program: Program, tree: Tree) -> Size:
    shapes, counts = _shapes(program, tree), tree.counts
    used = {number for shape in shapes for number, _ in shape.existential}
    columns = sum(counts[sum(universal < number for universal in tree.universals)] for number in used)
    rows = sum(counts[shape.before] for shape in shapes)
    entries = sum(counts[shape.before] * (len(shape.existential) + 1) for shape in shapes)
    return Size(counts[-1], columns + bool(program.objective.terms), rows, entries)


class _Prefixes:
    """Lists of choices by length, and for each a line of play that begins with it."""

    def __init__(self, tree: Tree, given: list[Choices] | None) -> None:
        self.tree, self.given = tree, given
        self._lists: dict[int, dict[Choices, Choices]] = {}

    def of(self, length: int) -> dict[Choices, Choices]:
        if length not in self._lists:
            if self.given is None:
                self._lists[length] = {prefix: self.tree.some_line(prefix) for prefix in self.tree.prefixes(length)}
            else:
                self._lists[length] = {choices[:length]: choices for choices in reversed(self.given)}
        return self._lists[length]


def _written(program: Program, tree: Tree, prefixes: _Prefixes, check: Callable[[], None]) -> Equivalent:
    shapes = _shapes(program, tree)
    made = sorted(n for n, v in enumerate(program.variables) if v.quantifier == "exists")
    before = dict(zip(made, (sum(universal < n for universal in tree.universals) for n in made), strict=True))
    columns, index = list[Column](), dict[tuple[int, Choices], int]()
    for number in sorted({number for shape in shapes for number, _ in shape.existential}):
        check()
        check()
        variable = program.variables[number]
        for choices in sorted(prefixes.of(before[number])):
            index[number, choices] = len(columns)
            columns.append(Column(number, choices, variable.lower, variable.upper, variable.integer))
    worst: Terms = ()
    if program.objective.terms:
        worst = ((len(columns), Fraction(1)),)
        columns.append(Column(None, (), None, None, False))
    lines = list[Line]()
    for shape in shapes:
        check()
        added = () if shape.source is not None else ((worst[0][0], Fraction(-1)),)
        for right, relation, choices in _cases(program, tree, prefixes, shape):
            form = [(index[number, choices[: before[number]]], c) for number, c in shape.existential]
            if len(lines) % OFTEN == 0:
                check()
            line = Line((*form, *added), relation, right, shape.source, choices)
            if line.terms or not Row((), relation, right).holds(()):
                lines.append(line)
    constant = Fraction(0) if worst else program.objective.constant
    return Equivalent(
        program,
        tuple(columns),
        tuple(lines),
        worst,
        constant,
        program.objective.sense,
        tree,
        prefixes.given is None,
        index,
    )


def _cases(
    program: Program, tree: Tree, prefixes: _Prefixes, shape: _Shape
) -> Iterator[tuple[Fraction, Relation, Choices]]:
    """The right sides that a row has: one, the worst, for each list of choices before its last existential variable.

    An equation that later universal variables can shift becomes two bounds that contradict each other.
    """
    swept: dict[int, tuple[Fraction, Fraction]] = {}
    for level, _ in shape.universal:
        if prefixes.given is None and level >= shape.before and not tree.bound[level]:
            variable = program.variables[tree.universals[level]]
            swept[level] = (variable.lower or Fraction(0), variable.upper or Fraction(0))
    depth = max((level + 1 for level, _ in shape.universal if level not in swept), default=0)
    least = _worst(shape, prefixes.of(max(depth, shape.before)), swept, above=True) if shape.relation != "<=" else {}
    if shape.relation == ">=":
        for used, choices in least.values():
            yield shape.right - used, ">=", choices
        return
    most = _worst(shape, prefixes.of(max(depth, shape.before)), swept, above=False)
    for before, (used, choices) in most.items():
        if shape.relation == "=" and least[before][0] == used:
            yield shape.right - used, "=", choices
        else:
            yield shape.right - used, "<=", choices
            if shape.relation == "=":
                yield shape.right - least[before][0], ">=", least[before][1]


def _worst(
    shape: _Shape, prefixes: Mapping[Choices, Choices], swept: Mapping[int, tuple[Fraction, Fraction]], *, above: bool
) -> dict[Choices, tuple[Fraction, Choices]]:
    """By choices before the last existential variable: what universal variables add, at the least where the row is a
    lower bound and at the most where it is an upper one, with the line of play."""
    added, ends = Fraction(0), dict[int, Fraction]()
    for level, coefficient in shape.universal:
        if level in swept:
            ends[level] = swept[level][(coefficient > 0) != above]
            added += coefficient * ends[level]
    fixed = [(level, coefficient) for level, coefficient in shape.universal if level not in swept]
    found: dict[Choices, tuple[Fraction, Choices]] = {}
    for prefix, line in prefixes.items():
        used = added
        for level, coefficient in fixed:
            used += coefficient * prefix[level]
        key = prefix[: shape.before]
        if key in found and not (used < found[key][0] if above else used > found[key][0]):
            continue
        found[key] = (used, tuple(ends.get(level, v) for level, v in enumerate(line)) if ends else line)
    return found
