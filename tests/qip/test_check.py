"""The checker of programs: what it accepts is true, whatever was done to the proof."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from tests.qip.bruteproofs import beats, brute_proofs
from tests.qip.damage import damaged
from tests.qip.randomprograms import LAWLESS, brute_force, random_program
from zermelo.check.program import check_proof
from zermelo.qip.program import Program

F = Fraction


def lawful(chance: Random, variables: int = 6) -> Program:
    while brute_force(program := random_program(chance, variables=variables)) == LAWLESS:
        pass
    return program


@pytest.mark.parametrize("seed", range(10))
def test_proofs_by_the_definition_are_accepted(seed: int) -> None:
    chance = Random(seed)
    for _ in range(40):
        program = lawful(chance)
        _, *proofs = brute_proofs(program, chance)
        for proof in proofs:
            if proof is not None:
                verdict = check_proof(program, proof)
                assert verdict.accepted, verdict.reason


@pytest.mark.parametrize("seed", range(10))
def test_an_accepted_proof_is_true_whatever_was_changed_in_it(seed: int) -> None:
    chance = Random(1000 + seed)
    refused = 0
    for _ in range(40):
        program = lawful(chance)
        value, *proofs = brute_proofs(program, chance)
        for proof in proofs:
            for _ in range(20 if proof else 0):
                assert proof is not None
                changed = damaged(chance, program, proof)
                verdict = check_proof(program, changed)
                refused += not verdict.accepted
                if verdict.accepted:
                    assert not beats(program, changed, value), (program, changed)
    assert refused > 400
