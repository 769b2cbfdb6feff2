"""The checker's own reading and playing of graphs, networks and networks that fail against those of the engines."""

from __future__ import annotations

import random
import subprocess
import sys
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from tests.fuzz.readers import Case, check, draw_of
from tests.fuzz.texts import TEXTS

import zermelo
from zermelo.certificate import Certificate, Claim
from zermelo.check import check_certificate
from zermelo.check.instance import READERS, instance_of
from zermelo.check.read import network as own_network
from zermelo.check.walk import check_table
from zermelo.check.without_text import copy_of
from zermelo.errors import GameError, InputError, NotApplicableError
from zermelo.game import CHANCE, Game
from zermelo.limits import Limits
from zermelo.scsp.game import NetworkGame
from zermelo.scsp.network import Chance, Network, Utility, Variable
from zermelo.solving.targets import game_from, game_of
from zermelo.source import Source

FORMATS = ("dgr", "graph", "network")


def answers(game: Game, position: Any) -> Any:
    try:
        scores = game.result(position)
    except NotApplicableError:
        scores = None  # a network of several players
    moves = list(game.moves(position))
    if scores is not None or not moves:
        return scores, game.key(position)
    chances = list(game.chances(position)) if game.turn(position) == CHANCE else []
    return scores, game.key(position), game.turn(position), [game.move_text(move) for move in moves], chances


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("seed", range(40))
def test_both_games_are_the_same(format: str, seed: int) -> None:
    rng = random.Random(seed)
    source = Source(format, TEXTS[format](rng), "text")
    try:
        theirs = game_from(source)
    except InputError:
        return
    own = instance_of(theirs).game()  # type: ignore[union-attr]
    for _ in range(4):
        position, mine = theirs.start(), own.start()
        for _ in range(30):
            found = answers(theirs, position)
            assert found == answers(own, mine)
            if len(found) == 2:
                break
            move = rng.choice(list(theirs.moves(position)))
            position, mine = theirs.play(position, move), own.play(mine, move)


@pytest.mark.parametrize("format", [*FORMATS, "rulesheet"])
def test_damaged_texts_are_read_alike(format: str) -> None:
    for seed in range(150):
        check(draw_of(format, random.Random(seed)))


HEAD = '"format": "zermelo-network", "version": 1, "players": 1'
COIN = '{"name": "c", "domain": ["h", "t"], "stochastic": true}'


def chances(shares: str) -> str:
    rows = f'[{{"values": [], "probability": {shares}}}]'
    return f'{{{HEAD}, "variables": [{COIN}], "chances": [{{"variable": "c", "scope": [], "rows": {rows}}}]}}'


@pytest.mark.parametrize(
    ("shares", "right"),
    [
        ('["1/2", "1/2"]', True),
        ("[1, 0]", True),
        ('["1/2", "1/3"]', False),
        ('["1/2", "2/3"]', False),
        ('["3/2", "-1/2"]', False),
        ("[0.5, 0.5]", False),
        ("[1e0, 0]", False),
        ("[true, false]", False),
        ('["1/0", "1"]', False),
        ('["1/2"]', False),
        ("[NaN, 1]", False),
        ('["0.5", "1/2"]', False),
    ],
)
def test_only_distributions_are_probabilities(shares: str, right: bool) -> None:
    source = Source("network", chances(shares), "text")
    check(Case("network", source.text))
    for reader in (game_from, own_network.read):
        if right:
            reader(source)
        else:
            with pytest.raises(InputError):
                reader(source)


@pytest.mark.parametrize(
    "text",
    [
        f'{{{HEAD}, "players": 2, "variables": []}}',
        f'{{{HEAD}, "variables": [{{"name": "x", "name": "y", "domain": ["a"]}}]}}',
        f'{{{HEAD}, "variables": [], "threshold": []}}',
        f'{{{HEAD}, "variables": [], "stages": []}}',
        '{"format": "zermelo-network", "version": 1.0, "players": 1, "variables": []}',
        '{"format": "zermelo-network", "version": 1, "players": true, "variables": []}',
        f'{{{HEAD}, "variables": {"[" * 5000}{"]" * 5000}}}',
        f'{{{HEAD}, "variables": [], "tables": [{{"scope": [], "tuples": [[-1]]}}]}}',
    ],
)
def test_what_could_be_read_in_two_ways_is_refused_by_both(text: str) -> None:
    for reader in (game_from, own_network.read):
        with pytest.raises(InputError):
            reader(Source("network", text, "text"))


def test_probabilities_that_miss_one_are_refused_by_the_checkers_own_noun() -> None:
    coin = (own_network.Variable("c", ("h", "t"), True),)
    for shares in ((Fraction(1, 2), Fraction(1, 3)), (Fraction(1, 2), Fraction(2, 3)), (Fraction(2), Fraction(-1))):
        drawn = own_network.Drawn(0, own_network.Stated((), {(): shares}))
        with pytest.raises(InputError, match="no distribution"):
            own_network.Network(1, coin, (), (), (drawn,), (Fraction(0),), (1,))
        with pytest.raises(InputError, match="no distribution"):
            Network(1, (Variable("c", ("h", "t"), True),), chances=(Chance(0, (), {(): shares}),))


class Toss(Game):
    """A coin with the given probabilities; heads is worth 1."""

    roles = ("you",)

    def __init__(self, *shares: Any) -> None:
        self.shares = shares

    def start(self) -> Any:
        return "coin"

    def turn(self, position: Any) -> Any:
        return CHANCE

    def moves(self, position: Any) -> Any:
        return list(range(len(self.shares)))

    def play(self, position: Any, move: Any) -> Any:
        return move

    def result(self, position: Any) -> Any:
        return None if position == "coin" else (1 - position,)

    def chances(self, position: Any) -> Any:
        return list(enumerate(self.shares))


WRONG = (
    (Fraction(1, 2), Fraction(1, 3)),
    (Fraction(1, 2), Fraction(2, 3)),
    (Fraction(2), Fraction(-1)),
    (0.5, 0.5),
    (Fraction(1, 2), 0.5),
    (),
)


@pytest.mark.parametrize("shares", WRONG)
def test_chances_that_are_no_distribution_prove_nothing(shares: tuple[Any, ...]) -> None:
    game, claims = Toss(*shares), (Claim("you", -9), Claim("nobody", -9))
    for claim in claims:
        verdict = check_table(game, claim, Limits())
        assert verdict.status == "refuted"
        assert "add up to 1" in verdict.reason
    with pytest.raises(GameError):
        check_certificate(game, Certificate("", claims))
    with pytest.raises(GameError):
        zermelo.solve(game)


def test_chances_that_add_up_to_one_do_prove_something() -> None:
    game = Toss(Fraction(1, 3), Fraction(2, 3))
    assert check_table(game, Claim("you", Fraction(1, 3)), Limits()).accepted
    assert not check_table(game, Claim("you", Fraction(1, 2)), Limits()).accepted


def test_a_policy_of_a_later_position_is_refused() -> None:
    from zermelo.continued import Continued

    variables = (Variable("x", ("a", "b")), Variable("y", ("a", "b")))
    network = Network(2, variables, threshold=(Fraction(0), Fraction(0)))
    later = Continued(NetworkGame(network), [(0, 0)])
    claim = Claim("decider", 1, rule="policy", data={"nodes": [[], [[0, 0]], [[0, 1]]]}, after=("x=a",))
    assert not check_certificate(later, Certificate("", (claim,))).accepted


@pytest.mark.parametrize(
    "target", ["examples/map.graph", "examples/umbrella.json", "examples/reliability.dgr", "gdl:nim"]
)
def test_a_game_made_in_python_has_the_digest_of_its_file(target: str) -> None:
    from zermelo.check.instance import digest_of

    game = game_of(target)
    assert game.source is not None
    copied = copy_of(game)
    assert copied is not None
    assert copied.canonical() == import_module(READERS[game.source.format]).read(game.source).canonical()
    by_file = digest_of(game)
    game.source = None
    del game.__dict__["_checkers_digest"], game.__dict__["_checkers_reading"]
    assert digest_of(game) == by_file


@pytest.mark.parametrize("format", sorted({*FORMATS, "rulesheet"}))
def test_a_reader_of_the_checker_loads_nothing_of_the_engines(format: str) -> None:
    code = f"import sys, {READERS[format]}, zermelo.check.network; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    rooms = ("zermelo.gdl", "zermelo.scsp", "zermelo.games", "zermelo.search", "numpy", "networkx", "zermelo._native")
    assert not [name for name in loaded if name.startswith(rooms)]


def test_files_solve_and_check_as_before(tmp_path: Path) -> None:
    for target in ("examples/map.graph", "examples/umbrella.json", "examples/reliability.dgr", "examples/heaps.kif"):
        solution = zermelo.solve(target)
        assert solution.verified, target
        assert solution.certificate is not None
        assert check_certificate(game_of(target), solution.certificate).accepted


def test_a_utility_over_no_variable_leaves_a_network_feasible() -> None:
    loss = Utility((), {(): (Fraction(-1),)})
    solution = zermelo.solve(NetworkGame(Network(1, (Variable("x", ("a", "b")),), utilities=(loss,))))
    assert solution.verified
    assert solution.value == -1
