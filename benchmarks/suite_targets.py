"""Writes ``benchmarks/suite.toml``: targets of every kind with answers that do not come from the engines.

Answers are published, follow from a closed form, are another solver's, or are worked out by trying every line from the
rules alone (:mod:`zermelo.fuzzing.truth`). Random targets are drawn from fixed seeds, so that the file can be written
again: ``python -m benchmarks.suite_targets``. Files of the corpus (``ZERMELO_CORPUS``) are named, not copied.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import reduce
from math import isqrt
from operator import xor
from pathlib import Path
from random import Random

from zermelo.answer import Answer
from zermelo.fuzzing.drawing import DRAWN
from zermelo.fuzzing.truth import TooLargeError, truth
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


def tried(name: str) -> Target | None:
    """A target whose answer is found by trying every line; ``None`` where that is too much."""
    game = game_of(name)
    try:
        value = truth(game, 60_000)
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
    for name, field, said, source in FURTHER:
        yield Target(name, game_of(name).kind, source, **{field: said})
    yield from random_targets()
    yield from corpus()


HEAD = """# Games with answers that do not come from the engines: see docs/suite.md. Written by suite_targets.py.
# `value` is as in the JSON of `zermelo solve` ("none": infeasible), `winner` who wins if the first role begins.

"""


def main() -> None:
    """Writes the file."""
    found = list(targets())
    FILE.write_text(HEAD + "\n".join(target.toml() for target in found), encoding="utf-8")
    print(f"{len(found)} targets, {sum(target.corpus for target in found)} of them files of the corpus")


if __name__ == "__main__":
    main()
