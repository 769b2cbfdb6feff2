"""Random small games of every format: all engines that take them, at the start and later, against trying every line.

The truth is worked out from the rules of the game alone: best moves of both sides, means where chance moves.
Certificates are written, read and checked against the game as it is read anew. With hidden information nobody answers.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from typing import Any

from tests.cgt.boards import RANDOM
from tests.cgt.randomgames import random_text
from tests.fuzz import forged_functions, forged_programs
from tests.fuzz.forged import Statement
from tests.fuzz.part import shorter
from tests.scsp.networks import random_network
from zermelo import solve
from zermelo.certificate import certificate_from_json
from zermelo.check import check_certificate
from zermelo.continued import Continued
from zermelo.errors import InputError, NotApplicableError, ZermeloError
from zermelo.game import CHANCE, Game
from zermelo.qbf.engines import PARTS as FORMULA_ENGINES
from zermelo.qip.engines import PARTS as PROGRAM_ENGINES
from zermelo.qip.game import ProgramGame
from zermelo.scsp.game import NetworkGame
from zermelo.scsp.jsonform import write_network
from zermelo.search.kernels import KERNELS
from zermelo.solution import Solution
from zermelo.solving.targets import game_from
from zermelo.source import Source
from zermelo.wrapper import GameWrapper

SEARCH = tuple(name for name, engine in KERNELS.items() if engine.complete)
ROOM: dict[str, tuple[str, ...]] = {
    "graph": SEARCH,
    "dgr": ("dp",),
    "network": ("scsp", "dp"),
    "cgt": ("dp",),
    "board": ("dp", "alphabeta"),
    "qcir": (*FORMULA_ENGINES, *PROGRAM_ENGINES, *SEARCH),
    "qdimacs": (*FORMULA_ENGINES, *PROGRAM_ENGINES, *SEARCH),
    "qlp": (*PROGRAM_ENGINES, *SEARCH),
}
"""Engines that may be asked, beside ``auto`` and ``all``; one that does not take the game says so."""
MOST_POSITIONS = 20_000


class TooLargeError(Exception):
    """A game with more positions than are tried here."""


@dataclass(frozen=True)
class Case:
    """A game as text, the engines that are asked, and after how many moves of a random line it is taken up."""

    game: Statement
    engines: tuple[str, ...]
    seed: int
    plies: int = 0


def _graph(rng: random.Random) -> Statement:
    nodes = [f"n{number}" for number in range(rng.randint(2, 7))]
    edges = {(rng.choice(nodes), rng.choice(nodes)) for _ in range(rng.randint(1, 14))}
    lines = sorted(f"{one} {two}" for one, two in edges if one != two)
    return Statement("graph", "\n".join(["n0 n1", *(line for line in lines if line != "n0 n1")]) + "\n")


def _reliability(rng: random.Random) -> Statement:
    nodes = ["s", "t", *(f"v{number}" for number in range(rng.randint(1, 3)))]
    lines, edges = ["travel s t"], []
    for number in range(rng.randint(2, 7)):
        one, two = rng.sample(nodes, 2)
        edges.append(f"e{number}")
        lines.append(f"edge e{number} {one} {two}")
    erasing = [node for node in nodes[2:] if rng.random() < 0.7]
    lines += [f"erase {node} {' '.join(rng.sample(edges, rng.randint(1, min(3, len(edges)))))}" for node in erasing]
    if rng.random() < 0.5 and len(edges) > 1:
        lines.append(f"exclude {' '.join(rng.sample(edges, 2))}")
    return Statement("dgr", "\n".join(lines) + "\n")


def _network(rng: random.Random) -> Statement:
    return Statement("network", write_network(random_network(rng.getrandbits(32), 4)))


def _sum(rng: random.Random) -> Statement:
    return Statement("cgt", " + ".join(random_text(rng, 2) for _ in range(rng.randint(1, 3))))


def _board(rng: random.Random) -> Statement:
    name = rng.choice(sorted(RANDOM))
    return Statement("board", f"{name}:{RANDOM[name](rng)}")


DRAWN: dict[str, Callable[[random.Random], Statement]] = {
    "graph": _graph,
    "dgr": _reliability,
    "network": _network,
    "sum": _sum,
    "board": _board,
    "formula": forged_functions.draw,
    "program": forged_programs.draw,
}


def draw(rng: random.Random) -> Case:
    """A random text of a random format."""
    statement = DRAWN[rng.choice(list(DRAWN))](rng)
    room = ROOM[statement.format]
    engines = ("auto", *rng.sample(room, min(3, len(room))))
    return Case(statement, engines, rng.getrandbits(32), rng.choice((0, 0, 1, 2, 3)))


def _read(statement: Statement) -> Game:
    return game_from(Source(statement.format, statement.text, "drawn"))


def truth(game: Game) -> Fraction:
    """The first role's score under best play, by trying everything; positions must not repeat."""
    seen = 0

    @cache
    def value(position: Any) -> Fraction:
        nonlocal seen
        seen += 1
        if seen > MOST_POSITIONS:
            raise TooLargeError
        scores = game.result(position)
        if scores is not None:
            return Fraction(scores[0])
        turn = game.turn(position)
        if turn == CHANCE:
            return sum(
                (weight * value(game.play(position, move)) for move, weight in game.chances(position)), Fraction(0)
            )
        best = max if turn == game.roles[0] else min
        return best(value(game.play(position, move)) for move in game.moves(position))

    return value(game.start())


def check(case: Case) -> None:
    """Every engine says the value, with a certificate that is accepted."""
    try:
        game = _read(case.game)
    except ZermeloError as error:
        assert "\n" not in str(error), f"more than one line: {error}"
        return
    moves = _line(game, case)
    here = Continued(game, moves) if moves else game
    try:
        expected = truth(here)
    except (TooLargeError, NotApplicableError, RecursionError):
        return
    for engine in case.engines:
        try:
            solution = solve(here, engine)
        except (NotApplicableError, InputError) as error:
            assert engine != "auto", f"auto refuses it: {error}"
            continue
        _compare(here, engine, solution, expected)
        _check_again(case.game, moves, engine, solution)
    _refused(game, moves)


def _line(game: Game, case: Case) -> list[Any]:
    """Some random moves, up to the end of the game."""
    rng, position, line = random.Random(case.seed), game.start(), list[Any]()
    try:
        while len(line) < case.plies and game.result(position) is None and (moves := list(game.moves(position))):
            move = rng.choice(moves)
            line.append(move)
            position = game.play(position, move)
    except NotApplicableError:
        return []
    return line


def _compare(game: Game, engine: str, solution: Solution, expected: Fraction) -> None:
    # Of a program the objective is said, but of a program that was taken up later the score, as of any other game.
    own: Any = game.value(expected) if isinstance(game, ProgramGame) else expected
    if solution.status == "solved" and not (isinstance(game, NetworkGame) and solution.value is None):
        found = solution.value  # none of a network without a feasible policy, where the game has a charge
        assert found == own, f"{engine} says {found}, trying everything {own}"
        assert solution.verified or solution.certificate is None or solution.note, f"{engine}: not verified"
    low, high = solution.bounds
    if own is not None and not isinstance(game, ProgramGame):
        assert low is None or low <= own, f"{engine}: lower bound {low}, the value is {own}"
        assert high is None or own <= high, f"{engine}: upper bound {high}, the value is {own}"


def _check_again(statement: Statement, moves: list[Any], engine: str, solution: Solution) -> None:
    """The certificate, written and read, is accepted of the game as it is read anew."""
    if solution.certificate is None or not solution.verified:
        return
    again = _read(statement)
    certificate = certificate_from_json(json.loads(json.dumps(solution.certificate.to_json())))
    verdict = check_certificate(Continued(again, moves) if moves else again, certificate)
    assert verdict.accepted, f"{engine}: its certificate is {verdict.status}: {verdict.reason}"


class _Unseen(GameWrapper):
    """The game, with something that not everybody sees."""

    hidden_information = True


def _refused(game: Game, moves: list[Any]) -> None:
    """Where some role does not see everything, nobody answers, at the start or later."""
    unseen = _Unseen(game)
    for hidden in (unseen, Continued(unseen, moves)):
        try:
            solution = solve(hidden)
        except NotApplicableError:
            continue
        raise AssertionError(f"hidden information, and {solution.engine} answers {solution.value}")


def smaller(case: Case) -> Iterator[Case]:
    """One engine instead of several, fewer moves, texts with pieces left out."""
    if len(case.engines) > 1:
        yield from (replace(case, engines=(engine,)) for engine in case.engines)
        return
    for plies in range(case.plies):
        yield replace(case, plies=plies)
    separator = " + " if case.game.format == "cgt" else "|" if case.game.format == "board" else "\n"
    for pieces in shorter(tuple(case.game.text.split(separator))):
        yield replace(case, game=replace(case.game, text=separator.join(pieces)))


def show(case: Case) -> str:
    """The engines, and the game as text."""
    return f"{case.engines} after {case.plies} moves by {case.seed}, {case.game.format}\n{case.game.text}"
