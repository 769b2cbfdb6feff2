"""Valid texts of every format that has two readers, for :mod:`tests.fuzz.readers`."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from importlib import resources

from tests.cgt.boards import RANDOM as BOARDS
from tests.cgt.randomgames import random_text as random_game
from tests.fuzz.gambittexts import random_table, random_tree
from tests.fuzz.qlptexts import program_text
from zermelo.games.dgr import random_network
from zermelo.games.dgrfile import write_network as write_dgr
from zermelo.games.geography import random_graph
from zermelo.gdl.printer import print_rules
from zermelo.gdl.reader import read_rules
from zermelo.scsp import network as scsp
from zermelo.scsp.jsonform import write_network


def _qcir(rng: random.Random) -> str:
    """A circuit, most of the time with quantified gates; gates in any order, names of all kinds."""
    from tests.qbf.definition import random_nested
    from tests.qbf.randomformulas import random_formula
    from zermelo.qbf.qcir import write_qcir

    formula = random_nested(rng, 5, 10) if rng.random() < 0.6 else random_formula(rng)
    if rng.random() < 0.2:
        return write_qcir(formula, numeric=True)
    lines = write_qcir(formula).splitlines()
    first = next((number for number, line in enumerate(lines) if "=" in line), len(lines))
    gates = lines[first:]
    if rng.random() < 0.5:
        rng.shuffle(gates)
    return "\n".join([*lines[:first], *gates]) + "\n"


def _qdimacs(rng: random.Random) -> str:
    from tests.qbf.randomformulas import random_clauses, random_formula
    from zermelo.qbf.qdimacs import write_qdimacs

    return write_qdimacs(
        random_clauses(rng) if rng.random() < 0.7 else random_formula(rng), comments=rng.random() < 0.2
    )


def _sum(rng: random.Random) -> str:
    """A sum in brackets with all that the notation has."""
    terms = [random_game(rng, 3) for _ in range(rng.randint(1, 3))]
    before = ("", "", "-", "+-", "±", "+_", "-_", "2*", "3 *")
    text = "".join(f"{rng.choice((' + ', ' - ', '+', '-', ' +-'))}{rng.choice(before)}({term})" for term in terms)
    ends = ("", " + 1/2^^*", " - v3", " + 5||2|-1", " # so much", "\n+ *2", " + +-(3,{4|1})", " + 2.5*3")
    return text.lstrip(" +") + rng.choice(ends)


def _board(rng: random.Random) -> str:
    """Boards of one of the games, of several, or of dots and boxes."""
    if rng.random() < 0.1:
        several = [f"{name}:{BOARDS[name](rng)}" for name in rng.sample(sorted(BOARDS), rng.randint(1, 2))]
        several += rng.sample(("1", "-1/2", "{1|-1}", "2*^", "*3", "{2||1|0}", "+-1"), rng.randint(0, 2))
        rng.shuffle(several)
        return rng.choice(("+", " + ")).join(several)
    if rng.random() < 0.1:
        return rng.choice(("dots:2x2", "dots:.|#.|.+1x1", "dots: ..|.#.|.. + #|..|."))
    name = rng.choice(sorted(BOARDS))
    boards = [BOARDS[name](rng) for _ in range(rng.randint(1, 2))]
    if rng.random() < 0.1:
        boards.append(f"{rng.randint(1, 4)}x{rng.randint(1, 4)}")
    return f"{rng.choice(('', '', '', 'impartial-'))}{name}:{rng.choice(('+', ' + ')).join(boards)}"


def _record(rng: random.Random) -> str:
    """A short record of Go on a small board; most of its moves are legal."""
    size = rng.randint(2, 5)

    def point() -> str:
        return "".join(rng.choice("abcdefghijklmnopqrs"[:size]) for _ in "xy")

    root = f"SZ[{size}]" + "".join(
        rng.choice(("", said)) for said in ("GM[1]", "FF[4]", "KM[6.5]", "KM[-0.25]", "HA[2]", "PL[W]", "C[a \\] b]")
    )
    stones = list(dict.fromkeys(point() for _ in range(rng.randint(0, 5))))
    for at, name in enumerate(("AB", "AW", "AE")):
        if chosen := stones[at::3]:
            root += name + "".join(f"[{one}]" for one in chosen)
    line = "".join(
        f";{'BW'[turn % 2]}[{rng.choice((point(), point(), point(), '', 'tt'))}]" for turn in range(rng.randint(0, 6))
    )
    marks = "".join(rng.choice(("", "", f"{name}[{point()}]")) for name in ("SQ", "TB", "TW", "AB", "PL"))
    marks += rng.choice(("", "", f"AE[{point()}:{point()}]", f"TB[aa:{point()}]", "SQ[]"))
    variations = rng.choice(("", "(;B[aa])(;W[bb];B[])", "(;C[x](;B[])(;W[]))"))
    return f"{rng.choice(('', 'junk ('))}(;{root}{line}{';' if marks else ''}{marks}{variations})"


def _rulesheet(rng: random.Random) -> str:
    """A small sheet in KIF or in infix syntax: one of the library's, or one with odd but valid rules."""
    if rng.random() < 0.1:
        sheet = read_rules(rng.choice([text for text in _own_sheets() if len(text) < 1500]))
        return print_rules(sheet, rng.choice(("kif", "infix")))
    rules = [*SHEET, *rng.sample(RULES, rng.randrange(len(RULES)))]
    rng.shuffle(rules)
    return print_rules(read_rules("\n".join(rules)), rng.choice(("kif", "infix")))


SHEET = (
    "role(a).", "role(random).", "init(at(1)).", "succ(1, 2).", "succ(2, 3).",
    "legal(R, go(X)) :- role(R), succ(_, X).",
    "next(at(Y)) :- true(at(X)), succ(X, Y).", "terminal :- true(at(3)).", "goal(a, 100) :- terminal.",
    "goal(a, 0) :- not(goal(a, 100)).", "sees(R, did(P, M)) :- role(R), does(P, M).",
)  # fmt: skip
RULES = (
    "odd(X) :- succ(X, Y), (even(Y); X \\= 1, ~succ(Y, 3)).", "even(X) :- succ(X, Y), odd(Y).",
    "even(f(_)) :- succ(_, _).",
    "far(X, Y) :- succ(X, Z), (far(Z, Y) | succ(Z, Y)).", "'Big'('x-1', _'y-2') :- succ(_'y-2', _X), _X != 2.",
    "next(kept(F)) :- true(F), does(R, M), distinct(M, go(F)).", "p :- not(not((q, ~r))).", "role(b).",
    "input(R, go(X)) :- role(R), succ(X, _).",
    "legal(a, wait) :- OR(true(at(1)), true(at(2))).", "q :- role(Role), Role \\= a.", "base(at(1)).", "goal(b, 50).",
)  # fmt: skip
"""Rules of a game, and rules that may be added to it."""


@cache
def _own_sheets() -> list[str]:
    folder = resources.files("zermelo.games") / "rulesheets"
    return [path.read_text(encoding="utf-8") for path in folder.iterdir() if path.name.endswith(".kif")]


def _graph(rng: random.Random) -> str:
    graph = random_graph(nodes := rng.randint(1, 6), rng.randint(0, nodes - 1), rng.randrange(10**6))
    names = rng.sample(["0", "1", "2", "10", "a", "B", "b", "é", "x#1"], nodes)
    if rng.random() < 0.5:
        rows = (f"{node} {' '.join(map(str, row))}" for node, row in enumerate(graph.successors))
        return "\n".join([str(rng.randrange(8)), *rows]) + "\n"
    edges = [f"{names[node]} {names[head]}" for node, row in enumerate(graph.successors) for head in row]
    return "".join(f"{edge}  # way\n" for edge in edges)


def _network(rng: random.Random) -> str:
    sizes = [rng.randint(1, 3) for _ in range(rng.randint(1, 4))]
    drawn = [rng.random() < 0.4 for _ in sizes]
    variables = tuple(
        scsp.Variable(f"v{n}", tuple(f"d{v}" for v in range(size)), random)
        for n, (size, random) in enumerate(zip(sizes, drawn, strict=True))
    )
    players = rng.randint(1, 2)

    def row(scope: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(rng.randrange(sizes[v]) for v in scope)

    scopes = [tuple(rng.sample(range(len(sizes)), rng.randint(0, len(sizes)))) for _ in range(4)]
    tables = tuple(
        scsp.Table(scope, frozenset(tuple(rng.choice((v, scsp.ANY)) for v in row(scope)) for _ in range(3)))
        for scope in scopes[:2]
    )
    utilities = tuple(
        scsp.Utility(scope, {row(scope): tuple(Fraction(rng.randint(-3, 3), 2) for _ in range(players))})
        for scope in scopes[2:]
    )
    chances = []
    for number, size in enumerate(sizes):
        if drawn[number]:
            scope = tuple(range(number))[-1:]
            shares = [rng.randint(0, 3) for _ in range(size - 1)] + [1]
            whole = tuple(Fraction(share, sum(shares)) for share in shares)
            chances.append(
                scsp.Chance(number, scope, {(v,) * len(scope): whole for v in range(sizes[scope[0]] if scope else 1)})
            )
    return write_network(scsp.Network(players, variables, tables, utilities, tuple(chances)))


def _dgr(rng: random.Random) -> str:
    return write_dgr(random_network(rng.randint(2, 6), rng.randrange(10**6)))


TEXTS: dict[str, Callable[[random.Random], str]] = {
    "board": _board,
    "cgt": _sum,
    "dgr": _dgr,
    "efg": lambda rng: random_tree(rng, rng.randint(1, 3), rng.randint(0, 4)),
    "graph": _graph,
    "network": _network,
    "nfg": random_table,
    "qcir": _qcir,
    "qdimacs": _qdimacs,
    "qlp": program_text,
    "rulesheet": _rulesheet,
    "sgf": _record,
}
"""A valid text of each format."""
