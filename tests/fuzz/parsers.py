"""Graph files, networks, programs, targets, certificates and moves from random and from damaged text."""

from __future__ import annotations

import json
import random
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from tests.fuzz.damage import damaged_bytes, damaged_text, random_text
from tests.fuzz.library import ARGUMENTS
from tests.fuzz.part import shorter
from tests.qip.randomprograms import random_program
from tests.scsp.networks import random_network as random_constraints
from zermelo.certificate import read_certificate
from zermelo.errors import AmbiguousMoveError, IllegalMoveError, InputError
from zermelo.game import CHANCE, Game
from zermelo.games import entries, make_game
from zermelo.games.dgr import Reliability, random_network
from zermelo.games.dgrfile import parse_network, read_network, write_network
from zermelo.games.geography import Geography, random_graph
from zermelo.games.graphfile import Graph, parse_graph, read_graph, write_graph
from zermelo.qip.formats.qlp import parse_qlp, read_qlp, write_qlp
from zermelo.qip.models.dgr import reliability
from zermelo.scsp import jsonform
from zermelo.solving.targets import game_of

T = TypeVar("T")

CERTIFICATE = {
    "format": "zermelo-certificate", "version": 1, "target": "nim:2", "digest": 32 * "0a",
    "claims": [{"role": "first", "at_least": "1", "after": [], "starts": "first", "play": "score",
                "table": {"((2),0)": ["0,2", 1]}},
               {"role": "second", "at_least": "-1/3", "after": ["0,1"], "starts": "second", "play": "normal",
                "rule": "pairing", "data": {"pairs": [[0, 1], [2, 3]]}}],
}  # fmt: skip


@dataclass(frozen=True)
class Case:
    """What is parsed, and as what."""

    kind: str
    data: bytes

    @property
    def text(self) -> str:
        """The data as text, whatever it is."""
        return self.data.decode("utf-8", "replace")


def draw(rng: random.Random) -> Case:
    """Valid input with some damage, or noise."""
    kind = rng.choice(sorted(CHECKS))
    if rng.random() < 0.2:
        noise = rng.randbytes(rng.randrange(30)) if rng.random() < 0.5 else random_text(rng).encode()
        return Case(kind, noise)
    text = valid(kind, rng)
    data = damaged_text(text, rng).encode()
    return Case(kind, damaged_bytes(data, rng) if rng.random() < 0.2 else data)


def valid(kind: str, rng: random.Random) -> str:
    """A text that parses."""
    if kind == "graph":
        nodes = rng.randint(1, 6)
        graph = random_graph(nodes, rng.randint(0, min(2, nodes - 1)), rng.getrandbits(20))
        if rng.random() < 0.5 and any(graph.successors):
            return "# edges\n" + "".join(f"{a} {b}\n" for a, row in enumerate(graph.successors) for b in row)
        return write_graph(Graph(graph.names, graph.successors, bound=rng.randint(0, 9)))
    if kind == "program":
        return write_qlp(random_program(rng))
    if kind == "network":
        return write_network(random_network(rng.randint(2, 6), rng.getrandbits(20)))
    if kind == "constraints":
        return jsonform.write_network(random_constraints(rng.getrandbits(20)))
    if kind == "certificate":
        return json.dumps(CERTIFICATE, indent=rng.choice((None, 1)))
    name = rng.choice(sorted(ARGUMENTS))
    target = f"{name}:{ARGUMENTS[name](rng)}"
    if kind == "target":
        return rng.choice(
            (target, entries()[rng.randrange(len(ARGUMENTS))].example, "no/file.py:Name(1, 2)", "x.graph")
        )
    return "nim:2,3 0,1"


def check(case: Case) -> None:
    """A clean error of one line, or something valid that is printed and read again alike."""
    try:
        CHECKS[case.kind](case)
    except InputError as error:
        assert "\n" not in str(error), f"more than one line: {error}"


def _check_graph(case: Case) -> None:
    graph = _from_file(case.data, ".graph", read_graph)
    start = Geography(graph).start()
    assert start[0] == graph.start
    try:
        text = write_graph(graph)
    except InputError:
        return  # a graph that the formats cannot hold exactly: the reader is more liberal than the writer
    assert parse_graph(text) == graph
    assert write_graph(parse_graph(text)) == text


def _check_network(case: Case) -> None:
    network = _from_file(case.data, ".dgr", read_network)
    game = Reliability(network)
    assert game.result(game.start()) is not None or game.turn(game.start()) in game.roles
    written = parse_network(write_network(network))
    assert write_network(written) == write_network(network)
    assert written.edges == network.edges
    assert reliability(network).blocks[-1].quantifier == "exists" if network.edges else True


def _check_constraints(case: Case) -> None:
    network = _from_file(case.data, ".json", jsonform.read_network)
    text = jsonform.write_network(network)
    assert jsonform.parse_network(text) == network
    assert jsonform.write_network(jsonform.parse_network(text)) == text


def _check_program(case: Case) -> None:
    program = _from_file(case.data, ".qlp", read_qlp)
    text = write_qlp(program)
    assert parse_qlp(text) == program
    assert write_qlp(parse_qlp(text)) == text


def _check_certificate(case: Case) -> None:
    certificate = _from_file(case.data, ".json", read_certificate)
    text = json.dumps(certificate.to_json())
    assert _from_file(text.encode(), ".json", read_certificate) == certificate


def _check_target(case: Case) -> None:
    game = game_of(case.text)
    assert isinstance(game, Game)
    position = game.start()
    if game.result(position) is None:
        turn = game.turn(position)
        assert {turn} <= {*game.roles, CHANCE} if isinstance(turn, str) else {*turn} <= {*game.roles}
    assert game.key(position) == game.key(game_of(case.text).start())


def _check_move(case: Case) -> None:
    target, _, text = case.text.partition(" ")
    game = make_game("nim:2,3" if len(target) % 2 else "hex:2")
    try:
        move = game.parse_move(game.start(), text)
    except (IllegalMoveError, AmbiguousMoveError):
        return
    assert move in game.moves(game.start())
    assert game.parse_move(game.start(), game.move_text(move)) == move


def _from_file(data: bytes, suffix: str, read: Callable[[Path], T]) -> T:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"file{suffix}"
        path.write_bytes(data)
        return read(path)


CHECKS: dict[str, Callable[[Case], None]] = {
    "graph": _check_graph,
    "network": _check_network,
    "constraints": _check_constraints,
    "program": _check_program,
    "certificate": _check_certificate,
    "target": _check_target,
    "move": _check_move,
}


def smaller(case: Case) -> Iterator[Case]:
    """The data with pieces left out."""
    for data in shorter(tuple(case.data)):
        yield Case(case.kind, bytes(data))


def show(case: Case) -> str:
    """What is parsed, as Python."""
    return repr(case)
