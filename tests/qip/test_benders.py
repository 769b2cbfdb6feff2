"""Laws of what the decomposition rests on: factors, lines of play, cuts."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from tests.qip.randomlinear import random_linear_program
from zermelo.errors import InputError
from zermelo.exact.factors import Factors
from zermelo.limits import Limits
from zermelo.qip.decomposition.benders import Decomposition
from zermelo.qip.decomposition.cuts import Cut, Node
from zermelo.qip.decomposition.stage_program import ExactStage
from zermelo.qip.decomposition.stages import worst_choices
from zermelo.qip.exact_lp.mip import Meter
from zermelo.qip.programs.program import tightened
from zermelo.qip.programs.scenarios import Tree, scenario_tree
from zermelo.qip.proofs.exists_plan import Frame, frame

NUMBERS = st.one_of(st.just(Fraction(0)), st.fractions(-9, 9, max_denominator=7))


@st.composite
def systems(draw: st.DrawFn) -> tuple[list[list[Fraction]], list[Fraction]]:
    size = draw(st.integers(1, 6))
    matrix = [[draw(NUMBERS) for _ in range(size)] for _ in range(size)]
    return matrix, [draw(NUMBERS) for _ in range(size)]


@given(systems())
def test_factors_solve_both_ways_or_say_what_is_left_over(system: tuple[list[list[Fraction]], list[Fraction]]) -> None:
    matrix, right = system
    size = range(len(matrix))
    columns = {column: {row: matrix[row][column] for row in size if matrix[row][column]} for column in size}
    factors = Factors(columns, size)
    assert len(factors.spare_rows) == len(factors.spare_columns)
    if factors.spare_rows:
        return
    found = factors.solve(dict(enumerate(right)))
    transposed = factors.solve_transposed(dict(enumerate(right)))
    for row in size:
        assert sum(matrix[row][column] * found.get(column, 0) for column in size) == right[row]
        assert sum(matrix[column][row] * transposed.get(column, 0) for column in size) == right[row]


def legal_lines(tree: Tree) -> list[tuple[Fraction, ...]]:
    lines = product(*tree.values)
    places = {number: place for place, number in enumerate(tree.universals)}
    return [
        line for line in lines if all(sum(c * line[places[n]] for n, c in row.terms) <= row.right for row in tree.rows)
    ]


def random_trees(seed: int, count: int) -> list[tuple[Frame, Tree]]:
    chance, made = Random(seed), []
    while len(made) < count:
        program = tightened(random_linear_program(chance, 8, 6, 5))
        try:
            made.append((frame(program), scenario_tree(program)))
        except InputError:
            continue
    return made


def test_lines_of_play_are_listed_and_counted_without_a_list() -> None:
    for _, tree in random_trees(1, 150):
        lines = legal_lines(tree)
        for length, count in enumerate(tree.counts):
            assert tree.prefixes(length) == sorted({line[:length] for line in lines})
            assert count == len(tree.prefixes(length))


def test_the_worst_choices_are_those_of_the_definition() -> None:
    chance = Random(2)
    for _, tree in random_trees(2, 100):
        weights = {level: chance.randint(-5, 5) for level in range(len(tree.universals)) if chance.random() < 0.8}
        most, choices = worst_choices(tree, range(len(tree.universals)), tree.state_after(()), weights, lambda _: 0)
        sums = [sum(weights.get(level, 0) * value for level, value in enumerate(line)) for line in legal_lines(tree)]
        assert most == max(sums)
        assert choices in legal_lines(tree)


def random_node(chance: Random, parts: Decomposition, stage: int) -> Node:
    """Any choices that are legal, any values within the bounds."""
    of, tree = parts.of, parts.tree
    level = parts.stages[stage].level
    choices = chance.choice(tree.prefixes(level))
    values = {}
    for earlier in parts.stages[:stage]:
        for number in earlier.variables:
            low, high = parts.ledger.bounds(number)
            values[number] = low + Fraction(high - low) * chance.randint(0, 8) / 8
    slack = [Fraction(0), *(Fraction(right) for right in of.right[1:])]
    for number, value in (*values.items(), *zip(tree.universals, choices, strict=False)):
        for row, coefficient in of.in_rows[number]:
            slack[row] -= coefficient * value
    return Node(stage, choices, tree.state_after(choices), slack, values)


def asked(parts: Decomposition, cut: Cut, node: Node) -> Fraction:
    """What a cut asks for at a node of the stage that made it."""
    total = cut.constant + parts.ledger._future(cut, node.state)
    total += sum(coefficient * node.values[number] for number, coefficient in cut.variables.items())
    return total + sum(coefficient * node.choices[level] for level, coefficient in cut.levels.items())


def test_a_cut_that_was_made_at_one_node_holds_at_all() -> None:
    chance, compared = Random(3), 0
    for of, tree in random_trees(3, 150):
        parts = Decomposition(of, tree, Meter(Limits(), lambda calls: None))
        programs = [ExactStage(parts.ledger, n, n <= parts.goal, lambda: None) for n in range(len(parts.stages))]
        for stage in reversed(range(1, len(parts.stages))):
            for _ in range(3):
                node = random_node(chance, parts, stage)
                solution = programs[stage].solve(node)
                if solution.values is None or solution.bound is not None:
                    programs[stage - 1].add(parts.ledger.made(node, solution.parts))
            for cut in programs[stage - 1].cuts:
                node = random_node(chance, parts, stage)
                solution = programs[stage].solve(node)
                if solution.values is not None:
                    compared += 1
                    assert cut.weight * (solution.bound or 0) >= asked(parts, cut, node)
    assert compared > 100
