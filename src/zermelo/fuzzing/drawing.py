"""Random small games of every kind, each as a text in some format; games of Python classes as tables in JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod
from random import Random
from typing import Any

from zermelo.game import CHANCE, Game, Score, plain_score
from zermelo.solving.targets import game_from, game_of
from zermelo.source import Source
from zermelo.tablegame import TableGame

TABLE = "table"
"""The format of games of Python classes here; it is no format of files,"""
TARGET = "target"
"""and neither is this one: the text is the name of a game."""


@dataclass(frozen=True)
class Statement:
    """A game as text, in a format.

    >>> Statement("cgt", "{5|-5}").game().roles
    ('left', 'right')
    """

    format: str
    text: str

    def game(self) -> Game:
        """The game that the text states."""
        if self.format == TABLE:
            return table_from(self.text)
        if self.format == TARGET:
            return game_of(self.text)
        return game_from(Source(self.format, self.text, "drawn"))


def table_text(game: TableGame) -> str:
    """A table as JSON; fractions are texts.

    >>> table_from(table_text(TableGame(("first",), ((),), (Fraction(1, 2),)))).scores
    (Fraction(1, 2),)
    """
    return json.dumps(
        {
            "turns": game.turns,
            "successors": game.successors,
            "scores": [_score_text(score) for score in game.scores],
            "weights": [[str(weight) for weight in row] for row in game.weights],
            "roles": game.roles,
            "total": str(game.total),
            "endless": _score_text(game.endless),
            "sizes": game.sizes,
            "score_sum": _score_text(game.score_sum),
        }
    )


def table_from(text: str) -> TableGame:
    """The inverse of :func:`table_text`."""
    data = json.loads(text)
    return TableGame(
        tuple(tuple(turn) if isinstance(turn, list) else turn for turn in data["turns"]),
        tuple(tuple(row) for row in data["successors"]),
        tuple(_score(score) for score in data["scores"]),
        tuple(tuple(Fraction(weight) for weight in row) for row in data["weights"]),
        tuple(data["roles"]),
        _score(data["total"]),
        _score(data["endless"]),
        tuple(tuple(sizes) for sizes in data.get("sizes", ())),
        _score(data.get("score_sum")),
    )


def _score_text(score: Any) -> Any:
    """A score as JSON has it; several as a list, none as none."""
    if isinstance(score, tuple):
        return [str(part) for part in score]
    return None if score is None else str(score)


def _score(stated: Any) -> Any:
    """The inverse of :func:`_score_text`."""
    if isinstance(stated, list):
        return tuple(_score(part) for part in stated)
    return None if stated is None else plain_score(Fraction(stated))


def random_table(rng: Random, nodes: int = 12, *, cyclic: bool = False, chance: bool = False) -> TableGame:
    """A random table; one without cycles has edges only from lower to higher nodes.

    >>> random_table(Random(1)).start()
    0
    """
    roles: tuple[str, ...] = ("first", "second") if rng.random() < 0.85 else ("first",)
    scores: tuple[Score, ...] = rng.choice(((-1, 0, 1), (-1, 1), (0, 1, 2, 5), (Fraction(-1, 2), 0, Fraction(3, 4))))
    count = rng.randint(2, nodes)
    rows: list[tuple[int, ...]] = []
    ends: list[Score | None] = []
    turns: list[str] = []
    weights: list[tuple[Fraction, ...]] = []
    for node in range(count):
        ahead = range(count) if cyclic else range(node + 1, count)
        over = not ahead or (node > 0 and rng.random() < 0.3)
        row = () if over else tuple(rng.choice(ahead) for _ in range(rng.randint(1, min(4, len(ahead)))))
        drawn = chance and not over and rng.random() < 0.3
        shares = [rng.randint(1, 5) for _ in row]
        turns.append(CHANCE if drawn else rng.choice(roles))
        rows.append(row)
        ends.append(rng.choice(scores) if over else None)
        weights.append(tuple(Fraction(share, sum(shares)) for share in shares) if drawn else ())
    total = rng.choice((0, 0, 1)) if len(roles) == 2 else 0
    endless: tuple[Score, ...] | None = None
    if cyclic and (total or rng.random() < 0.3):
        score = rng.choice(scores)
        endless = (score, total - score)[: len(roles)]
    return TableGame(tuple(turns), tuple(rows), tuple(ends), tuple(weights), roles, total, endless)


def _table(rng: Random) -> Statement:
    return Statement(TABLE, table_text(random_table(rng)))


def _cyclic_table(rng: Random) -> Statement:
    return Statement(TABLE, table_text(random_table(rng, 8, cyclic=True)))


def _chance_table(rng: Random) -> Statement:
    return Statement(TABLE, table_text(random_table(rng, 10, chance=True)))


def _cyclic_chance_table(rng: Random) -> Statement:
    return Statement(TABLE, table_text(random_table(rng, 6, cyclic=True, chance=True)))


NAMES = ("ann", "bob", "cem", "dia")
SCORES: Sequence[Sequence[Score]] = ((0, 1), (0, 1, 2), (-1, 0, 1), (0, Fraction(1, 2), 2), (0, 3, 5, 8))


def random_role_table(rng: Random, nodes: int = 11, *, roles: int = 0, at_once: bool = False) -> TableGame:
    """A random table of several roles with scores of their own, chance now and then, without cycles.

    With ``at_once``, roles move at the same time in some nodes, and two are opposed or several have common scores.

    >>> len(random_role_table(Random(1), roles=3).roles)
    3
    """
    roles = roles or rng.randint(2, 4)
    names, scores = NAMES[:roles], rng.choice(SCORES)
    opposed = at_once and roles == 2
    total = rng.choice((0, 0, 1)) if opposed else 0
    count, chances = rng.randint(2, nodes), rng.random() < 0.5
    turns: list[Any] = []
    rows: list[tuple[int, ...]] = []
    ends: list[Score | tuple[Score, ...] | None] = []
    weights: list[tuple[Fraction, ...]] = []
    sizes: list[tuple[int, ...]] = []
    for node in range(count):
        over = node == count - 1 or (node > 0 and rng.random() < 0.3)
        together = at_once and not over and rng.random() < 0.5
        drawn = chances and not over and not together and rng.random() < 0.25
        turn: Any = tuple(rng.sample(names, rng.randint(2, min(3, roles)))) if together else rng.choice(names)
        size = tuple(rng.randint(1, 3) for _ in turn) if together else ()
        width = 0 if over else prod(size) if together else rng.randint(1, 3)
        shares = [rng.randint(1, 4) for _ in range(width)]
        own = tuple(rng.choice(scores) for _ in names)
        turns.append(CHANCE if drawn else turn)
        rows.append(tuple(rng.randint(node + 1, count - 1) for _ in range(width)))
        ends.append(None if not over else own[0] if opposed else (own[0],) * roles if at_once else own)
        weights.append(tuple(Fraction(share, sum(shares)) for share in shares) if drawn else ())
        sizes.append(size)
    known = rng.random() < 0.5 and not opposed
    told = [score for score in ends if isinstance(score, tuple)]
    bounds = (min(map(min, told)), max(map(sum, told))) if known else None
    return TableGame(
        tuple(turns), tuple(rows), tuple(ends), tuple(weights), names, total, None,
        tuple(sizes) if at_once else (), bounds,
    )  # fmt: skip


def _role_table(rng: Random) -> Statement:
    return Statement(TABLE, table_text(random_role_table(rng)))


def _at_once_table(rng: Random) -> Statement:
    roles = rng.choice((2, 2, 2, 3))
    return Statement(TABLE, table_text(random_role_table(rng, 8, roles=roles, at_once=True)))


def _quoted(names: Sequence[str]) -> str:
    return " ".join(f'"{name}"' for name in names)


def _tree_file(rng: Random) -> Statement:
    """A tree in Gambit's format: payoffs on the way as well as at ends, fractions and decimals."""
    roles = rng.randint(1, 4)
    opposed, names = roles == 2 and rng.random() < 0.5, NAMES[:roles]
    lines = [f'EFG 2 R "drawn" {{ {_quoted(names)} }}', ""]
    numbers = dict.fromkeys(("c", "t", *map(str, range(roles))), 0)

    def payoffs() -> str:
        own = [rng.choice((-1, 0, 1, 2)) for _ in names]
        shown = [own[0], -own[0]] if opposed else own
        numbers["t"] += 1
        form = rng.choice(("{}", "{}", "{}.5", "{}/2"))
        texts = [("-" if part < 0 else "") + form.format(abs(part)) if part else "0" for part in shown]
        return f'{numbers["t"]} "" {{ {", ".join(texts)} }}'

    def outcome() -> str:
        return payoffs() if rng.random() < 0.15 else "0"

    depths = [rng.randint(1, 4)]
    while depths:
        depth = depths.pop()
        if depth == 0 or rng.random() < 0.15:
            lines.append(f't "" {payoffs()}')
            continue
        width = rng.randint(1, 3)
        moves = [f'"m{place}"' for place in range(width)]
        if rng.random() < 0.2:
            numbers["c"] += 1
            shares = [rng.randint(1, 3) for _ in moves]
            parts = (f"{move} {share}/{sum(shares)}" for move, share in zip(moves, shares, strict=True))
            lines.append(f'c "" {numbers["c"]} "" {{ {" ".join(parts)} }} {outcome()}')
        else:
            role = rng.randrange(roles)
            numbers[str(role)] += 1
            lines.append(f'p "" {role + 1} {numbers[str(role)]} "" {{ {" ".join(moves)} }} {outcome()}')
        depths += [depth - 1] * width
    return Statement("efg", "\n".join(lines) + "\n")


def _strategic_file(rng: Random) -> Statement:
    """A table in Gambit's format: two opposed roles, or up to three that want the same."""
    roles = rng.choice((2, 2, 2, 3))
    common, sizes = roles == 3 or rng.random() < 0.2, [rng.randint(1, 3) for _ in range(roles)]
    head = f'NFG 1 R "drawn" {{ {_quoted(NAMES[:roles])} }} {{ {" ".join(map(str, sizes))} }}'
    cells = []
    for _ in range(prod(sizes)):
        score = rng.choice((-2, -1, 0, 1, 3))
        cells.append(" ".join([str(score)] * roles) if common else f"{score} {1 - score}")
    return Statement("nfg", head + "\n\n" + "  ".join(cells) + "\n")


def _role_sheet(rng: Random) -> Statement:
    """A random table of several roles as a rulesheet, with goals of their own, or with moves made at once."""
    together = rng.random() < 0.4
    roles = 2 if together else rng.randint(1, 3)
    names, count = NAMES[:roles], rng.randint(2, 7)
    chance = rng.random() < 0.25
    lines = [*(f"(role {name})" for name in names), *(["(role random)"] if chance else []), "(init (at 0))"]
    for node in range(count):
        if node == count - 1 or (node > 0 and rng.random() < 0.3):
            goals = [rng.choice((0, 30, 50, 100)) for _ in names]
            goals = [goals[0], 100 - goals[0]] if together else goals
            lines += [f"(end {node} {name} {goal})" for name, goal in zip(names, goals, strict=True)]
            continue
        movers = list(names) if together and rng.random() < 0.6 else [rng.choice([*names, *["random"] * chance])]
        choices = [[f"m{place}" for place in range(rng.randint(1, 3))] for _ in movers]
        lines += [
            f"(can {node} {mover} {move})" for mover, moves in zip(movers, choices, strict=True) for move in moves
        ]
        for joint in product(*choices):
            does = " ".join(f"(does {mover} {move})" for mover, move in zip(movers, joint, strict=True))
            lines.append(f"(<= (next (at {rng.randint(node + 1, count - 1)})) (true (at {node})) {does})")
    lines += [
        "(<= (busy ?x ?r) (can ?x ?r ?m))",
        "(<= (legal ?r ?m) (true (at ?x)) (can ?x ?r ?m))",
        "(<= (legal ?r noop) (role ?r) (true (at ?x)) (not (busy ?x ?r)))",
        "(<= over (true (at ?x)) (end ?x ?r ?g))",
        "(<= terminal over)",
        "(<= (goal ?r ?g) (true (at ?x)) (end ?x ?r ?g))",
        "(<= (goal ?r 0) (role ?r) (not over))",
    ]
    if chance:
        lines.append("(<= (sees ?r (did ?q ?m)) (role ?r) (distinct ?r random) (does ?q ?m))")
    return Statement("rulesheet", "\n".join(lines) + "\n")


def _rulesheet(rng: Random) -> Statement:
    """A random table as a rulesheet: a token goes along edges; with chance now and then."""
    chance = rng.random() < 0.25
    count = rng.randint(2, 8)
    players = ["first", "second"]
    lines = ["(role first)", "(role second)", *(["(role random)"] if chance else []), "(init (at 0))"]
    for node in range(count):
        if node == count - 1 or (node > 0 and rng.random() < 0.3):
            lines.append(f"(end {node} {(score := rng.choice((0, 50, 100)))} {100 - score})")
            continue
        lines.append(f"(turn {node} {rng.choice([*players, 'random'] if chance else players)})")
        lines += [f"(edge {node} m{place} {rng.randint(node + 1, count - 1)})" for place in range(rng.randint(1, 3))]
    lines += [
        "(<= (legal ?r ?m) (true (at ?x)) (turn ?x ?r) (edge ?x ?m ?y))",
        "(<= (legal ?r noop) (role ?r) (true (at ?x)) (not (turn ?x ?r)))",
        "(<= (next (at ?y)) (true (at ?x)) (turn ?x ?r) (does ?r ?m) (edge ?x ?m ?y))",
        "(<= over (true (at ?x)) (end ?x ?a ?b))",
        "(<= terminal over)",
        "(<= (goal first ?a) (true (at ?x)) (end ?x ?a ?b))",
        "(<= (goal second ?b) (true (at ?x)) (end ?x ?a ?b))",
        "(<= (goal ?r 0) (role ?r) (not over))",
    ]
    if chance:
        lines.append("(<= (sees ?r (did ?q ?m)) (role ?r) (distinct ?r random) (does ?q ?m))")
    return Statement("rulesheet", "\n".join(lines) + "\n")


def _graph(rng: Random) -> Statement:
    nodes = [f"n{number}" for number in range(rng.randint(2, 7))]
    edges = {(rng.choice(nodes), rng.choice(nodes)) for _ in range(rng.randint(1, 14))} - {("n0", "n1")}
    return Statement("graph", "\n".join(["n0 n1", *sorted(f"{a} {b}" for a, b in edges if a != b)]) + "\n")


def _reliability(rng: Random) -> Statement:
    nodes = ["s", "t", *(f"v{number}" for number in range(rng.randint(1, 3)))]
    edges = [f"e{number}" for number in range(rng.randint(2, 6))]
    lines = ["travel s t", *(f"edge {edge} {' '.join(rng.sample(nodes, 2))}" for edge in edges)]
    erasing = [node for node in nodes[2:] if rng.random() < 0.7]
    lines += [f"erase {node} {' '.join(rng.sample(edges, rng.randint(1, min(3, len(edges)))))}" for node in erasing]
    return Statement("dgr", "\n".join(lines) + "\n")


def _clauses(rng: Random) -> Statement:
    count = rng.randint(1, 7)
    order = rng.sample(range(1, count + 1), count)
    blocks: list[list[int]] = [[]]
    for variable in order:
        if blocks[-1] and rng.random() < 0.5:
            blocks.append([])
        blocks[-1].append(variable)
    first = rng.randint(0, 1)
    prefix = [f"{'ea'[(first + n) % 2]} {' '.join(map(str, block))} 0" for n, block in enumerate(blocks)]
    clauses = [
        " ".join(str(rng.choice((-1, 1)) * v) for v in rng.sample(order, rng.randint(1, min(3, count)))) + " 0"
        for _ in range(rng.randint(1, 12))
    ]
    return Statement("qdimacs", "\n".join([f"p cnf {count} {len(clauses)}", *prefix, *clauses]) + "\n")


def _circuit(rng: Random) -> Statement:
    names = [f"x{number}" for number in range(rng.randint(1, 6))]
    lines, place = ["#QCIR-G14"], 0
    while place < len(names):
        more = rng.randint(1, 3)
        lines.append(f"{rng.choice(('exists', 'forall'))}({', '.join(names[place : place + more])})")
        place += more
    known = list(names)
    gates = []
    for number in range(rng.randint(1, 8)):
        kind = rng.choice(("and", "or", "xor", "ite"))
        parts = [rng.choice(("", "-")) + rng.choice(known) for _ in range({"xor": 2, "ite": 3}.get(kind, 0))]
        parts = parts or [rng.choice(("", "-")) + rng.choice(known) for _ in range(rng.randint(1, 3))]
        gates.append(f"g{number} = {kind}({', '.join(parts)})")
        known.append(f"g{number}")
    return Statement("qcir", "\n".join([*lines, f"output({rng.choice(('', '-'))}{known[-1]})", *gates]) + "\n")


def _program(rng: Random) -> Statement:
    count = rng.randint(1, 5)
    names = [f"x{number}" for number in range(count)]
    bounds = {name: (low := rng.choice((0, 0, -1)), low + rng.randint(1, 2)) for name in names}
    role = {name: rng.choice(("EXISTS", "ALL")) for name in names}

    def expression(among: list[str]) -> str:
        chosen = rng.sample(among, rng.randint(1, len(among)))
        return " ".join(f"{rng.choice(('+', '-'))} {rng.randint(1, 3)} {name}" for name in chosen)

    lines = [rng.choice(("MINIMIZE", "MAXIMIZE")), f"goal: {expression(names)}", "SUBJECT TO"]
    for number in range(rng.randint(1, 3)):
        lines += [f"r{number}: {expression(names)} {rng.choice(('<=', '>='))} {rng.randint(-2, 4)}"]
    lines += ["BOUNDS", *(f"{low} <= {name} <= {high}" for name, (low, high) in bounds.items())]
    lines += ["GENERALS", " ".join(names)]
    for section in ("EXISTS", "ALL"):
        if own := [name for name in names if role[name] == section]:
            lines += [section, " ".join(own)]
    return Statement("qlp", "\n".join([*lines, "ORDER", " ".join(names), "END"]) + "\n")


def _bracketed(rng: Random, depth: int) -> str:
    if depth == 0 or rng.random() < 0.25:
        return rng.choice(["0", "1", "-1", "2", "-3", "1/2", "-3/4", "5", "-4", "3/2"])
    sides = [",".join(_bracketed(rng, depth - 1) for _ in range(rng.randint(1, 2))) for _ in range(2)]
    return f"{{{sides[0]}|{sides[1]}}}"


def _sum(rng: Random) -> Statement:
    return Statement("cgt", " + ".join(_bracketed(rng, 2) for _ in range(rng.randint(1, 3))))


def _grid(rng: Random, cells: str) -> str:
    rows, columns = rng.choice(((1, 5), (2, 3), (3, 2), (2, 4), (3, 3)))
    return "|".join("".join(rng.choice(cells) for _ in range(columns)) for _ in range(rows))


BOARDS: Mapping[str, str] = {
    "amazons": "..x#o", "clobber": ".xo", "col": "...xo#", "cram": "...#", "domineering": "...#", "fission": "....x#",
    "konane": ".xo", "nogo": "...xo#", "snort": "...xo#",
}  # fmt: skip
"""Rulesets on boards, and what stands in their cells."""
HEAPS: Mapping[str, int] = {"dawson": 7, "grundy": 7, "kayles": 5, "nimheaps": 5}
ROWS = ("toads", "elephants")


def _board(rng: Random) -> Statement:
    name = rng.choice((*BOARDS, *HEAPS, *ROWS))
    if name in HEAPS:
        board = ",".join(str(rng.randint(0, HEAPS[name])) for _ in range(rng.randint(1, 3)))
    elif name in ROWS:
        board = "".join(rng.choice("..xo") for _ in range(rng.randint(1, 8)))
    else:
        board = _grid(rng, BOARDS[name])
    return Statement("board", f"{name}:{board}")


def _network(rng: Random) -> Statement:
    """A network of one player."""
    count = rng.randint(1, 4)
    sizes = [rng.randint(1, 3) for _ in range(count)]
    drawn = [rng.random() < 0.4 for _ in range(count)]

    def scope() -> list[int]:
        return rng.sample(range(count), rng.randint(1, min(2, count)))

    def rows(places: list[int]) -> list[list[int]]:
        return [list(row) for row in {tuple(rng.randrange(sizes[place]) for place in places) for _ in range(5)}]

    tables, utilities, chances = [], [], []
    for _ in range(rng.randint(0, 2)):
        places = scope()
        tables.append({"scope": [f"v{place}" for place in places], "tuples": rows(places)})
    for _ in range(rng.randint(1, 2)):
        places = scope()
        gains = [{"values": row, "utility": [f"{rng.randint(0, 4)}/8"]} for row in rows(places)]
        utilities.append({"scope": [f"v{place}" for place in places], "rows": gains})
    for number in range(count):
        if drawn[number]:
            shares = [rng.randint(1, 3) for _ in range(sizes[number])]
            odds = [str(Fraction(share, sum(shares))) for share in shares]
            chances.append({"variable": f"v{number}", "scope": [], "rows": [{"values": [], "probability": odds}]})
    variables = [
        {"name": f"v{number}", "domain": [f"d{value}" for value in range(size)]}
        | ({"stochastic": True} if odds else {})
        for number, (size, odds) in enumerate(zip(sizes, drawn, strict=True))
    ]
    network = {"format": "zermelo-network", "version": 1, "players": 1, "variables": variables}
    return Statement("network", json.dumps(network | {"tables": tables, "utilities": utilities, "chances": chances}))


def _library(rng: Random) -> Statement:
    """A game of the library, as a target."""
    few = [rng.randint(0, 4) for _ in range(rng.randint(1, 3))]
    return Statement(
        TARGET,
        rng.choice(
            (
                f"nim:{','.join(map(str, few))}",
                f"wythoff:{few[0]},{few[-1]}",
                f"subtraction:{rng.randint(0, 12)};{','.join(map(str, sorted(rng.sample(range(1, 6), 2))))}",
                f"treblecross:{rng.randint(1, 8)}",
                f"coins:{','.join(str(1 + each % 2) for each in few)}",
                f"mnk:{rng.randint(1, 3)},{rng.randint(2, 3)},{rng.randint(2, 3)}",
                f"connect:{rng.randint(2, 3)},{rng.randint(2, 3)},{rng.randint(2, 3)}",
                f"hex:{rng.randint(1, 2)}",
                f"dotsandboxes:1,{rng.randint(1, 2)}",
                f"breakthrough:{rng.randint(3, 4)},2,1",
                f"geography:random:{rng.randint(1, 7)},2,{rng.randint(0, 99)}",
            )
        ),
    )


DRAWN: Mapping[str, Callable[[Random], Statement]] = {
    "table": _table,
    "table with cycles": _cyclic_table,
    "table with chance": _chance_table,
    "table with cycles and chance": _cyclic_chance_table,
    "table of several roles": _role_table,
    "table with moves at once": _at_once_table,
    "rulesheet": _rulesheet,
    "rulesheet of several roles": _role_sheet,
    "tree file": _tree_file,
    "strategic file": _strategic_file,
    "graph": _graph,
    "reliability": _reliability,
    "clauses": _clauses,
    "circuit": _circuit,
    "program": _program,
    "sum": _sum,
    "board": _board,
    "network": _network,
    "library": _library,
}
"""What is drawn, by the names of the kinds in reports."""
