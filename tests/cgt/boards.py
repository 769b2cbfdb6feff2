"""Random positions of every ruleset, and the plain truth about them: minimax, and values by the definitions."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from itertools import combinations

from tests.cgt import plain
from zermelo.cgt.boards.ruleset import Position, Ruleset, Side, ruleset_named
from zermelo.errors import InputError


def _grid(rng: random.Random, cells: str, rows: int, columns: int) -> str:
    return "|".join("".join(rng.choice(cells) for _ in range(columns)) for _ in range(rows))


def _shaped(cells: str, shapes: list[tuple[int, int]]) -> Callable[[random.Random], str]:
    return lambda rng: _grid(rng, cells, *rng.choice(shapes))


def _picture(rng: random.Random) -> str:
    """A hackenbush picture that stands: every edge begins at a vertex that is there already."""
    vertices, edges = ["0"], []
    for name in "abcdef"[: rng.randint(1, 6)]:
        end = rng.choice([name, name, rng.choice(vertices)])
        edges.append(f"{rng.choice(vertices)}-{end}:{rng.choice('brg')}")
        if end not in vertices:
            vertices.append(end)
    return ",".join(edges)


def _heaps(most: int) -> Callable[[random.Random], str]:
    return lambda rng: ",".join(str(rng.randint(0, most)) for _ in range(rng.randint(1, 3)))


def _graph(rng: random.Random) -> str:
    """A small graph in which some vertices may stand alone."""
    names = "abcde"[: rng.randint(1, 5)]
    edges = [f"{one}-{two}" for one, two in combinations(names, 2) if rng.random() < 0.5]
    return ",".join([*names, *edges])


def _tinted(rng: random.Random) -> str:
    text = _graph(rng)
    return ",".join([text, *(f"{name}:{rng.choice('xo')}" for name in "abcde" if name in text and rng.random() < 0.3)])


def _kings(rng: random.Random) -> str:
    board = _grid(rng, "...xo#", *rng.choice([(1, 5), (2, 3), (3, 2)]))
    return rng.choice([board, board, f"1,0,0:{_grid(rng, '..xo', 1, 4)}", f"1,1,1:{_grid(rng, '..x', 1, 3)}"])


def _herds(rng: random.Random) -> str:
    rows, columns = rng.choice([(1, 4), (2, 2), (2, 3)])
    herds = ["0", "0", "0", "2", "-2", "3", "-3", "1", "#"]
    return "|".join(",".join(rng.choice(herds) for _ in range(columns)) for _ in range(rows))


def _coins(rng: random.Random) -> str:
    return f"{rng.choice(['mock', 'ruler', 'turtles', 'twins'])}:{''.join(rng.choice('HT') for _ in range(5))}"


SHAPES = [(1, 5), (2, 3), (3, 2), (2, 4), (3, 3)]
RANDOM: dict[str, Callable[[random.Random], str]] = {
    "amazons": _shaped("..x#o", [(1, 5), (2, 3), (3, 2)]),
    "arckayles": _graph,
    "cannibal": _shaped("..xo", SHAPES[:4]),
    "clobber": _shaped(".xo", SHAPES),
    "col": _shaped("...xo#", SHAPES[:4]),
    "cram": _shaped("...#", SHAPES),
    "dawson": _heaps(7),
    "dawsonschess": _heaps(6),
    "dominoes": lambda rng: _grid(rng, "xo#", 1, rng.randint(1, 6)),
    "domineering": _shaped("...#", SHAPES),
    "elephants": lambda rng: _grid(rng, "..xo", 1, rng.randint(1, 9)),
    "fission": _shaped("....x#", SHAPES),
    "gentoads": lambda rng: rng.choice(["1,1,1,0:", "1,2,1,1:", "2,3,2,0:", "1,1,0,0:"]) + _grid(rng, "..xo", 1, 7),
    "graphcol": _tinted,
    "graphsnort": _tinted,
    "grundy": _heaps(7),
    "hackenbush": _picture,
    "hexadecimal": lambda rng: rng.choice(["0.3F:", "0.8:", "C!.0:", "0.[3]:", "8.1[03]:"]) + _heaps(5)(rng),
    "hexapawn": _shaped("..xo#", [(3, 2), (3, 3), (4, 2)]),
    "kayles": _heaps(5),
    "kingdirt": _kings,
    "konane": _shaped(".xo", [(1, 7), (3, 3), (2, 5), (4, 3)]),
    "nimheaps": _heaps(5),
    "nodekayles": _graph,
    "nogo": _shaped("...xo#", SHAPES[:4]),
    "octal": lambda rng: rng.choice(["0.137:", "0.356:", "4.07:", "0.6:"]) + _heaps(6)(rng),
    "partsub": lambda rng: rng.choice(["1,4/2,3:", "1/2:", "2,3/2:", "1,3/1,2:"]) + _heaps(7)(rng),
    "sheep": _herds,
    "snort": _shaped("...xo#", SHAPES[:4]),
    "toads": lambda rng: _grid(rng, "..xo", 1, rng.randint(1, 9)),
    "turning": _coins,
    "wytqueens": lambda rng: f"{rng.randint(0, 4)},{rng.randint(0, 4)}",
}


def random_position(name: str, rng: random.Random) -> tuple[Ruleset, Position]:
    """A small random position; texts that the rules refuse are thrown away."""
    ruleset = ruleset_named(name)
    while True:
        try:
            return ruleset, ruleset.parse(RANDOM[name](rng), name)
        except InputError:
            continue


def other(side: Side) -> Side:
    """The side that moves next."""
    return "right" if side == "left" else "left"


_WINS: dict[tuple[str, Position, Side], bool] = {}


def wins(ruleset: Ruleset, position: Position, side: Side) -> bool:
    """Does the side that moves first win? By trying every move of the whole position."""
    key = ruleset.name, position, side
    if key not in _WINS:
        _WINS[key] = any(not wins(ruleset, option.position, other(side)) for option in ruleset.options(position, side))
    return _WINS[key]


_WHOLE: dict[tuple[str, Position], plain.Game] = {}


def whole_value(ruleset: Ruleset, position: Position) -> plain.Game:
    """The canonical form of a position from the moves alone; it is never taken apart."""
    key = ruleset.name, position
    if key not in _WHOLE:
        left, right = (
            [whole_value(ruleset, option.position) for option in ruleset.options(position, side)]
            for side in ("left", "right")
        )
        _WHOLE[key] = plain.canonical(left, right)
    return _WHOLE[key]


_PARTS: dict[tuple[str, Position], plain.Game] = {}


def value(ruleset: Ruleset, position: Position) -> plain.Game:
    """The canonical form of a position, taken apart wherever it falls apart."""
    total = plain.ZERO
    for part in ruleset.regions(position):
        key = ruleset.name, part
        if key not in _PARTS:
            left, right = (
                [value(ruleset, option.position) for option in ruleset.options(part, side)]
                for side in ("left", "right")
            )
            _PARTS[key] = plain.canonical(left, right)
        total = plain.add(total, _PARTS[key])
    return total


_NIM: dict[tuple[str, Position], int] = {}


def plain_nim_value(ruleset: Ruleset, position: Position) -> int:
    """The least number that no move of the whole position leads to."""
    key = ruleset.name, position
    if key not in _NIM:
        reached = {plain_nim_value(ruleset, option.position) for option in ruleset.options(position, "left")}
        _NIM[key] = min(set(range(len(reached) + 1)) - reached)
    return _NIM[key]


@cache
def nim_value_of(game: plain.Game) -> int | None:
    """The size of the nim heap that a game is, if it is one."""
    size = 0
    while size <= game.birthday:
        if game is plain.nimber(size):
            return size
        size += 1
    return None
