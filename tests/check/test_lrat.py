"""Proofs that clauses contradict each other: right ones are followed to the end, any other is refused."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from random import Random

import pytest

from zermelo.certificate import Certificate, Claim
from zermelo.check import check_certificate, plays, satproof
from zermelo.check.circuit import Circuit
from zermelo.check.lrat import Step, fault_of
from zermelo.qbf import refutation
from zermelo.qbf.game import FormulaGame
from zermelo.qbf.qcir import parse_qcir
from zermelo.qbf.refutation import answer_of, trimmed

SQUARE = ((1, 2), (1, -2), (-1, 2), (-1, -2))
PROOF: tuple[Step, ...] = (((1,), (1, 2)), ((), (5, 3, 4)))


def satisfiable(clauses: Sequence[Sequence[int]], variables: int) -> bool:
    """By trying all values."""
    for values in product((False, True), repeat=variables):
        if all(any(values[abs(literal) - 1] == (literal > 0) for literal in clause) for clause in clauses):
            return True
    return False


def random_clauses(chance: Random) -> tuple[int, list[list[int]]]:
    variables = chance.randint(1, 8)
    width = min(variables, 3)
    clauses = []
    for _ in range(chance.randint(1, 6 * variables)):
        chosen = chance.sample(range(1, variables + 1), chance.randint(1, width) if chance.random() < 0.3 else width)
        clauses.append([variable * chance.choice((-1, 1)) for variable in chosen])
    return variables, clauses


def proof_of(clauses: Sequence[Sequence[int]]) -> list[Step] | None:
    """The proof that clauses contradict each other, if they do."""
    answer = answer_of(clauses)
    return None if answer[0] == "values" else list[Step](answer[1])


def pigeons(holes: int) -> list[list[int]]:
    """One pigeon more than holes, and at most one in each: a contradiction with no short proof (Haken 1985)."""
    at = [[pigeon * holes + hole + 1 for hole in range(holes)] for pigeon in range(holes + 1)]
    pairs = ((one, other, hole) for hole in range(holes) for one in range(holes + 1) for other in range(one))
    return [*at, *([-at[one][hole], -at[other][hole]] for one, other, hole in pairs)]


def test_a_proof_is_followed() -> None:
    assert fault_of(SQUARE, PROOF) is None


BROKEN = {
    "nothing": ((), "the proof ends without the empty clause"),
    "no empty clause": (PROOF[:1], "the proof ends without the empty clause"),
    "a step left out": (PROOF[1:], "step 1: there is no clause 5 before it"),
    "a hint left out": ((((1,), (1,)), PROOF[1]), "step 1: the clause does not follow from its hints"),
    "no hints": ((((1,), ()), PROOF[1]), "step 1: the clause does not follow from its hints"),
    "a wrong hint": ((((1,), (1, 3)), PROOF[1]), "step 1: the clause does not follow from its hints"),
    "hints in a wrong order": ((PROOF[0], ((), (3, 5, 4))), "step 2: the clause does not follow from its hints"),
    "a hint that does not exist": ((((1,), (1, 99)), PROOF[1]), "step 1: there is no clause 99 before it"),
    "a hint that is no number of a clause": ((((1,), (0, 1)), PROOF[1]), "step 1: there is no clause 0 before it"),
    "a hint counted from the end": ((((1,), (1, -3)), PROOF[1]), "step 1: there is no clause -3 before it"),
    "a step that proves itself": ((((1,), (5,)), PROOF[1]), "step 1: there is no clause 5 before it"),
    "a step that a later one proves": ((((1,), (6, 2)), PROOF[1]), "step 1: there is no clause 6 before it"),
    "the empty clause from nothing": ((((), ()),), "step 1: the clause does not follow from its hints"),
}

BROKEN["a hint that says nothing before those that do"] = (
    (((1,), (3, 1, 2)), PROOF[1]),
    "step 1: the clause does not follow from its hints",
)


def test_the_clock_is_looked_at_every_256_steps() -> None:
    now, looked = [0], list[int]()

    def steps() -> Iterator[Step]:
        for now[0] in range(1, 600):
            yield (1,), (1, 2)

    assert fault_of(SQUARE, steps(), lambda: looked.append(now[0])) == "the proof ends without the empty clause"
    assert looked == [256, 512]


@pytest.mark.parametrize("what", BROKEN)
def test_a_broken_proof_is_refused(what: str) -> None:
    steps, fault = BROKEN[what]
    assert fault_of(SQUARE, steps) == fault


def test_a_clause_that_does_not_follow_is_refused_though_it_does_no_harm() -> None:
    """Resolution asymmetry would allow a clause over a new variable; here every step follows from what is before."""
    assert fault_of(SQUARE, (((3,), (1,)), *PROOF)) == "step 1: the clause does not follow from its hints"


def test_clauses_that_can_be_satisfied_have_no_proof() -> None:
    fewer = (*SQUARE[:3], (1, 2))
    assert fault_of(fewer, PROOF) == "step 2: the clause does not follow from its hints"
    assert fault_of([], [((), ())]) is not None


def test_values_or_a_proof_are_found_for_random_clauses() -> None:
    proofs = 0
    for seed in range(1500):
        variables, clauses = random_clauses(Random(seed))
        answer = answer_of(clauses)
        if answer[0] == "values":
            assert satisfiable(clauses, variables)
            assert all(any(literal in answer[1] for literal in clause) for clause in clauses)
        else:
            assert not satisfiable(clauses, variables)
            assert fault_of(clauses, answer[1]) is None, seed
            proofs += 1
    assert 500 < proofs < 1400


def damaged(chance: Random, clauses: Sequence[Sequence[int]], steps: Sequence[Step]) -> Iterator[list[Step]]:
    """A proof with one thing changed, in several ways."""
    new: list[Step] = [(list(clause), list(hints)) for clause, hints in steps]
    at = chance.randrange(len(new))
    clause, hints = [*new[at][0]], [*new[at][1]]
    yield [*new[:at], *new[at + 1 :]]
    yield new[:-1]
    yield [*new[:at], (clause, hints[: chance.randrange(len(hints))]), *new[at + 1 :]]
    yield [*new[:at], (clause, chance.sample(hints, len(hints))), *new[at + 1 :]]
    other = chance.randint(1, len(clauses) + len(new))
    yield [*new[:at], (clause, [other if chance.random() < 0.3 else hint for hint in hints]), *new[at + 1 :]]
    if clause:
        gone = chance.randrange(len(clause))
        yield [*new[:at], (clause[:gone] + clause[gone + 1 :], hints), *new[at + 1 :]]
        yield [
            *new[:at],
            ([-literal if n == gone else literal for n, literal in enumerate(clause)], hints),
            *new[at + 1 :],
        ]


def test_no_damaged_proof_refutes_clauses_that_can_be_satisfied() -> None:
    """A proof of clauses that contradict each other, with a clause left out so that they no longer do."""
    tried = 0
    for seed in range(600):
        chance = Random(seed)
        variables, clauses = random_clauses(chance)
        steps = proof_of(clauses)
        if steps is None:
            continue
        fewer = list(clauses)
        while not satisfiable(fewer, variables):
            fewer.pop(chance.randrange(len(fewer)))
        padded = [*fewer, *([[1, -1]] * (len(clauses) - len(fewer)))]  # numbers stay as they were
        for proof in (steps, *damaged(chance, clauses, steps)):
            assert fault_of(padded, proof) is not None
            tried += 1
    assert tried > 1000


def test_every_step_counts_in_a_trimmed_proof() -> None:
    clauses = pigeons(4)
    steps = proof_of(clauses)
    assert steps is not None
    for at in range(len(steps)):
        assert fault_of(clauses, [*steps[:at], *steps[at + 1 :]]) is not None


def test_clauses_derived_while_others_are_added_do_not_confuse_the_numbers() -> None:
    """The solver simplifies clauses as they come once it knows units, and numbers those in between."""
    clauses = [[1], [-1, 2], [-2, 3, 4], [-1, -2, 3, 4, 5], [-3, -1], [-4, -2, 1], [-4, -2, -1]]
    steps = proof_of(clauses)
    assert steps is not None and fault_of(clauses, steps) is None


def test_a_proof_that_gets_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refutation, "LONGEST", 10_000)
    monkeypatch.setattr(refutation, "WORK", 0)
    with pytest.raises(TimeoutError):
        answer_of(pigeons(8))


def test_the_solver_hears_who_looks_at_the_clock() -> None:
    looks = 0

    def look() -> None:
        nonlocal looks
        looks += 1
        if looks > 4:
            raise TimeoutError

    with pytest.raises(TimeoutError):
        answer_of(pigeons(11), look)


def test_a_text_without_an_end_is_no_proof() -> None:
    assert fault_of(SQUARE, trimmed(b"", 4)) is not None
    assert fault_of(SQUARE, trimmed(b"5 1 0 1 2 0\n", 4)) == "the proof ends without the empty clause"


# A prover that is wrong

GAME = FormulaGame(parse_qcir("forall(x, y)\nexists(z)\noutput(g)\ng = ite(z, x, y)"))
WRONG = {"aag": "aag 2 2 0 1 0\n2\n4\n2\ni0 y\ni1 x\no0 z\n"}
"""z is y: x and y true win, x alone wins, y alone loses."""


class Prover:
    """Says what it is told to say."""

    def __init__(self, answer: object) -> None:
        self.answer = answer

    def answer_of(self, clauses: object, look: object) -> object:
        return self.answer


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (("proof", []), "what the SAT solver takes for a proof is none: the proof ends without the empty clause"),
        (("proof", [((), (1,))]), "what the SAT solver takes for a proof is none: step 1: the clause does not follow"),
        (("proof", [((), (99,))]), "what the SAT solver takes for a proof is none: step 1: there is no clause 99"),
        (("values", [2, 3, 4]), "what the SAT solver takes for a counterexample is none"),
    ],
)
def test_a_prover_that_is_wrong_convinces_nobody(answer: object, reason: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plays, "MOST_WORK", -1)
    claim = Certificate("", (Claim("exists", 1, rule="functions", data=WRONG),))
    assert check_certificate(GAME, claim).status == "refuted"
    monkeypatch.setattr(satproof, "import_module", lambda name: Prover(answer))
    verdict = check_certificate(GAME, claim)
    assert verdict.status == "limit" and verdict.reason.startswith(reason)


def test_values_are_those_of_variables_whatever_else_a_prover_says(monkeypatch: pytest.MonkeyPatch) -> None:
    circuit = Circuit()
    x, y, _ = (circuit.variable() for _ in range(3))
    either = circuit.gate("or", [x, y])
    monkeypatch.setattr(satproof, "import_module", lambda name: Prover(("values", [-2, 3, 4, 5, 99])))
    assert satproof.values_or_proof(circuit, either, lambda: None) == ("", {1: 0, 2: 1})


def test_without_a_sat_solver_long_questions_stay_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plays, "MOST_WORK", -1)
    monkeypatch.setattr(satproof, "PROVER", "no.such.module")
    verdict = check_certificate(GAME, Certificate("", (Claim("exists", 1, rule="functions", data=WRONG),)))
    assert verdict.status == "limit" and "no SAT solver" in verdict.reason
