"""Games in which roles perceive only part of what happens: what is believed, and the search among what roles know."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from tests.play.ggp_sheets import DOORS, OPEN_BOOK
from zermelo.gdl.ground import ground
from zermelo.gdl.kif import read_kif
from zermelo.gdl.reasoner import Reasoner
from zermelo.play.belief import PARTICLES, Belief
from zermelo.play.information_sets import InformationSearch
from zermelo.search.forward import PerceivedModel, ReasonerModel, RulesheetModel

COIN = """
(role random) (role you) (init (step 1)) (succ 1 2) (succ 2 3) (succ 3 4) (coin heads) (coin tails)
(<= (legal random ?c) (coin ?c) (true (step 1)))
(<= (legal random noop) (not (true (step 1))))
(<= (legal you noop) (true (step 1)))
(<= (legal you look) (true (step 2))) (<= (legal you wait) (true (step 2)))
(<= (legal you ?c) (coin ?c) (true (step 3)))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= (next (lies ?c)) (does random ?c) (coin ?c)) (<= (next (lies ?c)) (true (lies ?c)))
(<= (next looked) (does you look)) (<= (next looked) (true looked))
(<= (next (said ?c)) (does you ?c) (coin ?c))
(<= (sees you ?c) (does you look) (true (lies ?c)))
(<= terminal (true (step 4)))
(<= right (true (said ?c)) (true (lies ?c)))
(<= (goal you 100) right (not (true looked)))
(<= (goal you 80) right (true looked))
(<= (goal you 0) (not right))
"""
"""Who looks is right and gets 80. Who waits has to guess, though in every position that it believes it would know."""

SECRETS = """
(role random) (role a) (role b) (init (step 1)) (succ 1 2) (succ 2 3) (succ 3 4) (card 1) (card 2) (card 3)
(<= (legal random (deal ?x ?y)) (true (step 1)) (card ?x) (card ?y) (distinct ?x ?y))
(<= (legal random noop) (not (true (step 1))))
(player a) (player b)
(<= (legal ?p noop) (player ?p) (true (step 1)))
(<= (legal ?p stay) (player ?p) (not (true (step 1)))) (<= (legal ?p raise) (player ?p) (not (true (step 1))))
(<= (sees a (card ?x)) (does random (deal ?x ?y))) (<= (sees b (card ?y)) (does random (deal ?x ?y)))
(<= (sees a told) (does b raise)) (<= (sees b told) (does a raise))
(<= (next (has a ?x)) (does random (deal ?x ?y))) (<= (next (has b ?y)) (does random (deal ?x ?y)))
(<= (next (has ?p ?x)) (true (has ?p ?x)))
(<= (next (raised ?p)) (does ?p raise)) (<= (next (raised ?p)) (true (raised ?p)))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= terminal (true (step 4)))
(<= (goal ?p 100) (true (raised ?p))) (<= (goal ?p 0) (player ?p) (not (true (raised ?p))))
"""


@pytest.mark.parametrize("sheet", [DOORS, OPEN_BOOK, COIN, SECRETS], ids=["doors", "book", "coin", "secrets"])
def test_the_true_position_is_always_believed(sheet: str) -> None:
    model = RulesheetModel(ground(read_kif(sheet)))
    for seed in range(6):
        chance = random.Random(seed)
        here, beliefs = model.start(), [Belief(model, seat, seed) for seat in model.seats]
        for _ in range(12):
            joint = [chance.choice(model.legal(here, role)) for role in range(len(model.roles))]
            seen = [model.sees(here, joint, belief.role) for belief in beliefs]
            here = model.play(here, joint)
            if model.over(here):
                break
            for belief, percepts in zip(beliefs, seen, strict=True):
                belief.advance(model.move_text(joint[belief.role]), percepts, seconds=60.0)
                assert here in belief.weights or len(belief.weights) == PARTICLES
                assert belief.views.keys() == belief.weights.keys()
                own = model.legal(here, belief.role)
                assert all(model.legal(state, belief.role) == own for state in belief.weights)


@pytest.mark.parametrize("make", [lambda s: RulesheetModel(ground(s)), lambda s: ReasonerModel(Reasoner(s))])
def test_who_will_not_know_pays_for_news(make: Callable[..., PerceivedModel]) -> None:
    model = make(read_kif(COIN))
    belief = Belief(model, 1)
    belief.advance("noop", [])
    assert len(belief.weights) == 2
    search = InformationSearch(belief)
    assert all(search.play(lambda: False) for _ in range(600))
    assert model.move_text(search.best()) == "look"
    means = {model.move_text(move): mean for move, mean in search.estimate().means.items()}
    assert means["look"] == pytest.approx(0.8, abs=0.15)
    assert means["wait"] < 0.7


def test_views_tell_apart_what_a_role_has_seen() -> None:
    model = RulesheetModel(ground(read_kif(SECRETS)))
    belief = Belief(model, 1)
    belief.advance("noop", ["(card 2)"])
    assert len(belief.weights) == 2
    assert len({view[1] for view in belief.views.values()}) == 1, "we know what we saw"
    assert len({view[2] for view in belief.views.values()}) == 2, "the other one saw one card or another"
