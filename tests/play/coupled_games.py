"""Rulesheets in which several roles choose at once, and what happens depends on all of their moves."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import pairwise, product

from zermelo.gdl.kif import read_kif
from zermelo.gdl.syntax import Rulesheet
from zermelo.search.forward import RulesheetModel


def coupled_game(seed: int) -> Rulesheet:
    """A random game of one or two rounds: two to four players with up to three moves each, one goal or several."""
    dice = random.Random(seed)
    players = [f"p{number}" for number in range(dice.randint(2, 4))]
    roles = [*players, "random"] if dice.random() < 0.4 else players
    options = {role: "xyz"[: dice.randint(1 if role != "p0" else 2, 3)] for role in roles}
    together = dice.random() < 0.5
    lines = [f"(role {role})" for role in roles]
    lines += [f"(option {role} {move})" for role in roles for move in options[role]]
    lines += ["(init (round 1))", "(<= (legal ?r (show ?x)) (role ?r) (option ?r ?x))"]
    lines += ["(<= (next (shown ?r ?x)) (does ?r (show ?x)))"]

    def some(fact: str) -> str:
        """A condition on what some of the roles showed."""
        asked = dice.sample(roles, min(len(roles), dice.randint(1, 3)))
        return " ".join(fact.format(role, dice.choice(options[role])) for role in asked)

    # A joint move that meets a condition leads to a second round, at the end of which goals are counted anew.
    for _ in range(dice.randint(0, 2)):
        lines.append(f"(<= again (true (round 1)) {some('(does {} (show {}))')})")
    lines += ["(<= (next (round 2)) again)", "(<= terminal (true (shown ?r ?x)) (not (true (round 2))))"]
    for name in ("all",) if together else players:
        for value in (100, 60, 30):
            for _ in range(dice.randint(1, 2)):
                lines.append(f"(<= (reached {name} {value}) {some('(true (shown {} {}))')})")
    lines += ["(above 100 60)", "(above 100 30)", "(above 60 30)"]
    lines += ["(<= (beaten ?p ?v) (reached ?p ?w) (above ?w ?v))", "(<= (some ?p) (reached ?p ?v))"]
    for player in players:
        name = "all" if together else player
        for value in (100, 60, 30):
            lines.append(f"(<= (goal {player} {value}) (reached {name} {value}) (not (beaten {name} {value})))")
        lines.append(f"(<= (goal {player} 0) (not (some {name})))")
    return read_kif("\n".join(lines), f"coupled-{seed}.kif")


def lamps(count: int, rounds: int = 1, *, possible: bool = True) -> Rulesheet:
    """So many players switch a lamp on or off at once; neighbours have to agree or to differ. Two ways are right.

    With more rounds lamps are switched again, and p0 has to switch its own each time. If it is not ``possible``, the
    first and the last have to agree and to differ.
    """
    roles = [f"p{number}" for number in range(count)]
    lines = [f"(role {role})" for role in roles]
    for number, (one, other) in enumerate(pairwise(roles)):
        lines.append(f"({'differ' if number % 3 else 'agree'} {one} {other})")
    if not possible:
        lines += [f"(differ {roles[0]} {roles[-1]})", f"(agree {roles[0]} {roles[-1]})"]
    lines += ["(state on) (state off) (init (round 0))", "(<= (legal ?p (switch ?s)) (role ?p) (state ?s))"]
    lines += [f"(after {number} {number + 1})" for number in range(rounds)]
    lines += ["(<= (next (round ?n)) (true (round ?m)) (after ?m ?n))", f"(<= terminal (true (round {rounds})))"]
    lines += ["(<= (next (lamp ?p ?s)) (does ?p (switch ?s)))"]
    lines += ["(<= (next idle) (true (lamp p0 ?s)) (does p0 (switch ?s)))", "(<= (next idle) (true idle))"]
    lines += ["(<= wrong (true idle))"]
    lines += ["(<= wrong (differ ?p ?q) (true (lamp ?p ?s)) (true (lamp ?q ?s)))"]
    lines += ["(<= wrong (agree ?p ?q) (true (lamp ?p ?s)) (true (lamp ?q ?t)) (distinct ?s ?t))"]
    lines += ["(<= (goal ?p 100) (role ?p) (not wrong))", "(<= (goal ?p 0) (role ?p) wrong)"]
    return read_kif("\n".join(lines), "lamps.kif")


def best_together(model: RulesheetModel, position: bytes) -> Fraction:
    """What players with one goal can reach, by trying everything; chance is the last role."""
    if model.over(position):
        return model.score(position, model.seats[0])
    moves = [model.legal(position, role) for role in range(len(model.roles))]
    outcomes = [()] if model.chance is None else [(drawn,) for drawn in moves[model.chance]]
    return max(
        sum(best_together(model, model.play(position, [*joint, *drawn])) for drawn in outcomes)
        / Fraction(len(outcomes))
        for joint in product(*(moves[seat] for seat in model.seats))
    )
