"""Backward induction against plain recursion, against other engines, and on games whose values are known."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from tests.search.rolegames import RoleGame, equilibria, iterated, plain_induction, random_role_game

import zermelo
from zermelo.cli import main
from zermelo.errors import GameError, InputError, NotApplicableError
from zermelo.exact.matrix_game import matrix_game
from zermelo.exact.simplex import Tableau, simplex, slack_basis
from zermelo.game import CHANCE, Game
from zermelo.limits import Limits
from zermelo.options import TIES, Options
from zermelo.search.induction import engine
from zermelo.search.induction.engine import RolePayoffs
from zermelo.search.induction.maxn import MaxN

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("ties", TIES)
def test_vectors_are_those_of_plain_recursion(ties: str) -> None:
    for seed in range(120):
        game = random_role_game(seed, roles=1 + seed % 5)
        found = zermelo.solve(game, "induction", options=Options(ties=ties))
        assert tuple(found.values.values()) == plain_induction(game, ties), seed
        assert found.verified, (seed, found.note)


def test_thousands_of_random_trees_are_worth_what_plain_recursion_says() -> None:
    options = {ties: Options(ties=ties, certify=False, verify=False, move_values=False, guess=False) for ties in TIES}
    for seed in range(3000):
        ties = TIES[seed % len(TIES)]
        game = random_role_game(seed, roles=1 + seed % 5, nodes=5 + seed % 11)
        found = zermelo.solve(game, "induction", options=options[ties])
        assert tuple(found.values.values()) == plain_induction(game, ties), (seed, ties)


def test_all_equilibria_are_stated() -> None:
    several = 0
    for seed in range(400):
        game = random_role_game(seed, roles=2 + seed % 3, nodes=11, scores=2)
        details = zermelo.solve(game, "induction", options=Options(certify=False)).details
        wanted = equilibria(game)
        if isinstance(details, RolePayoffs) and details.equilibria:
            assert set(details.equilibria) == wanted, seed
            several += len(wanted) > 1
        elif isinstance(details, RolePayoffs):
            for role, (low, high) in enumerate(details.ranges):
                assert low == min(vector[role] for vector in wanted) and high == max(v[role] for v in wanted), seed
        else:
            assert len(wanted) == 1, seed  # opposed roles: ties do not matter
    assert several > 20


def test_values_where_positions_repeat_are_those_of_value_iteration() -> None:
    for seed in range(150):
        game = random_role_game(seed, roles=2, nodes=9, cyclic=True, total=3, chance=(0, 0.3, 0.5)[seed % 3])
        found = zermelo.solve(game, "induction")
        assert found.verified, (seed, found.note)
        assert found.value is not None
        assert abs(float(found.value) - iterated(game)[0]) < 1e-6, seed
        if seed % 3 == 0:
            assert zermelo.solve(game, "dp").value == found.value, seed


def test_a_puzzle_of_chance_whose_positions_repeat_is_solved_from_both_sides() -> None:
    for seed in range(60):
        game = random_role_game(seed, roles=1, nodes=9, cyclic=True, chance=0.4)
        found = zermelo.solve(game)
        assert found.verified, (seed, found.note)
        assert found.value is not None
        assert abs(float(found.value) - iterated(game)[0]) < 1e-6, seed


def by_linear_program(gain: list[list[Fraction]]) -> Fraction:
    """The value of a matrix game by another way than the engine's."""
    rows, columns = len(gain), len(gain[0])
    sparse = [{j: gain[i][j] for j in range(columns) if gain[i][j]} | {columns: Fraction(1)} for i in range(rows)]
    value = {j: Fraction(-1) for j in range(columns)}
    free, zero, one = (None, None), (Fraction(0), None), (Fraction(1), Fraction(1))
    bounds: list[Any] = [zero] * rows + [free] + [zero] * columns + [one]
    tableau = Tableau([*sparse, value], bounds, [Fraction(0)] * rows + [Fraction(-1)])
    return simplex(tableau, slack_basis(tableau)).values[rows]


def plain_mixed(game: RoleGame, node: int, known: dict[int, Fraction]) -> Fraction:
    """What the first of two opposed roles gets, by recursion and a linear program where both move."""
    if node in known:
        return known[node]
    turn = game.turns[node]
    after = [plain_mixed(game, child, known) for child in game.successors[node]]
    if (end := game.ends[node]) is not None:
        known[node] = Fraction(end[0])
    elif turn == CHANCE:
        known[node] = sum((w * value for w, value in zip(game.weights[node], after, strict=True)), Fraction(0))
    elif not isinstance(turn, tuple):
        known[node] = max(after) if turn == game.roles[0] else min(after)
    else:
        rows, columns = game.sizes[node]
        gain = [after[row * columns : (row + 1) * columns] for row in range(rows)]
        if turn[0] != game.roles[0]:
            gain = [list(column) for column in zip(*gain, strict=True)]
        known[node] = by_linear_program(gain)
    return known[node]


def test_moves_made_at_once_are_mixed_as_linear_programs_say() -> None:
    for seed in range(150):
        game = random_role_game(seed, roles=2, nodes=10, at_once=0.5, total=3)
        found = zermelo.solve(game)
        assert found.value == plain_mixed(game, 0, {}), seed
        assert found.verified, (seed, found.note)


def test_a_matrix_game_has_mixtures_that_secure_its_value() -> None:
    for numbers in product((-1, 0, 2), repeat=6):
        gain = [list(numbers[:3]), list(numbers[3:])]
        value, rows, columns = matrix_game(gain)
        assert sum(rows) == sum(columns) == 1 and min(*rows, *columns) >= 0
        assert all(sum(x * row[j] for x, row in zip(rows, gain, strict=True)) >= value for j in range(3))
        assert all(sum(y * part for y, part in zip(columns, row, strict=True)) <= value for row in gain)


class TestKnownValues:
    def test_five_pirates_divide_three_coins(self) -> None:
        # Omohundro 1999, Stewart 1999: who is indifferent votes against, and A buys the votes of C and E.
        found = zermelo.solve(f"{ROOT}/examples/pirates.py:Pirates", options=Options(ties="worst-for-others"))
        assert list(found.values.values()) == [1, 0, 1, 0, 1]
        assert found.verified

    def test_piglet_is_won_with_four_sevenths(self) -> None:
        # Neller and Presser 2004, section 3: a coin instead of a die, two points win.
        assert zermelo.solve("pig:4,2").value == Fraction(4, 7)
        assert zermelo.solve("pig:4,2", after="roll 2").value == Fraction(5, 7)
        # The second to throw, with 0 against 1 of 2 points, wins with 2/5.
        assert zermelo.solve("pig:4,2", after="roll 2 hold").value == 1 - Fraction(2, 5)

    def test_pig_to_ten_is_a_race_of_single_turns(self) -> None:
        # Nobody should hold: with q the chance of ten points in one turn, the first wins with 1 / (2 - q).
        reached = [Fraction(0)] * 10 + [Fraction(1)] * 6
        for points in reversed(range(10)):
            reached[points] = sum((reached[points + face] for face in range(2, 7)), Fraction(0)) / 6
        assert zermelo.solve("pig:10").value == 1 / (2 - reached[0])

    @pytest.mark.parametrize("target", ["goofspiel:4", "goofspiel:4,ascending", "goofspiel:3,random", "oshizumo:7,2"])
    def test_symmetric_games_are_worth_nothing(self, target: str) -> None:
        found = zermelo.solve(target)
        assert (found.value, found.winner, found.verified) == (0, "draw", True)

    def test_rock_paper_scissors_with_a_double_rock(self) -> None:
        found = zermelo.solve(f"{ROOT}/examples/rockpaperscissors.kif")
        assert (found.value, found.verified) == (50, True)
        assert isinstance(found.details, RolePayoffs)
        assert found.details.mixtures["ann"] == {"paper": "1/2", "rock": "1/4", "scissors": "1/4"}

    def test_goofspiel_as_a_rulesheet_and_in_python_have_the_same_values(self) -> None:
        sheet = f"{ROOT}/examples/goofspiel.kif"
        assert zermelo.solve(sheet).value == 50
        # After 3 against 1 for the prize 3 the first leads by 3 of 6 points, which cannot be lost any more.
        for mine, yours in ((3, 1), (1, 3), (2, 1), (2, 2)):
            game = zermelo.game_of("goofspiel:3").at([(mine, yours)])
            wins = zermelo.solve(_SignOnly(game)).value
            asked = zermelo.solve(sheet, after=f"bid({mine})+bid({yours})").value
            assert wins is not None and asked == 50 + 50 * wins


class _SignOnly(Game):
    """A game of bids in which only counts who has more."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def start(self) -> Any:
        return self.game.start()

    def turn(self, position: Any) -> Any:
        return self.game.turn(position)

    def moves(self, position: Any) -> Any:
        return self.game.moves(position)

    def moves_of(self, position: Any, role: str) -> Any:
        return self.game.moves_of(position, role)

    def play(self, position: Any, move: Any) -> Any:
        return self.game.play(position, move)

    def result(self, position: Any) -> Any:
        scores = self.game.result(position)
        return None if scores is None else tuple((score > 0) - (score < 0) for score in scores)


def test_a_value_with_long_fractions_is_enclosed_and_the_bounds_are_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    exact = zermelo.solve("goofspiel:5", "induction", after="3,2").value
    monkeypatch.setattr(engine, "EXACT_BITS", 10)
    found = zermelo.solve("goofspiel:5", "induction", after="3,2")
    low, high = found.bounds
    assert low is not None and high is not None and exact is not None
    assert (found.status, found.verified) == ("bounded", True)
    assert low <= exact <= high and 0 < high - low < Fraction(1, 10**30)


def test_enclosed_values_of_positions_that_repeat_enclose_the_exact_one(monkeypatch: pytest.MonkeyPatch) -> None:
    enclosed = 0
    for seed in range(60):
        game = random_role_game(seed, roles=2, nodes=12, cyclic=True, total=3, chance=0.5)
        exact = zermelo.solve(game, "induction", options=Options(certify=False)).value
        with monkeypatch.context() as patch:
            patch.setattr(engine, "EXACT_BITS", 1)
            found = zermelo.solve(game, "induction")
        assert found.verified and found.bounds[0] <= exact <= found.bounds[1], seed  # type: ignore[operator]
        enclosed += found.status == "bounded"
    assert enclosed


class Centipede(Game):
    """Each role in turn takes what there is and ends the game, or leaves it to grow for the next (Rosenthal 1981)."""

    def __init__(self, roles: int, rounds: int) -> None:
        self.roles, self.rounds = tuple("abcdefgh"[:roles]), rounds

    def start(self) -> tuple[int, bool]:
        return (0, False)

    def turn(self, position: tuple[int, bool]) -> str:
        return self.roles[position[0] % len(self.roles)]

    def moves(self, position: tuple[int, bool]) -> list[str]:
        return ["leave", "take"]

    def play(self, position: tuple[int, bool], move: str) -> tuple[int, bool]:
        return (position[0], True) if move == "take" else (position[0] + 1, False)

    def result(self, position: tuple[int, bool]) -> tuple[int, ...] | None:
        step, taken = position
        if not taken and step < self.rounds:
            return None
        taker = step % len(self.roles)
        return tuple(step + 2 if role == taker and taken else step for role in range(len(self.roles)))


@pytest.mark.parametrize("roles", [2, 3, 5])
def test_the_centipede_is_taken_at_once(roles: int) -> None:
    found = zermelo.solve(Centipede(roles, 4 * roles))
    assert (found.move, found.verified) == ("take", True)
    assert list(found.values.values()) == [2, *[0] * (roles - 1)]


class Crowd(Game):
    """So many roles take one or two from a heap in turn; whoever takes the last pays the others."""

    def __init__(self, roles: int = 3, heap: int = 9) -> None:
        self.roles, self.heap = tuple("abcdefgh"[:roles]), heap

    def start(self) -> tuple[int, int]:
        return (self.heap, 0)

    def turn(self, position: tuple[int, int]) -> str:
        return self.roles[position[1]]

    def moves(self, position: tuple[int, int]) -> list[int]:
        return [take for take in (1, 2) if take <= position[0]]

    def play(self, position: tuple[int, int], move: int) -> tuple[int, int]:
        return (position[0] - move, (position[1] + 1) % len(self.roles))

    def result(self, position: tuple[int, int]) -> tuple[int, ...] | None:
        loser = (position[1] - 1) % len(self.roles)
        if position[0]:
            return None
        return tuple(-len(self.roles) if role == loser else role for role in range(len(self.roles)))


def test_at_a_limit_bounds_of_every_role_hold() -> None:
    whole = zermelo.solve(Centipede(3, 300))
    assert whole.verified
    for nodes in (4, 5, 60):
        part = zermelo.solve(Centipede(3, 300), "induction", Limits(nodes=nodes))
        assert (part.status, part.bounds[0], part.move is None) == ("bounded", 2, False)
        assert isinstance(part.details, RolePayoffs)
        for (low, high), value in zip(part.details.ranges, whole.values.values(), strict=True):
            assert (low is None or low <= value) and (high is None or value <= high)


class Split(Game):
    """Three roles choose one of three six times; then six coins are divided among them, each way as likely."""

    roles = ("a", "b", "c")
    score_sum = (0, 6)

    def start(self) -> tuple[int, ...]:
        return ()

    def turn(self, position: tuple[int, ...]) -> str:
        return self.roles[len(position) % 3]

    def moves(self, position: tuple[int, ...]) -> list[int]:
        return [0, 1, 2]

    def play(self, position: tuple[int, ...], move: int) -> tuple[int, ...]:
        return (*position, move)

    def result(self, position: tuple[int, ...]) -> tuple[int, ...] | None:
        if len(position) < 6:
            return None
        winners = random.Random(str(position)).choices(range(3), k=6)
        return tuple(winners.count(role) for role in range(3))


class TestMaxN:
    def test_it_says_what_backward_induction_says(self) -> None:
        cut = 0
        for seed in range(200):
            game = random_role_game(seed, roles=3 + seed % 3, nodes=25, chance=(0.0, 0.1)[seed % 2])
            # One role takes all: the first with the most.
            ends = tuple(
                end and tuple(int(role == end.index(max(end))) for role in range(len(end))) for end in game.ends
            )
            game = replace(game, ends=ends)
            search = MaxN(game, (0, 1))
            assert search.value() == plain_induction(game, "first"), seed
            cut += search.cuts
        assert cut > 20

    def test_shallow_pruning_saves_nodes_where_sums_are_bounded(self) -> None:
        pruned, whole = MaxN(Split(), (0, 6)), MaxN(Split(), None)
        assert pruned.value() == whole.value()
        assert pruned.nodes < whole.nodes and pruned.cuts

    def test_it_is_an_engine_without_a_certificate(self) -> None:
        found = zermelo.solve(Split(), "maxn")
        assert (found.values, found.verified) == (zermelo.solve(Split()).values, False)
        assert "cut" in found.note and found.stats["cuts"]
        with pytest.raises(NotApplicableError, match="takes ties first"):
            zermelo.solve(Split(), "maxn", options=Options(ties="best-for-others"))

    def test_all_engines_agree_on_three_roles(self) -> None:
        told = zermelo.solve(Crowd(3, 8), "all").stats["engines"]
        assert {name for name, said in told.items() if said["status"] == "solved"} == {"induction", "maxn"}

    def test_a_bound_that_the_rules_break_is_an_error(self) -> None:
        game = Crowd(3, 4)
        game.score_sum = (0, 3)
        with pytest.raises(GameError, match="beyond score_sum"):
            zermelo.solve(game, "maxn")
        game.score_sum = (0,)  # type: ignore[assignment]
        with pytest.raises(GameError, match="expected None or a pair"):
            zermelo.solve(game, "maxn")

    def test_circles_and_moves_at_once_are_refused(self) -> None:
        roles = ("ann", "bob", "cem")
        game = RoleGame(roles, ((1,), (2,), (1,)), ((1,), (0, 2), ()), (None, None, (1, 2, 3)), ((),) * 3, roles)
        with pytest.raises(NotApplicableError, match="positions repeat"):
            zermelo.solve(game, "maxn")
        game = RoleGame((("ann", "bob"), "ann"), ((1, 2), (1,)), ((1, 1), ()), (None, (1, 2, 3)), ((),) * 2, roles)
        with pytest.raises(NotApplicableError, match="several roles move at once"):
            zermelo.solve(game, "maxn")
        assert zermelo.solve(game).values == {"ann": 1, "bob": 2, "cem": 3}


class TestRefusals:
    def test_three_roles_whose_positions_repeat(self) -> None:
        roles = ("ann", "bob", "cem")
        game = RoleGame(roles, ((1,), (2,), (1,)), ((1,), (0, 2), ()), (None, None, (1, 2, 3)), ((),) * 3, roles)
        with pytest.raises(NotApplicableError, match="positions repeat, and the roles have interests of their own"):
            zermelo.solve(game, "induction")
        assert zermelo.solve(game, "induction", after="0 1").values == {"ann": 1, "bob": 2, "cem": 3}

    def test_opposed_roles_that_move_at_once_where_positions_repeat(self) -> None:
        game = RoleGame((("first", "second"), "first"), ((2, 2), (1,)), ((0, 1, 1, 0), ()), (None, (1, -1)), ((), ()))
        with pytest.raises(NotApplicableError, match="need not be fractions"):
            zermelo.solve(game)

    def test_roles_with_interests_of_their_own_that_move_at_once(self) -> None:
        game = RoleGame(
            (("first", "second"), "first", "first"), ((2, 2), (1,), (1,)), ((1, 2, 2, 1), (), ()),
            (None, (1, 3), (2, 1)), ((), (), ()),
        )  # fmt: skip
        with pytest.raises(NotApplicableError, match="several roles whose scores do not add up"):
            zermelo.solve(game)

    def test_hidden_information(self) -> None:
        game = Crowd()
        game.hidden_information = True
        with pytest.raises(NotApplicableError, match="does not see every move"):
            zermelo.solve(game)

    def test_a_horizon(self) -> None:
        with pytest.raises(InputError, match="induction takes no depth"):
            zermelo.solve(Crowd(), options=Options(depth=3))

    def test_a_rule_for_ties_that_there_is_not(self) -> None:
        with pytest.raises(InputError, match="ties 'last' is none of first"):
            Options(ties="last")


def test_auto_takes_induction_where_kernels_do_not_say_what_each_role_gets() -> None:
    general = RoleGame(
        ("first", "second", "second"), ((2,), (1,), (1,)), ((1, 2), (), ()), (None, (1, 3), (2, 9)), ((),) * 3
    )
    for game in (Crowd(), general, zermelo.game_of("pig:4"), zermelo.game_of("goofspiel:2")):
        assert zermelo.solve(game).engine == "induction"
    assert zermelo.solve(general).values == {"first": 2, "second": 9}


def test_the_json_has_the_values_of_all_roles(capsys: pytest.CaptureFixture[str]) -> None:
    target = f"{ROOT}/examples/pirates.py:Pirates(3, 2)"
    assert main(["solve", target, "--json", "--ties", "worst-for-others"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["values"] == {"A": "1", "B": "0", "C": "1"}
    assert told["ties"] == "worst-for-others"
    assert told["moves_by_role"]["0,1"] == {"A": "1", "B": "0", "C": "1"}


def test_a_strategy_can_be_had_from_a_mixed_solution() -> None:
    game = zermelo.game_of("oshizumo:6,1")
    strategy = zermelo.solve(game).strategy
    assert strategy is not None
    assert all(strategy(game.start()) in game.moves_of(game.start(), "first") for _ in range(10))
