"""Programs that are no game: refused by the checker as they are by the solver, whatever is claimed of them."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest
from tests.qip.randomprograms import INFEASIBLE, LAWLESS, brute_force, random_program

from zermelo import Certificate, Claim, check_certificate, solve
from zermelo.check.instance import digest_of
from zermelo.check.ownrows import can_be_kept
from zermelo.check.read.models import copy_of
from zermelo.cli import main
from zermelo.errors import InputError, LimitReachedError
from zermelo.limits import Limits
from zermelo.qip.formats.qlp import write_qlp
from zermelo.qip.game import ProgramGame
from zermelo.qip.programs.program import Objective, Program, Row, Variable, terms
from zermelo.solving import solve_game
from zermelo.solving.targets import game_from
from zermelo.source import Source

F = Fraction
LAWLESS_TEXT = (
    "MINIMIZE\nx\nSUBJECT TO\nx >= u\nUNCERTAINTY SUBJECT TO\nu + v >= 3\nBINARIES\nx u v\nEXISTS\nx\nALL\nu v\n"
    "ORDER\nu v x\nEND\n"
)
BOTH_SIDES = (
    Claim("exists", 0, rule="program", data={"value": 0, "nodes": [["b", 0, [[0, 1, -1, 0]]]]}),
    Claim("forall", 5, rule="program", data={"value": 5, "nodes": [["r", 0, [[[], [0, 1]]]]]}),
    Claim("exists", 0, {"": ("u=0", 1)}),
)
TOLD = "the universal player cannot keep his own rows"


def lawful_by_the_solver(program: Program) -> bool:
    try:
        ProgramGame(program).need_lawful()
    except InputError:
        return False
    return True


@pytest.mark.parametrize("claim", BOTH_SIDES, ids=["exists", "forall", "table"])
def test_no_claim_is_looked_at_where_the_universal_player_cannot_keep_his_rows(claim: Claim) -> None:
    game = game_from(Source("qlp", LAWLESS_TEXT, "lawless.qlp"))
    with pytest.raises(InputError, match=TOLD):
        check_certificate(game, Certificate("lawless.qlp", (claim,)))


def test_check_and_solve_refuse_it_in_one_line_with_the_same_status(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program, proof = tmp_path / "lawless.qlp", tmp_path / "proof.json"
    program.write_text(LAWLESS_TEXT)
    digest = digest_of(game_from(Source("qlp", LAWLESS_TEXT, "lawless.qlp")))
    Certificate(str(program), (replace(BOTH_SIDES[0], starts="forall"),), digest).write(proof)
    statuses, lines = [], []
    for words in (["solve", str(program)], ["check", str(program), str(proof)]):
        statuses.append(main(words))
        lines.append(capsys.readouterr().err.splitlines())
    assert statuses == [2, 2]
    assert lines[0] == lines[1]
    assert len(lines[0]) == 1
    assert TOLD in lines[0][0]


def test_solver_and_checker_agree_on_which_programs_are_games() -> None:
    seen = {True: 0, False: 0}
    for seed in range(3000):
        chance = Random(seed)
        program = random_program(chance, 6, 1, 4, widest=3)
        universal = [n for n, v in enumerate(program.variables) if v.quantifier == "forall"]
        if not universal:
            continue
        own = []
        for _ in range(chance.randint(1, 4)):
            form = terms((n, F(chance.randint(-4, 4), chance.choice((1, 1, 2)))) for n in universal)
            own.append(Row(form, chance.choice(("<=", ">=", "=")), F(chance.randint(-6, 6), chance.choice((1, 1, 3)))))
        program = replace(program, uncertainty=tuple(own))
        lawful = can_be_kept(copy_of(program), Limits())
        assert lawful == lawful_by_the_solver(program) == (brute_force(program) != LAWLESS), seed
        seen[lawful] += 1
    assert min(seen.values()) > 500


def test_what_the_solver_solves_or_refuses_the_checker_accepts_or_refuses() -> None:
    seen = set()
    for seed in range(60):
        program = random_program(Random(seed + 500), 6, 4, 4)
        value = brute_force(program)
        game = game_from(Source("qlp", write_qlp(program), "text.qlp"))
        assert isinstance(game, ProgramGame)
        if value == LAWLESS:
            with pytest.raises(InputError, match=TOLD):
                solve_game(game)
            with pytest.raises(InputError, match=TOLD):
                check_certificate(game, Certificate("", BOTH_SIDES[:1]))
        else:
            solution = solve_game(game)
            assert (INFEASIBLE if not solution.details.feasible else solution.value) == value
            assert solution.certificate is not None
            assert check_certificate(game, solution.certificate).accepted
        seen.add(value if isinstance(value, str) else "value")
    assert seen == {INFEASIBLE, LAWLESS, "value"}


def test_wide_variables_and_many_of_them_are_decided() -> None:
    wide = tuple(Variable(f"u{n}", "forall", upper=F(10**12)) for n in range(3))
    form = terms({0: 3, 1: 5, 2: -7})
    for right, kept in ((10**12, True), (9 * 10**12, False)):
        assert can_be_kept(copy_of(Program(wide, uncertainty=(Row(form, "=", F(right)),))), Limits()) is kept
    many = tuple(Variable(f"u{n}", "forall") for n in range(60))
    odd = tuple(Row(terms(dict.fromkeys(range(60), 2)), "=", F(right)) for right in (31,))
    assert not can_be_kept(copy_of(Program(many, uncertainty=odd)), Limits())
    sums = (Row(terms({n: 2 * n + 7 for n in range(60)}), "=", F(5)),)
    assert not can_be_kept(copy_of(Program(many, uncertainty=sums)), Limits())


def test_a_search_without_end_stops_at_the_limit() -> None:
    many = tuple(Variable(f"u{n}", "forall") for n in range(70))
    chance = Random(1)
    form = terms({n: 2 * chance.randint(10**20, 10**21) for n in range(70)})
    half = sum((c for _, c in form), F(0)) / 2
    program = Program(many, uncertainty=(Row((*form[:-1], (69, form[-1][1] + 1)), "=", half // 2 * 2),))
    with pytest.raises(LimitReachedError):
        can_be_kept(copy_of(program), Limits(seconds=0))
    verdict = check_certificate(ProgramGame(program), Certificate("", BOTH_SIDES[:1]), Limits(seconds=0))
    assert verdict.status == "limit"


def test_tables_are_played_by_the_checkers_own_rules() -> None:
    """The table of a program with a value is accepted; if the engines misread the text, what they find is refuted."""
    text = "MAXIMIZE\n2e2\nSUBJECT TO\ne2 <= 1\nBINARIES\ne2\nEXISTS\ne2\nORDER\ne2\nEND"
    game = game_from(Source("qlp", text, "small.qlp"))
    table = {"": ("e2=1", 1)}
    assert check_certificate(game, Certificate("small.qlp", (Claim("exists", 2, table),))).accepted
    assert isinstance(game, ProgramGame)
    game.program = Program(game.program.variables, (), Objective("max", (), F(200)))
    assert not check_certificate(game, Certificate("small.qlp", (Claim("exists", 200, table),))).accepted


def test_tables_of_engines_for_games_are_accepted() -> None:
    for seed in range(20):
        program = random_program(Random(seed + 900), 4, 3, 3)
        if brute_force(program) == LAWLESS:
            continue
        game = game_from(Source("qlp", write_qlp(program), "text.qlp"))
        solution = solve(game, engine=("dp", "alphabeta")[seed % 2])
        assert solution.certificate is not None
        assert all(claim.rule is None for claim in solution.certificate.claims)
        assert check_certificate(game, solution.certificate).accepted
