"""A linear program by stages: what ``exists`` sets between two choices of ``forall``, and the rows that decide on it.

Stages meet where a universal variable has more than one value that matters. A row belongs to the stage of its last
existential variable. There it asks for the most that later universal variables can add: of free ones that is known
beforehand, of those in rows of the uncertainty it depends on the slack that these have left.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from zermelo.qip.exact_lp.mip import Number
from zermelo.qip.programs.scenarios import Choices, State, Tree
from zermelo.qip.proofs.exists_plan import Frame

Amount = Any
"""A number of a decomposition: ``float`` while it looks for cuts, ``Fraction`` where it proves."""


@dataclass(frozen=True)
class StageRow:
    """A row of the normal form in its stage: ``own`` terms of the stage's variables (by their place in it).

    An ``equation`` stands for the row and the next one. ``swept`` is the most that later free universal variables add,
    ``later`` holds the levels of later ones that are bound, with their coefficients.
    """

    number: int
    equation: bool
    own: tuple[tuple[int, int], ...]
    swept: Number
    later: Mapping[int, int]


@dataclass(frozen=True)
class Stage:
    """Variables that are set after ``level`` choices of ``forall``, and the rows that end with them."""

    level: int
    variables: tuple[int, ...]
    rows: tuple[StageRow, ...]


def stages_of(of: Frame, tree: Tree) -> tuple[Stage, ...]:
    """The stages of a program, the first one at level 0 (it may have no variables).

    >>> from fractions import Fraction
    >>> from zermelo.qip.proofs.exists_plan import frame
    >>> from zermelo.qip.programs.program import Program, Row, Variable, terms
    >>> from zermelo.qip.programs.scenarios import scenario_tree
    >>> u, w, x, y = Variable("u", "forall"), Variable("w", "forall"), Variable("x"), Variable("y")
    >>> program = Program((u, x, w, y), (Row(terms({0: 1, 1: 1, 2: 1}), "<=", Fraction(3)),))
    >>> made = stages_of(frame(program), scenario_tree(program))
    >>> [(stage.level, stage.variables, [(row.own, row.swept) for row in stage.rows]) for stage in made]
    [(0, (), []), (1, (1, 3), [(((0, 1),), 1)])]
    """
    existential = [number for number in range(of.size) if of.exists(number)]
    cuts = [0]
    for level, values in enumerate(tree.values):
        if len(values) > 1 and existential and tree.universals[level] < existential[-1]:
            cuts.append(level + 1)
    stage_of: dict[int, int] = {}
    for number in existential:
        seen = sum(universal < number for universal in tree.universals)
        stage_of[number] = max(place for place, level in enumerate(cuts) if level <= seen)
    # Levels without existential variables between them meet in the later stage.
    used = sorted({0, *stage_of.values()})
    place = {old: new for new, old in enumerate(used)}
    variables: list[list[int]] = [[] for _ in used]
    for number, old in stage_of.items():
        variables[place[old]].append(number)
    rows: list[list[StageRow]] = [[] for _ in used]
    partners = {number + 1 for number in _equations(of)}
    joined = set[int]()
    for number, row in enumerate(of.rows):
        if number - 1 in joined or (number == 0 and not row):
            continue
        at = max((place[stage_of[variable]] for variable, _ in row if of.exists(variable)), default=0)
        made = _row(of, tree, number, cuts[used[at]], variables[at], number + 1 in partners)
        if made.equation:
            joined.add(number)
        rows[at].append(made)
    return tuple(Stage(cuts[old], tuple(variables[new]), tuple(rows[new])) for new, old in enumerate(used))


def _equations(of: Frame) -> list[int]:
    """The numbers of the normal rows that are the first half of an equation."""
    found, number = [], 1
    for row in of.program.rows:
        if row.relation == "=":
            found.append(number)
        number += 2 if row.relation == "=" else 1
    return found


def _row(of: Frame, tree: Tree, number: int, level: int, variables: Sequence[int], equation: bool) -> StageRow:
    own, later = list[tuple[int, int]](), dict[int, int]()
    swept: Number = 0
    spread = False
    place = {variable: position for position, variable in enumerate(variables)}
    levels = {universal: position for position, universal in enumerate(tree.universals)}
    for variable, coefficient in of.rows[number]:
        if variable in place:
            own.append((place[variable], coefficient))
        elif levels.get(variable, -1) < level:
            continue
        elif tree.bound[levels[variable]] and len(tree.values[levels[variable]]) > 1:
            later[levels[variable]] = coefficient
        else:
            swept += of.most(variable, coefficient)
            spread = spread or of.most(variable, coefficient) != of.least(variable, coefficient)
    return StageRow(number, equation and not spread and not later, tuple(own), swept, later)


def worst_choices(
    tree: Tree,
    levels: range,
    state: State,
    weights: Mapping[int, Amount],
    tail: Callable[[State], Amount],
) -> tuple[Amount, Choices]:
    """The legal choices at some levels that make the sum of weights times choices, plus what follows, as large as
    possible.

    >>> from fractions import Fraction
    >>> from zermelo.qip.programs.program import Program, Row, Variable, terms
    >>> from zermelo.qip.programs.scenarios import scenario_tree
    >>> a, b = Variable("a", "forall"), Variable("b", "forall")
    >>> tree = scenario_tree(Program((a, b), uncertainty=(Row(terms({0: 1, 1: 1}), "<=", Fraction(1)),)))
    >>> most, choices = worst_choices(tree, range(2), tree.state_after(()), {0: 2.0, 1: 3.0}, lambda state: 0.5)
    >>> most, [int(choice) for choice in choices]
    (3.5, [0, 1])
    """
    if not tree.rows:
        picked = [tree.values[level][-1 if weights.get(level, 0) > 0 else 0] for level in levels]
        total = tail(state)
        for level, value in zip(levels, picked, strict=True):
            if level in weights:
                total += weights[level] * value
        return total, tuple(picked)
    layers: list[dict[State, None]] = [{state: None}]
    for level in levels:
        following = (tree.after(level, before, value) for before in layers[-1] for value in tree.values[level])
        layers.append(dict.fromkeys(one for one in following if one is not None))
    best: dict[State, tuple[Amount, Choices]] = {last: (tail(last), ()) for last in layers[-1]}
    for level, layer in zip(reversed(levels), reversed(layers[:-1]), strict=True):
        here: dict[State, tuple[Amount, Choices]] = {}
        for before in layer:
            for value in tree.values[level]:
                found = tree.after(level, before, value)
                if found is None:
                    continue
                total = best[found][0]
                if level in weights:
                    total += weights[level] * value
                if before not in here or total > here[before][0]:
                    here[before] = (total, (value, *best[found][1]))
        best = here
    return best[state]
