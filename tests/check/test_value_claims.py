"""Claims that a board or a sum has a value: who may say what of it, and where the checker stops."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import pytest

from zermelo.certificate import Claim
from zermelo.cgt.boards.ruleset import Option, Ruleset, Side
from zermelo.cgt.game import BoardSum, WrittenSum
from zermelo.check.games import Games
from zermelo.check.read.sum import text_as_sum
from zermelo.check.read.value import named_value
from zermelo.check.sumvalues import value_of_sum
from zermelo.check.values import check_value_claim
from zermelo.check.verdict import Fault, Verdict
from zermelo.continued import Continued
from zermelo.games import make_game
from zermelo.limits import Limits
from zermelo.solving.targets import game_of

STAR = {"games": ["0", [[0], [0]]], "root": 1}


def told(target: str, data: dict[str, Any], role: str = "left", at_least: int = 1, **more: Any) -> Verdict:
    claim = Claim(role, at_least, rule="value", data=data, play="normal", **more)
    return check_value_claim(game_of(target), claim, Limits())


@pytest.mark.parametrize(
    ("role", "at_least", "status"),
    [
        ("left", 1, "accepted"),  # * is a win for Left if he begins
        ("left", 2, "refuted"),  # nobody gets more than a win
        ("left", -1, "accepted"),
        ("right", -1, "accepted"),
        ("right", 0, "refuted"),
        ("right", 1, "refuted"),
        ("nobody", -1, "refuted"),
        ("nobody", 1, "refuted"),
    ],
)
def test_who_begins_a_star_wins_it_and_nobody_gets_more(role: str, at_least: int, status: str) -> None:
    assert told("{0|0}", STAR, role, at_least).status == status


def test_a_value_that_is_zero_is_a_win_for_right() -> None:
    zero = {"games": ["0"], "root": 0}
    assert told("{0|0} + {0|0}", zero, "right").accepted
    assert told("{0|0} + {0|0}", zero, "left").status == "refuted"


@pytest.mark.parametrize("starts", ["", "left"])
def test_a_value_speaks_of_play_that_left_starts(starts: str) -> None:
    assert told("{0|0}", STAR, starts=starts).accepted
    assert told("{0|0}", STAR, starts="right").status == "refuted"


def test_a_sum_counts_as_one_position_and_a_board_as_its_parts() -> None:
    assert told("{0|0}", STAR).positions == 1
    data = {"games": ["0", "-1"], "root": 1, "parts": {"..": 1}}
    assert told("domineering:..", data, "right").positions == 1
    twice = {"games": ["0", "-1", "-2"], "root": 2, "parts": {"..": 1}}
    assert told("domineering:..+..", twice, "right").positions == 1


@pytest.mark.parametrize("game", ["nim:1", "dots:1x1"])
def test_a_game_that_has_no_value_is_refused(game: str) -> None:
    made = game_of(game) if ":" in game and game.startswith("dots") else make_game(game)
    verdict = check_value_claim(made, Claim("left", 1, rule="value", data=STAR), Limits())
    assert verdict.status == "refuted" and "values are for boards" in verdict.reason


def test_a_value_speaks_of_the_start_and_of_normal_play() -> None:
    game = WrittenSum("{0|0} + {0|0} + {0|0}")
    later = Continued(game, [game.moves(game.start())[0]])
    claim = Claim("left", 1, rule="value", data=STAR, play="normal")
    assert check_value_claim(game, claim, Limits()).accepted
    assert "not after some moves" in check_value_claim(later, claim, Limits()).reason
    scored = Claim("left", 1, rule="value", data=STAR)
    assert "under normal play" in check_value_claim(game, scored, Limits()).reason


class Stated(Ruleset):
    """A game that is a table: Left's and Right's options of every position."""

    name, summary, form = "stated", "", ""
    table: Mapping[str, tuple[str, str]] = {
        "zero": ("", ""),
        "one": ("zero", ""),
        "minus": ("", "zero"),
        "star": ("zero", "zero"),
        "low": ("zero", "zero minus"),  # {0|0,-1}, which is {0|-1}
        "high": ("zero one", "zero"),  # {0,1|0}, which is {1|0}
        "hot": ("one", "minus"),
        "half": ("zero", "one"),
    }

    def parse(self, text: str, place: str) -> str:
        return text

    def options(self, position: str, side: Side) -> Sequence[Option]:
        return [Option(name, name) for name in self.table[position][0 if side == "left" else 1].split()]

    def regions(self, position: str) -> list[str]:
        return [position]

    def text(self, position: str) -> str:
        return position

    def svg(self, position: str) -> str:
        return ""


GAMES = ["0", "1", "-1", [[0], [0]], [[0], [2]], [[1], [0]], [[1], [2]], "1/2", "2"]
"""0, 1, -1, *, {0|-1}, {1|0}, {1|-1}, 1/2 and 2."""
WORTH = {"zero": 0, "one": 1, "minus": 2, "star": 3, "low": 4, "high": 5, "hot": 6, "half": 7}


@pytest.mark.parametrize("said", range(len(GAMES)))
@pytest.mark.parametrize("position", WORTH)
def test_a_part_has_the_value_that_the_definitions_give_and_no_other(position: str, said: int) -> None:
    winner = "right" if position in ("zero", "minus") else "left"
    claimed = {"games": GAMES, "root": said, "parts": WORTH | {position: said}}
    for role in ("left", "right"):
        claim = Claim(role, 1 if role == winner else -1, rule="value", data=claimed, play="normal")
        verdict = check_value_claim(BoardSum(Stated(), [position]), claim, Limits())
        assert verdict.status == ("accepted" if said == WORTH[position] else "refuted")


def test_boards_must_add_up_to_the_game_that_is_named() -> None:
    for root, status in ((1, "refuted"), (0, "refuted"), (3, "accepted"), (2, "refuted")):
        data = {"games": GAMES, "root": root, "parts": WORTH}
        claim = Claim("left", -1, rule="value", data=data, play="normal")
        verdict = check_value_claim(BoardSum(Stated(), ["star", "one", "minus"]), claim, Limits())
        assert verdict.status == status


def test_boards_of_the_library_are_checked_by_the_checkers_own_rules() -> None:
    game: Any = game_of("domineering:..")
    data = {"games": ["0", "-1"], "root": 1, "parts": {"..": 1}}
    game.ruleset = None  # what the engines say of the rules is not asked for
    assert check_value_claim(game, Claim("right", 1, rule="value", data=data), Limits()).accepted


def test_a_limit_of_time_ends_the_check() -> None:
    text = "+".join(f"{{{n}|{-n}||{-2 * n}}}" for n in range(1, 12))
    data = {"games": [str(n) for n in range(2000)], "root": 0}
    claim = Claim("left", 1, rule="value", data=data, play="normal")
    assert check_value_claim(WrittenSum(text), claim, Limits(seconds=1e-9)).status == "limit"


def test_games_that_are_too_deep_are_given_up_without_a_fault() -> None:
    deep = "{1|" * 3000 + "-1" + "}" * 3000
    claim = Claim("left", 1, rule="value", data=STAR, play="normal")
    assert check_value_claim(WrittenSum(f"2*({deep})"), claim, Limits()).status == "limit"


def test_a_check_that_recurses_too_deeply_ends_at_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_deep(*_: object) -> None:
        raise RecursionError

    monkeypatch.setattr(Games, "canonical", too_deep)
    assert told("{0|0}", STAR).status == "limit"


def test_a_value_is_proved_for_boards_of_one_game() -> None:
    data = {"games": ["0"], "root": 0, "parts": {"..": 0}}
    claim = Claim("right", 1, rule="value", data=data, play="normal")
    verdict = check_value_claim(game_of("snort:.. + domineering:.."), claim, Limits())
    assert (verdict.status, verdict.reason) == ("refuted", "a value is proved for boards of one game")


def value(games: Games, text: str) -> int:
    return value_of_sum(games, text_as_sum(text).nodes)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("0*{5|-5}", "0"),
        ("1*{5|-5}", "{5|-5}"),
        ("2*{5|-5}", "0"),
        ("3*{5|-5}", "{5|-5}"),
        ("3*{5|-4}", "{5|-4} + {5|-4} + {5|-4}"),
        ("5*{5|-4}", "4*{5|-4} + {5|-4}"),
        ("7*(^)", "^7"),
        ("^^", "^ + ^"),
        ("^3", "^ + ^ + ^"),
        ("v3", "-^3"),
        ("v", "-^"),
        ("^0", "0"),
        ("*0", "0"),
        ("*3", "* + *2"),
        ("^*", "{0|0} + {0|*}"),
        ("-(1 - 3)", "2"),
        ("-{5|-4}", "{4|-5}"),
        ("+_2", "{0||0|-2}"),
        ("{0|1}", "1/2"),
        ("{0,-1|*,1}", "^"),
    ],
)
def test_sums_are_worth_what_the_definitions_say(one: str, other: str) -> None:
    games = Games(Limits())
    assert value(games, one) == value(games, other)


def test_sums_that_differ_are_told_apart() -> None:
    games = Games(Limits())
    texts = [
        "0",
        "*",
        "*2",
        "^",
        "v",
        "^*",
        "v*",
        "^^",
        "1/2",
        "-1/2",
        "{5|-5}",
        "{5|-4}",
        "{4|-5}",
        "+_2",
        "-_2",
        "+_1",
    ]
    assert len({value(games, text) for text in texts}) == len(texts)
    assert games.numbers[value(games, "1/2 + 3/4")] == Fraction(5, 4)


# The value as people read it


@pytest.mark.parametrize(
    "text",
    [
        "0",
        "-3/4",
        "*",
        "*2",
        "^",
        "^^",
        "^^^",
        "^3",
        "v",
        "vv",
        "v3",
        "^4*",
        "v*2",
        "1/2*",
        "-3^*2",
        "2v",
        "+-5",
        "+-1/2",
        "+-*2",
        "+-(1*)",
        "+-(3,{4|1})",
        "+-{2|1}",
        "+-(+_2)",
        "+_2",
        "-_2",
        "+_{2|1}",
        "-_(1^)",
        "+_(+-3)",
        "{5|-5}",
        "5|-5",
        "3||2|-1",
        "3|2||1",
        "4|3||2|1|||0",
        "1,{2|*}|*,^",
        "0|",
        "|0",
        "{|}",
        "{{2|1}|0}",
        "{(1)|0}",
        "{1,2|3}",
        "0||0|-2",
    ],
)
def test_a_canonical_form_names_the_game_that_it_is_in_the_notation_of_sums(text: str) -> None:
    games = Games(Limits())
    assert named_value(games, text) == value(games, text)


@pytest.mark.parametrize(
    "text",
    ["", "{", "}", "{5|-5", "5|-5}", "(5}", "{5)", "{5}", "{5|-5)", "(1,2)", "()", "+-()", "+-", "+_(1,2)", "1,2",
     "{1,|2}", "{,1|2}", "{1,,2|}", "{1|2|3}", "3 5", "1 + 2", "- 1", "1/3", "1/0", "1.5", "x", "5*{1|0}", "^^3",
     "+-1*", "+-^*", "-^", "*1234567890", "^1234567890", "{1|2}{3|4}", "1{3|4}", "1/2/4", "+-+-5",
     "5|{1|2", "{(1)(2),|0}", "{(1),(2)(3),|0}"],
)  # fmt: skip
def test_a_text_that_is_no_canonical_form_names_no_value(text: str) -> None:
    with pytest.raises(Fault):
        named_value(Games(Limits()), text)


def test_the_value_that_people_read_is_that_of_the_board() -> None:
    data = {"games": ["0", "-1"], "root": 1, "parts": {"..": 1}}
    assert told("domineering:..", data, "right").accepted
    for said in ("-1", "{|0}"):
        assert told("domineering:..", data | {"value": said}, "right").accepted
    for wrong in ("0", "-1 ", "{|0", -1, None):
        assert told("domineering:..", data | {"value": wrong}, "right").status == "refuted"


def test_the_value_that_people_read_is_that_of_the_sum() -> None:
    for said in ("*", "{0|0}", "* + 0"):
        assert told("{0|0}", STAR | {"value": said}).accepted
    for wrong in ("0", "{0|", 0, None):
        assert told("{0|0}", STAR | {"value": wrong}).status == "refuted"
    assert "never closed" in told("{0|0}", STAR | {"value": "{0|"}).reason
