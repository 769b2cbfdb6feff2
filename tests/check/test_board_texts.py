"""Boards as the checker reads them: what a text states, and where it states none."""

from __future__ import annotations

from typing import Any

import pytest

from zermelo.check.boards import graphs, rules_named, sheep
from zermelo.check.boards.heaps import Code
from zermelo.check.boards.turning import MOST_COINS
from zermelo.check.read.board import Boards, board_target
from zermelo.errors import InputError


def boards(target: str) -> Boards:
    found = board_target(target)
    assert isinstance(found, Boards)
    return found


@pytest.mark.parametrize(
    ("target", "canonical"),
    [
        ("nodekayles:b-a", "nodekayles:a-b"),
        ("nodekayles:c a", "nodekayles:a,c"),
        ("nodekayles:a , b-c  d", "nodekayles:a,d,b-c"),
        ("nodekayles:a - b,b-a,b", "nodekayles:a-b"),
        ("nodekayles:a-b,c-d", "nodekayles:a-b,c-d"),
        ("nodekayles:a,", "nodekayles:a"),
        ("nodekayles:", "nodekayles:"),
        ("arckayles:a,b-c", "arckayles:b-c"),
        ("graphcol:a:X,b : o-c", None),
        ("graphcol:a:X,b : o,c-a,d:x", "graphcol:a:x,b:o,d:x,a-c"),
        ("graphsnort:a:o,a-b", "graphsnort:a:o,a-b"),
        ("graphsnort:a-b,a:o,a-c", "graphsnort:a:o,a-b,a-c"),
        ("hexapawn:3x2", "hexapawn:xx|..|oo"),
        ("hexapawn:4x3", "hexapawn:xxx|...|...|ooo"),
        ("hexapawn:XO", "hexapawn:xo"),
        ("kingdirt:2x2", "kingdirt:..|.."),
        ("kingdirt:1,0,0:x.", "kingdirt:1,0,0:x."),
        ("kingdirt: 0 , 12 , 1 : .|#", "kingdirt:0,12,1:.|#"),
        ("kingdirt:0,0,1:x.", "kingdirt:x."),
        ("partsub:2,1,2/3:4,0,7", "partsub:1,2/3:7,4"),
        ("partsub:1/2:0", "partsub:1/2:0"),
        ("sheep:3,0 -2|# 01 0", "sheep:3,0,-2|#,1,0"),
        ("sheep:50,-50", "sheep:50,-50"),
        ("turning:ruler:hTtHt", "turning:ruler:HTTH"),
        ("turning: twins : tt", "turning:twins:"),
        ("impartial-kingdirt:1,0,1:xo", "impartial-kingdirt:1,0,1:xo"),
        ("octal:4!.3:5", "octal:4!.3:5"),
        ("octal:.34!:5,0,6", "octal:0.34!:6,5"),
        ("hexadecimal:C.0F[30]:2", "hexadecimal:C.0F[30]:2"),
        ("octal:0.70[00]:2", "octal:0.7:2"),
        ("octal:.0:2", "octal:0.0:2"),
    ],
)
def test_what_a_board_states(target: str, canonical: str | None) -> None:
    if canonical is None:
        with pytest.raises(InputError):
            board_target(target)
    else:
        assert boards(target).canonical() == canonical
        assert boards(canonical).positions == boards(target).positions


@pytest.mark.parametrize(
    ("target", "column"),
    [
        ("nodekayles:a-a", 12),
        ("nodekayles:a,-b", 14),
        ("nodekayles:a;b", 13),
        ("nodekayles:a,,b", 14),
        ("nodekayles:a:x", 12),
        ("arckayles:a-b:x", 14),
        ("graphcol:a:y", 11),
        ("graphcol:a:xx", 11),
        ("graphcol:a-b:x", 13),
        ("hexapawn:2x2", 10),
        ("hexapawn:1x5", 10),
        ("hexapawn:x|y", 12),
        ("kingdirt:1,0,2:x", 10),
        ("kingdirt:1,0,1:xy", 17),
        ("kingdirt: 1,0,1: y", 18),
        ("partsub:1/2", 9),
        ("partsub:1,2:3", 9),
        ("partsub:0,1/2:3", 9),
        ("partsub:1/2,0:3", 9),
        ("partsub:1/x:3", 9),
        ("sheep:51", 7),
        ("sheep:1,-51", 9),
        ("sheep:1,x", 9),
        ("sheep:1,1x", 9),
        ("sheep:1,0|5", 11),
        ("sheep:1,0|0 100", 13),
        ("sheep:|1", 7),
        ("octal:0.4!5:3", 7),
        ("octal:4!.4:3", 7),
        ("octal:4.5!:3", 7),
        ("turning:mock", 9),
        ("turning:nobody:h", 9),
        ("turning:mock:hx", 14),
        ("turning:mock:" + "h" * (MOST_COINS + 1), 14),
    ],
)
def test_a_text_that_states_no_board_is_refused_with_its_place(target: str, column: int) -> None:
    with pytest.raises(InputError) as refused:
        board_target(target)
    assert refused.value.column == column


def test_boards_of_the_largest_sizes_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    assert boards("turning:mock:" + "h" * MOST_COINS).positions == (("mock", "h" * MOST_COINS),)
    monkeypatch.setattr(sheep, "MOST_CELLS", 6)
    assert boards("sheep:1,2,3|4,5,6").positions == ((("1", "2", "3"), ("4", "5", "6")),)
    for wide in ("sheep:1,2,3|4,5,6|0,0,0", "sheep:1,2,3,4,5,6,0"):
        with pytest.raises(InputError):
            board_target(wide)
    monkeypatch.setattr(graphs, "MOST_VERTICES", 2)
    assert len(boards("nodekayles:a,b,c").positions[0][0]) == 3
    with pytest.raises(InputError):
        board_target("nodekayles:a,b,c,d")


@pytest.mark.parametrize(
    ("target", "left", "right"),
    [
        # Kings in hand must be put first where the board says so; who has none steps.
        ("kingdirt:1,0,1:x.", "b1>xx", ""),
        ("kingdirt:0,1,1:x.", "a1b1>0,1,1:#x", "b1>xo"),
        ("kingdirt:1,1,1:.", "a1>0,1,1:x", "a1>1,0,1:o"),
        ("kingdirt:1,1,0:.o", "a1>0,1,0:xo", "a1>1,0,0:oo b1a1>1,1,0:o#"),
        ("kingdirt:2,0,0:.", "a1>1,0,0:x", ""),
        ("kingdirt:x.", "a1b1>#x", ""),
        ("impartial-kingdirt:1,0,1:.o", "a1>xo b1a1>1,0,1:o#", "a1>xo b1a1>1,0,1:o#"),
        ("partsub:1,3/2:3", "3>2>1,3/2:2 3>0>1,3/2:0", "3>1>1,3/2:1"),
        ("turning:turtles:th", "b>turtles: ab>turtles:H", "b>turtles: ab>turtles:H"),
        ("turning:twins:th", "ab>twins:H", "ab>twins:H"),
    ],
)
def test_moves_that_hands_and_numbers_allow(target: str, left: str, right: str) -> None:
    found = boards(target)
    for side, moves in enumerate((left, right)):
        made = [f"{name}>{found.rules.text(after)}" for name, after in found.rules.moves(found.positions[0], side)]
        assert sorted(made) == sorted(moves.split())


@pytest.mark.parametrize(
    ("target", "parts"),
    [
        ("kingdirt:x.#o.", ["x.", "o."]),
        ("kingdirt:1,0,0:x.#o.", ["1,0,0:x.#o."]),
        ("kingdirt:0,1,0:x.#o.", ["0,1,0:x.#o."]),
        ("kingdirt:..#o", []),
        ("sheep:2,0,1,0,-3", ["2,0", "0,-3"]),
        ("sheep:2,3,1,0,0", []),
        ("sheep:1,1,1,2,0|0,2,1,1,1", ["2,0", "0,2"]),  # the end of a row is not beside the begin of the next
        ("partsub:2/3:5,1,2,0", ["2/3:5", "2/3:2"]),
        ("turning:mock:hth", ["mock:H", "mock:TTH"]),
        ("nodekayles:a-b,c,d-b", ["a-b,b-d", "c"]),
    ],
)
def test_a_board_falls_into_parts(target: str, parts: list[str]) -> None:
    found = boards(target)
    assert [found.rules.text(part) for part in found.rules.parts(found.positions[0])] == parts


@pytest.mark.parametrize(
    ("name", "text", "signed"),
    [
        ("kingdirt", "o.", (".o", False)),
        ("kingdirt", "x.", (".o", True)),
        ("kingdirt", "1,0,0:x.", ("1,0,0:x.", False)),
        ("kingdirt", "0,1,0:x.", ("0,1,0:x.", False)),
        ("impartial-kingdirt", "x.", (".x", False)),
        ("impartial-kingdirt", "1,0,0:x.", ("1,0,0:x.", False)),
        ("impartial-kingdirt", "0,1,0:x.", ("0,1,0:x.", False)),
    ],
)
def test_which_boards_stand_for_those_that_are_alike(name: str, text: str, signed: Any) -> None:
    rules = rules_named(name)
    part, negated = rules.signed(boards(f"{name}:{text}").positions[0])
    assert (rules.text(part), negated) == signed


@pytest.mark.parametrize(("coins", "names"), [(26, {"z", "az", "yz"}), (27, {"aa", "a,aa", "z,aa"})])
def test_names_of_coins_have_commas_between_them_where_some_have_two_letters(coins: int, names: set[str]) -> None:
    found = boards(f"turning:turtles:{'t' * (coins - 1)}h")
    made = {name for name, _ in found.rules.moves(found.positions[0], 0)}
    assert names <= made and len(made) == coins


def test_digits_that_say_nothing_are_no_part_of_a_code() -> None:
    for text in ("octal:0.:3", "octal:.0:3", "octal:.00[00]:3"):
        assert boards(text).positions == ((Code((0,)), (3,)),)
