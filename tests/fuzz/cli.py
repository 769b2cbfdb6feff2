"""Random command lines, run in this process: no traceback, a status that means something, one line for bad input."""

from __future__ import annotations

import contextlib
import io
import json
import os
import random
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.fuzz.damage import damaged_text, random_text
from tests.fuzz.library import ARGUMENTS
from tests.fuzz.part import shorter
from zermelo.check.instance import digest_of
from zermelo.cli import main
from zermelo.games import make_game
from zermelo.search.closed import CLOSED_NAMES
from zermelo.search.kernels import KERNELS

FILES = {
    "map.graph": "3\n0 1 2\n1 2\n2 0\n",
    "edges.txt": "a b\nb c\nc a\n",
    "\udcff\n.graph": "1\n0\n",
    "broken.graph": "3\n0 9\n",
    "empty.graph": "",
    "proof.json": '{"format":"zermelo-certificate","version":1,"target":"nim:2",'
    f'"digest":"{digest_of(make_game("nim:2"))}",'
    '"claims":[{"role":"first","at_least":"1","after":[],"starts":"first","play":"score","table":{"((2),0)":["0,2",1]}}]}',
    "wrong.json": '{"format":"zermelo-certificate","version":1,"target":"nim:2",'
    f'"digest":"{digest_of(make_game("nim:2"))}",'
    '"claims":[{"role":"first","at_least":"1","after":[],"starts":"first","play":"score","table":{"((2),0)":["0,1",1]}}]}',
    "broken.json": '{"format":',
    "net.json": '{"format":"zermelo-network","version":1,"players":1,"threshold":["1/2"],"variables":['
    '{"name":"bet","domain":["heads","tails"]},{"name":"coin","domain":["heads","tails"],"stochastic":true}],'
    '"utilities":[{"scope":["bet","coin"],"rows":[{"values":[0,0],"utility":["1"]}]}],'
    '"chances":[{"variable":"coin","scope":[],"rows":[{"values":[],"probability":["1/2","1/2"]}]}]}',
    "two.json": '{"format":"zermelo-network","version":1,"players":2,"threshold":["1","1"],"variables":['
    '{"name":"x","domain":["a","b"]}],"utilities":[{"scope":["x"],"rows":[{"values":[0],"utility":["1","0"]}]}]}',
    "cup.toml": '[defaults]\nclock = "2sims"\n'
    '[[pairing]]\ngame = "gdl:nim:1,2"\nplayers = ["uct", "random"]\ngames = 2\n',
    "alone.toml": '[[pairing]]\ngame = "net.json"\nplayers = ["random"]\ngames = 1\nclock = "2sims"\n',
    "wrong.toml": '[[pairing]]\ngame = "gdl:nowhere"\nplayers = ["magic"]\ngames = -1\n',
    "broken.toml": "[[pairing",
    "count.py": """from zermelo import CHANCE, Game, win_for

class Count(Game):
    def __init__(self, size=5): self.size = size
    def start(self): return (self.size, 0)
    def turn(self, position): return self.roles[position[1]]
    def moves(self, position): return [1, 2] if position[0] > 1 else [1]
    def play(self, position, move): return (position[0] - move, 1 - position[1])
    def result(self, position): return win_for(1 - position[1]) if position[0] <= 0 else None

class Faulty(Count):
    def moves(self, position): return [1 // (position[0] - 3)]

class Dice(Count):
    def turn(self, position): return CHANCE if position[0] % 2 else super().turn(position)

class Round(Count):
    def play(self, position, move): return ((position[0] + move) % 7, 1 - position[1])
    def result(self, position): return win_for(0) if position[0] == 3 else None

class Puzzle(Count):
    roles = ("you",)
    def turn(self, position): return "you"
    def result(self, position): return (position[1],) if position[0] <= 0 else None

class Three(Count):
    roles = ("a", "b", "c")
    def play(self, position, move): return (position[0] - move, (position[1] + 1) % 3)
    def result(self, position): return (1, 2, 3) if position[0] <= 0 else None
""",
}
CLASSES = ("Count", "Count(7)", "Count(0)", "Count('x')", "Count(", "Faulty", "Dice", "Round", "Puzzle", "Three", "No")
VERBS = ("solve", "check", "play", "show", "games", "match", "arena")
PLANS = ("cup.toml", "alone.toml", "wrong.toml", "broken.toml", "none.toml", "map.graph", ".", "", "out.sqlite", "\x00")
PLAYED = ("gdl:nim:1,2", "gdl:tictactoe", "gdl:matchingpennies", "gdl:nowhere", "net.json", "nim:1,2", "count.py:Count")
FEW = ("0", "1", "2", "3", "2", "-1", "x")
"""How many games a case may ask for: all of them are played."""
NUMBERS = (
    "0",
    "1",
    "2",
    "3",
    "7",
    "100",
    "-1",
    "1e9",
    "0.05",
    "nan",
    "inf",
    "x",
    "",
    "99999999999999999999",
    "4294967296",
)
OPTIONS: dict[str, tuple[str, ...]] = {
    "--engine": ("auto", "all", "dp+pns", "alphabeta+alphabeta", "+", "", "magic", *KERNELS, *CLOSED_NAMES),
    "--time-limit": NUMBERS,
    "--memory-limit": NUMBERS,
    "--node-limit": NUMBERS,
    "--depth": NUMBERS,
    "--simulations": ("50", "500", *(number for number in NUMBERS if number not in ("99999999999999999999",))),
    "--seed": NUMBERS,
    "--certificate": ("out.json", ".", "", "no/such/out.json", "/", "map.graph", "\x00", "x" * 300),
    "--as": ("board", "tree", "graph", "first", "second", "both", "none", "you", "", "first,second", "x"),
    "--after": ("", "1", "0,1", "0,1 1,1", "a1 b2 c3", "x", "  ", "\x00"),
    "--players": (
        "uct,random",
        "mac-ucb,random",
        "mac-ucb(joint=1),random",
        "random",
        "exact,uct",
        "uct(exploration=x)",
        "uct(",
        "magic,random",
        "",
        ",",
        "random,random,random,random",
    ),
    "--games": FEW,
    "--clock": ("1sims", "2sims", "5sims", "1ms", "2ms", "0sims", "-1ms", "5", "x", ""),
    "--workers": ("1", "1", "1", "0", "x"),
    "--remote": ("random", "random", "x", "http://", ""),
    "--name": ("", "x", "\x00"),
    "--store": ("out.sqlite", "out.sqlite", "out.db", ".", "", "no/such/out.sqlite", "map.graph", "\x00"),
    "--on": ("", "x", "grid"),
    "-o": ("out.svg", "out.txt", "out.png", ".", "", "no/out.svg", "out", "\x00.svg", "x" * 300 + ".svg"),
}
OF_VERB = {
    "solve": ("--engine", "--time-limit", "--memory-limit", "--node-limit", "--depth", "--simulations", "--seed",
              "--certificate"),
    "check": ("--time-limit", "--memory-limit"),
    "play": ("--as", "--engine", "--time-limit", "--memory-limit", "--seed"),
    "show": ("-o", "--after", "--as", "--depth", "--time-limit", "--memory-limit"),
    "match": ("--games", "--clock", "--workers", "--seed"),
    "arena": ("--store", "--store", "--workers"),
}  # fmt: skip
FLAGS = ("--json", "--quiet", "--no-check", "--check", "--help", "--nothing", "--", "-x")
INPUTS = (
    "",
    "1\n",
    "hint\n1\n2\n",
    "moves\nboard\nundo\nhelp\n",
    "resign\n",
    "quit\n",
    "x\n\n\x00\n",
    "0,1\n1,1\n0,1\n",
)


@dataclass(frozen=True)
class Case:
    """The words after ``zermelo``, and what is typed."""

    words: tuple[str, ...]
    typed: str = ""


def draw(rng: random.Random) -> Case:
    """A command line that is mostly sensible."""
    verb = rng.choice(VERBS) if rng.random() < 0.97 else rng.choice(("", "slove", "--help", "--version"))
    words = [verb, *_arguments(verb, rng)]
    for _ in range(rng.choice((0, 1, 1, 2, 3))):
        option = rng.choice(OF_VERB[verb] if verb in OF_VERB and rng.random() < 0.95 else sorted(OPTIONS))
        words += [option, rng.choice(OPTIONS[option])]
    words += rng.sample(FLAGS[: 3 if verb == "solve" else 1] if rng.random() < 0.9 else FLAGS, rng.choice((0, 1)))
    if rng.random() < 0.05:
        rng.shuffle(words)
    return Case((*words, *_brief(words)), rng.choice(INPUTS))


def _arguments(verb: str, rng: random.Random) -> list[str]:
    """What stands behind a verb before its options."""
    if verb == "arena":
        plan = rng.choice(PLANS if rng.random() < 0.4 else PLANS[:2])
        return [rng.choice(("run", "run", "resume", "report", "", "win")), plan]
    if verb == "match":
        said = rng.choice(("--players", "--players", "--players", "--remote"))
        players = [said, rng.choice(OPTIONS[said] if rng.random() < 0.5 else OPTIONS[said][:4])]
        return [rng.choice(PLAYED) if rng.random() < 0.8 else _target(rng), *players]
    words = [_target(rng)] if verb != "games" or rng.random() < 0.1 else []
    if verb == "check" and rng.random() < 0.95:
        words.append(rng.choice(("proof.json", "wrong.json", "broken.json", "none.json", ".", "map.graph", "\x00")))
    return words


def _brief(words: list[str]) -> list[str]:
    """Options that keep a case from taking long: of an option that is given twice the last counts."""
    if any(verb in words for verb in ("solve", "play", "show")) and "--time-limit" not in words:
        return ["--time-limit", "0.3"]
    if "arena" in words and "report" not in words and "--workers" not in words:
        return ["--workers", "1"]
    if "match" in words and "--players" in words:
        added = [] if "--games" in words else ["--games", "1"]
        return added if "--clock" in words else [*added, "--clock", "2sims"]
    return []


def _target(rng: random.Random) -> str:
    kind = rng.randrange(10)
    if kind <= 4:
        name = rng.choice(sorted(ARGUMENTS))
        return f"{name}:{ARGUMENTS[name](rng)}"
    if kind == 5:
        return rng.choice([name for name in FILES if not name.endswith(".toml")])
    if kind <= 7:
        return f"count.py:{rng.choice(CLASSES)}"
    return damaged_text("nim:1,2", rng) if kind == 8 else random_text(rng)


def check(case: Case) -> None:
    """What the command line promises, whatever it is given."""
    status, out, err = run(case)
    told = f"status {status}, stdout {out[:200]!r}, stderr {err[:300]!r}"
    assert status in (0, 1, 2, 3), told
    assert "Traceback" not in err and "internal error" not in err, told
    if status == 2:
        assert err.count("\n") == 1 and err.endswith("\n"), f"not exactly one line: {told}"
        assert out == "" or case.words[0] == "play", f"bad input, but an answer as well: {told}"
    if status == 1:
        assert "check" in case.words or "disagree" in err, f"only a refuted certificate has this status: {told}"
    if "--json" in case.words and status in (0, 1, 3) and out and "--help" not in case.words:
        json.loads(out)
        assert out.count("\n") == 1, f"not exactly one object: {told}"


def run(case: Case) -> tuple[int, str, str]:
    """Runs the command line in a folder of its own: status, standard output, standard error."""
    # Real encodings, as in a terminal: a name that is not UTF-8 must not break the answer.
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", errors) for errors in ("strict", "backslashreplace"))
    before, stdin = Path.cwd(), sys.stdin
    with tempfile.TemporaryDirectory() as folder:
        for name, content in FILES.items():
            (Path(folder) / name).write_text(content)
        os.chdir(folder)
        sys.stdin = io.StringIO(case.typed)
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                status = main(list(case.words))
        finally:
            sys.stdin = stdin
            os.chdir(before)
    return status, _written(out), _written(err)


def _written(stream: io.TextIOWrapper) -> str:
    stream.flush()
    stream.seek(0)
    return stream.read()


def smaller(case: Case) -> Iterator[Case]:
    """Fewer words, less typed, shorter words."""
    for words in shorter(case.words):
        yield Case(words, case.typed)
    if case.typed:
        yield Case(case.words, "")
    for place, word in enumerate(case.words):
        for piece in shorter(tuple(word)):
            yield Case((*case.words[:place], "".join(piece), *case.words[place + 1 :]), case.typed)


def show(case: Case) -> str:
    """The words, as Python."""
    return repr(case)
