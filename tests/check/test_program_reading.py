"""The checker's own reading of programs: the same as that of the engines, from code that shares nothing with it."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from tests.fuzz import readers
from tests.qbf.definition import random_nested
from tests.qbf.randomformulas import random_clauses, random_formula
from tests.qip.randomprograms import random_program

from zermelo.check.clausal import program_of
from zermelo.check.instance import digest_of, instance_of
from zermelo.check.quantified import QuantifiedProgram
from zermelo.check.read import qlp
from zermelo.check.read.models import copy_of, of_game
from zermelo.errors import InputError
from zermelo.qbf.game import FormulaGame
from zermelo.qbf.order import in_stated_order
from zermelo.qbf.qcir import parse_qcir
from zermelo.qip import Model
from zermelo.qip.formats.qlp import parse_qlp, write_qlp
from zermelo.qip.game import ProgramGame
from zermelo.qip.modelling.from_formula import program_of_formula
from zermelo.solving.targets import game_from
from zermelo.source import Source

CORPUS = Path(os.environ.get("ZERMELO_CORPUS", "no-corpus")) / "qip"


def read(text: str) -> QuantifiedProgram:
    return qlp.read(Source("qlp", text, "text.qlp"))


def glued(names: str, rows: str = "", objective: str = "") -> str:
    lists = "".join(f"{section}\n{names}\n" for section in ("BINARIES", "EXISTS", "ORDER"))
    return f"MINIMIZE\n{objective}\nSUBJECT TO\n{rows}\n{lists}END"


@pytest.mark.parametrize("path", sorted(CORPUS.glob("*.qlp")), ids=lambda path: path.stem)
def test_both_readers_read_the_same_public_program(path: Path) -> None:
    source = Source("qlp", path.read_text(encoding="utf-8"), path.name)
    assert qlp.read(source) == of_game(game_from(source))


def test_both_readers_read_what_was_written() -> None:
    for seed in range(200):
        program = random_program(random.Random(seed))
        assert read(write_qlp(program)) == copy_of(program)


def test_both_readers_agree_on_texts_with_traps_and_on_damaged_ones() -> None:
    for number in range(400):
        readers.check(readers.draw_of("qlp", random.Random(number)))


@pytest.mark.parametrize(
    ("names", "row", "terms", "right"),
    [
        ("e1 e2", "1e1 + 2e2 <= 5", {0: 1, 1: 2}, 5),
        ("x", "x + 2e2 <= 5", {0: 1}, -195),
        ("x e2", "2e2 x <= 5", {0: 200}, 5),
        ("x e2", "x <= 2 e2", {0: 1, 1: -2}, 0),
        ("e2e2", "2e2e2 <= 5", {0: 2}, 5),
        ("e2", "2e2e2 <= 5", {0: 200}, 5),
        ("x", "2e+3x <= 5", {0: 2000}, 5),
        ("e x", "2e+ 3x <= 5", {0: 2, 1: 3}, 5),
        ("x1", "0x1 <= 5", {}, 5),
    ],
)
def test_a_number_is_split_where_the_rest_is_a_variable(
    names: str, row: str, terms: dict[int, int], right: int
) -> None:
    (made,) = read(glued(names, row)).rows
    assert (dict(made.terms), made.right) == (terms, right)


@pytest.mark.parametrize(
    ("names", "row", "both"),
    [
        ("x e2", "x <= 2e2", "2 times the variable e2|the number 2e2"),
        ("x e2", "2e2 >= x", "2 times the variable e2|the number 2e2"),
        ("x e5x", "1e5x <= 1", "1 times the variable e5x|1e5 times the variable x"),
        ("x e", "2e+3x <= 1", "2 times the variable e|2e.3 times the variable x"),
    ],
)
def test_what_can_be_read_in_two_ways_is_refused_with_both(names: str, row: str, both: str) -> None:
    for one in both.split("|"):
        with pytest.raises(InputError, match=one):
            read(glued(names, row))


def test_rows_named_for_the_universal_player_are_his_beside_a_section_too() -> None:
    text = "MINIMIZE\nSUBJECT TO\nU_1: u <= 1\nUNCERTAINTY SUBJECT TO\nu >= 0\nBINARIES\nu\nALL\nu\nORDER\nu\nEND"
    assert (len(read(text).rows), [row.right for row in read(text).own]) == (0, [1, 0])


@pytest.mark.parametrize(
    "text",
    [
        "MINIMIZE\nx\nBOUNDS\nx >= 0\nGENERALS\nx\nEXISTS\nx\nORDER\nx\nEND",
        "MINIMIZE\nBOUNDS\n1/3 <= x <= 1/2\nGENERALS\nx\nEXISTS\nx\nORDER\nx\nEND",
        "MINIMIZE\nBOUNDS\n0 <= c <= 1\nBINARIES\nx u\nEXISTS\nx c\nALL\nu\nORDER\nx c u\nEND",
        "MINIMIZE\nBOUNDS\n0 <= u <= 1\nBINARIES\nx\nEXISTS\nx\nALL\nu\nORDER\nx u\nEND",
        "MINIMIZE\nUNCERTAINTY SUBJECT TO\nx <= 1\nBINARIES\nx\nEXISTS\nx\nORDER\nx\nEND",
        "MINIMIZE\nBOUNDS\n0 <= x <= 2\nBINARIES\nx\nEXISTS\nx\nORDER\nx\nEND",
        "MINIMIZE\nBINARIES\nx\nEXISTS\nx\nALL\nx\nORDER\nx\nEND",
        "MINIMIZE\n1e400 x\nBINARIES\nx\nEXISTS\nx\nORDER\nx\nEND",
        "MINIMIZE\n1e999999999999 x\nBINARIES\nx\nEXISTS\nx\nORDER\nx\nEND",
    ],
)
def test_what_cannot_be_solved_cannot_be_read_by_either(text: str) -> None:
    for reader in (read, parse_qlp):
        with pytest.raises(InputError):
            reader(text)


def test_a_program_made_in_python_has_the_digest_of_its_text() -> None:
    model = Model("small")
    x, u = model.exists("x", 0, 5), model.forall.binary("u")
    model.add(x >= 3 * u)
    model.minimize(x)
    program = model.program()
    game = game_from(Source("qlp", write_qlp(program), "small.qlp"))
    assert digest_of(ProgramGame(program)) == digest_of(game)
    assert digest_of(ProgramGame(program, (1,))) != digest_of(game)


def test_the_program_of_a_formula_is_the_one_that_the_engines_solve() -> None:
    chance = random.Random(7)
    for number in range(600):
        kinds = (
            lambda: random_clauses(chance, 6, 9, 3),
            lambda: random_formula(chance, 5, 8, 3),
            lambda: random_nested(chance, 5, 10),
        )
        game = FormulaGame(kinds[number % 3]())
        if number % 2 and len(game.order) > 1:
            game = FormulaGame(game.written, bytes(chance.choices((0, 1), k=chance.randrange(1, len(game.order)))))
        ours, theirs = (
            program_of(instance_of(game)),
            copy_of(program_of_formula(in_stated_order(game.remaining[0]))),
        )
        assert ours is not None
        assert ours.rows == theirs.rows
        assert [(v.role, v.lower, v.upper) for v in ours.variables] == [
            (v.role, v.lower, v.upper) for v in theirs.variables
        ]


def test_gates_of_every_kind_are_translated_as_the_engines_do() -> None:
    text = (
        "#QCIR-G14\nexists(a, b)\nforall(u, v)\noutput(-o)\nh = and(a, -u)\nk = or(h, -b)\nx = xor(k, v)\n"
        "i = ite(u, x, -k)\nn = and(i, -b, u)\nm = or(-n, v)\no = and(m, x)"
    )
    game = FormulaGame(parse_qcir(text))
    ours = program_of(instance_of(game))
    assert ours is not None
    assert ours.rows == copy_of(program_of_formula(in_stated_order(game.formula))).rows


def test_checking_programs_loads_nothing_of_the_engines() -> None:
    """Neither to be imported nor to read a program and check a proof of it."""
    program = (
        "import sys\n"
        "import zermelo.check.program, zermelo.check.read.qlp, zermelo.check.ownrows, zermelo.check.programplay\n"
        "from zermelo.source import Source\n"
        "from zermelo.limits import Limits\n"
        "from zermelo.check.steps import read_proof\n"
        "text = 'MINIMIZE\\n2e2\\nBINARIES\\ne2\\nEXISTS\\ne2\\nORDER\\ne2\\nEND'\n"
        "program = zermelo.check.read.qlp.read(Source('qlp', text, 'small.qlp'))\n"
        "program.need_valid(Limits())\n"
        "proof = read_proof('exists', {'value': 0, 'nodes': [['c', 0, [0], -1]]})\n"
        "assert zermelo.check.program.check_proof(program, proof).accepted\n"
        "kept = ('zermelo.qip', 'zermelo.qbf', 'zermelo._native', 'zermelo.search', 'highspy', 'numpy', 'pysat')\n"
        "print(sorted(name for name in sys.modules if name.startswith(kept)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_reading_of_a_game_is_that_of_its_text_not_of_the_engines() -> None:
    """If the engines misread the text, the checker still works from what it says."""
    game = game_from(Source("qlp", glued("e2", objective="2e2"), "small.qlp"))
    assert isinstance(game, ProgramGame)
    game.program = parse_qlp(glued("e2", objective="200"))
    instance = instance_of(game)
    assert isinstance(instance, QuantifiedProgram)
    assert (dict(instance.goal), instance.constant) == ({0: 2}, Fraction(0))


@pytest.mark.parametrize("piece", ["1", "e", "1e", "+", " ", "\n", "a:", "<=", "//", "\\", "/**/", "2e2+", "1."])
def test_long_texts_of_one_piece_are_read_or_refused_at_once(piece: str) -> None:
    """A reader that tries every way to cut such a text would not come to an end."""
    for text in (glued("x e2", objective=piece * 50_000 + "x"), glued("x e2", rows=f"{piece * 50_000} x <= 1")):
        for reader in (read, parse_qlp):
            try:
                reader(text)
            except InputError as error:
                assert "\n" not in str(error)
