"""Random rules by both reasoners: with disjunctions, negation, recursion, functions, facts of the state and moves."""

from __future__ import annotations

import random

import pytest

from zermelo.check.read.kif import rules_of_kif
from zermelo.check.sheets.reason import Reasoner
from zermelo.check.sheets.rules import Sheet, bound, unbound
from zermelo.check.sheets.terms import variables
from zermelo.check.sheets.valid import need_valid
from zermelo.errors import InputError
from zermelo.gdl.game import RulesheetGame
from zermelo.gdl.reader import read_rules

NAMES = ("r0", "r1", "r2", "r3", "r4")
FACTS = "(e 1 2) (e 2 3) (e 3 1) (e 3 4) (n 1) (n 2) (n 4) (p (f 1) 2) (p (f 2) (g 1 2)) (p 3 (f 1)) (r1 2 1) "
FRAME = """(role a) (init (c 1)) (init (c 3)) (init (d (f 2))) (init s) (legal a go) (<= terminal (true end)) (goal a 1)
    (<= (next (c ?x)) (does a (to ?x ?y))) (<= (next (q ?x)) (does a ?m) (moved ?m ?x))
    (<= (next ?f) (true ?f) (keep ?f))
    (<= (moved (to ?x ?y) ?y) (does a (to ?x ?y)) (true (c ?x))) (<= (keep (d ?x)) (true (d ?x))) """


def term(rng: random.Random) -> str:
    draw = rng.random()
    if draw < 0.75:
        return rng.choice(("?x", "?x", "?y", "?y", "?z"))
    return rng.choice(("1", "2", "3")) if draw < 0.9 else rng.choice(("(f ?x)", "(f ?z)", "(f 1)"))


def atom(rng: random.Random, names: tuple[str, ...]) -> str:
    name = rng.choice((*names, "e", "e", "n", "p", "true"))
    if name == "n":
        return f"(n {term(rng)})"
    if name == "true":
        return f"(true {rng.choice(('(c ?x)', '(c ?z)', '(d ?y)', 's', '?z'))})"
    return f"({name} {term(rng)} {term(rng)})"


def formula(rng: random.Random, names: tuple[str, ...], depth: int) -> str:
    draw = rng.random()
    if depth and draw < 0.25:
        parts = " ".join(formula(rng, names, depth - 1) for _ in range(rng.randint(1, 3)))
        return f"({rng.choice(('or', 'or', 'and'))} {parts})"
    if draw < 0.4:
        return f"(not {atom(rng, names)})" if rng.random() < 0.7 else f"(distinct {term(rng)} {term(rng)})"
    return atom(rng, names)


def rule_of(rng: random.Random, name: str, below: tuple[str, ...]) -> str:
    """A rule in which every variable has values."""
    while True:
        body = " ".join(formula(rng, below, 2) for _ in range(rng.randint(1, 4)))
        text = f"(<= ({name} {rng.choice(('?x', '?y', '(f ?x)'))} {rng.choice(('?x', '?y', '1'))}) {body})"
        [rule] = rules_of_kif(text, "rule")
        if variables(rule.head) <= bound(rule.parts) and not any(unbound(rule.parts)):
            return text


def sheet_of(rng: random.Random) -> str:
    """Rules that mostly ask for what comes before, sometimes for themselves."""
    rules = []
    for number, name in enumerate(NAMES):
        own = NAMES[: number + (rng.random() < 0.3)]
        rules += [rule_of(rng, name, own) for _ in range(rng.randint(1, 3))]
        rules.append(f"(<= (legal a (to ?x ?y)) ({name} ?x ?y))")
        rules.append(f"(<= (legal a ({name} ?x)) (n ?x) ({name} ?x ?y) (not ({name} ?y ?x)))")
    return FRAME + FACTS + " ".join(rules)


def agree(text: str) -> bool:
    """Whether the sheet can be played; if so, both reasoners have said the same of it."""
    sheet = Sheet(tuple(rules_of_kif(text, "sheet")), "sheet")
    try:
        need_valid(sheet)
        own, theirs = Reasoner(sheet), RulesheetGame(read_rules(text))
    except InputError:
        return False
    state = own.start()
    assert theirs.start() == state
    for _ in range(2):
        moves = own.pairs("legal", state)["a"]
        assert list(theirs.moves(state)) == moves, text
        followers = [own.next(state, (move,)) for move in moves[:8]]
        assert [theirs.play(state, move) for move in moves[:8]] == followers, text
        state = followers[-1]
    return True


@pytest.mark.parametrize("seed", range(3))
def test_both_reasoners_say_the_same_of_random_rules(seed: int) -> None:
    rng, meant = random.Random(seed), 0
    for _ in range(16):
        meant += agree(sheet_of(rng))
    assert meant > 4
