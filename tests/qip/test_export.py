"""LP and MPS files of the deterministic equivalent: HiGHS reads them and finds the value of the definition."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from random import Random
from xml.etree import ElementTree

import highspy
import pytest

from tests.qip.randomprograms import INFEASIBLE, LAWLESS, brute_force, random_program
from zermelo.cli import main
from zermelo.errors import InputError, LimitReachedError
from zermelo.qip.formats.export import Target, equivalent_program, lp_text, mps_text, program_text, sol_text
from zermelo.qip.formats.qlp import parse_qlp
from zermelo.qip.programs.program import Objective, Program, Row, Variable, terms

THIRD = Fraction(1, 3)


def optimum(text: str, suffix: str, folder: Path) -> float | str:
    """What HiGHS makes of a file."""
    path = folder / f"program.{suffix}"
    path.write_text(text)
    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    assert solver.readModel(str(path)) == highspy.HighsStatus.kOk, text
    solver.run()
    status = solver.getModelStatus()
    if status == highspy.HighsModelStatus.kInfeasible:
        return INFEASIBLE
    # A model without rows and columns is solved as an empty one.
    assert status in (highspy.HighsModelStatus.kOptimal, highspy.HighsModelStatus.kModelEmpty), (status, text)
    return float(solver.getInfo().objective_function_value)


@pytest.mark.parametrize("to", ["lp", "mps"])
def test_highs_finds_the_value_in_the_file(to: Target, tmp_path: Path) -> None:
    chance = Random(3)
    checked = {INFEASIBLE: 0, "optimal": 0}
    for _ in range(150):
        program = random_program(chance)
        expected = brute_force(program)
        if expected == LAWLESS:
            continue
        found = optimum(program_text(program, to), to, tmp_path)
        if isinstance(expected, str) or isinstance(found, str):
            assert found == expected
            checked[INFEASIBLE] += 1
        else:
            assert found == pytest.approx(float(expected))
            checked["optimal"] += 1
    assert min(checked.values()) > 5


ODD = Program(
    (
        Variable("e1", upper=Fraction(7)),
        Variable("x[1]", lower=None, upper=THIRD, integer=False),
        Variable("free", lower=-THIRD, upper=None, integer=False),
        Variable("v2", lower=None, upper=None, integer=False),
        Variable("unused", lower=Fraction(2), upper=Fraction(2)),
    ),
    (
        Row(terms({0: THIRD, 1: Fraction(1, 2)}), "<=", Fraction(5, 7)),
        Row(terms({3: 1, 1: 1, 2: -1}), "=", Fraction(1, 4)),
        Row((), "<=", Fraction(1)),
    ),
    Objective("max", terms({0: 1, 1: THIRD, 2: Fraction(-1, 7)}), Fraction(1, 9)),
)


@pytest.mark.parametrize("to", ["lp", "mps"])
def test_odd_names_missing_bounds_and_thirds_are_no_obstacle(to: Target, tmp_path: Path) -> None:
    """e1 = 7, x[1] = -68/21 (the first row binds), free = -1/3."""
    best = 7 + THIRD * Fraction(-68, 21) + THIRD / 7 + Fraction(1, 9)
    text = lp_text(ODD) if to == "lp" else mps_text(ODD)
    assert optimum(text, to, tmp_path) == pytest.approx(float(best))
    assert "/" not in "".join(line for line in text.splitlines() if line[0] not in "\\*")


@pytest.mark.parametrize("to", ["lp", "mps"])
def test_a_program_without_variables_has_a_file(to: Target, tmp_path: Path) -> None:
    assert optimum(program_text(Program((), (), Objective(constant=Fraction(5))), to), to, tmp_path) == 5
    assert optimum(program_text(Program((), (Row((), ">=", Fraction(1)),)), to), to, tmp_path) == INFEASIBLE


def test_names_are_kept_where_readers_of_lp_files_take_them() -> None:
    names = ["early", "e", "e1", "E2x", "x.1_2", "Free", "end", "x,1", "y"]
    text = lp_text(Program(tuple(Variable(name) for name in names)))
    assert " early v2 v3 v4 x.1_2 v6 v7 v8 y" in text.splitlines()
    assert "\\ v8 is x,1" in text.splitlines()


def test_long_rows_are_wrapped() -> None:
    variables = tuple(Variable(f"variable_{n}") for n in range(100))
    text = lp_text(Program(variables, (Row(terms(dict.fromkeys(range(100), 1)), "<=", Fraction(3)),)))
    assert max(map(len, text.splitlines())) <= 120


def test_a_program_is_written_as_itself() -> None:
    program = random_program(Random(1))
    assert parse_qlp(program_text(program, "qlp")) == program


def test_an_equivalent_that_would_be_too_large_is_not_begun() -> None:
    universal = tuple(Variable(f"u{n}", "forall") for n in range(40))
    row = Row(terms(dict.fromkeys(range(41), 1)), "<=", Fraction(41))
    with pytest.raises(LimitReachedError, match="the deterministic equivalent would have"):
        program_text(Program((*universal, Variable("x")), (row,)), "lp")


def test_the_equivalent_has_the_value_of_the_program() -> None:
    chance = Random(8)
    for _ in range(60):
        program = random_program(chance, variables=4, rows=3, objective=False)
        if brute_force(program) != LAWLESS:
            plain = equivalent_program(program)
            assert all(v.quantifier == "exists" for v in plain.variables)
            if len(plain.variables) < 9 and all(v.upper is not None for v in plain.variables):
                assert (brute_force(plain) == INFEASIBLE) == (brute_force(program) == INFEASIBLE)


def test_a_quantified_program_is_not_written_without_its_quantifiers() -> None:
    with pytest.raises(InputError, match="the program has universal variables, expected its deterministic equivalent"):
        lp_text(Program((Variable("u", "forall"),)))


def test_an_infeasible_program_has_a_solution_file_without_a_value() -> None:
    text = sol_text(Program((Variable("x<y"),), name="none"), None, {})
    assert 'SolutionStatus="INFEASIBLE"' in text
    assert "ObjectiveValue" not in text


def test_a_solution_file_lists_blocks_and_escapes_names() -> None:
    program = Program((Variable('a"b'), Variable("u", "forall"), Variable("z")))
    text = sol_text(program, THIRD, {'a"b': 1, "u": 0, "z": Fraction(1, 2)})
    assert '  <variable name=\'a"b\' index="0" value="1" block="1"/>' in text
    assert '  <variable name="z" index="2" value="0.5" block="3"/>' in text
    assert 'ObjectiveValue="1/3"' in text


def test_a_solution_speaks_of_variables_of_the_program() -> None:
    with pytest.raises(InputError, match="there is no variable y in the program p"):
        sol_text(Program((Variable("x"),), name="p"), Fraction(0), {"y": 1})


PROGRAM = "MINIMIZE\nx\nSUBJECT TO\nx - u >= 0\nBINARIES\nx u\nEXISTS\nx\nALL\nu\nORDER\nu x\nEND\n"


@pytest.fixture
def program_file(tmp_path: Path) -> str:
    path = tmp_path / "small.qlp"
    path.write_text(PROGRAM)
    return str(path)


def test_the_command_line_writes_programs(
    program_file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["encode", program_file, "--to", "qlp"]) == 0
    assert parse_qlp(capsys.readouterr().out) == parse_qlp(PROGRAM)
    for to in ("lp", "mps"):
        written = tmp_path / f"out.{to}"
        assert main(["encode", program_file, "--to", to, "-o", str(written)]) == 0
        assert optimum(written.read_text(), to, tmp_path) == 1


def test_the_command_line_writes_a_formula_as_a_program(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "f.qdimacs"
    path.write_text("p cnf 2 1\na 1 0\ne 2 0\n1 2 0\n")
    assert main(["encode", str(path), "--to", "qlp"]) == 0
    program = parse_qlp(capsys.readouterr().out)
    assert [str(row) for row in program.rows] == ["1*#0 + 1*#1 >= 1"]


def test_the_command_line_writes_a_solution(program_file: str, tmp_path: Path) -> None:
    sol = tmp_path / "small.sol"
    assert main(["solve", program_file, "--sol", str(sol)]) == 0
    root = ElementTree.parse(sol).getroot()
    header, variables = root.find("header"), root.findall("variables/variable")
    assert header is not None
    assert header.attrib == {"ProblemName": "small", "ObjectiveValue": "1"}
    assert [(v.get("name"), v.get("block")) for v in variables] == [("u", "1"), ("x", "2")]


def test_only_programs_have_such_solutions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "nim:1", "--sol", str(tmp_path / "nim.sol")]) == 2
    assert "--sol is for quantified programs, expected a .qlp file" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["{file}", "--to", "lp", "--goal", "1"],
            "{file}: --goal is for games",
        ),
        (["no.qlp", "--to", "lp"], "no.qlp: no such file"),
    ],
)
def test_the_command_line_refuses_in_one_line(
    arguments: list[str], message: str, program_file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["encode", *(word.format(file=program_file) for word in arguments)]) == 2
    assert capsys.readouterr().err.strip() == message.format(file=program_file)
