"""Search asks only for scores that can occur: whatever the goal values are, every engine finds the value."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from zermelo import solve
from zermelo.engine import Task
from zermelo.gdl.game import RulesheetGame
from zermelo.gdl.kif import read_kif
from zermelo.limits import Limits
from zermelo.options import Options
from zermelo.search.problem import native_twin
from zermelo.solving.routes import route_to

DEPTH = 4
SETS = ((0, 100), (0, 50, 100), (10, 40, 100), (0, 1, 100), (5, 95), (25, 75, 50), (30,), (0, 33, 66, 99), (7, 17, 93))
ENGINES = ("alphabeta", "mtdf", "pns", "andor", "minimax", "dp")


def _tree(scores: dict[str, int]) -> str:
    """A tree of two moves a turn: who moves adds a letter, and the word has the score of the first role."""
    rows = [f"(worth {' '.join(word)} {score} {100 - score})" for word, score in scores.items()]
    said = [f"(<= (next (said {n} ?w)) (true (at {n})) (does ?p (say ?w)) (true (turn ?p)))" for n in range(DEPTH)]
    steps = [f"(<= (next (at {n + 1})) (true (at {n})))" for n in range(DEPTH)]
    word = " ".join(f"?w{n}" for n in range(DEPTH))
    all_said = " ".join(f"(true (said {n} ?w{n}))" for n in range(DEPTH))
    return f"""
    (role one) (role two) (init (at 0)) (init (turn one)) {" ".join(rows)}
    (<= (legal ?p (say l)) (true (turn ?p))) (<= (legal ?p (say r)) (true (turn ?p)))
    (<= (legal ?p wait) (role ?p) (not (true (turn ?p))))
    (<= (next (turn two)) (true (turn one))) (<= (next (turn one)) (true (turn two)))
    (<= (next (said ?n ?w)) (true (said ?n ?w))) {" ".join(said)} {" ".join(steps)}
    (<= terminal (true (at {DEPTH})))
    (<= (goal one ?s) {all_said} (worth {word} ?s ?t)) (<= (goal two ?t) {all_said} (worth {word} ?s ?t))
    """


def _value(scores: dict[str, int], word: str = "") -> int:
    if len(word) == DEPTH:
        return scores[word]
    return (max, min)[len(word) % 2](_value(scores, word + letter) for letter in "lr")


@pytest.mark.parametrize("seed", range(40))
def test_every_engine_finds_the_value_whatever_the_goal_values_are(seed: int) -> None:
    rng = Random(seed)
    values = SETS[seed % len(SETS)] if seed < 3 * len(SETS) else tuple(rng.sample(range(101), rng.randint(1, 5)))
    scores = {"".join(word): rng.choice(values) for word in product("lr", repeat=DEPTH)}
    game = RulesheetGame(read_kif(_tree(scores)))
    assert native_twin(game) is not None, "the ground game is searched as it stands"
    task = Task(Limits(), Options(certify=False, verify=False, move_values=False, guess=False))
    for engine in ENGINES:
        found = route_to(engine, game).answer(game, task)
        assert (engine, found.status, found.value) == (engine, "solved", _value(scores))


@pytest.mark.parametrize("engine", ["pns", "andor"])
def test_bounds_that_are_told_are_scores_that_can_occur(engine: str) -> None:
    """With goal values 0, 50 and 100 nobody asks for 34 of 100: the same question would be asked several times."""
    told = set[object]()
    for nodes in range(2000, 6000, 200):
        told |= set(solve("gdl:tictactoe", engine, Limits(nodes=nodes), Options(guess=False)).bounds)
    assert told - {None, 0, 100}
    assert told <= {None, 0, 50, 100}
