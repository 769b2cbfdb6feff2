"""Roles that choose at once: the average strategies that are played, against exact values of small games."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache

import pytest

from zermelo import _native
from zermelo.exact.matrix_game import matrix_game
from zermelo.gdl.ground import GroundReasoner, ground
from zermelo.gdl.kif import read_kif
from zermelo.gdl.library import rulesheet
from zermelo.play.bandits import MAC_UCB, Bandit, bandit_tree
from zermelo.play.player import Clock, make_player
from zermelo.search.forward import RulesheetModel

GOALS = """
(<= (goal ?r 100) (true (ahead ?r)))
(<= (goal ?r 0) (role ?r) (true (ahead ?q)) (distinct ?r ?q))
(<= (goal ?r 50) (role ?r) (not somebody))
(<= somebody (true (ahead ?r)))
"""
LOPSIDED = f"""
(role a) (role b) (init start)
(legal a up) (legal a down) (legal b left) (legal b right)
(wins a up left) (wins a down right) (wins b up right)
(<= (next (ahead ?r)) (does a ?x) (does b ?y) (wins ?r ?x ?y))
(<= terminal (not (true start)))
{GOALS}
"""
"""Of a's four results two are wins, one is a loss and one a draw: a mixes 1 to 2, b 1 to 2, and a has two thirds."""
GOOFSPIEL = f"""
(role a) (role b) (init (prize 3)) (init (lead 6))
(card 1) (card 2) (card 3) (less 1 2) (less 1 3) (less 2 3) (succ 1 2) (succ 2 3)
(<= (init (hand ?r ?c)) (role ?r) (card ?c))
(<= (legal ?r (bid ?c)) (true (hand ?r ?c)))
(<= (next (hand ?r ?c)) (true (hand ?r ?c)) (not (does ?r (bid ?c))))
(<= (next (prize ?m)) (true (prize ?n)) (succ ?m ?n))
(<= (wins a) (does a (bid ?x)) (does b (bid ?y)) (less ?y ?x))
(<= (wins b) (does a (bid ?x)) (does b (bid ?y)) (less ?x ?y))
(<= (next (lead ?m)) (true (lead ?n)) (true (prize ?p)) (wins a) (plus ?n ?p ?m))
(<= (next (lead ?n)) (true (lead ?m)) (true (prize ?p)) (wins b) (plus ?n ?p ?m))
(<= (next (lead ?n)) (true (lead ?n)) (not (wins a)) (not (wins b)))
{" ".join(f"(plus {n} {p} {n + p})" for n in range(13) for p in (1, 2, 3) if n + p < 13)}
(<= terminal (not left))
(<= left (true (hand ?r ?c)))
(<= (goal a 100) (true (lead ?n)) (over ?n)) (<= (goal b 0) (true (lead ?n)) (over ?n))
(<= (goal b 100) (true (lead ?n)) (under ?n)) (<= (goal a 0) (true (lead ?n)) (under ?n))
(<= (goal ?r 50) (role ?r) (true (lead 6)))
{" ".join(f"(over {n})" for n in range(7, 13))} {" ".join(f"(under {n})" for n in range(6))}
"""


def exact(model: RulesheetModel) -> tuple[Fraction, list[list[Fraction]]]:
    """The first role's value of the game, and what each joint first move is worth to it."""

    @cache
    def matrix(position: bytes) -> tuple[tuple[Fraction, ...], ...]:
        return tuple(
            tuple(value(model.play(position, [x, y])) for y in model.legal(position, 1))
            for x in model.legal(position, 0)
        )

    @cache
    def value(position: bytes) -> Fraction:
        return model.score(position, 0) if model.over(position) else matrix_game(matrix(position)).value

    return value(model.start()), [list(row) for row in matrix(model.start())]


def secured(game: GroundReasoner, bandit: Bandit, simulations: int) -> tuple[float, float, float]:
    """What the first role's strategy is sure of, the value, and what the second one's concedes."""
    tree = bandit_tree(game, 1, bandit)
    tree.run(simulations, 0.0, _native.Control())
    value, matrix = exact(RulesheetModel(game))
    first, second = tree.strategy(0), tree.strategy(1)
    sure = min(sum(p * float(row[j]) for p, row in zip(first, matrix, strict=True)) for j in range(len(second)))
    most = max(sum(p * float(x) for p, x in zip(second, row, strict=True)) for row in matrix)
    return sure, float(value), most


@pytest.mark.parametrize(("sheet", "simulations"), [(LOPSIDED, 20_000), (GOOFSPIEL, 100_000)], ids=["matrix", "goof"])
def test_what_is_played_on_average_comes_near_the_equilibrium(sheet: str, simulations: int) -> None:
    sure, value, most = secured(ground(read_kif(sheet)), replace(MAC_UCB, regret=True), simulations)
    assert sure <= value + 1e-9 <= most + 2e-9
    assert most - sure < 0.05


@pytest.mark.parametrize("name", ["mac-ucb(regret=0)", "mac-ucb(regret=1,prove=0.5)"])
def test_each_part_can_be_switched_off_and_on(name: str) -> None:
    model = RulesheetModel(ground(read_kif(LOPSIDED)))
    decision = make_player(name, model, seat=0, seed=1).choose(model.start(), Clock(simulations=500))
    assert decision.move in model.legal(model.start(), 0)


def test_a_saddle_point_is_proved_and_played() -> None:
    tree = bandit_tree(ground(read_kif(GOOFSPIEL)), 1, MAC_UCB)
    tree.run(20_000, 0.0, _native.Control())
    move, value, proved = tree.verdict(0)
    assert (value, proved) == (0.5, True)
    assert ground(read_kif(GOOFSPIEL)).moves[move] == "(bid 3)"


def test_forced_wins_are_proved_with_fewer_random_games() -> None:
    game = ground(rulesheet("nim", "3,4,5"))
    needed = []
    for prove in (0.0, 0.9):
        tree = bandit_tree(game, 1, replace(MAC_UCB, kernel="single", prove=prove))
        needed.append(tree.run(1_000_000, 0.0, _native.Control()))
        assert tree.bounds(0) == (100 << 32, 100 << 32)
    assert needed[1] < needed[0]
