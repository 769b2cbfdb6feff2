"""Trees on rules as they stand: proofs agree with brute force, moves are legal, what is known is kept."""

from __future__ import annotations

import random
from functools import cache
from itertools import product
from typing import Any

import pytest

from zermelo.arena.match import model_of
from zermelo.play.plain_tree import PlainTree
from zermelo.search.forward import ForwardModel


def exact_value(model: ForwardModel, role: int) -> Any:
    """What a role gets of two with opposed scores, by looking at everything."""

    @cache
    def value(position: Any) -> float:
        if model.over(position):
            return float(model.score(position, role))
        joints = product(*(model.legal(position, other) for other in range(len(model.roles))))
        values = [value(model.play(position, joint)) for joint in joints]
        return max(values) if len(model.legal(position, role)) > 1 else min(values)

    return value


@pytest.mark.parametrize("target", ["gdl:nim:1,2,3", "gdl:nim:2,2", "gdl:nim:3"])
def test_a_proof_is_the_value_and_the_move_keeps_it(target: str) -> None:
    model = model_of(target)
    for seed in range(3):
        position, role = model.start(), 0
        value = exact_value(model, role)
        tree = PlainTree(model, role, seed)
        tree.place(position)
        for _ in range(3000):
            if tree.proved:
                break
            tree.simulate()
        assert tree.proved
        after = model.play(position, [tree.best(), model.legal(position, 1)[0]])
        assert value(after) == value(position)


def test_a_win_in_one_is_found_among_many_moves() -> None:
    model = model_of("gdl:gomoku:6")
    position = model.start()
    row = ["a1", "f1", "b1", "f2", "c1", "f3", "d1", "f4"]
    for ply, square in enumerate(row):
        joint = []
        for role in range(2):
            texts = {model.move_text(move): move for move in model.legal(position, role)}
            wanted = [move for text, move in texts.items() if text.strip("()").split()[1:] == [square[0], square[1]]]
            joint.append(wanted[0] if role == ply % 2 else next(iter(texts.values())))
        position = model.play(position, joint)
    tree = PlainTree(model, 0, 1)
    tree.place(position)
    while tree.simulations < 300 and not tree.proved:
        tree.simulate()
    assert model.over(model.play(position, [tree.best(), model.legal(position, 1)[0]]))


@pytest.mark.parametrize("target", ["gdl:pacman", "gdl:matchingpennies", "gdl:backgammon", "gdl:chinesecheckers"])
def test_moves_are_legal_with_chance_many_roles_and_choices_at_once(target: str) -> None:
    model, chance = model_of(target), random.Random(1)
    position, role = model.start(), model_of(target).seats[-1]
    tree = PlainTree(model, role, 1)
    for _ in range(4):
        if model.over(position):
            break
        tree.place(position)
        for _ in range(5):
            tree.simulate()
        assert tree.best() in model.legal(position, role)
        joint = [chance.choice(model.legal(position, other)) for other in range(len(model.roles))]
        joint[role] = tree.best()
        position = model.play(position, joint)


def test_what_is_known_of_the_next_position_is_kept() -> None:
    model = model_of("gdl:connectfour")
    tree = PlainTree(model, 0, 1)
    tree.place(model.start())
    for _ in range(200):
        tree.simulate()
    after = model.play(model.start(), [tree.best(), model.legal(model.start(), 1)[0]])
    tree.place(after)
    assert tree.simulations == 0
    assert tree._nodes[after].visits > 10


def test_a_simulation_that_is_stopped_does_not_count() -> None:
    model = model_of("gdl:connectfour")
    tree = PlainTree(model, 0, 1)
    tree.place(model.start())
    assert not tree.simulate(lambda: True)
    assert tree.simulations == 0
