"""Worst-case dynamic graph reliability: the file, the game, the program that is feasible if the traveller wins."""

from __future__ import annotations

from pathlib import Path

import pytest

import zermelo
from tests.games.twins import BruteForce
from tests.qip.randomprograms import INFEASIBLE, brute_force
from zermelo.cli import main
from zermelo.errors import InputError
from zermelo.games.dgr import NOTHING, Network, Reliability, random_network
from zermelo.games.dgrfile import parse_network, read_network, write_network
from zermelo.qip.models.dgr import reliability, single_entry
from zermelo.qip.programs.program import Program

EXAMPLE = Path(__file__).parents[2] / "examples" / "reliability.dgr"
PAIR = "travel s t\nedge a s t\nedge b s t\nerase s a b\n"


def row_texts(program: Program) -> dict[str, str]:
    """The rows by name, written with the names of their variables."""
    texts = {}
    for row in program.rows:
        parts = [
            f"{'-' if c < 0 else '+'}{'' if abs(c) == 1 else abs(c)}{program.variables[v].name}" for v, c in row.terms
        ]
        texts[row.name] = f"{' '.join(parts)} {row.relation} {row.right}"
    return texts


def wins(network: Network) -> bool:
    """Whether the traveller gets there, by the rules alone."""
    game = Reliability(network)
    return BruteForce(game).value(game.start()) == 1


def test_the_example_of_the_paper_is_won_by_the_first_edge_only() -> None:
    solution = zermelo.solve(f"dgr:{EXAMPLE}")
    assert (solution.winner, solution.verified) == ("traveller", True)
    assert [move for move, value in solution.move_values.items() if value == 1] == ["e1"]


def test_the_program_of_the_example_is_that_of_the_figure() -> None:
    program = reliability(read_network(EXAMPLE))
    texts = row_texts(program)
    # x4 <= (1 - y24) + (1 - x1) + x_D and likewise for the rest; v3 has two ways in and so an edge of entry. Whoever
    # arrives at v3 has taken e4 already, or never will: that it fails there means nothing for the way.
    assert texts["fail_v2_e4"] == "+x_e1 +y_v2_e4 +x_e4 -x_D <= 2"
    assert texts["fail_v2_e5"] == "+x_e1 +y_v2_e5 +x_e5 -x_D <= 2"
    assert "fail_v3_e4" not in texts
    assert texts["fail_v3_e5"] == "+x_v3_entry +y_v3_e5 +x_e5 -x_D <= 2"
    assert texts["rule"] == "-y_v2_e4 -y_v2_e5 -y_v3_e4 -y_v3_e5 +2x_D <= 0"
    assert texts["flow_s"] == "+x_e1 +x_e2 = 1"
    assert texts["flow_v2"] == "-x_e1 +x_e3 +x_e4 = 0"
    assert [block.quantifier for block in program.blocks] == ["exists", "forall", "exists", "forall", "exists"]


def test_the_program_of_the_example_is_feasible_and_not_without_the_rule() -> None:
    network = read_network(EXAMPLE)
    assert brute_force(reliability(network)) == 0
    lawless = Network(network.nodes, network.edges, network.start, network.target, network.erasable)
    assert brute_force(reliability(lawless)) == INFEASIBLE
    assert not wins(lawless)


def test_every_node_where_edges_fail_gets_one_edge_of_entry() -> None:
    for seed in range(50):
        network = random_network(3 + seed % 6, seed)
        single = single_entry(network)
        for node, failing in enumerate(single.erasable):
            assert not failing or node == single.start or len(single.entering[node]) <= 1
        assert len(single.order) == len(single.nodes)
        assert wins(single) == wins(network)


@pytest.mark.parametrize("chunk", range(2))
def test_the_program_of_a_small_network_is_feasible_exactly_if_the_traveller_wins(chunk: int) -> None:
    seen = set()
    for seed in range(60 * chunk, 60 * chunk + 60):
        network = random_network(3 + seed % 2, seed)
        program = reliability(network)
        if len(program.variables) <= 11:
            assert (brute_force(program) == 0) == wins(network), seed
            seen.add(wins(network))
    assert seen == {True, False}


def test_an_opponent_who_breaks_his_rule_loses() -> None:
    # Erasing both would leave nothing; only the rule keeps him from it.
    assert brute_force(reliability(parse_network(PAIR + "exclude a b\n"))) == 0
    assert brute_force(reliability(parse_network(PAIR))) == INFEASIBLE


def test_an_edge_may_be_erased_again_without_effect() -> None:
    text = "travel s t\nedge a s v\nedge b v t\nedge c v t\nerase s b\nerase v b c\nexclude b c\n"
    network = parse_network(text)
    assert wins(network)
    assert brute_force(reliability(network)) == 0


def test_nothing_fails_where_nobody_arrives() -> None:
    network = parse_network("travel s t\nedge a s t\nedge b u t\nerase u a b\nexclude a b\n")
    assert wins(network)
    assert brute_force(reliability(network)) == 0


def test_what_cannot_matter_any_more_is_forgotten() -> None:
    game = Reliability(read_network(EXAMPLE))
    at_v2 = game.play(game.start(), 0)
    assert [game.move_text(move) for move in game.moves(at_v2)] == ["e4", "e5", "-"]
    after = game.play(game.play(at_v2, 3), 2)
    # e4 can no longer be taken, but that it failed keeps e5 from failing.
    assert after == (game.network.nodes.index("v3"), frozenset({3}), NOTHING)


def test_reading_undoes_writing() -> None:
    network = read_network(EXAMPLE)
    assert parse_network(write_network(network)) == network


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("edge a s t", "n.dgr:1: nothing says where to go, expected a line: travel START TARGET"),
        ("travel s t\ntravel s t", "n.dgr:2:1: there is such a line already, expected travel once"),
        ("travel s s", "n.dgr:1:10: the target is the start, expected two nodes"),
        ("travel s", "n.dgr:1:8: the line ends too early, expected travel START TARGET"),
        ("travel s t\nedge a s t u", "n.dgr:2:12: 'u' is too much, expected edge NAME FROM TO"),
        ("travel s t\nroad a s t", "n.dgr:2:1: 'road' begins no line, expected travel, edge, erase or exclude"),
        ("travel s t\nedge a! s t", "n.dgr:2:6: 'a!' is no name, expected letters, digits and underscores"),
        ("travel s t\nedge a s t\nedge a s t", "n.dgr:3:6: edge 'a' has a line already, expected each edge once"),
        ("travel s t\nerase u a", "n.dgr:2:7: unknown node 'u', expected one that an edge or travel names"),
        ("travel s t\nerase s a", "n.dgr:2:9: unknown edge 'a', expected one that has a line of its own"),
        (PAIR + "erase s a", "n.dgr:5:9: 'a' may be erased there already, expected each edge once"),
        (PAIR + "exclude a a", "n.dgr:5:11: 'a' is in the line already, expected each edge once"),
        (PAIR + "edge c t u\nedge d u t", "n.dgr:5:6: edge 'c' lies on a circle, expected a graph without circles"),
        ("travel s t\nedge a s s", "n.dgr:2:6: edge 'a' lies on a circle, expected a graph without circles"),
        ("travel s \x01", "n.dgr:1:10: control character '\\x01', expected a text file"),
    ],
)
def test_a_wrong_file_gets_one_line_with_the_place(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_network(text, "n.dgr")
    assert str(caught.value) == message.replace("\x01", "\\x01")


def test_the_network_is_drawn_with_what_is_erased(tmp_path: Path) -> None:
    picture = tmp_path / "network.svg"
    assert main(["show", str(EXAMPLE), "--as", "graph", "--after", "e1 e4", "-o", str(picture)]) == 0
    drawn = picture.read_text(encoding="utf-8")
    assert drawn.count("stroke-dasharray") == 2
    assert drawn.count('opacity="0.35"') == 2
    assert "never both: e4/e5" in drawn


def test_a_file_that_is_not_there_gets_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "dgr:no/such.dgr"]) == 2
    assert "dgr:no/such.dgr: no such file" in capsys.readouterr().err
