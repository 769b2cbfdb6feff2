"""Formulas are read and written without change, and every mistake is told with its place."""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.qbf.definition import random_nested, value_of
from tests.qbf.randomformulas import random_clauses, random_formula
from zermelo.errors import InputError
from zermelo.qbf.circuit import FALSE, TRUE, Circuit, Kind, cone
from zermelo.qbf.formula import Block, Formula, truth
from zermelo.qbf.normal import normalized
from zermelo.qbf.qcir import parse_qcir, write_qcir
from zermelo.qbf.qdimacs import parse_qdimacs, write_qdimacs
from zermelo.qbf.reading import parse_formula, read_formula
from zermelo.source import formula_format_of

CORPUS = Path(os.environ.get("ZERMELO_CORPUS", "no-corpus")) / "qbf"

EXAMPLE = """\
exists(x1,x2)
forall(y1,y2)
output(g1)
g2=xor(x1,x2)
u1=and(y1,y2)
u2=and(-y1,-y2)
u3=and(y1,-x1)
u4=and(y2,-x1)
g3=or(u1,u2,u3,u4)
g1=and(g2,g3)
"""
"""The formula that the thesis on geography shows in section 2.11."""


def shape(formula: Formula) -> object:
    """All that makes a formula what it is, in terms of names."""
    circuit = formula.circuit
    gates = [
        (circuit.kind[node], circuit.inputs[node], formula.names.get(node)) for node in cone(circuit, [formula.output])
    ]
    prefix = [(b.quantifier, [formula.name(v) for v in b.variables]) for b in formula.prefix]
    return gates, prefix, formula.output, [formula.name(v) for v in formula.free]


def test_the_example_of_seed_2_is_true_with_x1_false_and_x2_true() -> None:
    formula = parse_qcir(EXAMPLE)
    assert truth(formula)
    x1, x2 = formula.prefix[0].variables
    for one, two in ((0, 0), (1, 0), (1, 1), (0, 1)):
        forced = formula.circuit.conjunction([formula.output, 2 * x1 ^ (1 - one), 2 * x2 ^ (1 - two)])
        assert truth(Formula(formula.circuit, formula.prefix, forced)) == ((one, two) == (0, 1))


def test_the_example_of_seed_2_is_written_in_our_own_layout() -> None:
    assert write_qcir(parse_qcir(EXAMPLE)).splitlines() == [
        "#QCIR-G14",
        "exists(x1, x2)",
        "forall(y1, y2)",
        "output(g7)",
        "g1 = xor(x1, x2)",
        "g2 = and(y1, y2)",
        "g3 = and(-y1, -y2)",
        "g4 = and(-x1, y1)",
        "g5 = and(-x1, y2)",
        "g6 = or(g2, g3, g4, g5)",
        "g7 = and(g1, g6)",
    ]


@given(st.integers(0, 2**32), st.booleans())
def test_writing_qcir_is_a_fixpoint_and_reading_undoes_it(seed: int, nested: bool) -> None:
    formula = random_nested(Random(seed)) if nested else random_formula(Random(seed))
    text = write_qcir(formula)
    again = parse_qcir(text)
    assert write_qcir(again) == text
    assert shape(parse_qcir(write_qcir(again))) == shape(again)
    assert value_of(again) == value_of(formula)


@given(st.integers(0, 2**32), st.booleans())
def test_writing_qdimacs_is_a_fixpoint_and_reading_undoes_it(seed: int, clauses: bool) -> None:
    formula = random_clauses(Random(seed), 6, 9) if clauses else random_formula(Random(seed), 4, 5)
    text = write_qdimacs(formula)
    again = parse_qdimacs(text)
    assert write_qdimacs(again) == text
    assert shape(parse_qdimacs(write_qdimacs(again))) == shape(again)
    assert truth(again) == truth(formula)


@given(st.integers(0, 2**32))
def test_numeric_qcir_has_numbers_for_names_and_only_and_and_or(seed: int) -> None:
    formula = random_nested(Random(seed), 3, 5)
    text = write_qcir(formula, numeric=True)
    assert "xor" not in text and "ite" not in text and ";" not in text and "free" not in text
    again = parse_qcir(text)
    assert all(name.isdecimal() for name in again.names.values())
    assert text.startswith(f"#QCIR-G14 {len(again.names) + text.count('=')}\n")
    if len(again.names) <= 10:
        assert truth(again) == value_of(formula)


def test_header_case_blanks_comments_and_line_ends_do_not_matter() -> None:
    text = (
        "#QCIR-G14 12\r\n\r\n  Exists ( x1 ,x2 )\r\n# more\r\nFORALL(y)\r\nOutput( - g )\r\n g=XOR( x1,- y ) # end\r\n"
    )
    plain = "exists(x1,x2)\nforall(y)\noutput(-g)\ng=xor(x1,-y)"
    assert write_qcir(parse_qcir(text)) == write_qcir(parse_qcir("\ufeff" + plain)) == write_qcir(parse_qcir(plain))


def test_gates_have_any_number_of_inputs() -> None:
    assert parse_qcir("output(g)\ng=and()").output == TRUE
    assert parse_qcir("output(g)\ng = or( )").output == FALSE
    assert parse_qcir("exists(x)\noutput(g)\ng=or(-x)").output == 3
    odd = parse_qcir("exists(x,y,z)\noutput(g)\ng=xor(x,y,z)")
    both = parse_qcir("exists(x,y,z)\noutput(g)\nh=xor(x,y)\ng=xor(h,z)")
    assert write_qcir(odd) == write_qcir(both)


def test_constants_and_variables_can_be_the_output() -> None:
    for text in ("#QCIR-G14\noutput(g1)\ng1 = and()\n", "#QCIR-G14\noutput(g1)\ng1 = or()\n"):
        assert write_qcir(parse_qcir(text)) == text
    assert write_qcir(parse_qcir("forall(a)\noutput(-a)")) == "#QCIR-G14\nforall(a)\noutput(-a)\n"
    assert write_qdimacs(parse_qdimacs("p cnf 0 0")) == "p cnf 0 0\n"
    assert write_qdimacs(parse_qdimacs("p cnf 1 2\n0\n1 0")) == "p cnf 1 1\ne 1 0\n0\n"


def test_gates_may_come_in_any_order() -> None:
    lines = EXAMPLE.splitlines()
    backwards = "\n".join(lines[:3] + lines[:2:-1])
    assert truth(parse_qcir(backwards))
    assert truth(parse_qcir("\n".join(lines[:2] + lines[3:] + lines[2:3])))


def test_an_inner_binding_holds_where_a_variable_is_bound_twice() -> None:
    # exists x: x and (exists x: not x): the second x is another one.
    formula = parse_qcir("exists(x)\noutput(g)\nh = exists(x; -x)\ng = and(x, h)")
    assert value_of(formula)
    normal = normalized(formula)
    assert [normal.name(v) for b in normal.prefix for v in b.variables] == ["x", "x_2"]
    # A gate means what its variables mean where it is used: once the x of the prefix, once that of h.
    shared = parse_qcir("forall(x)\nexists(y)\noutput(g)\ns = xor(x, y)\nh = exists(x; s)\ng = and(s, h)")
    assert value_of(shared) and truth(normalized(shared))


def test_gate_names_avoid_the_names_of_variables() -> None:
    text = "exists(g1, g_7)\noutput(a)\na = and(g1, g_7)"
    assert write_qcir(parse_qcir(text)).endswith("output(g__1)\ng__1 = and(g1, g_7)\n")


def test_names_that_the_format_does_not_have_are_changed() -> None:
    circuit = Circuit()
    x, y = circuit.variable(), circuit.variable()
    formula = Formula(circuit, (Block("exists", (1, 2)),), circuit.conjunction([x, y]), {1: "at(1)", 2: "at_1_"})
    assert write_qcir(formula).splitlines()[1] == "exists(at_1_, at_1__2)"


def test_free_variables_are_kept_and_chosen_first_by_exists() -> None:
    formula = parse_qcir("free(z)\nforall(x)\noutput(g)\ng = or(x, z)")
    assert formula.free and truth(formula) and "free(z)" in write_qcir(formula)
    assert normalized(formula).prefix[0].quantifier == "exists"
    clauses = parse_qdimacs("c free: 3\np cnf 4 1\na 1 0\n1 3 0\n")
    assert [clauses.name(v) for v in clauses.free] == ["3"]
    assert write_qdimacs(clauses) == "p cnf 3 1\na 1 0\n3 1 0\n"


def test_clauses_may_be_spread_over_lines() -> None:
    one = parse_qdimacs("p cnf 3 2\ne 1 2 3 0\n1 -2 0 2\nc within\n3 0")
    assert write_qdimacs(one) == "p cnf 3 2\ne 1 2 3 0\n1 -2 0\n2 3 0\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "f:1:1: there is no output, expected output(...)"),
        ("exists(x)\n\ng=and(x)\n\n", "f:3:1: there is no output, expected output(...)"),
        ("exists(x", "f:1:9: found the end of the line, expected ')'"),
        ("exists x)", "f:1:8: found 'x', expected '=' or '('"),
        ("exists((x))", "f:1:8: found '(', expected ')'"),
        ("exists(x))", "f:1:10: found ')', expected the end of the line"),
        ("(x)", "f:1:1: found '(', expected free, exists, forall, output or a gate's name"),
        ("exists(x)\noutput(g)\ng = = and(x)", "f:3:3: found '=', expected the kind of the gate: and, or, xor, ite, "
                                                "exists or forall"),
        ("exists(x)\noutput(x) output(x)", "f:2:11: found 'o', expected the end of the line"),
        ("exists(x y)", "f:1:10: found 'y', expected ',' or ')'"),
        ("exists(-x)", "f:1:8: found '-', expected a variable (letters, digits and _)"),
        ("exists(x,)", "f:1:10: found nothing, expected a variable (letters, digits and _)"),
        ("exists(x)\nforall(y, x)", "f:2:11: 'x' is bound or free already, expected each variable once"),
        ("exists(é)", "f:1:8: found 'é', expected a variable (letters, digits and _)"),
        ("exists(x; x)", "f:1:9: found ';', expected ',' or ')'; a quantified gate has a name: g = ..."),
        ("output(x)", "f:1:8: unknown name 'x', expected a bound variable or a gate"),
        ("exists(x)\noutput()", "f:2:8: output takes one literal, expected output(LITERAL)"),
        ("exists(x)\noutput(x, x)", "f:2:8: output takes one literal, expected output(LITERAL)"),
        ("exists(x)\noutput(x)\noutput(x)", "f:3:1: a second output, expected one: line 2 has it"),
        ("exists(x)\noutput(g)\ng = and(x,, x)", "f:3:11: found nothing, expected a literal (letters, digits and _)"),
        ("exists(x)\noutput(g)\ng = and(x, --x)", "f:3:12: found '-', expected a literal (letters, digits and _)"),
        ("exists(x)\noutput(g)\ng = and(x, y)", "f:3:12: unknown name 'y', expected a bound variable or a gate"),
        ("exists(x)\noutput(g)\ng = nand(x)", "f:3:5: unknown kind of gate 'nand', expected and, or, xor, ite, exists "
                                              "or forall"),
        ("exists(x)\noutput(g)\nnand(x)", "f:3:1: found 'nand', expected free, exists, forall, output or GATE = ..."),
        ("exists(x)\noutput(g)\nand(x)", "f:3:1: found 'and', expected GATE = and(...)"),
        ("exists(x)\noutput(g)\ng = xor(x)", "f:3:5: xor with 1 input, expected at least 2"),
        ("exists(x)\noutput(g)\ng = ite(x, x)", "f:3:5: ite with 2 inputs, expected 3: condition, then, else"),
        ("exists(x)\noutput(g)\ng = exists(x)", "f:3:5: exists with 1 input, expected variables; a literal"),
        ("exists(x)\noutput(g)\ng = exists(x; x, x)", "f:3:14: 2 literals after ';', expected 1"),
        ("exists(x)\noutput(g)\ng = and(x; x)", "f:3:10: found ';', expected ',' or ')'"),
        ("exists(x)\noutput(g)\ng = and(x)\n\ng = or(x)", "f:5:1: gate 'g' is defined already in line 3, expected a "
                                                          "new name"),
        ("exists(x)\noutput(g)\nx = and()", "f:3:1: 'x' is a variable, expected a new name for the gate"),
        ("exists(x)\noutput(g)\ng = and(x)\nforall(y)", "f:4:1: forall after a gate, expected all of the prefix "
                                                        "before the gates"),
        ("exists(x)\noutput(g)\ng = and(g)", "f:3:1: gate 'g' depends on itself (g -> g), expected no cycle"),
        ("exists(x)\noutput(g)\ng = and(x, h)\nh = or(k, x)\nk = xor(g, x)",
         "f:3:1: gate 'g' depends on itself (g -> h -> k -> g), expected no cycle"),
        ("output(g)\nh = exists(x; x)\ng = or(h, -x)", "f:3:12: 'x' is used where nothing binds it, expected it in the "
                                                       "prefix, in free(...) or inside of a gate that binds it"),
        ("#QCIR-G14 many\noutput(g)", "f:1:11: found 'many', expected the number of variables and gates or nothing"),
        ("exists(x)\n\x00", "f:2:1: control character '\\x00', expected a text file"),
    ],
)  # fmt: skip
def test_mistakes_in_qcir_are_told_with_their_place(text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        parse_qcir(text, "f")
    assert str(error.value) == message.replace("\\\\", "\\")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "f:1:1: there is no header, expected p cnf VARIABLES CLAUSES"),
        ("1 2 0", "f:1:1: found '1', expected the header p cnf VARIABLES CLAUSES"),
        ("c x\np dnf 1 1", "f:2:1: found 'p dnf 1 1', expected the header p cnf VARIABLES CLAUSES"),
        ("p cnf 1", "f:1:1: found 'p cnf 1', expected the header p cnf VARIABLES CLAUSES"),
        ("p cnf -1 1", "f:1:7: found '-1', expected the number of variables"),
        ("p cnf 1 x", "f:1:9: found 'x', expected the number of clauses"),
        ("p cnf 2 1\ne 1 3 0", "f:2:5: variable 3, expected at most 2 as the header says"),
        ("p cnf 2 1\ne 1 1 0", "f:2:5: variable 1 is bound already, expected each once"),
        ("p cnf 2 1\ne 1 -2 0", "f:2:5: found -2, expected a variable: a number from 1 on"),
        ("p cnf 2 1\ne 1 2", "f:2:5: the line does not end in 0, expected the variables of a block and 0"),
        ("p cnf 2 1\ne", "f:2:1: the line does not end in 0, expected the variables of a block and 0"),
        ("p cnf 2 1\ne 1 x 0", "f:2:5: found 'x', expected a variable or 0"),
        ("p cnf 2 1\n1 +2 0", "f:2:3: found '+2', expected a literal or 0"),
        ("p cnf 2 1\n1 ² 0", "f:2:3: found '²', expected a literal or 0"),
        ("p cnf 2 1\n1 1_0 0", "f:2:3: found '1_0', expected a literal or 0"),
        ("p cnf 2 1\n1 2 0\ne 1 0", "f:3:1: found 'e', expected a literal or 0; the prefix comes before the clauses, "
                                    "the header before the prefix"),
        ("p cnf 2 1\n1 -3 0", "f:2:3: variable 3, expected at most 2 as the header says"),
        ("p cnf 2 1\n1 2 0\n1 0", "f:3:3: more clauses than announced, expected 1 as the header says"),
        ("p cnf 2 2\n1 2 0\n\n", "f:2:1: 1 clause, expected 2 as the header says"),
        ("p cnf 2 1\n1 2", "f:2:3: the last clause is not closed, expected 0"),
        ("p cnf 2 1\n1 2 0 2", "f:2:7: the last clause is not closed, expected 0"),
    ],
)  # fmt: skip
def test_mistakes_in_qdimacs_are_told_with_their_place(text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        parse_qdimacs(text, "f")
    assert str(error.value) == message


def test_files_that_are_no_text_are_refused_in_one_line(tmp_path: Path) -> None:
    for data, message in ((b"exists(x)\nou\xff", ":2:3: the byte 0xff, which is not UTF-8"), (b"\x00\xff", ": ")):
        path = tmp_path / "f.qcir"
        path.write_bytes(data)
        with pytest.raises(InputError, match="expected text in UTF-8") as error:
            read_formula(path)
        assert message.split(":")[-1].strip() in str(error.value) and "\n" not in str(error.value)
    with pytest.raises(InputError, match="a directory, expected a file with a formula"):
        read_formula(tmp_path)


def test_the_ending_of_a_name_or_else_the_text_tells_the_format(tmp_path: Path) -> None:
    for name, text in (("a.qcir", "exists(x)\noutput(x)"), ("b.QDIMACS", "p cnf 1 1\ne 1 0\n1 0")):
        (tmp_path / name).write_text(text, encoding="utf-8")
        assert truth(read_formula(tmp_path / name))
        assert truth(parse_formula(text))
    assert truth(parse_formula("c remark\n\np cnf 1 1\n1 0"))


def test_numbers_are_the_names_or_the_places_in_the_prefix() -> None:
    formula = parse_qdimacs("p cnf 3 1\ne 3 1 0\na 2 0\n3 -2 0")
    assert write_qdimacs(formula) == "p cnf 3 1\ne 3 1 0\na 2 0\n3 -2 0\n"
    assert write_qdimacs(parse_qcir(write_qcir(formula).replace("3", "x"))).splitlines()[1] == "e 1 2 0"


def test_what_looks_like_no_formula_is_told_from_one() -> None:
    assert formula_format_of("\n" * 10_000 + "3\n0 1") is None
    assert formula_format_of("c\nc p\n\n  p  cnf 1 1") == "qdimacs"
    assert formula_format_of("# remark\n#qcir-g14\n") == formula_format_of("\ufeff Output(x)") == "qcir"
    assert formula_format_of("c d\nd e") is formula_format_of("a b\np cnf") is formula_format_of("") is None


def test_long_lines_and_rows_of_blanks_take_no_undue_time() -> None:
    blanks = " " * 200_000
    with pytest.raises(InputError):
        parse_qcir(f"exists(x)\noutput(g)\ng = and({blanks},{blanks}x)")
    with pytest.raises(InputError):
        parse_qcir(f"#QCIR-G14{blanks}x{blanks}y\n{'a' * 200_000}{blanks}")
    names = [f"x{number}" for number in range(50_000)]
    formula = parse_qcir(f"exists({','.join(names)})\noutput(g)\ng={blanks}and({','.join(names)}{blanks})")
    assert len(formula.circuit.inputs[formula.output >> 1]) == 50_000
    assert parse_formula("\n " * 50_000 + "c \n" * 10_000 + "p cnf 1 1\n1 0").free


@pytest.mark.parametrize(("count", "backwards"), [(100_000, False), (20_000, True)])
def test_a_long_chain_of_gates_is_read_and_written(count: int, backwards: bool) -> None:
    gates = [f"g{i} = {('and', 'or', 'xor')[i % 3]}(g{i - 1}, {'-' * (i % 2)}x{i % 5})" for i in range(1, count)]
    prefix = "exists(x0, x1, x2)\nforall(x3, x4)\n"
    lines = ["g0 = and(x0)", *gates]
    text = prefix + f"output(g{count - 1})\n" + "\n".join(lines[::-1] if backwards else lines)
    formula = parse_qcir(text)
    again = write_qcir(formula)
    assert write_qcir(parse_qcir(again)) == again
    assert again.count("\n") > count // 2


def test_ten_thousand_blocks_and_as_many_nested_gates_are_read_and_normalized() -> None:
    count = 10_000
    blocks = [f"{('exists', 'forall')[i % 2]}(x{i})" for i in range(count)]
    formula = parse_qcir("\n".join([*blocks, "output(g)", f"g = or({', '.join(f'x{i}' for i in range(count))})"]))
    assert len(normalized(formula).prefix) == count
    assert len(parse_qdimacs(write_qdimacs(formula)).prefix) == count
    gates = [f"g{i} = {('exists', 'forall')[i % 2]}(x{i}; h{i})\nh{i} = or(g{i + 1}, -x{i}{f', x{i // 2}' * (i > 0)})"
             for i in range(count)]  # fmt: skip
    nested = parse_qcir("\n".join(["output(g0)", *gates, f"g{count} = or()"]))
    assert len(normalized(nested).prefix) == count


@pytest.mark.skipif(not CORPUS.is_dir(), reason="ZERMELO_CORPUS is not set")
def test_public_instances_are_read_and_written_without_change() -> None:
    paths = sorted(CORPUS.glob("*.qcir"))
    assert paths
    for path in paths:
        formula = read_formula(path)
        text = write_qcir(formula)
        again = parse_qcir(text)
        assert write_qcir(again) == text and shape(parse_qcir(write_qcir(again))) == shape(again)
        assert not formula.free and normalized(formula).is_normal
        clauses = write_qdimacs(formula)
        assert write_qdimacs(parse_qdimacs(clauses)) == clauses
        assert Kind.EXISTS not in formula.circuit.kind
