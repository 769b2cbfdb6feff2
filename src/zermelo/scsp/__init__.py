"""Stochastic constraint networks: decisions, chance, hard rules and utilities (Walsh 2002; Koriche et al. 2016).

A :class:`Network` has variables in order. Players decide some together; chance draws the others, by the
probabilities of a :class:`Chance`. A :class:`Table` says which values may stand together: what breaks one is not
allowed. A :class:`Utility` says what each player gets for some values. A :class:`Policy` says what to decide, given
what was drawn before; it is *feasible* if no table can be broken, and *solves* the network if on average every player
gets its threshold. :class:`NetworkGame` is the network of one player as a game.

>>> from fractions import Fraction
>>> import zermelo
>>> from zermelo.scsp import Chance, Network, Utility, Variable
>>> take, rain = Variable("take", ("no", "yes")), Variable("rain", ("no", "yes"), stochastic=True)
>>> weather = Chance(1, (), {(): (Fraction(2, 3), Fraction(1, 3))})
>>> dry = Utility((0, 1), {(0, 0): (Fraction(3),), (1, 0): (Fraction(2),), (1, 1): (Fraction(2),)})
>>> network = Network(1, (take, rain), utilities=(dry,), chances=(weather,))
>>> network, zermelo.solve(network).value
(<Network: 2 variables, 1 by chance, 0 tables, 1 player>, 2)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo.lazy import lazy

if TYPE_CHECKING:
    from zermelo.scsp.game import NetworkGame
    from zermelo.scsp.jsonform import parse_network, read_network, write_network
    from zermelo.scsp.network import Chance, EvenChance, Network, Table, Utility, Variable
    from zermelo.scsp.policy import Policy
    from zermelo.scsp.resolve import satisfiable
    from zermelo.scsp.xcsp import write_xcsp

# Imported on first use: the modules of this package are needed one by one.
__getattr__, __dir__ = lazy(
    __name__,
    {
        "Chance": "network",
        "EvenChance": "network",
        "Network": "network",
        "NetworkGame": "game",
        "Policy": "policy",
        "Table": "network",
        "Utility": "network",
        "Variable": "network",
        "parse_network": "jsonform",
        "read_network": "jsonform",
        "satisfiable": "resolve",
        "write_network": "jsonform",
        "write_xcsp": "xcsp",
    },
)

__all__ = [
    "Chance",
    "EvenChance",
    "Network",
    "NetworkGame",
    "Policy",
    "Table",
    "Utility",
    "Variable",
    "parse_network",
    "read_network",
    "satisfiable",
    "write_network",
    "write_xcsp",
]
