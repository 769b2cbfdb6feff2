"""Games as programs: the value of the program is what search says, and its proofs play by the game's own rules."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

import zermelo
from tests.randomgames import random_game
from zermelo.cli import main
from zermelo.continued import Continued
from zermelo.encode.qip import program_encoder
from zermelo.encode.qip.gates import row_of, wired
from zermelo.errors import NotApplicableError
from zermelo.games.dgr import Reliability, random_network
from zermelo.limits import Limits
from zermelo.options import Options
from zermelo.qbf.circuit import Circuit, holds, values
from zermelo.qip import read_qlp
from zermelo.qip.solvers.table_search import solve_by_table
from zermelo.solving import solve_game


def test_the_rows_of_a_gate_hold_exactly_for_its_own_value() -> None:
    circuit = Circuit()
    a, b, c = (circuit.variable() for _ in range(3))
    for gate in (
        circuit.conjunction([a, b ^ 1, c]),
        circuit.disjunction([a, b ^ 1, c ^ 1]),
        circuit.exclusive(a, b),
        circuit.choice(a, b, c ^ 1),
    ):
        order = [node >> 1 for node in (a, b, c)]
        made = wired(circuit, [gate], [("exists", order)], dict(zip(order, "abc", strict=True)))
        for bits in product((False, True), repeat=3):
            truth = holds(values(circuit, dict(zip(order, bits, strict=True))), gate & ~1)
            for value in (False, True):
                play = [int(bit) for bit in (*bits, value)]
                assert all(row.holds(play) for row in made.rows) == (value == truth)


def test_a_gate_is_set_after_the_last_block_that_it_depends_on() -> None:
    circuit = Circuit()
    x, y, z = (circuit.variable() for _ in range(3))
    early, late = circuit.disjunction([x, y]), circuit.conjunction([x, z])
    prefix = [("exists", [x >> 1]), ("forall", [y >> 1]), ("exists", [z >> 1])]
    made = wired(circuit, [early, late], prefix, {x >> 1: "x", y >> 1: "y", z >> 1: "z"})
    assert [variable.name for variable in made.variables] == ["x", "y", "g1", "z", "g2"]
    assert str(row_of([(1, made.value(early)), (2, made.value(late ^ 1))], ">=", 1)) == "1*#2 - 2*#4 >= -1"


@pytest.mark.parametrize(
    "target",
    [
        "nim:1,2",
        "nim:1,2,3",
        "subtraction:7;1,3",
        "subtraction:8;1,3",
        "wythoff:2,4",
        "coins:1,2,2,1",
        "mnk:2,3,2",
        "mnk:2,3,3",
        "tictactoe",
        "connect:2,3,2",
        "connect:3,3,3",
        "hex:2",
        "treblecross:5",
        "geography:random:8,2,1",
        "geography:random:7,2,3",
        "gdl:nim:1,2",
        "dgr:random:6,2",
        "dgr:random:5,1",
    ],
)
def test_games_of_the_library_have_the_value_that_search_finds(target: str) -> None:
    solution = zermelo.solve(target, "qip-table")
    expected = zermelo.solve(target)
    assert (solution.value, solution.winner) == (expected.value, expected.winner)
    assert solution.verified


@pytest.mark.parametrize("encoding", ["unary", "premise", "index", "rank", "layers"])
def test_every_encoding_gives_the_same_value(encoding: str) -> None:
    game = zermelo.game_of("connect:2,3,2")
    solution = solve_game(game, "qip-table", options=Options(encoding=encoding))
    assert (solution.value, solution.verified, solution.stats["encoding"]) == (1, True, encoding)


@pytest.mark.parametrize("seed", range(25))
def test_random_games_with_many_scores_are_worth_what_search_says(seed: int) -> None:
    game = random_game(seed, values=(-2, Fraction(-1, 2), 0, 1, 3))
    try:
        encoder = program_encoder(game)
    except NotApplicableError:
        return
    encoded = encoder.encode(encoder.length)
    answer = solve_by_table(encoded.program)
    assert encoded.meaning.score(answer.value) == zermelo.solve(game, "dp").value
    solution = solve_game(game, "qip-table")
    assert solution.verified


@pytest.mark.parametrize("chunk", range(5))
def test_a_network_s_program_is_feasible_exactly_if_search_says_so(chunk: int) -> None:
    seen = set()
    for seed in range(60 * chunk, 60 * chunk + 60):
        game = Reliability(random_network(3 + seed % 6, seed))
        solution = solve_game(game, "qip-table", Limits(20))
        assert (solution.value, solution.verified) == (zermelo.solve(game, "dp").value, True), seed
        seen.add(solution.value)
    assert seen == {-1, 1}


def test_play_is_taken_up_on_the_way() -> None:
    for target, line in (("tictactoe", [4, 0, 8]), ("connect:3,3,3", [1, 1]), ("nim:2,2", [(0, 1)])):
        game = zermelo.game_of(target)
        rest = Continued(game, line)
        solution = zermelo.solve(rest, "qip-table")
        assert (solution.value, solution.verified) == (zermelo.solve(rest, "dp").value, True)


def test_a_win_is_found_at_the_first_horizon_that_holds_it() -> None:
    solution = zermelo.solve("connect:4,4,2", "qip-table")
    assert (solution.value, solution.stats["horizon"]) == (1, 3)


def test_a_horizon_that_is_too_short_leaves_bounds() -> None:
    solution = solve_game(zermelo.game_of("connect:3,3,3"), "qip-table", options=Options(depth=3))
    assert (solution.status, solution.bounds) == ("unknown", (None, None))  # those of the rules are no proof
    assert "within 3 plies" in solution.note


def test_games_that_are_no_programs_are_refused() -> None:
    with pytest.raises(NotApplicableError):
        zermelo.solve("gdl:matchingpennies", "qip")
    with pytest.raises(NotApplicableError):
        zermelo.solve("gdl:orchard", "qip")


def test_a_game_is_written_as_a_file_that_has_its_value(tmp_path: Path) -> None:
    file = tmp_path / "game.qlp"
    assert main(["encode", "connect:3,3,3", "--to", "qlp", "-o", str(file)]) == 0
    assert "the value is the score of exists" in file.read_text(encoding="utf-8")
    assert solve_by_table(read_qlp(file)).value == 0
    assert main(["encode", "nim:1,2,3", "--to", "qlp", "-o", str(file)]) == 0
    assert solve_by_table(read_qlp(file)).status == "infeasible"
    assert main(["encode", "connect:4,4,2", "--to", "qlp", "--horizon", "3", "-o", str(file)]) == 0
    assert solve_by_table(read_qlp(file)).value == Fraction(1)


@pytest.mark.parametrize(
    "arguments",
    [
        ["nim:1,2", "--to", "qlp", "--goal", "1"],
        ["nim:1,2", "--to", "qlp", "--horizon", "-1"],
        ["tictactoe", "--to", "qlp", "--horizon", "3"],
        ["examples/threevariables.qlp", "--to", "qlp", "--horizon", "3"],
        ["nim:1,2", "--to", "qlp", "--encoding", "stones"],
    ],
)
def test_what_makes_no_sense_for_a_program_gets_one_line(
    arguments: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(Path(__file__).parents[2])
    assert main(["encode", *arguments]) == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 1
