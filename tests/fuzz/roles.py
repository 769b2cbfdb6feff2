"""Random games of any number of roles by backward induction, against plain recursion and value iteration."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from tests.search.rolegames import RoleGame, equilibria, iterated, plain_induction, random_role_game
from zermelo.options import TIES, Options
from zermelo.search.induction.engine import RolePayoffs
from zermelo.search.induction.maxn import MaxN
from zermelo.solution import Solution
from zermelo.solving import solve_game

SHAPES: tuple[dict[str, Any], ...] = (
    {"roles": 3},
    {"roles": 5, "scores": 1},
    {"roles": 2, "scores": 9, "chance": 0.4},
    {"roles": 1, "cyclic": True, "chance": 0.4},
    {"roles": 2, "cyclic": True, "total": 3, "chance": 0.4},
    {"roles": 2, "cyclic": True, "total": 3, "chance": 0.0},
    {"roles": 2, "at_once": 0.5, "total": 3},
)


@dataclass(frozen=True)
class Case:
    """How a random game is drawn, by the place of its shape, and how its ties are broken."""

    seed: int
    shape: int
    nodes: int
    ties: str

    @property
    def game(self) -> RoleGame:
        """The game."""
        return random_role_game(self.seed, nodes=self.nodes, **SHAPES[self.shape])


def draw(rng: random.Random) -> Case:
    """A random game of a random shape."""
    return Case(rng.getrandbits(48), rng.randrange(len(SHAPES)), rng.choice((4, 8, 12)), rng.choice(TIES))


def check(case: Case) -> None:
    """The values are those of the definition, and the checker accepts them."""
    game, shape = case.game, SHAPES[case.shape]
    found = solve_game(game, "induction", options=Options(ties=case.ties))
    assert found.verified, found.note
    if shape.get("cyclic"):
        assert found.value is not None and abs(float(found.value) - iterated(game)[0]) < 1e-6, found.value
    elif not shape.get("at_once"):
        _need_vectors(game, found, case.ties)


def _need_vectors(game: RoleGame, found: Solution, ties: str) -> None:
    """What plain recursion says, and what all equilibria are."""
    vector = plain_induction(game, ties)
    assert tuple(found.values.values()) == vector, (found.values, vector)
    if ties == TIES[0]:
        assert MaxN(game, None).value() == vector
    if isinstance(found.details, RolePayoffs) and found.details.equilibria:
        assert set(found.details.equilibria) == equilibria(game), found.details


def smaller(case: Case) -> Iterator[Case]:
    """The same with fewer nodes."""
    return (replace(case, nodes=nodes) for nodes in range(2, case.nodes))


def show(case: Case) -> str:
    """As an expression."""
    return repr(case)
