"""Networks as targets: solved, with a certificate that the check room accepts and damaged ones that it refutes."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from tests.scsp import brute
from tests.scsp.networks import example_three, example_two, small_networks
from zermelo.certificate import Certificate, Claim, starter
from zermelo.check import check_certificate
from zermelo.cli import main
from zermelo.continued import Continued
from zermelo.errors import InputError, NotApplicableError
from zermelo.options import Options
from zermelo.scsp.game import NetworkGame
from zermelo.scsp.jsonform import write_network
from zermelo.scsp.network import Chance, Network, Table, Utility, Variable
from zermelo.scsp.policy import expected_utility
from zermelo.solving import solve, solve_game

HALF, ONE, ZERO = Fraction(1, 2), Fraction(1), Fraction(0)


def shared_bet(threshold: tuple[Fraction, Fraction]) -> Network:
    """Two players, one decision and one coin: each outcome is worth something to one of them."""
    variables = (Variable("bet", ("heads", "tails")), Variable("coin", ("heads", "tails"), stochastic=True))
    worth = {(0, 0): (ONE, ZERO), (0, 1): (ZERO, ONE), (1, 0): (ONE, ZERO), (1, 1): (ONE, ZERO)}
    chance = Chance(1, (), {(): (HALF, HALF)})
    return Network(2, variables, (), (Utility((0, 1), worth),), (chance,), threshold)


@pytest.mark.parametrize("part", range(4))
def test_solutions_are_those_of_trying_everything_and_are_verified(part: int) -> None:
    for seed, network in small_networks(range(150 * part, 150 * (part + 1)), 200):
        solution = solve_game(NetworkGame(network))
        assert solution.verified, seed
        assert solution.details.satisfiable == brute.satisfiable(network), seed
        if network.players > 1:
            continue
        best = brute.best_policy(network)
        assert solution.details.feasible == (best is not None), seed
        if best is not None:
            assert (solution.value,) == expected_utility(network, best), seed


def test_the_engine_of_games_of_chance_agrees() -> None:
    for seed, network in small_networks(range(40), 200):
        if network.players == 1:
            solution = solve_game(NetworkGame(network), "all")
            assert solution.verified, seed
            by_dp = solve_game(NetworkGame(network), "dp")
            assert by_dp.verified, seed
            assert by_dp.details == solution.details, seed


def test_the_decisions_of_one_stage_are_those_of_the_search_by_stages() -> None:
    for seed, network in small_networks(range(200), 200, one_stage=True):
        by_decisions, by_stages = (solve_game(NetworkGame(network), engine) for engine in ("scsp-mac", "scsp"))
        assert by_decisions.verified and by_decisions.value == by_stages.value, seed
        assert by_decisions.details.satisfiable == by_stages.details.satisfiable, seed
    with pytest.raises(NotApplicableError, match="decisions stand between"):
        solve_game(NetworkGame(example_two()), "scsp-mac")


def test_claims_that_say_too_much_are_refuted() -> None:
    for seed, network in small_networks(range(120), 200):
        game = NetworkGame(network)
        certificate = solve_game(game, options=Options(verify=False)).certificate
        assert certificate is not None
        more = Fraction(1, 1000)
        for claim in certificate.claims:
            said = replace(claim, at_least=Fraction(claim.at_least) + more)
            if network.players > 1 or solve_game(game).details.feasible:
                assert check_certificate(game, Certificate("", (said,))).status == "refuted", seed


@pytest.mark.parametrize(
    ("nodes", "reason"),
    [
        ([[], [[0, 0], [1, 0]], [[1, 1]]], "player 2 gets 0, the threshold is 1/2"),
        ([[], [[0, 0]], [[0, 1]]], "the policy has no answer to coin=tails"),
        ([[], [[0, 0], [1, 0]], []], "the policy decides 0 values of bet, expected one"),
        ([[], [[0, 0], [1, 0]], [[2, 1]]], "the policy decides value 2 of bet, which has 2"),
        ([[], [[0, 1]]], "node 1 of the policy is no list of values, each with an earlier node"),
        ([], "the data of the rule 'policy' is not as it should be: expected {\"nodes\": a list}"),
    ],
)
def test_a_policy_that_does_not_do_it_is_refuted(nodes: list[list[list[int]]], reason: str) -> None:
    game = NetworkGame(shared_bet((HALF, HALF)))
    claim = Claim("decider", 1, rule="policy", data={"nodes": nodes})
    verdict = check_certificate(game, Certificate("", (claim,)))
    assert (verdict.status, verdict.reason) == ("refuted", reason)


def test_a_policy_that_breaks_a_table_is_refuted() -> None:
    network = shared_bet((HALF, HALF))
    never = replace(network, tables=(Table((0, 1), frozenset({(0, 0), (1, 0), (1, 1)})),))
    claim = Claim("decider", 1, rule="policy", data={"nodes": [[], [[0, 0], [1, 0]], [[0, 1]]]})
    assert check_certificate(NetworkGame(network), Certificate("", (claim,))).accepted
    assert check_certificate(NetworkGame(never), Certificate("", (claim,))).reason == "the policy breaks a table"


def test_thresholds_of_two_players() -> None:
    reached = solve_game(NetworkGame(shared_bet((HALF, HALF))))
    assert reached.details.to_json() == {
        "satisfiable": True, "feasible": True, "utility": ["1/2", "1/2"], "threshold": ["1/2", "1/2"],
    }  # fmt: skip
    missed = solve_game(NetworkGame(shared_bet((Fraction(3, 4), HALF))))
    assert (missed.details.satisfiable, missed.verified) == (False, True)


@pytest.mark.parametrize("allowed", [True, False])
def test_nobody_starts_where_every_variable_is_set(allowed: bool) -> None:
    table = Table((), frozenset({()} if allowed else ()))
    none_left = NetworkGame(Network(2, (), (table,)))
    all_set = Continued(NetworkGame(Network(2, (Variable("a", ("0", "1")),))), [(0, 1)])
    assert starter(none_left) == starter(all_set) == "nobody"
    solution = solve_game(none_left)
    assert solution.value == (1 if allowed else -1) and solution.verified


def test_engines_for_one_player_refuse_several() -> None:
    game = NetworkGame(shared_bet((HALF, HALF)))
    with pytest.raises(NotApplicableError, match="dp takes networks of one player, expected --engine scsp"):
        solve_game(game, "dp")
    with pytest.raises(NotApplicableError, match="scsp takes networks"):
        solve("nim:1,2", "scsp")
    with pytest.raises(InputError, match="takes no depth"):
        solve_game(game, options=Options(depth=3))


def test_the_command_line_solves_and_checks_a_network(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, proof = tmp_path / "net.json", tmp_path / "proof.json"
    file.write_text(write_network(example_three()))
    assert main(["solve", str(file), "--json", "--quiet", "--certificate", str(proof)]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["value"], answer["satisfiable"], answer["verified"]) == ("1", True, True)
    assert answer["line"] == ["x1=2", "x2=2"]
    assert main(["check", str(file), str(proof)]) == 0
    assert capsys.readouterr().out.startswith("accepted: decider gets at least 1 and nobody gets at least -1")
    file.write_text(write_network(replace(example_three(), threshold=(Fraction(2),))))
    assert main(["solve", str(file), "--quiet"]) == 0
    assert "not satisfiable, no policy reaches the threshold of every player" in capsys.readouterr().out


def test_a_network_may_come_on_standard_input(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(write_network(example_two())))
    assert main(["solve", "-", "--quiet"]) == 0
    assert capsys.readouterr().out.startswith("-: satisfiable")


def test_json_that_is_no_network_is_one_line_of_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "proof.json"
    file.write_text('{"format": "zermelo-certificate"}')
    assert main(["solve", str(file)]) == 2
    assert capsys.readouterr().err == f'{file}: expected an object with "format": "zermelo-network"\n'


def test_a_limit_leaves_a_network_open(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "net.json"
    file.write_text(write_network(example_two()))
    assert main(["solve", str(file), "--json", "--quiet", "--node-limit", "3"]) == 3
    answer = json.loads(capsys.readouterr().out)
    assert (answer["status"], answer["satisfiable"], answer["note"]) == (
        "unknown",
        None,
        "stopped at the limit of nodes",
    )
