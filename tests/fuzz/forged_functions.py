"""Forged functions for formulas: flipped, missing, the other side's, and such that look at what is chosen later."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product

from tests.fuzz.damage import damaged_text
from tests.fuzz.forged import BETTER, Statement, alone
from tests.qbf.bruteforce import winning
from tests.qbf.randomformulas import random_clauses, random_formula
from zermelo.certificate import Certificate, Claim
from zermelo.game import Game
from zermelo.qbf.circuit import holds, values
from zermelo.qbf.engines import PARTS
from zermelo.qbf.formula import OTHER, Quantifier, truth
from zermelo.qbf.game import FormulaGame
from zermelo.qbf.qcir import write_qcir
from zermelo.qbf.qdimacs import write_qdimacs
from zermelo.solving import solve_game
from zermelo.solving.verifying import addressed


def draw(rng: random.Random) -> Statement:
    """A formula of at most seven variables as QCIR or QDIMACS."""
    if rng.random() < 0.5:
        return Statement("qdimacs", write_qdimacs(random_clauses(rng, rng.randint(2, 7), 14, 4)))
    return Statement("qcir", write_qcir(random_formula(rng, rng.randint(1, 7), 12, 4)))


def right(game: Game, rng: random.Random) -> Certificate | None:
    """The winner's functions, by one of our solvers."""
    assert isinstance(game, FormulaGame)
    certificate = solve_game(game, rng.choice(list(PARTS))).certificate
    return None if certificate is None else addressed(game, certificate)


class _Play:
    """A formula and one role in it: who chooses what when."""

    def __init__(self, game: FormulaGame, role: Quantifier) -> None:
        self.game, self.role = game, role
        self.own = [v for v in game.order if game.quantifiers[v] == role]
        self.others = [v for v in game.order if game.quantifiers[v] != role]

    def wins(self, chosen: dict[int, bool]) -> bool:
        formula = self.game.formula
        return holds(values(formula.circuit, chosen), formula.output) == (self.role == "exists")

    def hindsight(self, rng: random.Random) -> dict[int, list[bool]]:
        """The values of each own variable for all choices of the other role, chosen when these are known."""
        tables: dict[int, list[bool]] = {variable: [] for variable in self.own}
        for bits in product((False, True), repeat=len(self.others)):
            known = dict(zip(self.others, bits, strict=True))
            replies = [dict(zip(self.own, own, strict=True)) for own in product((False, True), repeat=len(self.own))]
            good = [reply for reply in replies if self.wins(known | reply)] or replies
            for variable, value in rng.choice(good).items():
                tables[variable].append(value)
        return tables

    def text(self, tables: dict[int, list[bool]], others: Sequence[int] | None = None) -> str:
        """The tables as AIGER: each is a tree of choices over the inputs."""
        names = self.game.formula.name
        inputs = list(self.others if others is None else others)
        gates: list[str] = []

        def gate(one: int, two: int) -> int:
            number = 2 * (len(inputs) + len(gates) + 1)
            gates.append(f"{number} {max(one, two)} {min(one, two)}")
            return number

        def tree(table: Sequence[bool], place: int) -> int:
            if len(set(table)) == 1:
                return int(table[0])
            half = len(table) // 2
            low, high = tree(table[:half], place + 1), tree(table[half:], place + 1)
            literal = 2 * (place + 1)
            return gate(gate(literal, high) ^ 1, gate(literal ^ 1, low) ^ 1) ^ 1

        outputs = [tree(table, 0) for table in tables.values()]
        lines = [f"aag {len(inputs) + len(gates)} {len(inputs)} 0 {len(outputs)} {len(gates)}"]
        lines += [str(2 * place + 2) for place in range(len(inputs))] + [str(output) for output in outputs] + gates
        lines += [f"i{place} {names(v)}" for place, v in enumerate(inputs)]
        lines += [f"o{place} {names(v)}" for place, v in enumerate(tables)]
        return "\n".join(lines) + "\n"


def forgeries(game: Game, certificate: Certificate, rng: random.Random) -> Iterator[tuple[str, Certificate]]:
    """Functions for the role that loses, and functions of the winner's that lose."""
    assert isinstance(game, FormulaGame)
    winner: Quantifier = "exists" if truth(game.formula) else "forall"
    (claim,) = certificate.claims
    assert claim.role == winner, f"{claim} is false"
    loser = OTHER[winner]
    yield "more than the truth", alone(game, replace(claim, at_least=1 + rng.choice(BETTER)))
    if claim.rule != "functions":
        yield "the winner's proof for the loser", alone(game, replace(claim, role=loser))
        return
    for label, text in _for_the_loser(game, loser, claim.data["aag"], rng):
        forged = Claim(loser, 1, rule="functions", data=dict(claim.data) | {"aag": text})
        yield label, alone(game, forged)
        yield (
            f"both sides win: {label}",
            addressed(game, Certificate("forged", (claim, replace(forged, starts=claim.starts)))),
        )
    for label, text in _losing(game, winner, claim.data["aag"], rng):
        if not winning(game.formula, winner, text):
            yield label, alone(game, Claim(winner, 1, rule="functions", data=dict(claim.data) | {"aag": text}))


def _for_the_loser(game: FormulaGame, loser: Quantifier, winners: str, rng: random.Random) -> Iterator[tuple[str, str]]:
    play = _Play(game, loser)
    rows = 2 ** len(play.others)
    yield "the winner's functions for the loser", winners
    hindsight = play.hindsight(rng)
    yield "functions of what is chosen later", play.text(hindsight)
    yield "own variables as inputs", play.text({v: [False, True] for v in play.own}, play.own[:1])
    for count in {0, rng.randint(0, len(play.own))}:
        some = dict(rng.sample(sorted(hindsight.items()), count))
        yield "functions left out", play.text(some)
        yield "constants, others left out", play.text({v: [rng.random() < 0.5] * rows for v in some})
    yield "constants", play.text({v: [rng.random() < 0.5] * rows for v in play.own})
    yield "functions drawn at random", play.text({v: [rng.random() < 0.5 for _ in range(rows)] for v in play.own})
    yield "the other side's variables", play.text({v: [False] * 2 ** len(play.own) for v in play.others}, play.own)
    yield "an output twice", _twice(play.text(hindsight))
    yield "a damaged text", damaged_text(play.text(hindsight), rng)


def _twice(text: str) -> str:
    """A text in which two outputs have the name of one variable."""
    lines = text.splitlines()
    named = [place for place, line in enumerate(lines) if line.startswith("o")]
    if len(named) > 1:
        lines[named[1]] = f"o1 {lines[named[0]].split(' ', 1)[1]}"
    return "\n".join(lines) + "\n"


def _losing(game: FormulaGame, winner: Quantifier, text: str, rng: random.Random) -> Iterator[tuple[str, str]]:
    """Texts that may not win any more."""
    lines = text.splitlines()
    _, inputs, _, outputs, gates = map(int, lines[0].split()[1:])
    for place in rng.sample(range(outputs), min(outputs, 3)):
        at = 1 + inputs + place
        yield "an output flipped", "\n".join([*lines[:at], str(int(lines[at]) ^ 1), *lines[at + 1 :]]) + "\n"
        yield "an output constant", "\n".join([*lines[:at], str(rng.getrandbits(1)), *lines[at + 1 :]]) + "\n"
    for place in rng.sample(range(gates), min(gates, 3)):
        at = 1 + inputs + outputs + place
        gate, one, other = lines[at].split()
        for changed in (f"{gate} {int(one) ^ 1} {other}", f"{gate} {one} {int(other) ^ 1}", f"{gate} {one} {one}"):
            yield "a gate changed", "\n".join([*lines[:at], changed, *lines[at + 1 :]]) + "\n"
    play = _Play(game, winner)
    yield "functions of what is chosen later", play.text(play.hindsight(rng))
    yield "all left out", play.text({})
    if inputs > 1:
        names = [place for place, line in enumerate(lines) if line.startswith("i")]
        one, two = rng.sample(names, 2)
        swapped = list(lines)
        swapped[one] = f"{lines[one].split()[0]} {lines[two].split(' ', 1)[1]}"
        swapped[two] = f"{lines[two].split()[0]} {lines[one].split(' ', 1)[1]}"
        yield "inputs exchanged", "\n".join(swapped) + "\n"
