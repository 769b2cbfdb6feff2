"""Random rulesheets that are small games: graphs written as rules, and rules that are random themselves."""

from __future__ import annotations

import random

from tests.check.test_random_sheets import FACTS, NAMES, formula
from tests.randomgames import TableGame, random_game
from zermelo.check.read.kif import rules_of_kif
from zermelo.check.sheets.rules import bound, unbound
from zermelo.check.sheets.terms import variables
from zermelo.game import CHANCE

MOVING = """(<= (legal ?r (go ?m)) (true (at ?n)) (owner ?n ?r) (edge ?n ?m ?k))
(<= (legal ?r noop) (role ?r) (true (at ?n)) (not (owner ?n ?r)))
(<= (next (at ?k)) (true (at ?n)) (owner ?n ?r) (does ?r (go ?m)) (edge ?n ?m ?k))
(<= terminal (true (at ?n)) (end ?n))
(<= (goal ?r ?v) (true (at ?n)) (score ?n ?r ?v))"""
SEEN = "(role random) (<= (sees ?r (did ?p ?m)) (does ?p ?m) (role ?r))"
FRAME = """(role a) (role b) (init (c 1)) (init (c 3)) (init (d (f 2))) (init s) (init (step 1 a))
(succ 1 2) (succ 2 3) (succ 3 4) (other a b) (other b a)
(<= (next (step ?n ?q)) (true (step ?m ?p)) (succ ?m ?n) (other ?p ?q))
(<= (legal ?p noop) (role ?p)) (<= (next (c ?x)) (does ?p (to ?x ?y))) (<= (next (d ?y)) (does ?p (to ?x ?y)))
(<= terminal (true (step 4 ?p))) (<= (goal a 100) won) (<= (goal b 0) won) (<= (goal a 0) (not won))
(<= (goal b 100) (not won))"""


def graph_as_sheet(kind: str, rng: random.Random) -> str:
    """A random graph game as a rulesheet: plain, cyclic, with chance, or for one role."""
    roles = ("first",) if kind == "puzzle" else ("first", "second")
    cyclic, chance = kind in ("cyclic", "puzzle"), kind == "chance"
    game: TableGame = random_game(rng.randrange(10**9), nodes=12, cyclic=cyclic, chance=chance, roles=roles)
    rules = [f"(role {role})" for role in roles] + ["(init (at 0))", MOVING] + [SEEN] * chance
    for node, (turn, successors, score) in enumerate(zip(game.turns, game.successors, game.scores, strict=True)):
        if score is not None:
            shares = zip(roles, (50 * (int(score) + 1), 50 * (1 - int(score))), strict=False)
            rules += [f"(end {node})", *(f"(score {node} {role} {share})" for role, share in shares)]
        else:
            rules.append(f"(owner {node} {'random' if turn == CHANCE else turn})")
            rules += [f"(edge {node} m{number} {target})" for number, target in enumerate(successors)]
    return "\n".join(rules)


def random_rules(rng: random.Random) -> str:
    """A game of three plies whose moves, facts and winner rest on random rules."""
    rules = [FRAME, FACTS]
    for number, name in enumerate(NAMES):
        own = NAMES[: number + (rng.random() < 0.3)]
        rules += [_rule(rng, name, own) for _ in range(rng.randint(1, 3))]
    moves, kept, won, ends = (rng.choice(NAMES) for _ in range(4))
    rules.append(f"(<= (legal ?p (to ?x ?y)) (true (step ?n ?p)) ({moves} ?x ?y) (n ?x) (or (n ?y) (true (c ?y))))")
    rules.append(f"(<= (next (d ?x)) (true (d ?x)) (not ({kept} ?x ?x)))")
    rules.append(f"(<= won ({won} ?x ?y) (true (c ?y)))")
    if rng.random() < 0.3:
        rules.append(f"(<= terminal (true (c ?x)) (true (d ?y)) ({ends} ?x ?y))")
    return "\n".join(rules)


def _rule(rng: random.Random, name: str, below: tuple[str, ...]) -> str:
    """A rule in which every variable has values, and which builds no terms."""
    while True:
        body = " ".join(formula(rng, below, 2) for _ in range(rng.randint(1, 4)))
        text = f"(<= ({name} {rng.choice(('?x', '?y', '2'))} {rng.choice(('?x', '?y', '1'))}) {body})"
        [rule] = rules_of_kif(text, "rule")
        if variables(rule.head) <= bound(rule.parts) and not any(unbound(rule.parts)):
            return text
