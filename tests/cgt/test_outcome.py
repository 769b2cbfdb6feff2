"""Who wins sums of boards without their value: against values, certificates, forgeries, limits, nim-values."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from tests.cgt.boards import RANDOM, random_position
from tests.fuzz import outcomes
from zermelo import Limits, Options, solve
from zermelo.certificate import Certificate
from zermelo.cgt.boards.board_value import has_native_rules, value_of_board
from zermelo.cgt.boards.native_nim import native_is_worth, native_nim_value
from zermelo.cgt.boards.nim_value import NimValues
from zermelo.cgt.boards.outcome import OutcomeSearch
from zermelo.cgt.boards.ruleset import IMPARTIAL, positions_of, ruleset_named
from zermelo.cgt.values.arena import own_arena
from zermelo.cgt.values.value import value_of
from zermelo.check import check_certificate
from zermelo.errors import InputError
from zermelo.solution import Solution
from zermelo.solving.targets import game_of

PARTIZAN = [name for name in RANDOM if not ruleset_named(name).impartial]
ASKED = Options(ask="outcome")


def outcome(target: str, valued: int | None = None) -> str | None:
    rules, positions = positions_of(target)
    return OutcomeSearch(valued=valued).outcome([(rules, position) for position in positions]).letter


@pytest.mark.parametrize("name", RANDOM)
@pytest.mark.parametrize("valued", [0, 3, None])
def test_search_and_value_agree_on_who_wins(name: str, valued: int | None) -> None:
    rng = random.Random(f"{name} {valued}")
    with own_arena():
        search = OutcomeSearch(valued=valued)
        for _ in range(12):
            ruleset, board = random_position(name, rng)
            other = random_position(name, rng)[1]
            value = value_of_board(ruleset, [board, other])
            assert search.outcome([(ruleset, board), (ruleset, other)]).letter == value.outcome, (board, other)


def test_search_and_value_agree_on_sums_of_several_games() -> None:
    rng = random.Random(7)
    for _ in range(60):
        outcomes.check(outcomes.draw(rng))


def test_what_one_order_of_search_has_found_serves_the_other() -> None:
    # Domineering alone is searched depth first, beside clobber by proof numbers; both write into one table.
    rng = random.Random(23)
    domineering, clobber = ruleset_named("domineering"), ruleset_named("clobber")
    with own_arena():
        search = OutcomeSearch(valued=2)
        for _ in range(40):
            board = "|".join("".join(rng.choice("....#") for _ in range(5)) for _ in range(4))
            stones = random_position("clobber", rng)[1]
            alone, beside = [(domineering, board)], [(domineering, board), (clobber, stones)]
            value = value_of_board(domineering, [board])
            letters = value.outcome, (value + value_of_board(clobber, [stones])).outcome
            for asked, letter in rng.sample([(alone, letters[0]), (beside, letters[1])], 2):
                assert search.outcome(asked).letter == letter, asked


def test_values_stand_beside_boards() -> None:
    rules, positions = positions_of("domineering:..|..")
    for text, letter in (("0", "N"), ("{1|-1}", "P"), ("2", "L"), ("-1", "N"), ("{100000000000000000000|0}", "L")):
        whole = value_of_board(rules, positions) + value_of(text)
        found = OutcomeSearch(valued=0).outcome([(rules, positions[0])], [value_of(text)])
        assert found.letter == whole.outcome == letter


@pytest.mark.parametrize(
    ("target", "letter"),
    [
        ("domineering:3x3", "N"),
        ("domineering:4x4", "N"),
        ("domineering:5x5", "P"),  # Breuker, Uiterwijk, van den Herik 2000
        ("domineering:6x6", "N"),
        ("domineering:4x6", "N"),
        ("domineering:4x5", "L"),
        ("domineering:6x7", "L"),
        ("domineering:7x7", "N"),
        ("domineering:7x8", "R"),
        ("clobber:2x10", "N"),
        ("nogo:3x3", "N"),
        ("amazons:x...|....|....|...o", "N"),
    ],
)
def test_published_outcomes_are_found(target: str, letter: str) -> None:
    assert outcome(target) == letter


def test_a_board_far_from_its_value_is_decided_and_checked() -> None:
    solution = solve("clobber:3x5", options=ASKED)
    assert (solution.engine, solution.details.outcome, solution.verified) == ("outcome", "N", True)
    assert solution.details.value is None


@pytest.mark.parametrize("name", [*PARTIZAN, "impartial-clobber", "kayles"])
def test_certificates_of_outcomes_are_accepted(name: str) -> None:
    rng = random.Random(f"certificates {name}")
    for _ in range(4):
        ruleset, board = random_position(name.removeprefix(IMPARTIAL), rng)
        target = f"{name}:{ruleset.text(board)}"
        solution = solve(target, options=ASKED)
        value = value_of_board(*positions_of(target))
        assert (solution.details.outcome, solution.verified) == (value.outcome, True), target
        if solution.winner == "left":
            after = game_of(target)
            moved = after.play(after.start(), solution.move)
            assert value_of_board(ruleset_named(name), moved[0]) >= 0


def forged(solution: Solution) -> Iterator[tuple[str, Certificate]]:
    """Certificates that prove nothing, or something else."""
    certificate = solution.certificate
    assert certificate is not None
    for place, claim in enumerate(certificate.claims):

        def told(data: Any, place: int = place, **changes: Any) -> Certificate:
            claims = list(certificate.claims)
            claims[place] = replace(claims[place], data=data, **changes)
            return replace(certificate, claims=tuple(claims))

        other = "right" if claim.role == "left" else "left"
        yield "the other wins", told(claim.data, role=other)
        yield "the other starts", told(claim.data, starts="right" if claim.starts == "left" else "left")
        yield "more than a win", told(claim.data, at_least=2)
        data = copy.deepcopy(dict(claim.data))
        for key in data["moves"]:
            lost = copy.deepcopy(data)
            del lost["moves"][key]
            yield f"no move in {key}", told(lost)
            for said in (["", "a1"], "a1", None, [data["moves"][key][0], "z9"], [5, 6]):
                wrong = copy.deepcopy(data)
                wrong["moves"][key] = said
                yield f"{said} in {key}", told(wrong)
        for part in data["parts"]:
            for worth in range(len(data["games"])):
                if worth != data["parts"][part]:
                    wrong = copy.deepcopy(data)
                    wrong["parts"][part] = worth
                    yield f"{part} worth {worth}", told(wrong)
        for field in ("games", "parts", "moves"):
            yield f"no {field}", told({name: entry for name, entry in data.items() if name != field})


@pytest.mark.parametrize("target", ["clobber:xoxo|xoox|ox..", "domineering:...|...|...+..", "dominoes:xo#oxo#xo"])
def test_forged_certificates_of_outcomes_are_refused(target: str) -> None:
    solution = solve(target, "outcome")
    game = game_of(target)
    assert solution.certificate is not None and check_certificate(game, solution.certificate).accepted
    refused = 0
    for label, certificate in forged(solution):
        verdict = check_certificate(game, certificate)
        if label.endswith("starts") and verdict.accepted:
            continue  # who wins whoever starts may do so by the same moves
        assert verdict.status == "refuted", label
        refused += 1
    assert refused > 10


@pytest.mark.parametrize("name", ["clobber", "domineering", "nogo", "col", "snort", "konane", "toads", "amazons"])
def test_native_nim_values_are_those_of_the_rules(name: str) -> None:
    rng = random.Random(f"nim {name}")
    plain = NimValues(ruleset_named(f"{IMPARTIAL}{name}"))
    for _ in range(12):
        ruleset, board = random_position(name, rng)
        assert has_native_rules(ruleset)
        assert native_nim_value(ruleset, board, both=True) == plain.searched(board), board


@pytest.mark.parametrize("name", ["clobber", "domineering", "nogo", "col", "snort", "konane", "toads", "amazons"])
def test_what_a_board_is_worth_is_asked_heap_by_heap(name: str) -> None:
    rng = random.Random(f"worth {name}")
    plain = NimValues(ruleset_named(f"{IMPARTIAL}{name}"))
    for _ in range(8):
        ruleset, board = random_position(name, rng)
        heaps = rng.sample(range(6), 6)
        worth = plain.searched(board)
        with own_arena():
            for heap in heaps:
                known = native_is_worth(ruleset, board, heap, both=True, known=True)
                assert known in (None, heap == worth), (board, heap)
                assert native_is_worth(ruleset, board, heap, both=True) == (heap == worth), (board, heap)
                assert native_is_worth(ruleset, board, heap, both=True, known=True) == (heap == worth)
            assert native_nim_value(ruleset, board, both=True) == worth


def test_a_heap_beyond_a_word_is_no_question_for_the_search() -> None:
    cram = ruleset_named("cram")
    assert native_is_worth(cram, "..|..", 64) is None
    assert native_is_worth(cram, "..|..", 255, known=True) is not True
    rules, positions = ruleset_named("nimheaps"), (255,)
    assert OutcomeSearch().outcome([(rules, positions), (cram, "...|...|...")]).letter == "N"


def test_sums_of_impartial_boards_lose_exactly_if_they_are_worth_nothing() -> None:
    rng = random.Random(11)
    names = ["impartial-clobber", "cram", "impartial-nogo", "kayles", "impartial-domineering", "impartial-toads"]
    for _ in range(40):
        summands = []
        for name in rng.sample(names, rng.randint(1, 3)):
            position = random_position(name.removeprefix(IMPARTIAL), rng)[1]
            summands.append((ruleset_named(name), position))
        worth = 0
        for rules, position in summands:
            worth ^= NimValues(rules).value(position)
        with own_arena():
            assert OutcomeSearch().outcome(summands).letter == ("N" if worth else "P"), summands


def test_native_nim_values_of_cram_are_published_ones() -> None:
    cram = ruleset_named("cram")
    worths = {"3x3": 0, "3x4": 1, "3x5": 1, "4x5": 2, "5x5": 0, "3x7": 1}  # Schneider 2009
    for size, worth in worths.items():
        assert native_nim_value(cram, cram.parse(size, "cram")) == worth


def test_a_limit_stops_the_search_and_it_can_go_on() -> None:
    solution = solve("nogo:4x5", "outcome", Limits(nodes=2000), Options(guess=False))
    assert solution.status != "solved" and "nodes" in solution.note


def test_questions_choose_what_is_worked_out() -> None:
    by_value = solve("clobber:xxo", options=Options(ask="value"))
    assert (by_value.engine, by_value.details.value) == ("cgt", "^")
    assert solve("clobber:xxo", options=Options(ask="thermograph")).details.thermograph is not None
    assert solve("clobber:xxo", options=Options(ask="move")).engine == "outcome"
    assert solve("{3|1}", options=Options(ask="outcome")).details.value is None
    with pytest.raises(InputError, match="unknown question 'colour', expected one of outcome, value"):
        Options(ask="colour")
