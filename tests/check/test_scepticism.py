"""False claims that a sceptic would try on the checker, and what it must not depend on."""

from __future__ import annotations

import json
import subprocess
import sys
from enum import StrEnum
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from zermelo import CHANCE, Certificate, Claim, Game, check_certificate, solve, win_for
from zermelo.certificate import certificate_from_json, read_certificate
from zermelo.errors import AmbiguousMoveError, CertificateError, GameError
from zermelo.game import canonical_text
from zermelo.games import make_game
from zermelo.games.nim import Nim
from zermelo.limits import Limits


class Steps(Game):
    """One step a move, in two ways of the same length; the one who makes the last step gets ``scores``."""

    def __init__(self, length: int = 2, **attributes: Any) -> None:
        self.length = length
        vars(self).update(attributes)

    def start(self) -> Any:
        return 0

    def turn(self, position: Any) -> Any:
        return self.roles[position % len(self.roles)]

    def moves(self, position: Any) -> Any:
        return ["a", "b"]

    def play(self, position: Any, move: Any) -> Any:
        return position + 1

    def result(self, position: Any) -> Any:
        return self.scores if position == self.length else None

    scores: Any = (1, -1)


def test_the_checker_loads_no_engine_and_no_native_code() -> None:
    program = (
        "import sys, zermelo.check, zermelo.check.rules, zermelo.check.program\n"
        "from zermelo.games import make_game\n"
        "from zermelo import Certificate, Claim\n"
        "proof = Certificate('nim:2', (Claim('first', 1, {'((2),0)': ('0,2', 1)}),))\n"
        "assert zermelo.check.check_certificate(make_game('nim:2'), proof).accepted\n"
        "engines = ('zermelo.search', 'zermelo._native', 'nanobind', 'highspy', 'pysat', 'zermelo.qip.exact_lp.lp')\n"
        "print([name for name in sys.modules if name.startswith(engines)])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_role_named_nobody_or_draw_is_refused_since_these_words_mean_something_else() -> None:
    for name in ("nobody", "draw", CHANCE):
        with pytest.raises(GameError, match="a meaning of its own"):
            check_certificate(Steps(roles=(name, "other")), Certificate("", (Claim(name, 1),)))


def test_nobody_in_a_game_of_two_roles_claims_nothing() -> None:
    verdict = check_certificate(Steps(), Certificate("", (Claim("nobody", -1),)))
    assert verdict.status == "refuted"


def test_what_nobody_claims_of_a_puzzle_is_an_upper_bound() -> None:
    puzzle = Steps(roles=("solver",), scores=(3,))
    assert check_certificate(puzzle, Certificate("", (Claim("nobody", -3),))).accepted
    assert not check_certificate(puzzle, Certificate("", (Claim("nobody", -2),))).accepted


class Coin(Game):
    """Chance moves once; ``chances`` says how."""

    def __init__(self, *weights: Any) -> None:
        self.weights = weights

    def start(self) -> Any:
        return ""

    def turn(self, position: Any) -> Any:
        return CHANCE

    def moves(self, position: Any) -> Any:
        return ["heads", "tails"]

    def chances(self, position: Any) -> Any:
        return list(zip(self.moves(position), self.weights, strict=True))

    def play(self, position: Any, move: Any) -> Any:
        return move

    def result(self, position: Any) -> Any:
        return None if position == "" else win_for(position == "tails")


@pytest.mark.parametrize("weights", [(2, -1), (0.5, 0.5), (Fraction(1, 2), Fraction(1, 3)), ("1", 0), (True, None)])
def test_probabilities_that_are_negative_inexact_or_incomplete_prove_nothing(weights: tuple[Any, Any]) -> None:
    with pytest.raises(GameError, match="probabilit"):
        check_certificate(Coin(*weights), Certificate("", (Claim("first", 1),)))


def test_an_outcome_of_probability_zero_does_not_count() -> None:
    assert check_certificate(Coin(1, 0), Certificate("", (Claim("first", 1),))).accepted
    assert not check_certificate(
        Coin(Fraction(99, 100), Fraction(1, 100)), Certificate("", (Claim("first", 1),))
    ).accepted


class Circle(Steps):
    """Round and round; whoever stops loses."""

    def moves(self, position: Any) -> Any:
        return ["on", "stop"]

    def play(self, position: Any, move: Any) -> Any:
        return (position + 1) % 4 if move == "on" else position + 10

    def result(self, position: Any) -> Any:
        return None if position < 4 else win_for((position + 1) % 2)


@pytest.mark.parametrize("rank", [None, 0, 7])
def test_nothing_above_endless_play_is_proved_by_going_round_in_circles(rank: int | None) -> None:
    table = {"0": ("on", rank), "2": ("on", rank)}
    assert check_certificate(Circle(), Certificate("", (Claim("first", 0, table),))).accepted
    verdict = check_certificate(Circle(), Certificate("", (Claim("first", Fraction(1, 1000), table),)))
    assert verdict.status == "refuted" and "circles" in verdict.reason


def test_where_endless_play_is_a_loss_a_draw_by_repetition_is_not_claimed() -> None:
    table: dict[str, tuple[str, int | None]] = {"0": ("on", None), "2": ("on", None)}
    claim = Claim("first", 0, table)
    assert not check_certificate(Circle(endless=(-1, 1)), Certificate("", (claim,))).accepted


@pytest.mark.parametrize("endless", [(1,), (0.5, -0.5), 3, ("0", "0")])
def test_scores_of_endless_play_must_be_scores(endless: Any) -> None:
    with pytest.raises(GameError, match="endless"):
        check_certificate(Circle(endless=endless), Certificate("", (Claim("first", 0),)))


class Endless(Steps):
    """Play that never ends and never repeats; one move of many leads to an end."""

    def moves(self, position: Any) -> Any:
        return ["end", "on"]

    def play(self, position: Any, move: Any) -> Any:
        return -1 if move == "end" else position + 1

    def result(self, position: Any) -> Any:
        return (0, 0) if position < 0 else None


def checked_endlessly(limits: Limits) -> str:
    """What the checker says of a strategy for a game without an end."""
    claim = Certificate("", (Claim("second", 0, {str(n): ("on", None) for n in range(1, 300_000, 2)}),))
    return check_certificate(Endless(), claim, limits).status


def test_checking_an_infinite_game_obeys_the_limits_of_time_and_memory() -> None:
    assert checked_endlessly(Limits(seconds=0.2)) == "limit"
    # In a process of its own: one that has run other tests may have memory to spare, and need not grow.
    code = "from tests.check.test_scepticism import *; print(checked_endlessly(Limits(memory=1 << 20)))"
    told = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=Path(__file__).parents[2]
    )
    assert told.stdout == "limit\n"


def test_a_certificate_is_read_without_computing_what_it_names() -> None:
    def with_score(score: Any) -> Any:
        claim = {"role": "first", "at_least": score, "table": {}}
        return {
            "format": "zermelo-certificate",
            "version": 1,
            "target": "nim:1",
            "digest": 32 * "0a",
            "claims": [claim],
        }

    for score in ("1e999999999", "1_0", " 1", "1/0", "nan", "inf", "", "9" * 5000, 0.5, 1, None, [1], float("inf")):
        with pytest.raises(CertificateError, match="at_least"):
            certificate_from_json(with_score(score))


def test_a_number_too_long_to_read_is_bad_input(tmp_path: Path) -> None:
    file = tmp_path / "long.json"
    file.write_text('{"format": ' + "9" * 10_000 + "}")
    with pytest.raises(CertificateError):
        read_certificate(file)


def test_equal_positions_have_equal_keys() -> None:
    class Colour(StrEnum):
        RED = "red"

    pairs: list[tuple[Any, Any]] = [(True, 1), (Fraction(4, 2), 2), (Colour.RED, "red"), ((False,), (0,))]
    for one, two in pairs:
        assert one == two
        assert canonical_text(one) == canonical_text(two)


class Flags(Steps):
    """The side to move is 0 or 1 at first and False or True later; positions come back."""

    def start(self) -> Any:
        return (0, 0)

    def turn(self, position: Any) -> Any:
        return self.roles[position[1]]

    def moves(self, position: Any) -> Any:
        return [0, 1]

    def play(self, position: Any, move: Any) -> Any:
        return ((position[0] + move) % 3, not position[1])

    def result(self, position: Any) -> Any:
        return (1, -1) if position == (2, True) else None


def test_truth_values_and_numbers_mix_in_positions() -> None:
    assert solve(Flags()).verified


class Alike(Steps):
    """Two moves that differ in the case of one letter: the small one loses at once."""

    def moves(self, position: Any) -> Any:
        return ["x", "X"]

    def play(self, position: Any, move: Any) -> Any:
        return -1 if move == "x" else position + 1

    def result(self, position: Any) -> Any:
        return (-1, 1) if position == -1 else super().result(position)


def test_moves_are_told_apart_by_case() -> None:
    solution = solve(Alike(1))
    assert solution.verified and solution.move == "X"
    with pytest.raises(AmbiguousMoveError):
        Mixed().parse_move(0, "xy")


class Mixed(Steps):
    def moves(self, position: Any) -> Any:
        return ["Xy", "xY"]


class SameText(Steps):
    def move_text(self, move: Any) -> str:
        return "move"


def test_different_moves_written_alike_are_a_fault_of_the_game() -> None:
    with pytest.raises(GameError, match="cannot be read back"):
        solve(SameText())


class MisereNim(Nim):
    """Whoever takes the last loses: other rules than the native twin's."""

    def result(self, position: Any) -> Any:
        scores = super().result(position)
        return None if scores is None else (scores[1], scores[0])


def test_a_class_that_changes_a_library_game_is_solved_by_its_own_rules() -> None:
    solution = solve(MisereNim(3))
    assert (solution.winner, solution.verified, solution.move) == ("first", True, (0, 2))
    assert solve(MisereNim(1)).winner == "second"


def test_a_rule_is_not_believed_of_a_class_that_changes_the_game() -> None:
    claim = Claim("first", 1, rule="nim-sum")
    assert check_certificate(Nim(1), Certificate("", (claim,))).accepted
    assert not check_certificate(MisereNim(1), Certificate("", (claim,))).accepted


def test_scores_of_any_size_are_exact() -> None:
    huge = 10**400
    solution = solve(Steps(scores=(huge, -huge)))
    assert solution.value == huge and solution.verified


def test_a_table_cannot_leave_out_a_reply_nor_invent_a_move() -> None:
    game = make_game("nim:2,2")
    proof = solve(game, "dp").certificate
    assert proof is not None and check_certificate(game, proof).accepted
    (claim,) = proof.claims
    for key in claim.table:
        short = {k: entry for k, entry in claim.table.items() if k != key}
        assert not check_certificate(game, Certificate("", (Claim(claim.role, claim.at_least, short),))).accepted
        wrong = dict(claim.table) | {key: ("0,9", claim.table[key][1])}
        assert not check_certificate(game, Certificate("", (Claim(claim.role, claim.at_least, wrong),))).accepted
    assert json.loads(json.dumps(proof.to_json())) == proof.to_json()
