"""Writes ``benchmarks/suite.toml``: targets of every kind with answers that do not come from the engines.

Answers are published, follow from a closed form, are another solver's, or are worked out by trying every line from the
rules alone (:mod:`zermelo.fuzzing.truth`). Random targets are drawn from fixed seeds, so that the file can be written
again: ``python -m benchmarks.suite_targets``. Files of the corpus (``ZERMELO_CORPUS``) are named, not copied.
"""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import reduce
from math import isqrt
from operator import xor
from pathlib import Path
from random import Random
from typing import Any

from zermelo.answer import Answer
from zermelo.fuzzing.drawing import DRAWN
from zermelo.fuzzing.truth import TooLargeError, truth
from zermelo.game import CHANCE
from zermelo.solving import game_of, kind_of

FILE = Path(__file__).parent / "suite.toml"
CORPUS = Path(os.environ.get("ZERMELO_CORPUS", "/nonexistent"))
TRIED = "trying every line by the rules"


@dataclass(frozen=True)
class Target:
    """A line of the suite: a game, by name or as text in a format, with the answer and where that comes from."""

    name: str
    kind: str
    source: str
    value: str = ""
    winner: str = ""
    format: str = ""
    text: str = ""
    corpus: bool = False
    """Whether the name is that of a file of the corpus."""
    after: str = ""
    """Moves that were made already."""
    encoded: str = ""
    """The form in which the game is stated, as ``zermelo encode`` writes it."""

    def toml(self) -> str:
        """The line as TOML."""
        lines = ["[[target]]"]
        for each in fields(self):
            value = getattr(self, each.name)
            if value is True:
                lines.append(f"{each.name} = true")
            elif value:
                lines.append(f"{each.name} = {json.dumps(value)}")
        return "\n".join(lines) + "\n"


LATER = (
    "nim:3,4,5", "wythoff:6,11", "connect:4,5,4", "connect:5,5,4", "mnk:4,4,4", "mnk:5,5,4", "othello:4,4", "hex:4",
    "hex:5", "dotsandboxes:2,3", "breakthrough:5,4", "gdl:tictactoe:4,4,4", "gdl:hex:3", "gdl:connectfour:4,4,4",
    "domineering:4x4", "{9|1} + {5|-5} + {2|-3}", "examples/answers.qcir", "examples/bakery.qlp",
    "examples/reliability.dgr",
)  # fmt: skip
"""Games that are taken up in the middle, after random moves."""
MATES = (
    ("move(f,2,f,3) move(e,7,e,5) move(g,2,g,4)", "0", "fool's mate: black mates in one"),
    ("move(e,2,e,4) move(e,7,e,5) move(d,1,h,5) move(b,8,c,6) move(f,1,c,4) move(g,8,f,6)", "100",
     "scholar's mate: white mates in one"),
)  # fmt: skip


def later() -> Iterator[Target]:
    """Games that are taken up after moves, small enough by then for every line to be tried."""
    for name in LATER:
        game, rng = game_of(name), Random(name)
        for plies in range(2, 30):
            line, position = list[Any](), game.start()
            while len(line) < plies and game.result(position) is None:
                drawn = game.turn(position) == CHANCE
                moves = [move for move, _ in game.chances(position)] if drawn else list(game.moves(position))
                line.append(rng.choice(moves))
                position = game.play(position, line[-1])
            if game.result(position) is not None:
                break
            rest = game.at(line)
            with suppress(TooLargeError):
                value = truth(rest, 20_000)
                tried_value = Answer("tried", "solved", value=value, bounds=(value, value))
                answer = kind_of(rest).in_own_terms(rest, tried_value)
                said = "none" if answer.value is None else str(answer.value)
                after = " ".join(game.move_text(move) for move in line)
                yield Target(f"{name} after {plies} moves", rest.kind, TRIED, value=said, after=after)
                break
    for after, value, source in MATES:
        yield Target(f"gdl:chess after {len(after.split())} moves", "rulesheet", source, value=value, after=after)


def heaps() -> Iterator[Target]:
    """Nim (Bouton 1901), Wythoff's game (Wythoff 1907), subtraction games."""
    for sizes in ([1, 2], [2, 2], [1, 2, 3], [3, 4, 5], [5, 5, 7, 7], [1, 3, 5, 7], [2, 3, 4], [7, 11, 13], [20, 21],
                  [4, 8, 12], [30, 17, 9, 2], [6, 6, 6]):  # fmt: skip
        winner = "first" if reduce(xor, sizes) else "second"
        yield Target(f"nim:{','.join(map(str, sizes))}", "game", "closed form: Bouton 1901", winner=winner)
    for pair in ((1, 2), (3, 5), (4, 7), (6, 10), (8, 13), (2, 3), (5, 7), (9, 9), (12, 20), (30, 41), (0, 4), (7, 12)):
        low, high = sorted(pair)
        difference = high - low
        # The lower heap of a lost pair is the floor of difference times the golden ratio.
        cold = low == (difference + isqrt(5 * difference * difference)) // 2
        winner = "second" if cold else "first"
        yield Target(f"wythoff:{pair[0]},{pair[1]}", "game", "closed form: Wythoff 1907", winner=winner)
    for count, most in ((20, 3), (21, 3), (30, 4), (31, 4), (50, 2), (51, 2), (100, 5), (102, 5)):
        takes = ",".join(map(str, range(1, most + 1)))
        winner = "first" if count % (most + 1) else "second"
        source = "closed form: multiples of one more than the largest take are lost"
        yield Target(f"subtraction:{count};{takes}", "game", source, winner=winner)


PUBLISHED = (
    ("tictactoe", "draw", "well known"),
    ("mnk:3,3,3", "draw", "well known"),
    ("mnk:4,3,3", "x", "Uiterwijk and van den Herik 2000: 4 x 3 is won with three in a row"),
    ("mnk:4,4,3", "x", "Uiterwijk and van den Herik 2000"),
    ("mnk:4,4,4", "draw", "Uiterwijk and van den Herik 2000"),
    ("mnk:5,5,5", "draw", "Uiterwijk and van den Herik 2000"),
    ("mnk:5,5,4", "draw", "Uiterwijk and van den Herik 2000"),
    ("connect:4,4,4", "draw", "Tromp, Connect-4 on boards of other sizes"),
    ("connect:4,5,4", "draw", "Tromp, Connect-4 on boards of other sizes"),
    ("connect:5,4,4", "draw", "Tromp, Connect-4 on boards of other sizes"),
    ("connect:5,5,4", "draw", "Tromp, Connect-4 on boards of other sizes"),
    ("hex:2", "first", "Nash 1952: the first player wins hex"),
    ("hex:3", "first", "Nash 1952: the first player wins hex"),
    ("hex:4", "first", "Nash 1952: the first player wins hex"),
    ("hex:5", "first", "Nash 1952: the first player wins hex"),
    ("othello:4,4", "white", "Takizawa 2023, appendix: the second player wins on 4 x 4"),
    ("treblecross:7", "first", "an odd row is won in the middle, by symmetry"),
    ("treblecross:9", "first", "an odd row is won in the middle, by symmetry"),
    ("treblecross:15", "first", "an odd row is won in the middle, by symmetry"),
    ("treblecross:21", "first", "an odd row is won in the middle, by symmetry"),
)
SMALL = (
    "breakthrough:3,2,1", "breakthrough:4,2,1", "breakthrough:4,3,1", "breakthrough:5,2,1", "breakthrough:5,3,1",
    "breakthrough:4,3", "breakthrough:5,2", "coins:1,2,2,1", "coins:1,1", "coins:1,2", "coins:2,1,1,2,1",
    "coins:1,1,2,1,2,2,2,1", "connect:2,3,3", "connect:3,3,3", "connect:3,4,3", "connect:4,3,3", "dotsandboxes:1,1",
    "dotsandboxes:1,2", "dotsandboxes:1,3", "dotsandboxes:2,2", "mnk:2,3,2", "mnk:2,4,3", "mnk:3,4,3", "mnk:2,5,3",
    "subtraction:17;2,5", "subtraction:23;1,4,6", "subtraction:30;3,4,7", "treblecross:4", "treblecross:6",
    "treblecross:8", "treblecross:10", "treblecross:12", "geography:random:8,2,1", "geography:random:8,2,2",
    "geography:random:10,2,3", "geography:random:10,3,4", "geography:random:12,2,5", "geography:random:12,2,6",
    "gdl:tictactoe:2,3,2", "gdl:tictactoe:2,2,2", "gdl:tictactoe:3,3,2", "gdl:nim:1,2", "gdl:nim:2,2",
    "gdl:nim:1,2,3", "gdl:nim:2,3", "gdl:connectfour:2,3,2", "gdl:connectfour:3,3,3", "gdl:hex:2",
    "gdl:dotsandboxes:1,1", "gdl:dotsandboxes:1,2", "gdl:breakthrough:3,2,1", "gdl:breakthrough:4,2,1",
    "examples/heap.kif", "examples/heaps.kif", "examples/nim.py:Nim", "examples/race.py:Race",
    "examples/ferry.py:Ferry", "examples/map.graph", "examples/rounds.graph", "examples/thesis.graph",
    "examples/reliability.dgr", "examples/answers.qcir", "examples/choices.qcir", "examples/umbrella.json",
    "examples/onestage.json", "examples/bakery.qlp", "examples/threevariables.qlp", "domineering:2x2",
    "domineering:2x3", "domineering:3x3", "domineering:2x4", "domineering:3x4", "col:2x3", "snort:2x3", "snort:2x4",
    "cram:2x3", "cram:3x3", "clobber:xoxo|oxox", "clobber:xo|ox|xo", "konane:xoxo|oxox|xo.x", "toads:xx.oo",
    "toads:xxx..oo", "hackenbush:brb", "hackenbush:bbrrb", "amazons:x...|...o", "nogo:2x3", "nogo:3x3",
    "elephants:x..o.x", "fission:...|.x.|...", "dots:1x2", "dots:2x2", "wytqueens:3,5", "wytqueens:4,6",
    "octal:0.137:7,4", "{5|-5} + {3||2|-1}", "{9|1} + {5|-5} + {2|-3}", "{4|1||-2} + {6|-1}",
    "{7|3||1|-4} + {5|-5} + 1/2", "{2|1} + {2|1} + {3|0}",
)  # fmt: skip
"""Small enough for every line to be tried."""
MEDIUM = (
    "breakthrough:5,3", "breakthrough:6,2", "connect:4,4,3", "connect:3,5,3", "dotsandboxes:2,3", "mnk:3,5,3",
    "treblecross:16", "coins:1,2,3,1,2,3,1,2,3,1,2,3,1,2", "geography:random:16,3,1", "geography:random:18,3,2",
    "geography:random:20,3,3", "clobber:xoxo|oxox|xoxo", "konane:xoxo|oxox|xo.x|oxox", "domineering:3x5", "snort:3x3",
    "gdl:tictactoe:3,4,3", "gdl:connectfour:3,4,3", "gdl:nim:4,5,6", "gdl:dotsandboxes:2,2", "gdl:breakthrough:4,3",
    "subtraction:400;3,5,11",
)  # fmt: skip
"""Large enough for engines to differ, small enough for every line to be tried once."""
FURTHER = (
    ("gdl:tictactoe", "value", "50", "well known: a draw"),
    ("gdl:tictactoe:4,3,3", "value", "100", "Uiterwijk and van den Herik 2000: 4 x 3 is won with three in a row"),
    ("gdl:hex:3", "value", "100", "Nash 1952: the first player wins hex"),
    ("gdl:hex:4", "value", "100", "Nash 1952: the first player wins hex"),
    ("gdl:connectfour:4,4,4", "value", "50", "Tromp, Connect-4 on boards of other sizes"),
    ("gdl:nim:3,4,5", "value", "100", "closed form: Bouton 1901"),
    ("gdl:nim:1,3,5,7", "value", "0", "closed form: Bouton 1901"),
    ("gdl:chess:6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - -", "value", "100", "mate on the back rank in one"),
    ("gdl:chess:3r2k1/5ppp/8/8/8/8/5PPP/6K1 b - -", "value", "0", "mate on the back rank in one"),
    ("gdl:chess:kbK5/pp6/1P6/8/8/8/8/R7 w - -", "value", "100", "Morphy's problem: mate in two"),
    ("domineering:1x8", "winner", "right", "closed form: only Right can move, four times"),
    ("domineering:9x1", "winner", "left", "closed form: only Left can move"),
    ("domineering:4x4", "winner", "left", "Berlekamp 1988: the first player wins on 4 x 4"),
    (
        "domineering:5x5",
        "winner",
        "right",
        "Breuker, Uiterwijk and van den Herik 2000: the second wins on 5 x 5",
    ),
    ("nimheaps:3,4,5", "winner", "left", "closed form: Bouton 1901"),
    ("nimheaps:1,2,3", "winner", "right", "closed form: Bouton 1901"),
    ("kayles:5,5", "winner", "right", "two equal heaps: the second player copies"),
    ("kayles:9", "winner", "left", "Guy and Smith 1956: the nim-value of 9 is 4"),
    ("kayles:6,3", "winner", "right", "Guy and Smith 1956: the nim-values of 6 and of 3 are both 3"),
    ("dawson:5", "winner", "right", "Guy and Smith 1956: the nim-value of 5 is 0"),
    ("dawson:9,9", "winner", "right", "two equal heaps: the second player copies"),
    ("grundy:10", "winner", "right", "Winning Ways: the nim-value of 10 is 0"),
    ("grundy:7", "winner", "right", "Winning Ways: the nim-value of 7 is 0"),
    ("grundy:8", "winner", "left", "Winning Ways: the nim-value of 8 is 2"),
    ("cram:4x4", "winner", "right", "Gardner 1974: on even boards the second player answers by symmetry"),
    ("cram:4x5", "winner", "left", "Gardner 1974: on boards with one even side the first player takes the middle"),
    ("col:4x4", "winner", "right", "Winning Ways: by symmetry the second player wins"),
    ("examples/corridors.sgf", "value", "3/2", "counted by hand: Berlekamp and Wolfe 1994, chapter 2"),
    ("examples/sente.sgf", "value", "-6", "counted by hand"),
)


FOUR = "Lustenberger 1967: four in a row is drawn if one side of the board is 4 and the other under 30"
TROMP = "Tromp, Connect-4 on boards of other sizes"
HARARY = "Harary's achievement games (Gardner 1979, Mathematical Games)"
EVEN = "both roles have the same moves and scores: by symmetry nobody is ahead"
MIRROR = "Winning Ways: by symmetry the second player wins"
CENTRE = "the first player takes the middle and answers by symmetry: no cell beside the middle is the other's"
BREUKER = "Breuker, Uiterwijk and van den Herik 2000: the first wins on 6 x 6"
LARGER = (
    ("mnk:4,5,4", "game", "winner", "draw", FOUR),
    ("mnk:4,6,4", "game", "winner", "draw", FOUR),
    ("mnk:6,4,4", "game", "winner", "draw", FOUR),
    ("connect:6,4,4", "game", "winner", "draw", TROMP),
    ("connect:7,4,4", "game", "winner", "draw", TROMP),
    ("connect:8,4,4", "game", "winner", "draw", TROMP),
    ("gdl:tictactoe:4,4,3", "rulesheet", "value", "100", "Uiterwijk and van den Herik 2000"),
    ("gdl:tictactoe:5,5,3", "rulesheet", "value", "100", "Uiterwijk and van den Herik 2000: 4 x 3 is won already"),
    ("gdl:tictactoe:3,6,3", "rulesheet", "value", "100", "Uiterwijk and van den Herik 2000: 4 x 3 is won already"),
    ("gdl:tictactoe:4,5,4", "rulesheet", "value", "50", FOUR),
    ("gdl:connectfour:4,5,4", "rulesheet", "value", "50", TROMP),
    ("gdl:connectfour:5,4,4", "rulesheet", "value", "50", TROMP),
    ("gdl:polyomino:4,4,tic", "rulesheet", "value", "100", HARARY),
    ("gdl:polyomino:4,4,fatty", "rulesheet", "value", "50", HARARY),
    ("gdl:polyomino:5,5,tic", "rulesheet", "value", "100", HARARY),
    ("gdl:polyomino:5,5,elly", "rulesheet", "value", "100", HARARY),
    ("gdl:polyomino:5,5,tippy", "rulesheet", "value", "100", HARARY),
    ("goofspiel:5", "game", "value", "0", EVEN),
    ("goofspiel:4,random", "game", "value", "0", EVEN),
    ("oshizumo:10,2", "game", "value", "0", EVEN),
    ("oshizumo:14,3", "game", "value", "0", EVEN),
    ("pig:10", "game", "value", "7776/10961", "a race of single turns: 1 / (2 - the chance of ten points in a turn)"),
    (
        "domineering:6x6",
        "board",
        "winner",
        "left",
        BREUKER,
    ),
    ("cram:4x6", "board", "winner", "right", "Gardner 1974: on even boards the second player answers by symmetry"),
    ("cram:5x6", "board", "winner", "left", "Gardner 1974: with one even side the first player takes the middle"),
    ("col:4x5", "board", "winner", "right", MIRROR),
    ("col:4x6", "board", "winner", "right", MIRROR),
    ("snort:3x5", "board", "winner", "left", CENTRE),
    ("snort:5x5", "board", "winner", "left", CENTRE),
    ("snort:3x7", "board", "winner", "left", CENTRE),
)
"""Large enough for engines to take some time, with answers that theory or others give."""
SHEETS_OF_NIM = ((5, 6, 7), (3, 5, 6), (4, 8, 12), (1, 3, 5, 7, 9), (7, 11, 13))
CLASSES_OF_NIM = ((7, 8, 9), (5, 9, 12), (9, 11, 13, 4), (2, 4, 6, 8), (6, 10, 12), (1, 6, 8, 15), (20, 21, 30))
ENCODED = (
    ("nim:3,4", True), ("nim:2,3,4", True), ("nim:3,5,6", False), ("wythoff:4,7", False), ("hex:3", True),
    ("mnk:3,3,3", False),
)  # fmt: skip
"""Games as formulas, and whether the first role wins."""
PROGRAMS = (("nim:2,3", True), ("nim:3,4", True), ("nim:1,2,3", False), ("wythoff:3,5", False), ("wythoff:4,6", True))
MATES_IN = (
    ("7k/8/5K2/8/8/8/8/R7 w - -", 2),
    ("4kb1r/p2n1ppp/4q3/4p1B1/4P3/1Q6/PPP2PPP/2KR4 w - -", 2),
    ("r1b2k1r/ppp1bppp/8/1B1Q4/5q2/2P5/PPP2PPP/R3R1K1 w - -", 2),
    ("2kr4/ppp2ppp/1q6/4p3/4P1b1/4Q3/P2N1PPP/4KB1R b - -", 2),
    ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - -", 3),
)
"""Mates in so many moves, as trying every line by the rules of python-chess finds them."""
SWITCHES = (
    ((40, -40), (37, -37), (33, -29), (31, -27), (28, -28), (25, -21), (22, -22), (19, -17)),
    ((40, -40), (37, -37), (33, -29), (31, -27), (28, -28), (25, -21), (22, -22), (19, -17), (17, -11), (15, -13),
     (12, -12), (9, -7), (8, -4), (6, -5), (4, -3), (3, -1)),
)  # fmt: skip


def larger() -> Iterator[Target]:
    """Targets on which engines take some time."""
    for name, kind, field, said, source in LARGER:
        yield Target(name, kind, source, **{field: said})
    for heaps in SHEETS_OF_NIM:
        value = "100" if reduce(xor, heaps) else "0"
        yield Target(f"gdl:nim:{','.join(map(str, heaps))}", "rulesheet", "closed form: Bouton 1901", value=value)
    for heaps in CLASSES_OF_NIM:
        name = f"examples/nim.py:Nim({', '.join(map(str, heaps))})"
        winner = "first" if reduce(xor, heaps) else "second"
        yield Target(name, "game", "closed form: Bouton 1901", winner=winner)
    yield Target("examples/nim.py:Nim(20, 21, 30) after 3 moves", "game", "closed form: Bouton 1901", winner="first",
                 after="2,1 1,5 0,7")  # fmt: skip
    yield Target("goofspiel:5 after 1 moves", "game", EVEN, value="0", after="3,3")
    yield Target("oshizumo:14,3 after 1 moves", "game", EVEN, value="0", after="2,2")
    for name, won in ENCODED:
        source = "the game that it states, where that is in this list or has a closed form"
        yield Target(f"{name} as qcir", "formula", source, winner="exists" if won else "forall", encoded="qcir")
    for name, won in PROGRAMS:
        source = "closed form of the game that it states"
        yield Target(f"{name} as qlp", "program", source, winner="exists" if won else "forall", encoded="qlp")
    for position, moves in MATES_IN:
        value, source = "0" if " b " in position else "100", f"mate in {moves}: every line by the rules of python-chess"
        yield Target(f"gdl:chess:{position}", "rulesheet", source, value=value)
    for switches in SWITCHES:
        total = Fraction(sum(left + right for left, right in switches), 2)
        heats = sorted((Fraction(left - right, 2) for left, right in switches), reverse=True)
        score = total + sum(heat * (-1) ** place for place, heat in enumerate(heats))
        name = " + ".join(f"{{{left}|{right}}}" for left, right in switches)
        yield Target(name, "sum", "closed form: switches are played in the order of their heat", value=str(score))


KNOWN: dict[str, Target] = {}
"""What the file has, while it is written anew."""


def tried(name: str, most: int = 60_000) -> Target | None:
    """A target whose answer is found by trying every line; ``None`` where that is too much.

    What stands in the file is not tried again: take it away to have all of it tried.
    """
    if name in KNOWN and KNOWN[name].source == TRIED:
        return KNOWN[name]
    game = game_of(name)
    try:
        value = truth(game, most)
    except TooLargeError:
        return None
    answer = kind_of(game).in_own_terms(game, Answer("tried", "solved", value=value, bounds=(value, value)))
    if answer.value is None:
        return Target(name, game.kind, TRIED, value="none")
    return Target(name, game.kind, TRIED, value=str(answer.value))


DRAWN_EACH = {
    "table": 6, "table with cycles": 8, "table with chance": 8, "rulesheet": 12, "graph": 10, "reliability": 10,
    "clauses": 16, "circuit": 14, "program": 16, "sum": 14, "board": 18, "network": 16,
}  # fmt: skip


def random_targets() -> Iterator[Target]:
    """Random games of every kind, from seed 1 on."""
    for what, number in DRAWN_EACH.items():
        seed = found = 0
        while found < number:
            seed += 1
            statement = DRAWN[what](Random(seed))
            try:
                game = statement.game()
                value = truth(game, 3000)
            except Exception:  # refused by the rules, or too large
                continue
            answer = kind_of(game).in_own_terms(game, Answer("tried", "solved", value=value, bounds=(value, value)))
            said = "none" if answer.value is None else str(answer.value)
            if game.result(game.start()) is not None:
                continue
            found += 1
            name = f"random {what} {seed}"
            yield Target(name, game.kind, TRIED, value=said, format=statement.format, text=statement.text)


def corpus() -> Iterator[Target]:
    """Files of the corpus, with the answers of other solvers; none where there is no corpus."""
    for name, known in sorted(_answers("qbf").items()):
        if known.get("quick"):
            solvers = ", ".join(sorted(known["cpu_seconds"]))
            winner = "exists" if known["answer"] == "true" else "forall"
            yield Target(f"qbf/{name}", "formula", f"another solver's answer: {solvers}", winner=winner, corpus=True)
    for name, known in sorted(_answers("qip").items()):
        value = str(known["value"]) if known["status"] == "optimal" else ""
        winner = "forall" if known["status"] == "infeasible" else "exists"
        said = {"value": value} if value else {"winner": winner}
        yield Target(f"qip/{name}.qlp", "program", "another solver's answer: Yasol", **said, corpus=True)


def _answers(room: str) -> dict[str, dict[str, object]]:
    file = CORPUS / room / "answers.json"
    return json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}


def targets() -> Iterator[Target]:
    """All targets of the suite."""
    yield from heaps()
    yield from (Target(name, "game", source, winner=winner) for name, winner, source in PUBLISHED)
    for name in SMALL:
        if (target := tried(name)) is not None:
            yield target
    for name in MEDIUM:
        if (target := tried(name, 400_000)) is not None:
            yield target
    for name, field, said, source in FURTHER:
        yield Target(name, game_of(name).kind, source, **{field: said})
    yield from later()
    yield from random_targets()
    yield from corpus()
    yield from larger()


HEAD = """# Games with answers that do not come from the engines: see docs/suite.md. Written by suite_targets.py.
# `value` is as in the JSON of `zermelo solve` ("none": infeasible), `winner` who wins if the first role begins.

"""


def main() -> None:
    """Writes the file."""
    if FILE.is_file():
        KNOWN.update((each["name"], Target(**each)) for each in tomllib.loads(FILE.read_text("utf-8"))["target"])
    found = list(targets())
    FILE.write_text(HEAD + "\n".join(target.toml() for target in found), encoding="utf-8")
    print(f"{len(found)} targets, {sum(target.corpus for target in found)} of them files of the corpus")


if __name__ == "__main__":
    main()
