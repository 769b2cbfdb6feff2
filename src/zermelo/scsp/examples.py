"""The two networks that Koriche, Lagrue, Piette and Tabary (2016) work through: their examples 2 and 3.

>>> [variable.name for variable in example_two().variables]
['x1a', 'x1b', 'y1', 'x2a', 'x2b', 'y2']
"""

from __future__ import annotations

from fractions import Fraction

from zermelo.scsp.network import HALF, Chance, Network, Table, Utility, Variable


def example_two() -> Network:
    """Matching pennies in two rounds: alice and bob show coins, keep them, and hope that chance shows the same.

    >>> from zermelo.scsp.brute import satisfiable
    >>> example_two().threshold, satisfiable(example_two())
    ((Fraction(1, 2),), True)
    """
    sides = ("heads", "tails")
    variables = (
        Variable("x1a", sides),
        Variable("x1b", sides),
        Variable("y1", ("unset",), stochastic=True),
        Variable("x2a", sides),
        Variable("x2b", sides),
        Variable("y2", sides, stochastic=True),
    )
    keep = frozenset({(0, 0), (1, 1)})
    return Network(
        1,
        variables,
        tables=(Table((0, 3), keep), Table((1, 4), keep)),
        utilities=(Utility((3, 4, 5), {(0, 0, 0): (Fraction(1),), (1, 1, 1): (Fraction(1),)}),),
        chances=(Chance(2, (), {(): (Fraction(1),)}), Chance(5, (), {(): (HALF, HALF)})),
        threshold=(HALF,),
        stages=(3, 6),
    )


def example_three() -> Network:
    """A network of one stage in which only x1 = 2, x2 = 2 keeps all constraints whatever chance draws.

    The tables of the paper's figure 4 are lost; these are such that everything its text says of them holds: the
    constraints with chance leave (2, 1) and (2, 2), the one without leaves (2, 2). To keep them all is worth 1, so
    that the threshold of 3/4 asks for a policy that keeps them with that probability (the reading of Walsh 2002).

    >>> network = example_three()
    >>> network.consistent((1, 2, 0)), network.consistent((1, 1, 0))
    (True, False)
    """
    third = Fraction(1, 3)
    variables = (
        Variable("x1", ("1", "2", "3")),
        Variable("x2", ("0", "1", "2")),
        Variable("y", ("0", "1", "2"), stochastic=True),
    )
    with_chance_first = frozenset({(0, 0), (0, 1), (1, 0), (1, 1), (1, 2), (2, 2)})
    with_chance_second = frozenset({(0, 0), (0, 2), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (2, 2)})
    among_decisions = frozenset({(0, 0), (0, 1), (1, 2), (2, 1), (2, 2)})
    return Network(
        1,
        variables,
        tables=(
            Table((0, 2), with_chance_first),
            Table((1, 2), with_chance_second),
            Table((0, 1), among_decisions),
        ),
        utilities=(Utility((), {(): (Fraction(1),)}),),
        chances=(Chance(2, (), {(): (third, third, third)}),),
        threshold=(Fraction(3, 4),),
    )
