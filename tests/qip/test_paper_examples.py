"""The example of three variables: as integers with its winning strategy, as fractions, and as a picture."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from pathlib import Path
from xml.etree import ElementTree

import pytest

import zermelo
from zermelo.cli import main
from zermelo.errors import InputError
from zermelo.qip import read_qlp
from zermelo.qip.game import ProgramGame
from zermelo.qip.pictures.polytope import integer_points, polytope, polytope_svg
from zermelo.qip.programs.program import Program, Row, Variable, terms
from zermelo.qip.proofs.proof_strategy import strategy_ends, strategy_of_claim

EXAMPLES = Path(__file__).parents[2] / "examples"
INTEGERS = read_qlp(EXAMPLES / "threevariables.qlp")
FRACTIONS = read_qlp(EXAMPLES / "threevariables-linear.qlp")


def test_the_files_state_the_example_of_the_paper() -> None:
    for program in (INTEGERS, FRACTIONS):
        matrix = [[int(c) for _, c in row.terms] for row in program.rows]
        assert matrix == [[10, -4, 2], [10, 4, -2], [-10, 4, 1], [-10, -4, -1]]
        assert [int(row.right) for row in program.rows] == [0, 4, 12, 8]
        assert [v.quantifier for v in program.variables] == ["forall", "forall", "exists"]
        assert [(v.lower, v.upper) for v in program.variables] == [(-1, 0), (0, 1), (-2, 2)]
    assert INTEGERS.is_integer
    assert FRACTIONS.is_linear


def test_the_leaves_of_the_tree_are_won_or_lost_as_in_the_figure() -> None:
    won = {
        (x1, x2): [x3 for x3 in range(-2, 3) if all(row.holds((x1, x2, x3)) for row in INTEGERS.rows)]
        for x1, x2 in product((-1, 0), (0, 1))
    }
    assert won == {(-1, 0): [2], (-1, 1): [-2], (0, 0): [-2, -1, 0], (0, 1): [0, 1, 2]}


def test_exists_wins_by_the_strategy_of_the_figure() -> None:
    solution = zermelo.solve(str(EXAMPLES / "threevariables.qlp"))
    assert (solution.winner, solution.details.feasible, solution.verified) == ("exists", True, True)
    game, certificate = solution.game, solution.certificate
    assert isinstance(game, ProgramGame)
    assert certificate is not None
    claim = next(claim for claim in certificate.claims if claim.role == "exists")
    strategy = strategy_of_claim(game, claim)
    assert strategy is not None
    assert strategy((-1, 0)) == (2, 2)
    assert strategy((-1, 1)) == (2, -2)
    ends = strategy_ends(game, claim)
    assert [end[:2] for end in ends] == [(-1, 0), (-1, 1), (0, 0), (0, 1)]
    assert all(row.holds(end) for end in ends for row in INTEGERS.rows)


def test_the_relaxation_is_won_too() -> None:
    solution = zermelo.solve(str(EXAMPLES / "threevariables-linear.qlp"))
    assert (solution.winner, solution.details.feasible, solution.verified) == ("exists", True, True)


def test_the_solutions_are_the_polytope_of_the_figure() -> None:
    shape = polytope(FRACTIONS)
    assert not shape.flat
    assert len(shape.corners) - len(shape.edges) + len(shape.facets) == 2  # Euler
    assert all(row.holds(corner) for corner in shape.corners for row in FRACTIONS.rows)
    # With x1 = -1 a segment is left, B, whose ends are those of the strategy.
    segment = [corner for corner in shape.corners if corner[0] == -1]
    assert segment == [(-1, 0, 2), (-1, 1, -2)]
    ends = tuple(shape.corners.index(corner) for corner in segment)
    assert (min(ends), max(ends)) in shape.edges
    # With x1 = 0 it is a facet, C.
    facets = [{shape.corners[c] for c in corners} for normal, corners in shape.facets if normal == (1, 0, 0)]
    assert facets == [{(0, 0, -2), (0, 0, 0), (0, 1, 0), (0, 1, 2)}]
    assert len(integer_points(INTEGERS)) == 8


def test_a_box_is_a_cube_and_a_plane_cuts_a_hexagon_out_of_it() -> None:
    box = tuple(Variable(name) for name in "xyz")
    cube = polytope(Program(box))
    assert (len(cube.corners), len(cube.edges), len(cube.facets)) == (8, 12, 6)
    cut = polytope(Program(box, (Row(terms({0: 1, 1: 1, 2: 1}), "=", Fraction(3, 2)),)))
    assert (len(cut.corners), len(cut.edges), cut.flat) == (6, 6, True)


def test_the_picture_shows_both_sides_and_the_ends_of_the_strategy(tmp_path: Path) -> None:
    file = tmp_path / "polytope.svg"
    assert main(["show", str(EXAMPLES / "threevariables.qlp"), "--as", "polytope", "-o", str(file)]) == 0
    texts = ["".join(e.itertext()) for e in ElementTree.parse(file).iter() if e.tag.endswith("text")]
    assert texts.count("(-1, 0, 2)") == texts.count("(-1, 1, -2)") == 2
    assert {"x1 = -1", "x1 = 0", "integer points", "the strategy's ends"} <= set(texts)


def test_two_variables_make_one_flat_picture() -> None:
    program = Program((Variable("x"), Variable("y")), (Row(terms({0: 1, 1: 1}), "<=", Fraction(1)),))
    drawn = polytope_svg(program, [(Fraction(0), Fraction(1))])
    assert drawn.count("(0, 1)") == 1
    assert polytope_svg(Program((Variable("x", upper=Fraction(0)), Variable("y")))).startswith("<svg")


@pytest.mark.parametrize(
    ("program", "message"),
    [
        (Program((Variable("x"),)), "program: 1 variable, expected two or three"),
        (Program(tuple(Variable(c) for c in "abcd")), "program: 4 variables, expected two or three"),
        (
            Program((Variable("x"), Variable("y")), (Row(terms({0: 1}), ">=", Fraction(2)),)),
            "no point keeps all rows",
        ),
        (Program((Variable("x"), Variable("y", upper=None, integer=False))), "variable y has no bounds"),
    ],
)
def test_what_cannot_be_drawn_gets_one_line(program: Program, message: str) -> None:
    with pytest.raises(InputError, match=message):
        polytope_svg(program)
