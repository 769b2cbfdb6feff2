"""Players that search trees with bandits."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest

from zermelo import _native
from zermelo.encode.scsp.micro import micro_network
from zermelo.errors import ArgumentError, NotApplicableError
from zermelo.game import CHANCE, Game
from zermelo.gdl.library import rulesheet, rulesheet_text
from zermelo.gdl.reader import read_rules
from zermelo.play.bandits import MAC_UCB, bandit_tree
from zermelo.play.library_model import model_of
from zermelo.play.player import Clock, Player, make_player
from zermelo.scsp.mac import Solver
from zermelo.search.backward import Backward
from zermelo.search.forward import RulesheetModel, rulesheet_model
from zermelo.search.game_model import GameModel

TREES = ("uct", "mac-ucb", "fc-ucb", "mac-ucb-sym", "grave", "mast", "paper-literal")
BOTH = ("mac-ucb", "fc-ucb")
SOUND = ("mac-ucb", "fc-ucb", "mac-ucb-sym", "grave", "mast")


@pytest.fixture(scope="module")
def tictactoe() -> RulesheetModel:
    return rulesheet_model(rulesheet("tictactoe"))


def play(model: RulesheetModel, players: dict[int, Player], clock: Clock, seed: int = 1) -> list[float]:
    dice, position = random.Random(seed), model.start()
    while not model.over(position):
        joint = []
        for role in range(len(model.roles)):
            legal = model.legal(position, role)
            joint.append(players[role].choose(position, clock).move if role in players else dice.choice(legal))
            assert joint[-1] in legal
        position = model.play(position, joint)
    return [float(model.score(position, seat)) for seat in model.seats]


@pytest.mark.parametrize("name", TREES)
def test_the_same_seed_gives_the_same_play(name: str) -> None:
    model = rulesheet_model(rulesheet("bomberman"))
    decisions = [make_player(name, model, 0, 5).choose(model.start(), Clock(simulations=1000)) for _ in range(2)]
    assert len({(d.move, d.simulations, d.value) for d in decisions}) == 1


@pytest.mark.parametrize("seed", range(6))
def test_sound_players_draw_tictactoe(tictactoe: RulesheetModel, seed: int) -> None:
    players = {0: make_player("mac-ucb", tictactoe, 0, seed), 1: make_player("fc-ucb", tictactoe, 1, seed)}
    assert play(tictactoe, players, Clock(simulations=5000)) == [0.5, 0.5]


@pytest.mark.parametrize("name", SOUND)
def test_nobody_loses_tictactoe_against_perfect_play(tictactoe: RulesheetModel, name: str) -> None:
    perfect = Backward(tictactoe, tictactoe.start())
    for seat, seed in product((0, 1), range(2)):
        other, position = 1 - seat, tictactoe.start()
        player, dice = make_player(name, tictactoe, seat, seed), random.Random(seed)
        while not tictactoe.over(position):
            joint = [tictactoe.legal(position, role)[0] for role in (0, 1)]
            joint[seat] = player.choose(position, Clock(simulations=5000)).move
            worth = {}
            for move in tictactoe.legal(position, other):
                joint[other] = move
                worth[move] = perfect.values(tictactoe.play(position, joint))[other]
            joint[other] = dice.choice([move for move in worth if worth[move] == max(worth.values())])
            position = tictactoe.play(position, joint)
        assert tictactoe.score(position, seat) == tictactoe.score(position, other)


def test_matching_pennies_is_proved_worth_half_and_played_together() -> None:
    model = rulesheet_model(rulesheet("matchingpennies"))
    for first in range(3):
        decisions = [
            make_player("mac-ucb", model, s, 7 * s + first).choose(model.start(), Clock(simulations=2000))
            for s in (0, 1)
        ]
        assert {(d.value, d.proved, model.move_text(d.move)) for d in decisions} == {(0.5, True, "(choose heads)")}


@pytest.mark.parametrize("size", ["2,1,2", "2,2,2", "3,1,3"])
def test_a_small_orchard_is_proved_to_be_worth_what_expectimax_finds(size: str) -> None:
    model = rulesheet_model(rulesheet("orchard", size))
    exact = Backward(model, model.start()).values(model.start())[0]
    tree = bandit_tree(model.game, 1, MAC_UCB)
    tree.run(200_000, 0.0, _native.Control())
    lower, upper = (bound / (100 << 32) for bound in tree.bounds(0))
    assert lower <= exact + 1e-9
    assert upper >= exact - 1e-9
    assert upper - lower < 1e-6, "every play of so small an orchard is looked at"


@pytest.mark.parametrize("sheet", [("tictactoe",), ("matchingpennies",), ("orchard", "2,2,2"), ("nim", "2,3")])
def test_the_network_of_a_round_and_the_circuit_have_the_same_joint_moves(sheet: tuple[str, ...]) -> None:
    model = rulesheet_model(rulesheet(*sheet))
    micro, dice, position = micro_network(model.game), random.Random(1), model.start()
    for _ in range(4):
        if model.over(position):
            break
        legal = [model.legal(position, role) for role in range(len(model.roles))]
        solver = Solver(micro.network)
        assert solver.assume(micro.state_assignment(position))
        found = {(micro.joint_move(solution), micro.next_state(solution)) for solution in solver.solutions()}
        assert found == {(joint, model.play(position, joint)) for joint in product(*legal)}
        position = model.play(position, [dice.choice(moves) for moves in legal])


def test_little_memory_is_enough() -> None:
    model = rulesheet_model(rulesheet("hex"))
    small, large = (make_player(f"mac-ucb(memory={size})", model, 0, 1) for size in (1, 64))
    for player in (small, large):
        decision = player.choose(model.start(), Clock(simulations=3000))
        assert decision.move in model.legal(model.start(), 0)
        assert (decision.nodes < 2500) == (player is small)


def test_a_tree_is_kept_from_move_to_move(tictactoe: RulesheetModel) -> None:
    player = make_player("mac-ucb", tictactoe, 0, 1)
    first = player.choose(tictactoe.start(), Clock(simulations=20_000))
    after = tictactoe.play(tictactoe.start(), [first.move, tictactoe.legal(tictactoe.start(), 1)[0]])
    after = tictactoe.play(after, [tictactoe.legal(after, 0)[0], tictactoe.legal(after, 1)[0]])
    assert player.choose(after, Clock(simulations=1)).nodes >= first.nodes


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("mac-ucb(share=2)", "share=2 is not between 0 and 1"),
        ("mac-ucb(grave=0.5)", r"grave=0.5 is no whole number"),
        ("mac-ucb(kernel=fast)", "kernel=fast is none, expected auto, single or bulk"),
        ("mac-ucb(depth=3)", "mac-ucb has no setting 'depth'"),
        ("paper-literal(share=0.5)", "paper-literal has no setting 'share'"),
    ],
)
def test_settings_are_checked(tictactoe: RulesheetModel, name: str, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        make_player(name, tictactoe, 0, 1)


@pytest.mark.parametrize("name", BOTH)
@pytest.mark.parametrize(
    "target", ["nim:3,4,5", "connect:4,4,3", "mnk:3,3,3", "coins:1,1,2,2,2,1,3,3", "geography:random:12,2,3"]
)
def test_bandits_prove_what_exact_search_finds_on_the_native_twin(name: str, target: str) -> None:
    model = model_of(target)
    decision = make_player(name, model, 0, 1).choose(model.start(), Clock(simulations=200_000))
    exact = make_player("exact", model, 0, 1).choose(model.start(), Clock(simulations=1_000_000))
    assert decision.proved and exact.proved
    assert decision.value == pytest.approx(exact.value)


def test_mac_ucb_looks_ahead_on_a_library_game_and_fc_ucb_does_not() -> None:
    model = model_of("nim:9")  # to take the whole heap wins, which is seen before anything is sampled
    for name in BOTH:
        players = [make_player(name, model, 0, seed) for seed in range(10)]
        decisions = [player.choose(model.start(), Clock(simulations=1)) for player in players]
        assert all(decision.proved for decision in decisions) == (name == "mac-ucb")
        assert all(decision.extra["solving share"] > 0 for decision in decisions) == (name == "mac-ucb")


def test_settings_that_need_a_rulesheet_are_refused_elsewhere() -> None:
    with pytest.raises(ArgumentError, match="mac-ucb has no setting 'grave', expected exploration or share or memory"):
        make_player("mac-ucb(grave=10)", model_of("nim:1,2"), 0, 1)


def test_a_bandit_knows_the_worst_and_the_best_score_of_either_seat() -> None:
    model = model_of("dotsandboxes:1,3")
    first, second = (make_player("mac-ucb", model, seat, 1) for seat in (0, 1))
    opening = first.choose(model.start(), Clock(simulations=200_000))
    after = model.play(model.start(), [opening.move, 0])
    reply = second.choose(after, Clock(simulations=200_000))
    assert opening.proved and reply.proved and opening.value is not None and reply.value is not None
    assert opening.value + reply.value == pytest.approx(1)


class Lottery(Game):
    """The second role takes the prize, or a ticket: chance is to move then."""

    def start(self) -> int:
        return 0

    def turn(self, position: int) -> str:
        return CHANCE if position == 1 else self.roles[1]

    def moves(self, position: int) -> list[int]:
        return [1, 2]

    def chances(self, position: int) -> list[tuple[int, Fraction]]:
        return [(3, Fraction(1, 3)), (4, Fraction(2, 3))]

    def play(self, position: int, move: int) -> int:
        return move

    def result(self, position: int) -> tuple[int, int] | None:
        return (1, -1) if position in (2, 3) else (-1, 1) if position == 4 else None


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("mac-ucb", "mac-ucb: chance moves: only dp, induction and uct take it"),
        ("fc-ucb", "fc-ucb: chance moves: only dp, induction and uct take it"),
        ("mac-ucb-sym", "mac-ucb-sym: expected a rulesheet, whose symmetries are found from its rules"),
        ("grave", "grave: expected a rulesheet, whose moves have numbers to count them by"),
        ("mast", "mast: expected a rulesheet, whose moves have numbers to count them by"),
        ("paper-literal", "paper-literal: expected a rulesheet"),
    ],
)
def test_who_cannot_do_what_its_name_says_refuses(name: str, reason: str) -> None:
    with pytest.raises(NotApplicableError, match=reason):
        make_player(name, GameModel(Lottery()), 1, 1)
    make_player("uct", GameModel(Lottery()), 1, 1).choose(0, Clock(simulations=100))


def test_a_player_searches_alike_for_small_prizes_and_large_ones() -> None:
    text = rulesheet_text("oware", "")
    shares = []
    for prize in (100, 4):
        rules = text.replace("(goal ?p 100)", f"(goal ?p {prize})").replace("(goal ?p 50)", f"(goal ?p {prize // 2})")
        model = rulesheet_model(read_rules(rules, "oware"))
        tree = bandit_tree(model.game, 1, replace(MAC_UCB, kernel="single"))
        tree.run(4000, 0.0, _native.Control())
        visits = [option[1] for option in tree.options(0)]
        shares.append(max(visits) / sum(visits))
    assert min(shares) > 0.8 * max(shares) > 1.2 / len(visits), "and neither samples all moves alike"
