"""Random programs, written so that a number runs into every name, solved from their text; and false claims of them."""

from __future__ import annotations

import re
from copy import deepcopy
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from tests.qip.bruteproofs import brute_proofs, lawful
from tests.qip.damage import damaged
from tests.qip.randomprograms import INFEASIBLE, LAWLESS, brute_force, random_program

from zermelo import Certificate, Claim, check_certificate
from zermelo.certificate import certificate_from_json
from zermelo.errors import InputError
from zermelo.game import Score
from zermelo.qip.formats.qlp import write_qlp
from zermelo.qip.game import ProgramGame
from zermelo.qip.programs.program import Program
from zermelo.qip.proofs.proof import Proof
from zermelo.qip.proofs.proof_json import proof_data
from zermelo.solving import solve_game
from zermelo.solving.targets import game_from
from zermelo.source import Source


def as_text(program: Program) -> ProgramGame:
    game = game_from(Source("qlp", write_qlp(program), "text.qlp"))
    assert isinstance(game, ProgramGame)
    return game


def glued_text(program: Program) -> str:
    """The text of a program with variables e0, e1, ..., each glued to its coefficient."""
    named = tuple(replace(variable, name=f"e{number}") for number, variable in enumerate(program.variables))
    return re.sub(r"(?<![\w.])([0-9./]+) (e[0-9])", r"\1\2", write_qlp(replace(program, variables=named)))


def test_glued_programs_have_the_value_of_the_definition_and_accepted_proofs_of_it() -> None:
    solved = 0
    for seed in range(80):
        program = random_program(Random(seed), 5, 4, 4)
        value = brute_force(program)
        text = glued_text(program)
        if value == LAWLESS or not re.search(r"[0-9]e[0-9]", text):
            continue
        game = game_from(Source("qlp", text, "glued.qlp"))
        assert isinstance(game, ProgramGame)
        solution = solve_game(game)
        assert (solution.value if solution.details.feasible else INFEASIBLE) == value, text
        assert solution.verified
        solved += 1
    assert solved > 40


def truth(game: ProgramGame, program: Program, role: str) -> Score:
    """What a role gets by the definition."""
    value = brute_force(program)
    score = game.score(None if isinstance(value, str) else value)
    return score if role == "exists" else -score


def claim_of(game: ProgramGame, proof: Proof) -> Claim:
    """A claim of all that a proof promises, or more."""
    score = game.score(proof.value)
    return Claim(proof.owner, score if proof.owner == "exists" else -score, rule="program", data=proof_data(proof))


@pytest.mark.parametrize("seed", range(3))
def test_no_damaged_proof_makes_a_false_claim_true(seed: int) -> None:
    chance = Random(40 + seed)
    refused = 0
    for _ in range(12):
        program = lawful(chance)
        game = as_text(program)
        _, *proofs = brute_proofs(program, chance)
        for proof in filter(None, proofs):
            assert check_certificate(game, Certificate("", (claim_of(game, proof),))).accepted
            for _ in range(20):
                claim = claim_of(game, damaged(chance, program, proof))
                claim = replace(claim, at_least=claim.at_least + chance.choice((0, 0, 0, 1)))
                verdict = check_certificate(game, Certificate("", (claim,)))
                refused += not verdict.accepted
                assert not verdict.accepted or claim.at_least <= truth(game, program, claim.role), (program, claim)
    assert refused > 200


def mutated(chance: Random, data: Any) -> Any:
    """JSON with one number or text in it changed, or an item of a list left out or doubled."""
    data = deepcopy(data)
    places = list[tuple[Any, Any]]()
    pending = [data]
    while pending:
        node = pending.pop()
        for key, item in node.items() if isinstance(node, dict) else enumerate(node):
            places.append((node, key))
            pending += [item] if isinstance(item, (dict, list)) else []
    node, key = chance.choice(places)
    old = node[key]
    if isinstance(node, list) and chance.random() < 0.3:
        node[key : key + 1] = [] if chance.random() < 0.5 else [old, old]
    elif isinstance(old, int) and not isinstance(old, bool):
        node[key] = old + chance.choice((-1, 1))
    else:
        node[key] = chance.choice((None, 0, 1, -1, "1/2", [], True, 0.5, "exists", "forall", "program", "clauses"))
    return data


def test_no_mutated_certificate_is_accepted_unless_what_it_claims_is_true() -> None:
    chance = Random(18)
    count = refused = 0
    for seed in range(60):
        program = random_program(Random(seed + 300), 5, 4, 4)
        if brute_force(program) == LAWLESS:
            continue
        game = as_text(program)
        solution = solve_game(game)
        assert solution.certificate is not None
        stated = solution.certificate.to_json()
        for _ in range(25):
            count += 1
            try:
                forged = certificate_from_json(mutated(chance, stated))
                accepted = check_certificate(game, forged).accepted
            except InputError:
                accepted = False
            refused += not accepted
            if accepted:
                assert all(claim.at_least <= truth(game, program, claim.role) for claim in forged.claims), forged
    assert count > 800
    assert refused > count // 2


def test_who_cannot_keep_the_rows_loses_no_more_than_that() -> None:
    """That the objective is no better than 100 is proved easily where there is none; it is not worth 100."""
    text = "MINIMIZE\nx\nSUBJECT TO\nx >= 2\nBINARIES\nx\nEXISTS\nx\nORDER\nx\nEND"
    game = game_from(Source("qlp", text, "hopeless.qlp"))
    accepted = ((None, 2), (100, 2), (1, 1))
    for value, at_least in (*accepted, (None, 3), (100, 3), (1, 2)):
        data = {"value": value, "nodes": [["r", 0, [[[], [1, 1]]]]]}
        certificate = Certificate("hopeless.qlp", (Claim("forall", at_least, rule="program", data=data),))
        assert check_certificate(game, certificate).accepted == ((value, at_least) in accepted)


def test_a_proof_of_one_program_proves_nothing_of_another() -> None:
    """Another objective, bound or row is another program: its digest is not that of the certificate."""
    program = lawful(Random(3))
    solution = solve_game(as_text(program))
    assert solution.certificate is not None
    more = replace(program.objective, constant=program.objective.constant + Fraction(1))
    wider = replace(program.variables[0], upper=(program.variables[0].upper or 0) + Fraction(1))
    for other in (
        replace(program, objective=more),
        replace(program, variables=(wider, *program.variables[1:])),
        replace(program, rows=program.rows[1:]) if program.rows else replace(program, objective=more),
    ):
        verdict = check_certificate(as_text(other), solution.certificate)
        assert (verdict.status, "another game" in verdict.reason) == ("refuted", True)
