"""Solvers by others: what they say is read with care, and they never outlive their limits."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import threading
import time
from pathlib import Path
from random import Random

import pytest

from tests.qbf.randomformulas import random_clauses, random_formula
from zermelo.errors import NotApplicableError
from zermelo.limits import MEBIBYTE, Limits
from zermelo.progress import Progress, no_watch
from zermelo.qbf.cegar import solve_by_cegar
from zermelo.qbf.circuit import TRUE, Circuit
from zermelo.qbf.external import PROGRAMS, Program, external_solvers, read_reply, solve_externally
from zermelo.qbf.formula import Block, Formula, truth
from zermelo.qbf.solver_answer import Answer

DEPQBF = shutil.which("depqbf")
needs_depqbf = pytest.mark.skipif(DEPQBF is None, reason="depqbf is not installed")


def small_formula() -> Formula:
    """``exists x, z`` before ``forall y``: true by x and not z."""
    circuit = Circuit()
    x, y, z = (circuit.variable() for _ in range(3))
    output = circuit.conjunction([circuit.disjunction([x, y]), circuit.disjunction([x, y ^ 1]), z ^ 1])
    prefix = (Block("exists", (x >> 1, z >> 1)), Block("forall", (y >> 1,)))
    return Formula(circuit, prefix, output, {x >> 1: "x", y >> 1: "y", z >> 1: "z"})


def fake(folder: Path, body: str, name: str = "fake") -> str:
    """A program that does this in Python; its argument is the file with the formula."""
    script = folder / name
    script.write_text(f"#!{sys.executable}\nimport os, sys, time\nfile = sys.argv[-1]\n{body}\n", encoding="utf-8")
    script.chmod(0o755)
    return str(script)


def run(folder: Path, body: str, limits: Limits | None = None, form: str = "qdimacs") -> Answer:
    program = Program("fake", "qcir" if form == "qcir" else "qdimacs", outermost=True)
    return solve_externally(program, fake(folder, body), None, small_formula(), limits)


@pytest.mark.parametrize(
    ("code", "text", "value"),
    [
        (10, "", True),
        (20, "", False),
        (0, "s cnf 1 3 4\n", True),
        (0, "s cnf 0 3 4\n", False),
        (10, "c noise\nr SAT\n", True),
        (20, "r UNSAT\n", False),
        (0, "UNSAT\n", False),
        (0, "true\n", True),
    ],
)
def test_exit_codes_and_customary_texts_are_understood(code: int, text: str, value: bool) -> None:
    assert read_reply("solver", code, text).value is value


@pytest.mark.parametrize(
    ("code", "text", "message"),
    [
        (0, "I am thinking", "gave no answer: I am thinking"),
        (1, "", "ended with exit code 1 and gave no answer"),
        (10, "s cnf 0", "contradicts itself"),
        (0, "SAT\nUNSAT", "contradicts itself"),
        (-11, "SAT", "was ended by SIGSEGV"),
    ],
)
def test_what_makes_no_sense_is_one_clear_line(code: int, text: str, message: str) -> None:
    with pytest.raises(NotApplicableError, match=message):
        read_reply("solver", code, text)


def test_the_program_gets_the_formula_in_its_format(tmp_path: Path) -> None:
    for form, first in (("qcir", "#QCIR-G14"), ("qdimacs", "p cnf")):
        check = f"sys.exit(10 if open(file).read().startswith({first!r}) else 1)"
        assert run(tmp_path, check, form=form).value is True


def test_the_outermost_choice_is_read_and_makes_functions_where_it_is_all(tmp_path: Path) -> None:
    answer = run(tmp_path, "print('s cnf 1 3 3\\nV 1 -2 0'); sys.exit(10)")
    assert answer.stats["outermost"] == "x -z"
    assert answer.functions is not None
    assert answer.functions.replies({2: True}) == {1: True, 3: False}


def test_a_choice_that_is_printed_in_part_makes_no_functions(tmp_path: Path) -> None:
    answer = run(tmp_path, "print('s cnf 1 3 3\\nV -2 0'); sys.exit(10)")
    assert answer.stats["outermost"] == "-z"
    assert answer.functions is None


def test_a_crash_is_reported(tmp_path: Path) -> None:
    with pytest.raises(NotApplicableError, match="fake was ended by SIGABRT and gave no answer"):
        run(tmp_path, "os.abort()")


def test_a_program_that_is_not_there_is_reported(tmp_path: Path) -> None:
    with pytest.raises(NotApplicableError, match="gave no answer"):
        solve_externally(PROGRAMS[0], str(tmp_path / "missing"), None, small_formula())


def test_a_program_that_runs_out_of_memory_reaches_the_limit(tmp_path: Path) -> None:
    answer = run(tmp_path, "x = bytearray(1 << 31)", Limits(memory=1024 * MEBIBYTE))
    assert (answer.value, answer.cause) == (None, "memory")


def test_a_program_that_writes_without_end_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zermelo.qbf.external.MOST_OUTPUT", MEBIBYTE)
    with pytest.raises(NotApplicableError, match="gave no answer"):
        run(tmp_path, "while True: sys.stdout.write('nonsense ' * 1000)")


def test_a_program_that_hangs_is_ended_with_all_its_children(tmp_path: Path) -> None:
    note = tmp_path / "child"
    body = f"pid = os.fork()\nif pid: open({str(note)!r}, 'w').write(str(pid))\ntime.sleep(60)"
    answer = run(tmp_path, body, Limits(seconds=2))
    assert (answer.value, answer.cause) == (None, "time")
    child = int(note.read_text(encoding="ascii"))
    for _ in range(100):
        if not _runs(child):
            break
        time.sleep(0.02)
    assert not _runs(child)


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="ascii").split()[2] != "Z"
    except OSError:
        return False


def test_ctrl_c_ends_the_program(tmp_path: Path) -> None:
    looks: list[Progress] = []

    def interrupt_once(progress: Progress) -> None:
        looks.append(progress)
        if len(looks) == 1:
            threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT)).start()

    path = fake(tmp_path, "time.sleep(60)")
    answer = solve_externally(Program("fake", "qcir"), path, None, small_formula(), Limits(seconds=30), interrupt_once)
    assert (answer.value, answer.cause) == (None, "interrupt")


def test_a_preprocessor_may_answer_or_hand_on(tmp_path: Path) -> None:
    solver = fake(tmp_path, "sys.exit(20 if open(file).read() == 'p cnf 0 1\\n0\\n' else 1)", "solver")
    for body, value in (("print('p cnf 0 1\\n0')", False), ("print('p cnf 0 0'); sys.exit(10)", True)):
        before = fake(tmp_path, body, "before")
        answer = solve_externally(Program("solver", "qdimacs"), solver, before, small_formula())
        assert answer.value is value


def test_programs_on_the_search_path_become_engines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("caqe", "quabs", "bloqqer"):
        fake(tmp_path, "sys.exit(10)", name)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}/bin{os.pathsep}/nowhere")
    found = external_solvers()
    assert {"qbf-caqe", "qbf-bloqqer-caqe", "qbf-quabs"} <= found.keys()
    assert "qbf-qute" not in found
    assert found["qbf-quabs"](small_formula(), Limits(), no_watch).value is True


def test_a_constant_is_not_sent_out() -> None:
    circuit = Circuit()
    formula = Formula(circuit, (Block("exists", (circuit.variable() >> 1,)),), TRUE)
    assert solve_externally(PROGRAMS[0], "/nowhere", None, formula).value is True


@needs_depqbf
def test_depqbf_agrees_with_the_definition_and_its_choice_wins() -> None:
    solver, chance = external_solvers()["qbf-depqbf"], Random(11)
    chosen = 0
    for _ in range(40):
        formula = random_formula(chance, variables=7, gates=12, blocks=3)
        answer = solver(formula, Limits(seconds=20), no_watch)
        assert answer.value == truth(formula)
        if "outermost" in answer.stats:
            chosen += 1
            assert truth(after(formula, str(answer.stats["outermost"]))) == answer.value
    assert chosen


def after(formula: Formula, choice: str) -> Formula:
    """The formula with the choice in the outermost block as a condition or premise."""
    circuit, first = formula.circuit, formula.prefix[0]
    number = {formula.name(variable): variable for variable in first.variables}
    made = circuit.conjunction([2 * number[word.lstrip("-")] + (word[0] == "-") for word in choice.split()])
    if first.quantifier == "exists":
        return Formula(circuit, formula.prefix, circuit.conjunction([made, formula.output]))
    return Formula(circuit, formula.prefix, circuit.implication(made, formula.output))


@needs_depqbf
def test_depqbf_and_refinement_agree_on_larger_formulas() -> None:
    solver, chance = external_solvers()["qbf-depqbf"], Random(12)
    for number in range(30):
        make = random_clauses if number % 2 else random_formula
        formula = make(chance, 30, 90, 6)
        assert solver(formula, Limits(seconds=20), no_watch).value == solve_by_cegar(formula).value
