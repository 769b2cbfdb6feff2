"""Normal forms, clauses and recovered gates keep the truth of a formula and whose functions win."""

from __future__ import annotations

from random import Random

import pytest

from tests.qbf.clauses import formula_of
from tests.qbf.definition import is_won_by, random_nested, value_of, winning_functions
from tests.qbf.randomformulas import random_clauses, random_formula
from zermelo.errors import LimitReachedError
from zermelo.qbf.circuit import Circuit, Kind
from zermelo.qbf.formula import Block, Formula, truth
from zermelo.qbf.normal import negation, normal_form, normalized
from zermelo.qbf.qcir import parse_qcir
from zermelo.qbf.qdimacs import parse_qdimacs
from zermelo.qbf.recover import recovered
from zermelo.qbf.tseitin import Place, clausal


def size(formula: Formula) -> int:
    """The number of variables."""
    return sum(len(block.variables) for block in formula.prefix)


def shown(formula: Formula) -> list[str]:
    """The blocks by name."""
    return [f"{b.quantifier} {' '.join(map(formula.name, b.variables))}" for b in formula.prefix]


def test_random_formulas_with_quantified_gates_keep_their_truth() -> None:
    compared = 0
    for seed in range(1500):
        formula = random_nested(Random(seed))
        expected = value_of(formula)
        form = normal_form(formula)
        assert form.formula.is_normal
        assert set(form.origin) == {v for block in form.formula.prefix for v in block.variables}
        if size(form.formula) <= 9:
            assert truth(form.formula) == expected, seed
            compared += 1
    assert compared > 1000


@pytest.mark.parametrize("place", ["dependency", "innermost"])
def test_random_formulas_keep_their_truth_and_functions_as_clauses(place: Place) -> None:
    for seed in range(600):
        formula = random_formula(Random(seed), 4, 5)
        clauses = clausal(formula, place)
        again = formula_of(clauses)
        assert again.is_normal and recovered(again).formula.is_normal
        if clauses.variables <= 9:
            functions = winning_functions(again)
            assert (functions.owner == "exists") == truth(formula), seed
            assert is_won_by(clauses.formula, clauses.original(functions)), seed


def test_random_clauses_keep_their_truth_and_functions_as_gates() -> None:
    found = 0
    for seed in range(1200):
        chance = Random(seed)
        formula = random_clauses(chance, 6, 10) if seed % 2 else formula_of(clausal(random_formula(chance, 4, 4)))
        if size(formula) > 9:
            continue
        circuit = recovered(formula)
        functions = winning_functions(circuit.formula)
        assert (functions.owner == "exists") == truth(formula), seed
        assert is_won_by(circuit.original, circuit.extended(functions)), seed
        found += len(circuit.definitions)
    assert found > 300


def test_the_negation_exchanges_the_roles() -> None:
    for seed in range(100):
        formula = random_formula(Random(seed))
        assert truth(negation(formula)) != truth(formula)


def test_blocks_of_parts_side_by_side_are_merged() -> None:
    formula = parse_qcir("""
        output(g)
        a = exists(x1; -b)
        b = exists(y1; c)
        c = or(x1, y1)
        d = forall(y2; e)
        e = exists(x2; f)
        f = xor(x2, y2)
        g = and(a, d)""")
    assert shown(normalized(formula)) == ["exists x1", "forall y1 y2", "exists x2"]


def test_a_quantifier_under_a_negation_flips() -> None:
    formula = parse_qcir("output(-g)\ng = exists(x; h)\nh = forall(y; k)\nk = and(x, y)")
    assert shown(normalized(formula)) == ["forall x", "exists y"]


def test_a_gate_used_twice_in_one_polarity_is_copied_once_and_in_both_twice() -> None:
    shared = "exists(a, b)\noutput(g)\nq = forall(x; k)\nk = or(x, a)\n"
    once = parse_qcir(shared + "l = or(q, a)\nr = or(q, b)\ng = and(l, r)")
    assert shown(normalized(once)) == ["exists a b", "forall x"]
    both = parse_qcir(shared + "g = xor(q, b)")
    assert shown(normalized(both)) in (["exists a b x", "forall x_2"], ["exists a b x_2", "forall x"])


def test_a_settled_nest_of_quantified_gates_grows_linearly() -> None:
    count = 300
    gates = [f"g{i} = {('exists', 'forall')[i % 2]}(x{i}; h{i})\nh{i} = ite(x{i}, g{i + 1}, y)" for i in range(count)]
    formula = parse_qcir("\n".join(["exists(y)", "output(g0)", *gates, f"g{count} = and(y)"]))
    assert len(normalized(formula).circuit) < 5 * count


def test_nested_equivalences_of_quantified_gates_stop_at_a_limit() -> None:
    gates = [f"g{i} = exists(x{i}; h{i})\nh{i} = xor(g{i + 1}, x{i}, x{i // 2})" for i in range(40)]
    formula = parse_qcir("\n".join(["exists(y)", "output(g0)", *gates, "g40 = xor(x20, x39)"]))
    with pytest.raises(LimitReachedError, match="more than 10,000 gates"):
        normalized(formula, most_gates=10_000)


def test_variables_that_nothing_binds_count_as_free() -> None:
    circuit = Circuit()
    x, y = circuit.variable(), circuit.variable()
    bound = circuit.quantified(Kind.FORALL, [x], circuit.disjunction([x, y]))
    loose = Formula(circuit, (), circuit.conjunction([bound, x]), {1: "x", 2: "y"})
    assert shown(normalized(loose)) == ["exists x y", "forall x_2"]


def test_a_variable_bound_twice_in_a_prefix_has_its_last_place() -> None:
    circuit = Circuit()
    x, y = circuit.variable(), circuit.variable()
    prefix = (Block("exists", (1,)), Block("forall", (2,)), Block("exists", (1,)))
    formula = normalized(Formula(circuit, prefix, circuit.exclusive(x, y)))
    assert formula.prefix == (Block("forall", (2,)), Block("exists", (1,))) and truth(formula)


def test_definitions_stand_right_behind_what_they_depend_on() -> None:
    formula = parse_qcir("""
        exists(a, b)
        forall(x)
        exists(c)
        forall(y)
        output(g)
        early = and(a, b)
        middle = and(b, x)
        late = and(c, y)
        g = or(early, middle, late)""")
    near, last = clausal(formula), clausal(formula, "innermost")
    blocks = [len(block.variables) for block in near.prefix]
    assert blocks == [3, 1, 2, 1, 1]
    assert [len(block.variables) for block in last.prefix] == [2, 1, 1, 1, 3]
    assert len(near.clauses) == 7


def test_a_gate_of_one_polarity_is_defined_by_half() -> None:
    formula = parse_qcir("exists(a, b, c)\noutput(g)\nh = and(a, b)\ng = or(h, c)")
    assert clausal(formula).clauses == ((3, 4), (-4, 1), (-4, 2))
    choice = parse_qcir("exists(a, b, c)\nforall(d)\noutput(g)\nh = ite(a, b, c)\ng = xor(h, d)")
    assert len(clausal(choice).clauses) == 2 + 4


@pytest.mark.parametrize(
    ("clauses", "gate"),
    [
        ("-4 1 0\n-4 2 0\n4 -1 -2 0", Kind.AND),
        ("4 -1 0\n4 -2 0\n-4 1 2 0", Kind.OR),
        ("4 -1 2 0\n4 1 -2 0\n-4 1 2 0\n-4 -1 -2 0", Kind.XOR),
        ("-4 -1 2 0\n4 -1 -2 0\n-4 1 3 0\n4 1 -3 0", Kind.ITE),
    ],
)
def test_full_definitions_become_gates(clauses: str, gate: Kind) -> None:
    count = clauses.count("\n") + 3
    text = f"p cnf 5 {count}\na 1 2 3 0\ne 4 5 0\n{clauses}\n4 5 0\n-4 -5 0"
    found = recovered(parse_qdimacs(text))
    kinds = {found.formula.circuit.kind[literal >> 1] for literal in found.definitions.values()}
    assert kinds == {gate} and found.formula.output == 1
    assert shown(found.formula) == ["forall 1 2 3"]


def test_a_definition_by_a_later_variable_is_none() -> None:
    formula = parse_qdimacs("p cnf 3 4\ne 1 0\na 2 0\ne 3 0\n-1 2 0\n1 -2 0\n3 1 2 0\n-3 -1 -2 0")
    found = recovered(formula)
    assert not truth(formula) and not truth(found.formula)
    assert "1" in " ".join(shown(found.formula))


def test_definitions_in_a_circle_are_cut() -> None:
    formula = parse_qdimacs("p cnf 3 6\ne 1 2 3 0\n-1 2 0\n1 -2 0\n-2 3 0\n2 -3 0\n-3 1 0\n3 -1 0")
    found = recovered(formula)
    assert len(found.definitions) == 2 and shown(found.formula) == ["exists 1"]


def test_long_chains_pass_through_every_transformation() -> None:
    count = 6_000
    circuit = Circuit()
    leaves = [circuit.variable() for _ in range(4)]
    chain = leaves[0]
    for number in range(count):
        other = leaves[1 + number % 3]
        chain = circuit.exclusive(chain, other) if number % 2 else circuit.disjunction([chain ^ 1, other])
    prefix = (Block("exists", (1, 2)), Block("forall", (3,)), Block("exists", (4,)))
    formula = Formula(circuit, prefix, chain)
    clauses = clausal(formula)
    assert len(clauses.definitions) > count // 2
    assert len(recovered(formula_of(clauses)).definitions) > count // 2


def test_the_search_for_gates_hears_who_looks_at_the_clock() -> None:
    """At every clause and every variable, so that a limit is not overrun by more than one of them."""
    formula = parse_qdimacs("p cnf 4 4\na 1 2 0\ne 3 4 0\n-3 1 0\n-3 2 0\n3 -1 -2 0\n3 4 0\n")
    steps = 0

    def step() -> None:
        nonlocal steps
        steps += 1

    assert len(recovered(formula, step).definitions) == 2
    assert steps >= 2 * 4 + 2

    def stop() -> None:
        raise LimitReachedError("stopped at the limit of time")

    with pytest.raises(LimitReachedError):
        recovered(formula, stop)


def test_a_clause_of_very_many_literals_is_not_written_down_once_for_each() -> None:
    """Half definitions of 30,000 literals for each of 30,000 variables would take gigabytes."""
    count = 30_000
    numbers = " ".join(map(str, range(1, count + 1)))
    found = recovered(parse_qdimacs(f"p cnf {count} 1\ne {numbers} 0\n{numbers} 0\n"))
    assert found.formula.output == 1
