"""All small boards of every game: the checker's moves, parts and symmetries are those of the engines' rules.

Where the two could be wrong together, tables worked out by hand say what is right.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import partial
from itertools import combinations_with_replacement, product

import pytest
from tests.cgt.boards import RANDOM

from zermelo.cgt.boards.parts import Parts
from zermelo.cgt.boards.ruleset import SIDES, ruleset_named
from zermelo.check.boards import MODULES, rules_named
from zermelo.check.boards.cells import ALIKE, BY_COLOURS, MOST_CELLS, Images, cut, mirrored
from zermelo.check.boards.cells import drawn as cut_out
from zermelo.check.boards.ruleset import letters, size_of
from zermelo.check.read.board import board_target
from zermelo.errors import InputError

RULES = {name: rules_named(name) for prefix in ("", "impartial-") for name in (prefix + game for game in MODULES)}


def cells(alphabet: str, *shapes: tuple[int, int]) -> Iterator[str]:
    for rows, columns in shapes:
        for found in product(alphabet, repeat=rows * columns):
            yield "|".join("".join(found[row * columns : (row + 1) * columns]) for row in range(rows))


def heaps(largest: int) -> Iterator[str]:
    for count in (1, 2):
        for found in combinations_with_replacement(range(largest + 1), count):
            yield ",".join(map(str, found))


def pictures() -> Iterator[str]:
    for colours in product("brg", repeat=3):
        for shape in ("0-a,a-b,b-0", "0-a,a-b,a-c", "0-a,0-a,a-b", "0-a,a-a,a-b", "0-z,z-y,0-x"):
            yield ",".join(f"{edge}:{colour}" for edge, colour in zip(shape.split(","), colours, strict=True))


def drawn(name: str) -> Iterator[str]:
    rng = random.Random(name)
    return (RANDOM[name](rng) for _ in range(60))


SMALL = [(1, 1), (1, 2), (2, 1), (1, 3), (3, 1), (2, 2)]
FEW = [*SMALL, (1, 5), (5, 1), (2, 3), (3, 2)]
BOARDS = {
    "amazons": lambda: cells(".xo#", *SMALL, (1, 4)),
    "cannibal": lambda: cells(".xo#", *SMALL, (1, 4)),
    "clobber": lambda: cells(".xo#", *SMALL, (1, 4)),
    "col": lambda: cells(".xo#", *SMALL, (1, 4)),
    "cram": lambda: cells(".#", *FEW, (3, 3)),
    "dawson": lambda: heaps(7),
    "dawsonschess": lambda: heaps(7),
    "domineering": lambda: cells(".#", *FEW, (3, 3)),
    "dominoes": lambda: cells("xo#", (1, 1), (1, 2), (1, 3), (1, 4)),
    "elephants": lambda: cells(".xo", (1, 1), (1, 2), (1, 3), (1, 4), (1, 5), (1, 6)),
    "fission": lambda: cells(".x#", *SMALL, (1, 5), (5, 1), (2, 3), (3, 2)),
    "gentoads": lambda: (
        f"{strides}:{row}"
        for strides in ("1,1,1,0", "1,2,1,1", "2,3,2,0", "1,1,0,0", "1,3,3,1")
        for row in cells(".xo", (1, 1), (1, 3), (1, 5))
    ),
    "grundy": lambda: heaps(7),
    "hackenbush": pictures,
    "kayles": lambda: heaps(7),
    "konane": lambda: cells(".xo#", *SMALL, (1, 4)),
    "nimheaps": lambda: heaps(6),
    "nogo": lambda: cells(".xo#", *SMALL, (1, 4)),
    "octal": lambda: (f"{code}:{few}" for code in ("0.137", "0.356", "4.07", "4.", ".7", "0.6") for few in heaps(6)),
    "snort": lambda: cells(".xo#", *SMALL, (1, 4)),
    "toads": lambda: cells(".xo", (1, 1), (1, 2), (1, 3), (1, 4), (1, 5), (1, 6)),
    "wytqueens": lambda: (f"{one},{other}" for one in range(5) for other in range(5)),
    **{
        name: partial(drawn, name)
        for name in (
            *("arckayles", "graphcol", "graphsnort", "hexadecimal", "hexapawn", "kingdirt", "nodekayles"),
            *("partsub", "sheep", "turning"),
        )
    },
}


def test_every_game_has_its_small_boards() -> None:
    assert sorted(BOARDS) == sorted(MODULES)


@pytest.mark.parametrize("name", RULES)
def test_moves_and_parts_of_all_small_boards_are_those_of_the_engines(name: str) -> None:
    theirs, rules = ruleset_named(name), RULES[name]
    parts = Parts(theirs)
    for text in BOARDS[name.removeprefix("impartial-")]():
        try:
            position = theirs.parse(text, "")
        except InputError:
            with pytest.raises(InputError):
                board_target(f"{name}:{text}")
            continue
        (ours,) = board_target(f"{name}:{text}").positions  # type: ignore[union-attr]
        assert rules.text(ours) == theirs.text(position)
        for side, word in enumerate(SIDES):
            found = sorted((move, rules.text(after)) for move, after in rules.moves(ours, side))
            assert found == sorted((o.move, theirs.text(o.position)) for o in theirs.options(position, word)), text
        signed = [rules.signed(part) for part in rules.parts(ours)]
        assert [(rules.text(part), negated) for part, negated in signed] == list(parts.of(position)), text


@pytest.mark.parametrize(
    ("target", "left", "right"),
    [
        ("domineering:..|..", "a1a2 b1b2", "a1b1 a2b2"),
        ("domineering:.#|..", "a1a2", "a2b2"),
        ("cram:..|.#", "a1a2 a1b1", "a1a2 a1b1"),
        ("amazons:x..", "a1b1/a1 a1b1/c1 a1c1/a1 a1c1/b1", ""),
        ("clobber:xo|.x", "a1b1 b2b1", "b1a1 b1b2"),
        ("cannibal:xx", "a1b1 b1a1", ""),
        ("konane:xo.o.", "a1c1 a1e1", ""),
        ("col:x.", "", "b1"),
        ("snort:x.", "b1", ""),
        ("nogo:x.", "", ""),
        ("nogo:x..", "b1 c1", "c1"),
        ("fission:.|x|.", "a2", ""),
        ("dominoes:xo#", "1< 1> 3< 3>", "2< 2> 3< 3>"),
        ("toads:xo.", "ac", ""),
        ("elephants:x.o", "ab", "cb"),
        ("gentoads:1,2,1,1:xx..", "ac bc bd", ""),
        ("nimheaps:2", "2>0 2>1", "2>0 2>1"),
        ("kayles:3", "3>1 3>1,1 3>2", "3>1 3>1,1 3>2"),
        ("grundy:4", "4>3,1", "4>3,1"),
        ("dawson:4", "4>1,1 4>2", "4>1,1 4>2"),
        ("wytqueens:1,1", "0,0 0,1 1,0", "0,0 0,1 1,0"),
        ("hackenbush:brg", "0-a:b b-c:g", "a-b:r b-c:g"),
    ],
)
def test_moves_worked_out_by_hand(target: str, left: str, right: str) -> None:
    rules = RULES[target.partition(":")[0]]
    (position,) = board_target(target).positions  # type: ignore[union-attr]
    names = [sorted(name for name, _ in rules.moves(position, side)) for side in (0, 1)]
    assert names == [left.split(), right.split()]


@pytest.mark.parametrize(
    ("target", "canonical"),
    [
        ("domineering:2x3", "domineering:...|..."),
        ("domineering: 2 x 3 + 1x1", "domineering:...|...+."),
        ("domineering:1*2", "domineering:.."),
        ("clobber:2x3", "clobber:xox|oxo"),
        ("clobber:3x2", "clobber:xo|ox|xo"),
        ("clobber:XO", "clobber:xo"),
        ("fission:3x3", "fission:...|.x.|..."),
        ("fission:2x4", "fission:.x..|...."),
        ("fission:1x1", "fission:x"),
        ("cram:100x100", None),
        ("nogo:1x2", "nogo:.."),
        ("dominoes:", "dominoes:"),
        ("toads:x.o", "toads:x.o"),
        ("gentoads:1,2,03,0:x.o", "gentoads:1,2,3,0:x.o"),
        ("kayles:0,3,12", "kayles:12,3"),
        ("kayles:0", "kayles:0"),
        ("octal:.1370:3,0,4", "octal:0.137:4,3"),
        ("octal:4.:2", "octal:4.0:2"),
        ("octal:.:2", "octal:0.0:2"),
        ("wytqueens:3,5", "wytqueens:3,5"),
        ("hackenbush:BrG", "hackenbush:brg"),
        ("hackenbush:" + "b" * 27, "hackenbush:" + "b" * 27),
        ("hackenbush:", "hackenbush:"),
        ("hackenbush:a-0:b , b-a:r", "hackenbush:br"),
        ("hackenbush:0-x:b x-y:r", "hackenbush:0-x:b,x-y:r"),
        ("dots:1x2", "dots:..|...|.."),
        ("dots:2x1", "dots:.|..|.|..|."),
        ("dots:20x20", None),
        ("dots:.|.#|#", "dots:.|.#|#"),
    ],
)
def test_boards_are_read_in_all_the_ways_in_which_they_are_written(target: str, canonical: str | None) -> None:
    found = board_target(target).canonical()
    assert canonical is None or found == canonical


@pytest.mark.parametrize(
    ("target", "column"),
    [
        ("domineering:", 13),
        ("domineering:0x3", 13),
        ("domineering:3x0", 13),
        ("domineering:100x101", 13),
        ("domineering:1000000000x1", 13),
        ("domineering:..|.", 16),
        ("domineering:..||..", 16),
        ("domineering:|", 13),
        ("domineering:..|.x", 17),
        ("domineering:.. + .. + .x", 24),
        ("domineering:2x3x4", 13),
        ("amazons:2x2", 9),
        ("toads:x.|o", 9),
        ("toads:2x2", 7),
        ("toads:1x2", 7),
        ("dominoes:1x3", 10),
        ("dominoes:xo|xo", 12),
        ("dominoes:xo.", 12),
        ("gentoads:1,1,1:x", 10),
        ("gentoads:1,1,1,0", 10),
        ("gentoads:0,1,1,0:x", 10),
        ("gentoads:2,1,1,0:x", 10),
        ("gentoads:1,1,1,2:x", 10),
        ("gentoads:1,1,1234567,0:x", 10),
        ("gentoads:1,1,x,0:x", 10),
        ("kayles:", 8),
        ("kayles:3,x", 10),
        ("kayles:3,,4", 10),
        ("kayles:-3", 8),
        ("octal:5.1:3", 7),
        ("octal:0.G:3", 7),
        ("octal:0.1", 7),
        ("octal:0.1:x", 7),
        ("wytqueens:1", 11),
        ("wytqueens:1,2,3", 11),
        ("hackenbush:0-a:y", 12),
        ("hackenbush:0-a:b,", 12),
        ("hackenbush:a-b:g", 12),
        ("hackenbush:0-a:b,b-c:g", 12),
        ("nogo:xo", 6),
        ("nogo:x#.", 6),
        ("dots:0x1", 6),
        ("dots:1x0", 6),
        ("dots:21x20", 6),
        ("dots:.|..", 6),
        ("dots:.|..|.|..", 6),
        ("dots:.", 6),
        ("dots:|.|", 6),
        ("dots:.|...|.", 6),
        ("dots:.|..|..", 6),
        ("dots:.|.x|.", 6),
        ("dots:1x1+.|x.|.", 10),
        ("chess:e4", None),
        ("impartial-impartial-nogo:.", None),
        ("dots :1x1", None),
    ],
)
def test_boards_that_are_none_are_refused_with_the_place(target: str, column: int | None) -> None:
    with pytest.raises(InputError) as caught:
        board_target(target, "here")
    if column is not None:
        assert (caught.value.file, caught.value.line, caught.value.column) == ("here", 1, column)


@pytest.mark.parametrize("target", ["domineering:..|.x", "dots:1x0", "chess:e4"])
def test_a_target_without_a_name_is_called_by_its_text(target: str) -> None:
    with pytest.raises(InputError) as caught:
        board_target(target)
    assert caught.value.file == target
    with pytest.raises(InputError) as caught:
        board_target(target, "here")
    assert caught.value.file == "here"


def test_large_boards_are_read_up_to_a_limit() -> None:
    rows = "|".join(["." * 70] * 70)
    assert board_target(f"cram:{rows}").canonical() == f"cram:{rows}"
    assert board_target("cram:" + "." * MOST_CELLS).canonical() == "cram:" + "." * MOST_CELLS
    for text in ("." * (MOST_CELLS + 1), "|".join(["." * 100] * 100)):
        with pytest.raises(InputError, match="cells"):
            board_target(f"cram:{text}")
    assert board_target("kayles:" + "9" * 4000).canonical() == "kayles:" + "9" * 4000
    with pytest.raises(InputError, match="size of a heap"):
        board_target("kayles:" + "9" * 4001)
    edges = "|".join("." * (20 + row % 2) for row in range(43))
    with pytest.raises(InputError, match="over 400 boxes"):
        board_target(f"dots:{edges}")
    assert board_target("dots:" + "|".join("." * (20 + row % 2) for row in range(41))).canonical()


def test_stalks_are_written_by_their_colours_as_long_as_their_ends_are_in_order() -> None:
    assert board_target("hackenbush:" + "b" * 28).canonical().startswith("hackenbush:0-a:b,a-b:b,")


def test_columns_are_named_as_in_a_spreadsheet() -> None:
    names = [letters(column) for column in (0, 1, 25, 26, 27, 51, 52, 701, 702)]
    assert names == ["a", "b", "z", "aa", "ab", "az", "ba", "zz", "aaa"]


def test_a_size_is_two_numbers_with_a_cross_between_them() -> None:
    assert size_of("12x3", 2) == size_of("12*3", 2) == (12, 3)
    for text in ("12x3", "x3", "3x", "3", "1x2x3", "..", ""):
        assert size_of(text, 1) is None


def test_of_all_images_the_first_stands_for_the_board() -> None:
    assert BY_COLOURS("xo|..") == ALIKE("ox|..") == ("..|ox", False)
    assert BY_COLOURS("x.") == (".o", True)
    assert ALIKE("x.") == (".x", False)
    few = Images(mirrored)
    for _ in range(2):  # found, then remembered
        assert few("x.|oo") == (".x|oo", False)


def test_a_part_is_cut_out_with_what_else_lies_there_left_out() -> None:
    assert cut("xo.|.xo|..x", {1, 5, 6}) == "o#|xo"
    assert cut_out("xo.|.xo|..x", 1 << 1 | 1 << 5 | 1 << 6, ".") == "o.|xo"
    assert cut("xo.", {2}) == "."
