"""Nim-sequences of octal games and Grundy's game, and periods that are proven."""

from __future__ import annotations

import random
from functools import reduce
from operator import xor
from typing import Any

import pytest

import zermelo
from zermelo.certificate import Claim
from zermelo.cgt.boards.large_heaps import Coded, nimber_data
from zermelo.cgt.boards.octal import NimSequence, OctalCode, Period
from zermelo.cgt.boards.ruleset import positions_of
from zermelo.cgt.rulesets.heaps import Octal, in_order
from zermelo.cgt.values.arena import controlled
from zermelo.check.read.board import Boards, board_target
from zermelo.check.sequences import check_nimbers_claim
from zermelo.errors import InputError, LimitReachedError
from zermelo.kernel_thread import HeardControl
from zermelo.limits import Limits
from zermelo.solving.targets import game_of

GRUNDY = OctalCode((4,), unequal=True)


def plain_values(code: OctalCode, count: int) -> list[int]:
    """The nim-values by the definition: the least value that no move makes."""
    values: list[int] = []
    for size in range(count):
        made = {reduce(xor, (values[heap] for heap in heaps), 0) for heaps in code.options(size)}
        values.append(min(set(range(len(made) + 1)) - made))
    return values


CODES = ["0.77", "0.07", "0.137", "0.6", "0.16", "0.106", "4.7", "4.0", "0.3", "0.033", "0.45"]


@pytest.mark.parametrize("text", CODES)
def test_values_are_those_of_the_definition(text: str) -> None:
    code = OctalCode.parse(text)
    assert NimSequence(code).values(150) == plain_values(code, 150)


def test_random_codes_have_the_values_of_the_definition() -> None:
    rng = random.Random(8)
    for _ in range(15):
        code = OctalCode.parse("0." + "".join(rng.choice("01234567") for _ in range(rng.randint(1, 4))))
        assert NimSequence(code).values(100) == plain_values(code, 100), code


def test_grundys_game_begins_as_known() -> None:
    # Winning Ways, chapter 4.
    first = [0, 0, 0, 1, 0, 2, 1, 0, 2, 1, 0, 2, 1, 3, 2, 1, 3, 2, 4, 3, 0]
    assert NimSequence(GRUNDY).values(21) == first
    assert NimSequence(GRUNDY).values(200) == plain_values(GRUNDY, 200)


@pytest.mark.parametrize(
    ("text", "preperiod", "length"),
    [
        ("0.77", 71, 12),  # Kayles: heap 70 is the last exception
        ("0.07", 53, 34),  # Dawson's Kayles
        ("0.137", 52, 34),  # Dawson's Chess: the same values, one heap earlier
        ("0.45", 498, 20),
        ("0.3", 0, 2),
        ("0.156", 3479, 349),
    ],
)
def test_periods_are_those_of_the_tables(text: str, preperiod: int, length: int) -> None:
    found = NimSequence(OctalCode.parse(text)).period()
    assert found is not None
    assert (found.preperiod, found.length) == (preperiod, length)


def test_a_period_needs_all_the_values_that_prove_it() -> None:
    kayles = NimSequence(OctalCode.parse("0.77"))
    assert kayles.period(120) is None
    assert kayles.period(300) == Period(71, 12, 168)


def test_values_beyond_the_proof_are_those_of_the_definition() -> None:
    code = OctalCode.parse("0.77")
    assert NimSequence(code).values(600) == plain_values(code, 600)


def test_heaps_of_any_size_have_a_value_where_there_is_a_period() -> None:
    kayles = NimSequence(OctalCode.parse("0.77"))
    assert kayles.value(10**100) == kayles.value(71 + (10**100 - 71) % 12)


def test_where_no_period_is_known_a_huge_heap_is_refused() -> None:
    with pytest.raises(LimitReachedError, match="no period"):
        NimSequence(GRUNDY).value(10**12)


@pytest.mark.parametrize(
    "text",
    ["0.[3]", "4!.0", "0.3F", "0.8", "8.0", "0.7F", "C.3", "0.[07]", "0.1[03]", "C!.0", "0.205200048A", "0.F[1]"],
)
def test_hexadecimal_codes_tails_and_unequal_heaps_have_the_values_of_the_definition(text: str) -> None:
    code = OctalCode.parse(text)
    assert str(code) == text and NimSequence(code).values(45) == plain_values(code, 45)


def test_nim_and_grundys_game_are_codes() -> None:
    assert NimSequence(OctalCode.parse("0.[3]")).values(50) == list(range(50))
    assert OctalCode.parse("4!.0") == GRUNDY
    assert NimSequence(OctalCode.parse("0.[1]")).values(6) == [0, 1, 1, 1, 1, 1]  # take a whole heap


def test_a_hexadecimal_period_needs_three_times_as_many_values() -> None:
    period = NimSequence(OctalCode.parse("0.A")).period()
    assert period == Period(1, 2, 3 * (1 + 2) + 1)
    assert NimSequence(OctalCode.parse("0.3F")).period(300) is None  # its values grow for ever
    assert NimSequence(OctalCode.parse("0.[3]")).period(300) is None


@pytest.mark.parametrize("text", ["0.4!4", "5.7", "1.0", "0.[", "0.[]", "0..7", "0.7]", "0.!7", "77"])
def test_wrong_codes_are_refused_where_they_are_wrong(text: str) -> None:
    with pytest.raises(InputError):
        OctalCode.parse(text)
    for name in ("octal", "hexadecimal"):
        with pytest.raises(InputError):
            board_target(f"{name}:{text}:5").canonical()


def test_the_checker_reads_codes_and_knows_their_moves_as_the_engines_do() -> None:
    rng = random.Random(3)
    for _ in range(60):
        digits = "".join(rng.choice("0123456789ABCDEF") for _ in range(rng.randint(1, 3)))
        tail = f"[{rng.choice('137')}]" if rng.random() < 0.3 else ""
        text = f"{rng.choice('048C')}.{digits}{tail}"
        if rng.random() < 0.3:
            text = "".join(d + "!" if d in "456789ABCDEF" else d for d in text)
        code, heap = OctalCode.parse(text), rng.randint(1, 9)
        read = board_target(f"octal:{text}:{heap}")
        assert isinstance(read, Boards)
        (_, rules, board), *_ = read.ruled_boards
        moves: list[Any] = [option.position for option in Octal().options((code, (heap,)), "left")]
        ours = sorted(after[1] for after in moves)
        assert sorted(after[1] for _, after in rules.moves(board, 0)) == ours, text
        assert rules.text(board) == f"{code}:{heap}"


def test_large_heaps_are_won_proved_and_played() -> None:
    for target in ("kayles:1000000000000", "octal:0.137:123456789", "grundy:300", "hexadecimal:0.3F:250"):
        solution = zermelo.solve(target)
        assert solution.verified and solution.winner == "left" and solution.certificate is not None
        assert {claim.rule for claim in solution.certificate.claims} == {"nimbers"}
        rules, (position,) = positions_of(target)
        assert isinstance(rules, Coded)
        assert rules.nim_value(after_move(rules, position, solution.move[1])) == 0


def after_move(rules: Any, position: Any, name: str) -> Any:
    """The position after a move, which need not be found in a list."""
    heap, _, left = name.partition(">")
    heaps = list(position[1] if isinstance(position[0], OctalCode) else position)
    heaps.remove(int(heap))
    made = in_order([*heaps, *map(int, left.split(","))])
    return (position[0], made) if isinstance(position[0], OctalCode) else made


def test_forged_nim_values_are_refused() -> None:
    game = game_of("octal:0.77:1000")
    data = nimber_data([[(OctalCode.parse("0.77"), 1000)]], "*")
    good = Claim("left", 1, rule="nimbers", data=data, play="normal")
    assert check_nimbers_claim(game, good, Limits()).accepted
    values, period = data["sequences"]["0.77"]["values"], data["sequences"]["0.77"]["period"]

    def told(**changes: Any) -> dict[str, Any]:
        return {"value": "*", "sequences": {"0.77": {"values": values, "period": period} | changes}}

    forged = [
        told(values=values[:-1]),
        told(values=[*values[:100], 9, *values[101:]]),
        told(values=[*values[:5], True, *values[6:]]),
        told(period=[70, 12]),
        told(period=[71, 6]),
        told(period=[71, 0]),
        told(period=[-1, 12]),
        told(period="71"),
        {"value": "*3", "sequences": data["sequences"]},
        {"value": "*", "sequences": {}},
        {"value": "*"},
    ]
    for one in forged:
        assert check_nimbers_claim(game, Claim("left", 1, rule="nimbers", data=one, play="normal"), Limits()).reason
    wrong = [Claim("right", 1, rule="nimbers", data=data, play="normal"), Claim("left", 1, rule="nimbers", data=data)]
    for claim in wrong:
        assert check_nimbers_claim(game, claim, Limits()).status == "refuted"
    assert "say nothing" in check_nimbers_claim(game_of("cram:2x2"), good, Limits()).reason


def test_long_sequences_heed_a_call_to_stop() -> None:
    control = HeardControl(Limits(), often=1)
    control.stop()
    with controlled(control), pytest.raises(LimitReachedError, match="interrupted"):
        NimSequence(OctalCode.parse("0.106")).value(500)


def test_a_move_of_a_heap_with_very_many_is_found_without_a_list_of_them() -> None:
    game = game_of("octal:0.106:1000000000000")
    assert game.move_text(game.some_move(game.start())) == "1000000000000>999999999997"


@pytest.mark.parametrize("text", ["octal:0.77:5,3", "grundy:8,5", "nimheaps:3,1", "wytqueens:2,1", "partsub:1,4/2,3:5"])
def test_some_move_is_the_first_of_the_legal_ones(text: str) -> None:
    game = game_of(text)
    position = game.start()
    while game.result(position) is None:
        move = game.some_move(position)
        assert move == game.moves(position)[0]
        position = game.play(position, move)
    assert game.some_move(position) is None
