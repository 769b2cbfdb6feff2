"""Damages proofs: values, followers, cases, multipliers, what is claimed."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

from zermelo.qip.programs.program import Program
from zermelo.qip.proofs.proof import END, Branch, Choose, Node, Proof, Refute, Scenario


def damaged(chance: Random, program: Program, proof: Proof) -> Proof:
    """A proof with one to three things changed."""
    for _ in range(chance.randint(1, 3)):
        proof = _changed(chance, program, proof)
    return proof


def _changed(chance: Random, program: Program, proof: Proof) -> Proof:
    nodes = list(proof.nodes)
    if not nodes or chance.random() < 0.15:
        amount = Fraction(chance.choice((-2, -1, 1, 2)), chance.choice((1, 1, 3)))
        other = (proof.value or Fraction(0)) + amount
        return replace(proof, value=None if proof.owner == "forall" and chance.random() < 0.3 else other)
    number, what = chance.randrange(len(nodes)), chance.random()
    if what < 0.1:
        del nodes[number]
    elif what < 0.2:
        other_number = chance.randrange(len(nodes))
        nodes[number], nodes[other_number] = nodes[other_number], nodes[number]
    else:
        nodes[number] = _changed_node(chance, program, nodes[number], chance.randint(-1, max(0, number - 1)))
    return replace(proof, nodes=tuple(nodes))


def _changed_node(chance: Random, program: Program, node: Node, then: int) -> Node:
    if chance.random() < 0.15:
        return replace(node, at=chance.randint(0, len(program.variables)))
    if isinstance(node, Choose):
        return _changed_choice(chance, node, then)
    if isinstance(node, Branch):
        return _changed_branch(chance, node, then)
    return _changed_refutation(chance, program, node)


def _near(chance: Random, value: Fraction | int) -> Fraction | int:
    return value + chance.choice((-1, -1, 1, 1, Fraction(1, 2)))


def _changed_choice(chance: Random, node: Choose, then: int) -> Choose:
    values = list(node.values)
    what = chance.randrange(5)
    if what == 0:
        return replace(node, then=then)
    if what == 1 or not values:
        values.append(chance.randint(0, 1))
    elif what == 2:
        values.pop()
    else:
        place = chance.randrange(len(values))
        values[place] = _near(chance, values[place])
    return replace(node, values=tuple(values))


def _changed_branch(chance: Random, node: Branch, then: int) -> Branch:
    cases = list(node.cases)
    if not cases:
        return node
    place = chance.randrange(len(cases))
    case = cases[place]
    what = chance.randrange(5)
    if what == 0:
        del cases[place]
    elif what == 1:
        cases[place] = replace(case, lower=_near(chance, case.lower))
    elif what == 2:
        cases[place] = replace(case, upper=_near(chance, case.upper))
    elif what == 3:
        cases[place] = replace(case, then=then)
    else:
        cases[place] = replace(case, breaks=chance.choice((None, 0, 1, 2)), then=END)
    return replace(node, cases=tuple(cases))


def _changed_refutation(chance: Random, program: Program, node: Refute) -> Refute:
    scenarios = list(node.scenarios)
    row = chance.randint(0, 2 * len(program.rows))
    factor = Fraction(chance.choice((-1, 1, 1, 2)), chance.choice((1, 2)))
    place = chance.randrange(len(scenarios))
    scenario = scenarios[place]
    what = chance.randrange(3)
    if what == 0:
        scenarios[place] = replace(scenario, multipliers={**scenario.multipliers, row: factor})
    elif what == 1:
        scenarios[place] = replace(scenario, choices=(*scenario.choices, chance.randint(0, 1)))
    else:
        scenarios.append(Scenario((chance.randint(0, 1),), {row: 1}))
    return replace(node, scenarios=tuple(scenarios))
