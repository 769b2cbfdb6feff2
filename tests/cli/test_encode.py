"""``zermelo encode`` writes games as formulas, and formulas in the other format."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from zermelo.cli import main
from zermelo.encode.qbf.geography import thesis_size
from zermelo.qbf.formula import truth
from zermelo.qbf.qcir import parse_qcir
from zermelo.scsp.jsonform import parse_network, read_network
from zermelo.scsp.stages import best_policy

GRAPH = "3\n0 1 2\n1 0 3 4\n2 0 5\n3 1 6\n4 1 7\n5 2\n6 3\n7 4\n"


@pytest.fixture
def graph(tmp_path: Path) -> str:
    file = tmp_path / "thesis.graph"
    file.write_text(GRAPH, encoding="utf-8")
    return str(file)


def test_a_graph_is_written_as_the_thesis_writes_it(graph: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["encode", graph, "--to", "qcir", "--encoding", "thesis"]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if not line.startswith("# ")]
    assert lines[:4] == [
        "#QCIR-G14",
        "exists(x1_1, x1_2, x1_3, x1_4, x1_5, x1_6, x1_7)",
        "forall(x2_1, x2_2, x2_3, x2_4, x2_5, x2_6, x2_7)",
        "exists(x3_1, x3_2, x3_3, x3_4, x3_5, x3_6, x3_7)",
    ]
    gates = [line for line in lines if " = " in line]
    assert gates[0].startswith("g1 = or(")
    assert (len(gates) + 21, len(lines)) == thesis_size(8, 3)


def test_what_is_written_can_be_read_and_says_the_same(tmp_path: Path, graph: str) -> None:
    for encoding in ("unary", "index"):
        file = tmp_path / f"{encoding}.qcir"
        assert main(["encode", graph, "--to", "qcir", "--encoding", encoding, "-o", str(file)]) == 0
        assert truth(parse_qcir(file.read_text(encoding="utf-8")))


@pytest.mark.parametrize(("horizon", "goal", "value"), [("3", "100", True), ("1", "100", False), ("0", "0", False)])
def test_a_rulesheet_is_asked_for_a_score_within_a_horizon(
    horizon: str, goal: str, value: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["encode", "gdl:nim:1,2", "--to", "qcir", "--horizon", horizon, "--goal", goal]) == 0
    text = capsys.readouterr().out
    assert f"gets at least {goal} within {horizon} plies" in text
    assert truth(parse_qcir(text)) == value


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["gdl:nim:1,2", "--to", "qcir", "--goal", "much"], "zermelo: --goal: 'much' is not an exact number"),
        (["gdl:nim:1,2", "--to", "qcir", "--horizon", "-1"], "zermelo: --horizon -1 is not a number of plies"),
        (["nim:1,2", "--to", "qcir", "--encoding", "unary"], "zermelo: no encoding 'unary' for this game"),
        (["nim:1,2", "--to", "graph", "--horizon", "3"], "nim:1,2: --horizon is for formulas and programs"),
        (["gdl:backgammon", "--to", "qcir"], "zermelo: chance moves: only games"),
    ],
)
def test_wrong_wishes_get_one_line(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["encode", *arguments]) == 2
    assert capsys.readouterr().err.startswith(message)


def test_a_rulesheet_is_written_as_a_network_that_can_be_read(tmp_path: Path) -> None:
    whole, hard = tmp_path / "pennies.json", tmp_path / "pennies.xml"
    assert main(["encode", "gdl:matchingpennies", "--to", "network", "--horizon", "2", "-o", str(whole)]) == 0
    network = read_network(whole)
    assert (network.players, len(network.stages), len(network.stochastic)) == (2, 3, 2)
    best = best_policy(network)
    assert best is not None and best.utility == (Fraction(1, 2), Fraction(1, 2))
    assert main(["encode", str(whole), "--to", "xcsp", "-o", str(hard)]) == 0
    assert hard.read_text(encoding="utf-8").startswith('<instance format="XCSP3" type="CSP">')


def test_without_a_horizon_a_network_is_one_round_from_any_state(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["encode", "gdl:matchingpennies", "--to", "network"]) == 0
    network = parse_network(capsys.readouterr().out)
    assert [variable.name for variable in network.variables][-1] == "control_random_t1"
    assert len(network.stages) == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nim:1,2", "--to", "network"], "nim:1,2: no rulesheet: a network is made of the rules of a game"),
        (["gdl:nim:1,2", "--to", "network", "--horizon", "0"], "gdl:nim:1,2: 0 rounds, expected one or more"),
        (["gdl:nim:1,2", "--to", "xcsp", "--goal", "1"], "--goal is for formulas and programs"),
        (["no.json", "--to", "xcsp"], "no.json: no such file"),
    ],
)
def test_what_no_network_can_be_made_of_is_said(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["encode", *arguments]) == 2
    assert message in capsys.readouterr().err
