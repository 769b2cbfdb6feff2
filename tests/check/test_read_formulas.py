"""The checker's own readers of formulas: the same games as the engines read, and nothing that formats do not allow."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from tests.check.engines_formulas import of_engines
from tests.fuzz import readers
from tests.fuzz.readers import Case, draw_of, shared_files
from tests.qbf.definition import random_nested, value_of
from tests.qbf.randomformulas import random_clauses, random_formula

from zermelo import solve
from zermelo.certificate import Certificate, Claim
from zermelo.check import check_certificate, prenex
from zermelo.check.boolean import QuantifiedFormula
from zermelo.check.circuit import Circuit as CheckersCircuit
from zermelo.check.instance import digest_of, instance_of
from zermelo.check.read import qcir, qdimacs
from zermelo.check.read.formulas import KINDS, copied, of_game
from zermelo.errors import InputError, LimitReachedError
from zermelo.qbf.circuit import Circuit, Kind
from zermelo.qbf.formula import Block, Formula
from zermelo.qbf.game import FormulaGame
from zermelo.qbf.qcir import parse_qcir, write_qcir
from zermelo.qbf.qdimacs import parse_qdimacs, write_qdimacs
from zermelo.solving.targets import game_from
from zermelo.source import Source


def read(text: str, format: str = "qcir") -> QuantifiedFormula:
    return {"qcir": qcir, "qdimacs": qdimacs}[format].read(Source(format, text, "f"))


def shown(formula: QuantifiedFormula) -> list[str]:
    """The blocks by name."""
    return [f"{b.quantifier} {' '.join(formula.names[v] for v in b.variables)}" for b in formula.blocks]


def truth(formula: QuantifiedFormula) -> bool:
    """By the definition, trying all values."""

    def wins(chosen: dict[int, bool]) -> bool:
        if len(chosen) == len(formula.order):
            return formula.holds(chosen)
        variable = formula.order[len(chosen)]
        answers = (wins(chosen | {variable: value}) for value in (False, True))
        return any(answers) if formula.owner[variable] == "exists" else all(answers)

    return wins({})


# Both readers


@pytest.mark.parametrize("format", ["qcir", "qdimacs"])
def test_the_two_readers_read_all_shared_files_alike(format: str) -> None:
    for path in shared_files(format):
        source = Source(format, path.read_text(encoding="utf-8"), path.name)
        assert read(source.text, format).canonical() == of_engines(game_of_source(source)).canonical(), path.name


def game_of_source(source: Source) -> FormulaGame:
    game = game_from(source)
    assert isinstance(game, FormulaGame)
    return game


@pytest.mark.parametrize("format", ["qcir", "qdimacs"])
def test_the_two_readers_agree_on_damaged_texts(format: str) -> None:
    for seed in range(600):
        readers.check(draw_of(format, Random(seed)))


@pytest.mark.parametrize("chunk", range(8))
def test_the_two_readers_agree_on_quantified_gates_in_any_order(chunk: int) -> None:
    copied = 0
    for seed in range(50 * chunk, 50 * chunk + 50):
        chance = Random(seed)
        formula = random_nested(chance, chance.randint(2, 8), chance.randint(5, 60))
        head, output, gates = write_qcir(formula).partition("output")
        first, *rest = gates.splitlines()
        chance.shuffle(rest)
        text = "\n".join([head + output + first, *rest])
        readers.check(Case("qcir", text))
        copied += "_2" in " ".join(shown(read(text)))
    assert copied > 5


@pytest.mark.parametrize("chunk", range(8))
def test_a_formula_made_in_python_is_copied_as_it_was_stated(chunk: int) -> None:
    for seed in range(50 * chunk, 50 * chunk + 50):
        game = FormulaGame(random_nested(Random(seed), 6, 20))
        assert instance_of(game) is not None
        assert of_game(game).canonical() == of_engines(game).canonical()


@pytest.mark.parametrize(
    "text",
    [
        "exists(x)\noutput(g)\ng = and(x,\N{NO-BREAK SPACE}x)",  # blanks of the format are spaces and tabs
        "exists(x)\noutput(g)\n\N{NO-BREAK SPACE}g = and(x, x)",
        "forall(\N{LINE SEPARATOR})\noutput(g)\ng = or()",
        "output(g)\ng = and(\N{LINE SEPARATOR})",
        "#QCIR-G14 \N{ARABIC-INDIC DIGIT THREE}\nexists(x)\noutput(x)",  # and digits are those of ASCII
    ],
)
def test_blanks_and_digits_of_other_scripts_are_none_in_qcir(text: str) -> None:
    for parse in (parse_qcir, read):
        with pytest.raises(InputError):
            parse(text)


@pytest.mark.parametrize(
    "text",
    [
        "p cnf 2 1\n1\N{NO-BREAK SPACE}2 0",
        "p\N{NO-BREAK SPACE}cnf 2 1\n1 2 0",
        "p cnf 1 1\ne 1 0\N{EM SPACE}\n1 0",
        "p cnf 1 1\n0000000001 0",  # ten digits
        "p cnf 1 1\ne 0000000001 0\n1 0",
    ],
)
def test_blanks_of_other_scripts_and_long_numbers_are_none_in_qdimacs(text: str) -> None:
    with pytest.raises(InputError):
        parse_qdimacs(text)
    with pytest.raises(InputError):
        read(text, "qdimacs")


# What is refused, and where

QCIR = {
    "exists(x)\noutput(y)": "f:2:1: unknown name 'y', expected a variable or a gate",
    "exists(x)\noutput(g)\ng = and(x, h)": "f:3:1: unknown name 'h', expected a variable or a gate",
    "": "f:1:1: there is no output, expected output(...)",
    "# a remark\n\n": "f:1:1: there is no output, expected output(...)",
    "\nexists(x)\n# a remark": "f:2:1: there is no output, expected output(...)",
    "output(g)\noutput(g)\ng = and()": "f:2:1: a second output, expected one",
    "output(g, g)\ng = and()": "f:1:1: found 'output(g, g)', expected output(LITERAL)",
    "exists(x)\nforall(x)\noutput(x)": "f:2:1: 'x' is bound or free already, expected each variable once",
    "output(g)\ng = and()\nexists(x)": "f:3:1: exists after a gate, expected all of the prefix before the gates",
    "exists(-x)\noutput(x)": "f:1:1: found 'exists(-x)', expected exists(VARIABLES?)",
    "exists(x; y)\noutput(x)": "f:1:1: found 'exists(x; y)', expected exists(VARIABLES?)",
    "and(x)\noutput(x)": "f:1:1: found 'and(x)', expected one of free(...), exists(...), forall(...)",
    "exists(x)\noutput(g)\ng = nand(x)": "f:3:1: found 'g = nand(x)', expected one of free(...)",
    "exists(x)\noutput(g)\ng = xor(x)": "f:3:1: found 'g = xor(x)', expected NAME = xor(LITERAL,LITERALS)",
    "exists(x)\noutput(g)\ng = ite(x, x)": "f:3:1: found 'g = ite(x, x)', expected NAME = ite(LITERAL,LITERAL,LITERAL)",
    "exists(x)\noutput(g)\ng = ite(x, x, x, x)": "f:3:1: found 'g = ite(x, x, x, x)', expected NAME = ite(LITERAL,",
    "exists(x)\noutput(g)\ng = exists(y; x, x)": "f:3:1: found 'g = exists(y; x, x)', expected NAME = exists(VAR",
    "exists(x)\noutput(g)\ng = and(x; x)": "f:3:1: found 'g = and(x; x)', expected NAME = and(LITERALS?)",
    "exists(x)\noutput(g)\ng = forall(x)": "f:3:1: found 'g = forall(x)', expected NAME = forall(VARIABLES?;LITERAL)",
    "exists(x)\noutput(g)\ng = forall(-x; x)": "f:3:1: found 'g = forall(-x; x)', expected NAME = forall(VARIABLES?;",
    "exists(x)\noutput(g)\ng = and(x)\ng = or(x)": "f:4:1: 'g' is there already, expected a new name",
    "exists(x)\noutput(x)\nx = and()": "f:3:1: 'x' is there already, expected a new name",
    "exists(x)\noutput(g)\ny = and(x)\ng = exists(y; x)": "f:4:1: 'y' is a gate, expected a variable",
    "output(g)\ng = and(h)\nh = or(g)": "f:2:1: gate 'g' depends on itself, expected no cycle",
    "output(g)\ng = and()\nh = or(h)": "f:3:1: gate 'h' depends on itself, expected no cycle",
    "output(g)\ng = and(h, y)\nh = exists(y; y)": "f:1:1: 'y' is used where nothing binds it, expected it in",
    "exists(x)\noutput(x) or": "f:2:1: found 'output(x) or', expected one of free(...)",
    "exists(x)\noutput(g)\ng = and(x,)": "f:3:1: found 'g = and(x,)', expected NAME = and(LITERALS?)",
    "exists(x)\noutput(g)\ng = and(--x)": "f:3:1: found 'g = and(--x)', expected NAME = and(LITERALS?)",
    "#QCIR-G14 many\nexists(x)\noutput(x)": "f:1:1: found 'many', expected a number after QCIR-G14, or nothing",
    "exists(x)\noutput(x)\x07": "f:2:10: control character '\\x07', expected a text file",
}


@pytest.mark.parametrize("text", QCIR)
def test_a_text_that_is_no_qcir_is_refused_by_both_readers(text: str) -> None:
    with pytest.raises(InputError) as refused:
        read(text)
    assert str(refused.value).startswith(QCIR[text])
    with pytest.raises(InputError):
        parse_qcir(text)


QDIMACS = {
    "": "f:1:1: there is no header, expected p cnf VARIABLES CLAUSES",
    "1 0": "f:1:1: found '1 0', expected p cnf VARIABLES CLAUSES",
    "p cnf 1": "f:1:1: found 'p cnf 1', expected p cnf VARIABLES CLAUSES",
    "p cnf -1 0": "f:1:1: found 'p cnf -1 0', expected p cnf VARIABLES CLAUSES",
    "p cnf 1 -0": "f:1:1: found 'p cnf 1 -0', expected p cnf VARIABLES CLAUSES",
    "p cnf 1 x": "f:1:1: found 'p cnf 1 x', expected p cnf VARIABLES CLAUSES",
    "p cnf 1 1\n2 0": "f:2:1: found 2, expected a number from -1 to 1",
    "p cnf 1 1\ne 2 0\n1 0": "f:2:3: found 2, expected a number from 0 to 1",
    "p cnf 1 1\ne 1 1 0\n1 0": "f:2:5: found 1, expected a variable that is not bound yet",
    "p cnf 1 1\ne 1 0\na 1 0\n1 0": "f:3:3: found 1, expected a variable that is not bound yet",
    "p cnf 1 1\ne 1\n1 0": "f:2:3: the block has no end, expected 0",
    "p cnf 1 1\ne\n1 0": "f:2:1: the block has no end, expected 0",
    "p cnf 2 1\ne 1 0 2 0\n1 0": "f:2:5: found 0, expected a variable that is not bound yet",
    "p cnf 2 1\ne -1 0\n1 0": "f:2:3: found -1, expected a number from 0 to 2",
    "p cnf 1 1\n1": "f:2:1: the last clause has no end, expected 0",
    "p cnf 2 1\n1\n-2 1": "f:3:4: the last clause has no end, expected 0",
    "p cnf 1 2\n1 0": "f:1:9: 1 clause is stated, expected 2",
    "p cnf 1 1\n1 0 1 0": "f:1:9: 2 clauses are stated, expected 1",
    "p cnf 1 1\n1 0\ne 1 0": "f:3:1: found 'e', expected a whole number of at most nine digits",
}


@pytest.mark.parametrize("text", QDIMACS)
def test_a_text_that_is_no_qdimacs_is_refused_by_both_readers(text: str) -> None:
    with pytest.raises(InputError) as refused:
        read(text, "qdimacs")
    assert str(refused.value) == QDIMACS[text]
    with pytest.raises(InputError):
        parse_qdimacs(text)


@pytest.mark.parametrize(
    ("format", "text", "looks"),
    [
        ("qcir", "exists(x)\noutput(g)\ng = and(h, x)\nh = or(x)", 4 + 4),  # g, h, g, and h once more
        ("qdimacs", "p cnf 2 2\ne 1 0\n1 0\n2 0", 4 + 2 + 2),
    ],
)
def test_the_clock_is_looked_at_for_each_line_and_gate(
    format: str, text: str, looks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[int] = []
    monkeypatch.setattr({"qcir": qcir, "qdimacs": qdimacs}[format], "reading_watch", lambda: lambda: seen.append(1))
    read(text, format)
    assert len(seen) == looks


# What is read


def test_free_variables_are_chosen_first_by_exists() -> None:
    assert shown(read("free(a)\nforall(x)\nexists(y)\noutput(g)\ng = and(a, x, y)")) == [
        "exists a",
        "forall x",
        "exists y",
    ]
    assert shown(read("p cnf 3 1\na 2 0\n3 -2 1 0", "qdimacs")) == ["exists 1 3", "forall 2"]


def test_keywords_have_any_case_and_names_have_theirs() -> None:
    text = "# QCIR-g14 7\nEXISTS(x, X)\n  Output( - G )  # and so on\nG = And(x,-X)\n"
    assert read(text).canonical() == read("exists(x, X)\noutput(-g)\ng = and(x, -X)").canonical()


@pytest.mark.parametrize("chunk", range(7))
def test_the_truth_of_nested_formulas_stays_when_their_quantifiers_move_out(chunk: int) -> None:
    compared = 0
    for seed in range(100 * chunk, 100 * chunk + 100):
        stated = random_nested(Random(seed))
        formula = of_game(FormulaGame(stated))
        if len(formula.order) <= 9:
            assert truth(formula) == value_of(stated), seed
            compared += 1
    assert compared > 50


def test_many_variables_are_nested_without_many_copies() -> None:
    count = 3000
    gates = [f"g{i} = {('exists', 'forall')[i % 2]}(x{i}; h{i})\nh{i} = ite(x{i}, g{i + 1}, y)" for i in range(count)]
    formula = read("\n".join(["exists(y)", "output(g0)", *gates, f"g{count} = and(y)"]))
    assert len(formula.circuit.kinds) < 5 * count


def test_equivalences_of_quantified_gates_stop_at_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prenex, "MOST_GATES", 10_000)
    gates = [f"g{i} = exists(x{i}; h{i})\nh{i} = xor(g{i + 1}, x{i}, x{i // 2})" for i in range(40)]
    with pytest.raises(LimitReachedError, match="more than 10,000 gates"):
        read("\n".join(["exists(y)", "output(g0)", *gates, "g40 = xor(x20, x39)"]))


def test_a_chain_of_gates_written_from_its_end_is_no_matter_of_depth() -> None:
    count = 5000
    chain = [f"g{i} = xor(g{i + 1}, x)" for i in range(count)]
    formula = read("\n".join(["exists(x)", "output(g0)", *chain, f"g{count} = and(x)"]))
    assert shown(formula) == ["exists x"]


# Digests, and games to play


def test_the_digest_is_of_the_formula_and_not_of_its_text() -> None:
    one = game_from(Source("qcir", "exists(x)\nforall(y)\noutput(g)\ng = or(x, y)", "a"))
    same = game_from(Source("qcir", "# a remark\nexists(x)\nforall(y)\ng7 = or(y, x)\n\noutput(g7)", "b"))
    assert digest_of(one) == digest_of(same)
    for text in (
        "exists(x)\nforall(y)\noutput(-g)\ng = or(x, y)",
        "exists(x)\nforall(y)\noutput(g)\ng = and(x, y)",
        "exists(x)\nforall(y)\noutput(g)\ng = or(x, -y)",
        "exists(x, y)\noutput(g)\ng = or(x, y)",
        "forall(x)\nexists(y)\noutput(g)\ng = or(x, y)",
        "exists(x)\nforall(z)\noutput(g)\ng = or(x, z)",
        "exists(x)\nforall(y)\nexists(z)\noutput(g)\ng = or(x, y)",
    ):
        assert digest_of(game_from(Source("qcir", text, "c"))) != digest_of(one)


def test_a_formula_that_is_partly_played_is_another_game() -> None:
    formula = random_formula(Random(3), 6, 8)
    games = [FormulaGame(formula, given) for given in (b"", b"\x00", b"\x01")]
    assert len({digest_of(game) for game in games}) == 3


def test_two_variables_of_one_name_are_refused() -> None:
    circuit = Circuit()
    x, y = circuit.variable(), circuit.variable()
    game = FormulaGame(Formula(circuit, (Block("exists", (1, 2)),), circuit.conjunction([x, y]), {1: "x", 2: "y"}))
    game.written = Formula(circuit, game.written.prefix, game.written.output, {1: "x", 2: "x"})
    with pytest.raises(InputError, match="called the same"):
        of_game(game)


def test_what_is_played_is_what_the_engines_play() -> None:
    """Equal keys, texts of moves, turns and ends, along random lines."""
    for seed in range(60):
        chance = Random(seed)
        game = FormulaGame(random_nested(chance) if seed % 2 else random_formula(chance))
        own = of_game(game).game()
        theirs, ours = game.start(), own.start()
        while game.result(theirs) is None:
            assert (game.key(theirs), game.turn(theirs)) == (own.key(ours), own.turn(ours))
            texts = [game.move_text(move) for move in game.moves(theirs)]
            assert texts == [own.move_text(move) for move in own.moves(ours)]
            text = chance.choice(texts)
            theirs = game.play(theirs, game.parse_move(theirs, text))
            ours = own.play(ours, own.parse_move(ours, text))
        assert game.result(theirs) == own.result(ours)


def test_tables_of_search_engines_are_checked_by_the_checkers_own_rules() -> None:
    game = game_from(Source("qcir", write_qcir(random_formula(Random(8), 6, 9)), "f"))
    solution = solve(game, "alphabeta")
    assert solution.verified and solution.certificate is not None
    game.result = lambda position: (1, -1) if len(position) == len(game.order) else None  # type: ignore[method-assign, attr-defined]
    (claim,) = solution.certificate.claims
    lie = Claim("exists" if claim.role == "forall" else "forall", 1, claim.table)
    assert check_certificate(game, Certificate("", (claim,))).accepted
    assert not check_certificate(game, Certificate("", (lie,))).accepted


def test_functions_are_checked_against_the_text_and_not_against_what_engines_made_of_it() -> None:
    """The engines take "or" for "and" here: what they would win is not won."""
    right = Source("qcir", "exists(x)\nforall(y)\noutput(g)\ng = and(x, y)", "f")
    misread = FormulaGame(parse_qcir(right.text.replace("and(", "or(")))
    misread.source = right
    claim = Claim("exists", 1, rule="functions", data={"aag": "aag 0 0 0 1 0\n1\no0 x\n"})
    assert check_certificate(FormulaGame(misread.formula), Certificate("", (claim,))).accepted
    for game in (game_of_source(right), misread):
        assert check_certificate(game, Certificate("", (claim,))).status == "refuted"


def test_reading_and_checking_formulas_loads_nothing_of_the_engines() -> None:
    """Neither their readers nor their normal form, no library, nothing native."""
    text = (Path(__file__).parents[2] / "examples" / "answers.qcir").read_text(encoding="utf-8")
    program = (
        "import sys\n"
        "import zermelo.check.rules\n"
        "from zermelo.check.formula import check_functions\n"
        "from zermelo.check.read import qcir, qdimacs\n"
        "from zermelo.certificate import Claim\n"
        "from zermelo.limits import Limits\n"
        "from zermelo.source import Source\n"
        f"source = Source('qcir', {text!r}, 'f')\n"
        "game = qcir.read(source).game()\n"
        "game.source = source\n"
        "data = {'aag': 'aag 2 2 0 3 0\\n2\\n4\\n1\\n3\\n5\\ni0 a\\ni1 c\\no0 start\\no1 b\\no2 d\\n'}\n"
        "claim = Claim('exists', 1, rule='functions', data=data)\n"
        "verdict = check_functions(game, claim, Limits())\n"
        "assert verdict.accepted, verdict\n"
        "engines = ('zermelo.qbf', 'zermelo.qip', 'zermelo.search', 'zermelo._native')\n"
        "engines += ('numpy', 'pysat', 'pysolvers', 'nanobind')\n"
        "print([name for name in sys.modules if name.startswith(engines)])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_random_clauses_are_read_alike_however_their_lines_are_broken() -> None:
    for seed in range(100):
        chance = Random(seed)
        text = write_qdimacs(random_clauses(chance))
        head, *clauses = [line for line in text.splitlines() if line[0] not in "ea"]
        blocks = [line for line in text.splitlines() if line[0] in "ea"]
        words = " ".join(clauses).split()
        broken = "".join(word + chance.choice((" ", "\n", "\r\n", "\t")) for word in words)
        again = "\n".join([head, *blocks, broken])
        assert read(text, "qdimacs").canonical() == read(again, "qdimacs").canonical()
        readers.check(Case("qdimacs", again))


def test_quantified_gates_that_are_one_gate_have_one_copy() -> None:
    """What simplification joins or removes has no variables of its own, by one list of rules on both sides."""
    once = "exists(a)\noutput(g)\np = forall(x; u)\nq = forall(x; v)\nu = or(a, x)\nv = or(x, a, x)\ng = and(p, q)"
    assert shown(read(once)) == ["exists a", "forall x"]
    gone = "exists(a)\noutput(g)\np = forall(x; u)\nu = or(x, -x)\ng = and(p, a)"
    assert shown(read(gone)) == ["exists a"]
    twice = "exists(a)\noutput(g)\np = forall(x; u)\nq = forall(x; v)\nu = or(a, x)\nv = or(-a, x)\ng = and(p, q)"
    assert shown(read(twice)) == ["exists a", "forall x x_2"]
    for text in (once, gone, twice):
        readers.check(Case("qcir", text))


def test_loose_variables_of_a_formula_made_in_python_count_as_free() -> None:
    circuit = Circuit()
    x, y = circuit.variable(), circuit.variable()
    bound = circuit.quantified(Kind.FORALL, [x], circuit.disjunction([x, y]))
    game = FormulaGame(Formula(circuit, (), circuit.conjunction([bound, x]), {1: "x", 2: "y"}))
    assert shown(of_game(game)) == ["exists x y", "forall x_2"]


def test_the_last_binding_of_a_variable_holds_in_a_formula_made_in_python() -> None:
    circuit = Circuit()
    x, y, z = (circuit.variable() for _ in range(3))
    prefix = (Block("exists", (1, 2)), Block("forall", (3, 2)), Block("exists", (1, 1)))
    game = FormulaGame(Formula(circuit, prefix, circuit.conjunction([x, y, z]), {1: "x", 2: "y", 3: "z"}))
    assert shown(of_game(game)) == ["forall z y", "exists x"]
    assert of_game(game).canonical() == of_engines(game).canonical()


def test_what_is_negated_twice_on_the_way_is_copied_as_it_is() -> None:
    kind = [KINDS.index(name) for name in ("false", "variable", "variable", "xor", "and")]
    inputs = [(), (), (), (2, 5), (7, 2)]  # a, b, a xor not b, not that and a
    for output in (6, 7, 8, 9):
        stated: Any = SimpleNamespace(
            circuit=SimpleNamespace(kind=kind, inputs=inputs), names={}, free=(1, 2), prefix=(), output=output
        )
        found = copied(stated, b"")
        a, b = (literal for block in found.blocks for literal in block.variables)
        plain = CheckersCircuit()
        assert [plain.variable() >> 1 for _ in range(2)] == [a, b]
        same = plain.gate("xor", (2 * a, 2 * b))
        whole = plain.gate("and", (same, 2 * a))
        assert found.output == {7: same, 6: same ^ 1, 8: whole, 9: whole ^ 1}[output]
        assert found.circuit.inputs == plain.inputs


def test_a_gate_that_is_a_negated_variable_may_be_negated_again() -> None:
    text = "#QCIR-G14\nexists(x)\noutput(h)\ng = and(-x)\nh = and(-g, x)\n"
    (x,) = (formula := read(text)).order
    assert [formula.holds({x: value}) for value in (False, True)] == [False, True]
