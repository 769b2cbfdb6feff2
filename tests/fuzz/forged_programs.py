"""Forged proofs of programs: better than the truth, cases dropped, bounds shifted, of another program."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

from tests.fuzz.damage import damaged_json
from tests.fuzz.forged import BETTER, Statement, alone
from tests.qip.randomprograms import INFEASIBLE, LAWLESS, brute_force, random_program
from zermelo.certificate import Certificate, Claim
from zermelo.errors import InputError, NotApplicableError
from zermelo.game import Game
from zermelo.qip.engines import PARTS
from zermelo.qip.formats.qlp import parse_qlp, write_qlp
from zermelo.qip.game import ProgramGame
from zermelo.qip.programs.program import Program, Row
from zermelo.solving import solve_game
from zermelo.solving.verifying import addressed

QUICK = tuple(name for name in PARTS if name not in ("qip-cegar", "qip-dep"))
"""Solvers that start no HiGHS."""


def draw(rng: random.Random) -> Statement:
    """A program of at most six variables in which ``forall`` can keep his own rows."""
    while True:
        made = random_program(
            rng, rng.randint(1, 6), rng.randint(1, 5), rng.randint(1, 5), widest=rng.choice((1, 2, 3))
        )
        if brute_force(made) != LAWLESS:
            return Statement("qlp", write_qlp(made))


def right(game: Game, rng: random.Random) -> Certificate | None:
    """The proofs of one solver."""
    assert isinstance(game, ProgramGame)
    engines = tuple(PARTS) if rng.random() < 0.1 else QUICK
    try:
        certificate = solve_game(game, rng.choice(engines)).certificate
    except NotApplicableError:
        return None
    return None if certificate is None else addressed(game, certificate)


@lru_cache(256)
def _value(text: str) -> Fraction | str:
    return brute_force(parse_qlp(text))


class _Scores:
    """What is true of a program: what each role gets, and what its objective is then."""

    def __init__(self, game: ProgramGame) -> None:
        assert game.source is not None
        self.game = game
        found = _value(game.source.text)
        self.value = None if found == INFEASIBLE else Fraction(found)
        self.sign = 1 if game.program.objective.sense == "max" else -1
        lowest = game.worst if self.value is None else self.sign * self.value
        self.best = {"exists": Fraction(lowest), "forall": -Fraction(lowest)}

    def is_false(self, claim: Claim) -> bool:
        return claim.at_least > self.best[claim.role]

    def better(self, role: str, amount: Fraction) -> tuple[Fraction, int | str | None]:
        """More than a role can get, and the objective that a proof of it would promise."""
        score = self.best[role] + amount
        objective = self.sign * (score if role == "exists" else -score)
        return score, int(objective) if objective.denominator == 1 else str(objective)


def forgeries(game: Game, certificate: Certificate, rng: random.Random) -> Iterator[tuple[str, Certificate]]:
    """Proofs of more than a role can get."""
    assert isinstance(game, ProgramGame)
    scores = _Scores(game)
    for claim in certificate.claims:
        assert not scores.is_false(claim), f"{claim} is false, the objective is {scores.value}"
        for label, forged in _false_claims(scores, claim, rng):
            yield label, alone(game, forged)
        other = "forall" if claim.role == "exists" else "exists"
        score, objective = scores.better(other, rng.choice(BETTER))
        for value in (claim.data["value"], objective):
            swapped = replace(claim, role=other, at_least=score, data=dict(claim.data) | {"value": value})
            yield "the proof of the other side", alone(game, swapped)
    for label, forged in _of_neighbours(game, scores, rng):
        yield label, alone(game, forged)
    if scores.value is not None:
        for claim in certificate.claims:
            data = dict(claim.data) | {"value": None}
            yield "no rows can be kept", alone(game, Claim("forall", -game.worst, rule=claim.rule, data=data))
    first = certificate.claims[0]
    forged = next(iter(_false_claims(scores, first, rng)))[1]
    yield (
        "a false claim beside a true one",
        addressed(game, Certificate("forged", (first, replace(forged, starts=first.starts)))),
    )


def _false_claims(scores: _Scores, claim: Claim, rng: random.Random) -> Iterator[tuple[str, Claim]]:
    """A claim that is raised, with its proof as it was, promising more, and changed in every way of its format."""
    score, objective = scores.better(claim.role, rng.choice(BETTER))
    raised = replace(claim, at_least=score)
    promising: dict[str, Any] = json.loads(json.dumps(dict(claim.data))) | {"value": objective}
    yield "one better, by the same proof", raised
    yield "one better, promised", replace(raised, data=promising)
    for label, data in _changed(promising, rng):
        yield label, replace(raised, data=data)
    for _ in range(3):
        data = damaged_json(promising, rng)
        if isinstance(data, dict):
            yield "one better, data damaged", replace(raised, data=data | {"value": objective})


def _changed(data: dict[str, Any], rng: random.Random) -> Iterator[tuple[str, dict[str, Any]]]:
    """The proof with one of its steps changed, in the ways of its format."""
    steps = "nodes" if "nodes" in data else "clauses"
    for place in rng.sample(range(len(data[steps])), min(4, len(data[steps]))):
        for label, step in _changed_step(data[steps][place], len(data.get("scenarios", ())), rng):
            changed = list(data[steps])
            changed[place : place + 1] = [] if step is None else [step]
            yield f"one better, {label}", data | {steps: changed}
    if data.get("scenarios"):
        place = rng.randrange(len(data["scenarios"]))
        line = list(data["scenarios"][place])
        if line:
            at = rng.randrange(len(line))
            line[at] = _near(line[at], rng)
        scenarios = [*data["scenarios"][:place], line, *data["scenarios"][place + 1 :]]
        yield "one better, a scenario changed", data | {"scenarios": scenarios}


def _near(number: Any, rng: random.Random) -> Any:
    return number + rng.choice((-1, 1)) if isinstance(number, int) else number


def _changed_step(step: list[Any], scenarios: int, rng: random.Random) -> Iterator[tuple[str, Any]]:
    yield "a step dropped", None
    match step:
        case ["c", at, values, then]:
            yield "a choice shifted", ["c", at, [_near(value, rng) for value in values], then]
            yield "a choice at another place", ["c", at + rng.choice((-1, 1)), values, then]
            yield "a choice that ends it", ["c", at, values, -1]
        case ["b", at, cases]:
            place = rng.randrange(len(cases)) if cases else 0
            yield "a case dropped", ["b", at, cases[:place] + cases[place + 1 :]]
            if cases:
                low, high, then, *broken = cases[place]
                wider = [min(case[0] for case in cases), max(case[1] for case in cases), then, *broken]
                yield "one case for all", ["b", at, [wider]]
                shifted = [_near(low, rng), _near(high, rng), then, *broken]
                yield "bounds shifted", ["b", at, [*cases[:place], shifted, *cases[place + 1 :]]]
                lawless = [low, high, -1, rng.randint(0, 2)]
                yield "a case that breaks the other's rows", ["b", at, [*cases[:place], lawless, *cases[place + 1 :]]]
        case ["r", at, lines]:
            values, multipliers = lines[0]
            more = [rng.randint(0, 6), rng.choice((1, 2, "1/2", -1))]
            yield "other multipliers", ["r", at, [[values, [*multipliers, *more]], *lines[1:]]]
            yield "negative multipliers", ["r", at, [[values, [*multipliers[:-1], -1]], *lines[1:]]]
            yield "another scenario", ["r", at, [[[*values, rng.randint(0, 1)], multipliers], *lines[1:]]]
            yield "scenarios twice", ["r", at, [*lines, *lines]]
        case [bounds, antecedents, dropped]:
            yield "a bound dropped", [bounds[1:], antecedents, dropped]
            yield "all bounds dropped", [[], antecedents, dropped]
            yield "bounds set aside", [[], antecedents, [*dropped, *bounds]]
            yield "an antecedent dropped", [bounds, antecedents[1:], dropped]
            yield (
                "a row for an antecedent",
                [bounds, [*antecedents, [rng.randint(0, 6), rng.randint(0, scenarios)]], dropped],
            )


def _of_neighbours(game: ProgramGame, scores: _Scores, rng: random.Random) -> Iterator[tuple[str, Claim]]:
    """Right proofs of programs that differ in one place, where they say more than is true here."""
    assert game.source is not None
    program = parse_qlp(game.source.text)
    for neighbour in _neighbours(program, rng):
        if brute_force(neighbour) == LAWLESS:
            continue
        try:
            certificate = solve_game(ProgramGame(neighbour), rng.choice(QUICK)).certificate
        except (NotApplicableError, InputError):
            continue
        for claim in certificate.claims if certificate is not None else ():
            if scores.is_false(claim):
                yield "the proof of another program", claim


def _neighbours(program: Program, rng: random.Random) -> Iterator[Program]:
    rows = program.rows
    if rows:
        place = rng.randrange(len(rows))
        row = rows[place]
        yield replace(program, rows=rows[:place] + rows[place + 1 :])
        moved = Row(row.terms, row.relation, row.right + rng.choice((-1, 1)), row.name)
        yield replace(program, rows=(*rows[:place], moved, *rows[place + 1 :]))
    if program.uncertainty:
        yield replace(program, uncertainty=program.uncertainty[1:])
    place = rng.randrange(len(program.variables))
    variable = program.variables[place]
    other = replace(variable, upper=(variable.upper or Fraction(0)) + 1)
    yield replace(program, variables=(*program.variables[:place], other, *program.variables[place + 1 :]))
    constant = program.objective.constant + rng.choice((-1, 1))
    yield replace(program, objective=replace(program.objective, constant=constant))
