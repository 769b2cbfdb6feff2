"""Networks as JSON: what is written is read, and what is wrong is said with its place."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tests.scsp.networks import example_three, example_two, random_network
from zermelo.check.copied import network as of_game
from zermelo.check.read.network import read as second_reader
from zermelo.errors import InputError
from zermelo.scsp.game import NetworkGame
from zermelo.scsp.jsonform import parse_network, read_network, write_network
from zermelo.scsp.network import Network, Utility
from zermelo.source import Source


def test_reading_undoes_writing() -> None:
    for seed in range(300):
        network = random_network(seed)
        assert parse_network(write_network(network)) == network, seed
    assert parse_network(write_network(example_two())).stages == (3, 6)


@pytest.mark.parametrize("players", [1, 2])
def test_a_network_without_variables_is_read_back_by_both_readers(players: int) -> None:
    network = Network(players, (), utilities=(Utility((), {(): (Fraction(1),) * players}),))
    text = write_network(network)
    assert parse_network(text) == network
    assert second_reader(Source("network", text, "n.json")).canonical() == of_game(NetworkGame(network)).canonical()


def test_a_file_is_read(tmp_path: Path) -> None:
    file = tmp_path / "three.json"
    file.write_text(write_network(example_three()), encoding="utf-8")
    assert read_network(file) == example_three()


def test_what_may_be_left_out() -> None:
    text = '{"format": "zermelo-network", "version": 1, "players": 2, "variables": []}'
    assert parse_network(text) == Network(2, ())


def changed(path: list[Any], value: object) -> str:
    """Example three with one place changed."""
    data = json.loads(write_network(example_three()))
    place = data
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return json.dumps(data)


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (["players"], "1", 'n.json: players: "1", expected a number from 1 to 1000'),
        (["version"], 2, "n.json: version 2, expected 1"),
        (["colour"], 1, "n.json: colour: unknown, expected one of format, version, players"),
        (["variables", 1, "domain"], "012", 'n.json: variables[1].domain: "012", expected a list of values'),
        (["variables", 1, "domain"], [], "n.json: variables[1].domain: [], expected at least one value"),
        (["variables", 1, "name"], "x1", "n.json: variables[1].name: 'x1' is the name of variables[0] too"),
        (["variables", 2, "stochastic"], 1, "n.json: variables[2].stochastic: 1, expected true or false"),
        (["tables", 0, "scope"], ["x9", "y"], 'n.json: tables[0].scope[0]: "x9", expected the name of a variable'),
        (["tables", 2, "tuples", 4], [2], "n.json: tables[2].tuples[4]: [2], expected a list of 2 values"),
        (["tables", 2, "tuples", 4, 1], 7, 'n.json: tables[2].tuples[4][1]: 7, expected a number from 0 to 2 or "*"'),
        (["tables", 2, "tuples", 4, 1], True, "n.json: tables[2].tuples[4][1]: true, expected a number"),
        (
            ["utilities", 0, "rows", 0, "utility", 0],
            0.5,
            "n.json: utilities[0].rows[0].utility[0]: 0.5, expected an exact",
        ),
        (["utilities", 0, "rows", 0, "utility", 0], "1/0", 'utility[0]: "1/0", expected an exact number as "1/2"'),
        (
            ["chances", 0, "rows", 0, "probability", 0],
            "1/2",
            "n.json: a row of the probabilities of y is no distribution",
        ),
        (
            ["chances", 0, "rows", 0, "values"],
            [0],
            "n.json: chances[0].rows[0].values: [0], expected a list of 0 values",
        ),
        (["threshold"], ["1", "1"], "n.json: a threshold of 2 numbers for 1 players"),
        (["stages"], [2], "n.json: stages have to end one after the other, the last with the last variable"),
    ],
)
def test_errors_say_where(path: list[Any], value: object, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_network(changed(path, value), "n.json")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_text_that_is_no_json_has_line_and_column() -> None:
    with pytest.raises(InputError, match=r"^n.json:2:3: not JSON"):
        parse_network('{"format": 1,\n  oops', "n.json")


def test_something_else_in_json_is_refused() -> None:
    for text in ("[]", "3", '{"format": "other"}', "[" * 100_000):
        with pytest.raises(InputError):
            parse_network(text)


def test_a_missing_member_is_named() -> None:
    with pytest.raises(InputError, match="network: variables: missing"):
        parse_network('{"format": "zermelo-network", "version": 1, "players": 1}')


def test_rows_given_twice_are_refused() -> None:
    data = json.loads(write_network(example_three()))
    data["utilities"][0]["rows"] *= 2
    with pytest.raises(InputError, match=r"rows\[1\].values: \[\], expected each row once"):
        parse_network(json.dumps(data))
