"""Random formulas, small enough to be decided by the definition."""

from __future__ import annotations

from random import Random

from zermelo.qbf.circuit import Circuit, Literal
from zermelo.qbf.formula import OTHER, Block, Formula, Quantifier


def random_formula(chance: Random, variables: int = 6, gates: int = 8, blocks: int = 3) -> Formula:
    """A formula in normal form with at most so many variables, gates and blocks; all kinds of gates occur."""
    circuit = Circuit()
    leaves = [circuit.variable() for _ in range(chance.randint(1, variables))]
    literals: list[Literal] = list(leaves)

    def some() -> Literal:
        # The latest gates more often: else most of them lead nowhere.
        pool = literals if chance.random() < 0.5 else literals[-4:]
        return chance.choice(pool) ^ chance.getrandbits(1)

    for _ in range(chance.randint(1, gates)):
        match chance.randrange(6):
            case 0:
                made = circuit.exclusive(some(), some())
            case 1:
                made = circuit.choice(some(), some(), some())
            case 2 | 3:
                made = circuit.conjunction([some() for _ in range(chance.randint(2, 4))])
            case _:
                made = circuit.disjunction([some() for _ in range(chance.randint(2, 4))])
        literals.append(made)
    order = [leaf >> 1 for leaf in leaves]
    chance.shuffle(order)
    return Formula(circuit, random_prefix(chance, order, blocks), literals[-1] ^ chance.getrandbits(1))


def random_clauses(chance: Random, variables: int = 8, clauses: int = 14, blocks: int = 4) -> Formula:
    """A formula in normal form whose circuit is a conjunction of clauses."""
    circuit = Circuit()
    leaves = [circuit.variable() for _ in range(chance.randint(2, variables))]
    made = []
    for _ in range(chance.randint(1, clauses)):
        width = min(len(leaves), chance.randint(1, 4))
        made.append(circuit.disjunction([leaf ^ chance.getrandbits(1) for leaf in chance.sample(leaves, width)]))
    order = [leaf >> 1 for leaf in leaves]
    chance.shuffle(order)
    return Formula(circuit, random_prefix(chance, order, blocks), circuit.conjunction(made))


def random_prefix(chance: Random, order: list[int], blocks: int) -> tuple[Block, ...]:
    """The variables cut into at most so many alternating blocks."""
    cuts = sorted(chance.sample(range(1, len(order)), min(len(order) - 1, chance.randrange(blocks))))
    quantifier: Quantifier = chance.choice(("exists", "forall"))
    prefix = []
    for begin, end in zip([0, *cuts], [*cuts, len(order)], strict=True):
        prefix.append(Block(quantifier, tuple(order[begin:end])))
        quantifier = OTHER[quantifier]
    return tuple(prefix)
