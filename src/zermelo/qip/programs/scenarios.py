"""Which choices of ``forall`` have to be looked at, and how many lines of play they make.

A universal variable is *bound* where a row of the uncertainty holds it, else *free*. Only some of its values matter:

* all legal ones of a bound variable;
* all of a free one, as long as an integer existential variable comes later;
* the two ends of a free one where all later existential variables are continuous: what ``exists`` can reach is then
  convex in it (Lorenz, Martin and Wolf, Polyhedral and algorithmic properties of quantified linear programs, 2010);
* one of a free one that no row shares with a later existential variable: nobody can react to it, so each row is taken
  at its own worst (:mod:`zermelo.qip.programs.deterministic_equivalent` does so).

Legal prefixes are counted without being listed, over states that say how much slack the uncertainty rows have left.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from zermelo.errors import InputError, LimitReachedError
from zermelo.qip.programs.program import Bound, Program, bounds_of

Choices = tuple[Fraction, ...]
"""What ``forall`` has set so far, in the order of the prefix."""

State = tuple[Fraction | None, ...]
"""Slack left in each row of the uncertainty; ``None`` where the row holds whatever follows."""

MOST_STATES = 1 << 20
"""Bounds the memory for counting: tables beyond this are refused."""
_MOST_VALUES = 1 << 16


@dataclass(frozen=True)
class Tree:
    """The scenario tree of a program, by its levels: one for each universal variable.

    ``values`` are the choices that matter, ``ends`` says where they stand for a whole interval, ``layers`` holds the
    states before each level (and after the last one) from which ``forall`` can keep his rows, each with the number of
    prefixes that lead to it.

    >>> from zermelo.qip.programs.program import Program, Row, Variable, terms
    >>> a, b, y = Variable("a", "forall"), Variable("b", "forall"), Variable("y")
    >>> rows = (Row(terms({0: 1, 1: 1, 2: 1}), ">=", Fraction(1)),)
    >>> tree = scenario_tree(Program((a, b, y), rows, uncertainty=(Row(terms({0: 1, 1: 1}), "<=", Fraction(1)),)))
    >>> tree.counts, [tuple(map(int, choices)) for choices in tree.prefixes(2)]
    ((1, 2, 3), [(0, 0), (0, 1), (1, 0)])
    """

    universals: tuple[int, ...]
    values: tuple[Choices, ...]
    ends: tuple[bool, ...]
    bound: tuple[bool, ...]
    rows: tuple[Bound, ...]
    layers: tuple[dict[State, int], ...]
    _reach: tuple[tuple[tuple[Fraction, Fraction], ...], ...]

    @property
    def counts(self) -> tuple[int, ...]:
        """How many prefixes of each length ``forall`` can choose."""
        return tuple(sum(layer.values()) for layer in self.layers)

    def after(self, level: int, state: State, value: Fraction) -> State | None:
        """The state after a choice; ``None`` where he can then no longer keep his rows."""
        following = self.anywhere(level, state, value)
        return following if following is not None and following in self.layers[level + 1] else None

    def anywhere(self, level: int, state: State, value: Fraction) -> State | None:
        """The state after a choice, be it one from which he cannot keep his rows; ``None`` where one row shows that."""
        return _after(self.rows, self.universals[level], self._reach[level + 1], state, value)

    def broken(self, level: int, state: State, value: Fraction) -> int | None:
        """The number of a row of the uncertainty that a choice breaks, whatever he does later."""
        for row, (slack, later) in enumerate(zip(state, self._reach[level + 1], strict=True)):
            if slack is not None and slack - _coefficient(self.rows[row], self.universals[level]) * value < later[0]:
                return row
        return None

    def state_after(self, prefix: Choices) -> State:
        """The state after choices that are legal."""
        (state,) = self.layers[0]
        for level, value in enumerate(prefix):
            following = self.after(level, state, value)
            if following is None:
                raise InputError(f"choice {level + 1} of the universal player leaves him no way to keep his own rows")
            state = following
        return state

    def prefixes(self, length: int) -> list[Choices]:
        """All prefixes of a length that leave a legal completion, in lexicographic order."""
        return [choices for choices, _ in self.extensions(0, length, self.state_after(()))]

    def some_line(self, prefix: Choices = ()) -> Choices:
        """A line of play of ``forall`` that begins so, with the lowest choices that he can make then."""
        rest, _ = next(self.extensions(len(prefix), len(self.universals), self.state_after(prefix)))
        return (*prefix, *rest)

    def extensions(self, level: int, end: int, state: State) -> Iterator[tuple[Choices, State]]:
        """All legal choices at the levels from ``level`` up to before ``end``, with the states after them, in
        lexicographic order."""
        choices: list[Fraction] = []
        states = [state]
        pending = [iter(self.values[level])] if level < end else []
        if not pending:
            yield (), state
        while pending:
            value = next(pending[-1], None)
            if value is None:
                pending.pop()
                states.pop()
                if choices:
                    choices.pop()
                continue
            here = level + len(pending) - 1
            following = self.after(here, states[-1], value)
            if following is None:
                continue
            if here + 1 == end:
                yield (*choices, value), following
            else:
                choices.append(value)
                states.append(following)
                pending.append(iter(self.values[here + 1]))


def universals_of(program: Program) -> tuple[int, ...]:
    """The numbers of the variables of ``forall``.

    >>> from zermelo.qip.programs.program import Variable
    >>> universals_of(Program((Variable("x"), Variable("u", "forall"))))
    (1,)
    """
    return tuple(number for number, variable in enumerate(program.variables) if variable.quantifier == "forall")


def scenario_tree(program: Program) -> Tree:
    """The scenario tree; ``InputError`` where ``forall`` cannot keep his own rows from the start.

    The bounds of integer variables must be whole (:func:`zermelo.qip.programs.program.tightened`).
    """
    universals = universals_of(program)
    uncertainty = tuple(bound for row in program.uncertainty for bound in bounds_of(row))
    held = {number for row in uncertainty for number, _ in row.terms}
    reacted = _reacted_to(program)
    last_integer = max(
        (n for n, v in enumerate(program.variables) if v.quantifier == "exists" and v.integer), default=-1
    )
    values, ends = list[Choices](), list[bool]()
    for number in universals:
        lower, upper = _interval(program, number)
        if number not in held and number not in reacted:
            values.append((lower,))
        elif number not in held and number > last_integer:
            values.append((lower, upper) if lower < upper else (lower,))
        else:
            values.append(_whole_values(program, number, lower, upper))
        ends.append(number not in held and number > last_integer)
    reach = _reaches(uncertainty, universals, values)
    layers = _layers(uncertainty, universals, values, reach)
    bound = tuple(number in held for number in universals)
    return Tree(universals, tuple(values), tuple(ends), bound, uncertainty, layers, reach)


def _interval(program: Program, number: int) -> tuple[Fraction, Fraction]:
    variable = program.variables[number]
    lower, upper = variable.lower, variable.upper
    if lower is None or upper is None:
        raise InputError(f"the universal variable {variable.name} needs a lower and an upper bound")
    if lower > upper:
        raise InputError(f"the universal variable {variable.name} has no value between {lower} and {upper}")
    return lower, upper


def _whole_values(program: Program, number: int, lower: Fraction, upper: Fraction) -> Choices:
    variable = program.variables[number]
    if not variable.integer:
        raise InputError(
            f"the universal variable {variable.name} is continuous, which only goes where all existential variables "
            "are and no row of the uncertainty holds it"
        )
    if upper - lower >= _MOST_VALUES:
        raise LimitReachedError(f"the universal variable {variable.name} has more than {_MOST_VALUES} values")
    return tuple(Fraction(value) for value in range(int(lower), int(upper) + 1))


def _reacted_to(program: Program) -> set[int]:
    """Universal variables that share a row with an existential one that comes later."""
    found = set[int]()
    for form in (program.objective.terms, *(row.terms for row in program.rows)):
        last = max((n for n, _ in form if program.variables[n].quantifier == "exists"), default=-1)
        found.update(n for n, _ in form if n < last and program.variables[n].quantifier == "forall")
    return found


def _reaches(
    rows: Sequence[Bound], universals: Sequence[int], values: Sequence[Choices]
) -> tuple[tuple[tuple[Fraction, Fraction], ...], ...]:
    """For each level, the least and the largest that the levels from it on add to each row of the uncertainty."""
    reach = [tuple((Fraction(0), Fraction(0)) for _ in rows)]
    for number, choices in zip(reversed(universals), reversed(values), strict=True):
        layer = []
        for row, (least, most) in zip(rows, reach[-1], strict=True):
            added = [_coefficient(row, number) * value for value in (choices[0], choices[-1])]
            layer.append((least + min(added), most + max(added)))
        reach.append(tuple(layer))
    return tuple(reversed(reach))


def _coefficient(row: Bound, number: int) -> Fraction:
    return next((coefficient for variable, coefficient in row.terms if variable == number), Fraction(0))


def _settled(slack: Fraction, reach: tuple[Fraction, Fraction]) -> Fraction | None:
    return None if slack >= reach[1] else slack


def _after(
    rows: Sequence[Bound],
    number: int,
    reach: Sequence[tuple[Fraction, Fraction]],
    state: State,
    value: Fraction,
) -> State | None:
    if not rows:
        return state
    following = list[Fraction | None]()
    for row, slack, later in zip(rows, state, reach, strict=True):
        if slack is None:
            following.append(None)
            continue
        left = slack - _coefficient(row, number) * value
        if left < later[0]:
            return None
        following.append(_settled(left, later))
    return tuple(following)


def _layers(
    rows: Sequence[Bound],
    universals: Sequence[int],
    values: Sequence[Choices],
    reach: Sequence[Sequence[tuple[Fraction, Fraction]]],
) -> tuple[dict[State, int], ...]:
    start = tuple(_settled(row.right, later) for row, later in zip(rows, reach[0], strict=True))
    possible: list[dict[State, int]] = [
        {} if any(row.right < later[0] for row, later in zip(rows, reach[0], strict=True)) else {start: 1}
    ]
    total = 1
    for level, number in enumerate(universals):
        following: dict[State, int] = {}
        for state, count in possible[-1].items():
            for value in values[level]:
                reached = _after(rows, number, reach[level + 1], state, value)
                if reached is not None:
                    following[reached] = following.get(reached, 0) + count
        possible.append(following)
        total += len(following)
        if total > MOST_STATES:
            raise LimitReachedError("the rows of the universal player are too many to count his choices")
    return _alive(rows, universals, values, reach, possible)


def _alive(
    rows: Sequence[Bound],
    universals: Sequence[int],
    values: Sequence[Choices],
    reach: Sequence[Sequence[tuple[Fraction, Fraction]]],
    possible: Sequence[dict[State, int]],
) -> tuple[dict[State, int], ...]:
    """Keeps the states from which the last level is reached; a row that is broken for certain was left out before."""
    layers = [possible[-1]]
    for level in reversed(range(len(universals))):
        layers.append(
            {
                state: count
                for state, count in possible[level].items()
                if any(
                    _after(rows, universals[level], reach[level + 1], state, value) in layers[-1]
                    for value in values[level]
                )
            }
        )
    if not layers[-1]:
        raise InputError("the universal player cannot keep his own rows")
    return tuple(reversed(layers))
