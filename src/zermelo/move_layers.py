"""Strategies written down layer by layer, and the files that hold them: certificates of version 2.

The first layer is the start. From each position of a layer the owner of the strategy makes the move that is written
down, the other role every legal move. The positions that are met by it and are not over, each once and in the order in
which they are first met, are the next layer. So the positions themselves need not be written down: a file holds one or
two bytes for each move of the owner, which say its place in the list of legal moves, and nothing else.
``docs/formats/layers.md`` describes the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from itertools import islice
from typing import Any

from zermelo.brief import counted, introduced
from zermelo.errors import CertificateError, LimitReachedError
from zermelo.game import Game, Role

MAGIC = b"zermelo-certificate 2\n"
"""The first line of such a file."""
SUFFIX = ".zc"
"""How its name ends."""
MOST_IN_A_TABLE = 4_000_000
"""A strategy that meets more positions is not written out as a table, which would take gigabytes."""


@dataclass(frozen=True)
class Layers:
    """The moves of a strategy: for each layer how many positions it has, and the owner's moves as two bytes each.

    >>> layers = Layers((1, 2), (b"\\x01\\x00", b""))
    >>> layers, list(layers.places(0))
    (<Layers: 2 layers, 3 positions, 1 move>, [1])
    """

    positions: tuple[int, ...]
    moves: tuple[bytes, ...]
    line: tuple[int, ...] = field(default=(), compare=False)
    """Where whoever wrote them knows it: one of the lines that last longest, in the same form. No file holds it."""

    def __repr__(self) -> str:
        sizes = counted(len(self.positions), "layer"), counted(sum(self.positions), "position")
        return introduced(self, *sizes, counted(self.move_count, "move"))

    @property
    def move_count(self) -> int:
        """How many moves are written down."""
        return sum(map(len, self.moves)) // 2

    def places(self, layer: int) -> memoryview:
        """The owner's moves in a layer, each as its place in the list of legal moves."""
        moves = self.moves[layer]
        return memoryview(moves if _LITTLE else _swapped(moves)).cast("H")


_LITTLE = memoryview(b"\x01\x00").cast("H")[0] == 1


def _swapped(pairs: bytes) -> bytes:
    turned = bytearray(pairs)
    turned[::2], turned[1::2] = pairs[1::2], pairs[::2]
    return bytes(turned)


@dataclass(frozen=True)
class LayeredTable(Mapping[str, tuple[str, int | None]]):
    """The same strategy as a table from position keys to moves and ranks, which is made when it is first looked at.

    >>> from zermelo.games import make_game
    >>> dict(LayeredTable(make_game("nim:2"), "first", Layers((1,), (b"\\x01\\x00",))))
    {'((2),0)': ('0,2', 1)}
    """

    game: Game
    role: Role
    layers: Layers = field(repr=False)

    def __len__(self) -> int:
        return self.layers.move_count

    def __iter__(self) -> Iterator[str]:
        return iter(self.table)

    def __getitem__(self, key: str) -> tuple[str, int | None]:
        return self.table[key]

    def __hash__(self) -> int:
        return hash(self.layers)

    @cached_property
    def table(self) -> dict[str, tuple[str, int | None]]:
        """The table written out.

        A position that lies in several layers has the move of the last: its rank is the lowest, and ranks still fall
        from there on.
        """
        if sum(self.layers.positions) > MOST_IN_A_TABLE:
            raise LimitReachedError(f"{self.layers!r}: too many for a table, write a certificate FILE{SUFFIX} instead")
        table: dict[str, tuple[str, int | None]] = {}
        for number, position, place in met(self.game, self.role, self.layers):
            if place is not None:
                move = self.game.moves(position)[place]
                table[self.game.key(position)] = (self.game.move_text(move), len(self.layers.moves) - number)
        return table


def met(game: Game, role: Role, layers: Layers) -> Iterator[tuple[int, Any, int | None]]:
    """The positions that a strategy meets: the layer of each and, where the owner moves, the place of his move."""
    layer: dict[Any, None] = {game.start(): None} if game.result(game.start()) is None else {}
    for number in range(len(layers.moves)):
        chosen = iter(layers.places(number))
        following: dict[Any, None] = {}
        for position in layer:
            moves = game.moves(position)
            place = next(chosen) if game.turn(position) == role else None
            yield number, position, place
            for move in moves if place is None else (moves[place],):
                after = game.play(position, move)
                if after not in following and game.result(after) is None:
                    following[after] = None
        layer = following


class Walk:
    """The positions that a strategy meets, walked layer by layer and only as deep as somebody looks.

    >>> from zermelo.games import make_game
    >>> nim = make_game("nim:1,1")
    >>> walk = Walk(nim, "second", Layers((1, 2), (b"", b"\\0\\0\\0\\0")))
    >>> walk.count(0), walk.count(1), walk.move(1, nim.play(nim.start(), (0, 1)))
    (1, 3, (1, 1))
    """

    def __init__(self, game: Game, role: Role, layers: Layers) -> None:
        self.game, self.layers = game, layers
        self._met = met(game, role, layers)
        self._places: list[dict[Any, int | None]] = []

    def count(self, depth: int) -> int:
        """How many positions there are up to a layer: so many are walked to know its moves."""
        return sum(self.layers.positions[: depth + 1])

    def move(self, depth: int, position: Any) -> Any:
        """The move in a position of a layer; ``None`` where the strategy does not meet it, or somebody else moves."""
        while len(self._places) <= depth < len(self.layers.positions):
            count = self.layers.positions[len(self._places)]
            self._places.append({here: place for _, here, place in islice(self._met, count)})
        place = self._places[depth].get(position) if depth < len(self._places) else None
        return None if place is None else self.game.moves(position)[place]


def sliced(game: Game, role: Role, layers: Layers, line: Sequence[Any]) -> Layers | None:
    """The part of a strategy that begins after some moves; ``None`` if it does not lead there.

    >>> from zermelo.games import make_game
    >>> nim = make_game("nim:1,1")
    >>> sliced(nim, "second", Layers((1, 2), (b"", b"\\0\\0\\0\\0")), [(0, 1)])
    <Layers: 1 layer, 1 position, 1 move>
    """
    places = {(number, position): place for number, position, place in met(game, role, layers)}
    layer = {game.at(line).start(): None}
    positions, moves = [], []
    for number in range(len(line), len(layers.moves)):
        if not layer:
            break
        if any((number, position) not in places for position in layer):
            return None
        chosen = [places[number, position] for position in layer]
        positions.append(len(layer))
        moves.append(b"".join(place.to_bytes(2, "little") for place in chosen if place is not None))
        following: dict[Any, None] = {}
        for position, place in zip(layer, chosen, strict=True):
            legal = game.moves(position)
            for move in legal if place is None else (legal[place],):
                after = game.play(position, move)
                if game.result(after) is None:
                    following.setdefault(after)
        layer = following
    return Layers(tuple(positions), tuple(moves)) if positions else None


def head_lines(head: Mapping[str, Any]) -> Iterator[str]:
    """The lines before the moves, for a certificate as JSON and the layers of each claim."""
    yield f"target {head['target']}"
    yield f"digest {head['digest']}"
    for claim in head["claims"]:
        layers: Layers = claim["layers"]
        yield "claim"
        for name in ("role", "at_least", "starts", "play"):
            yield f"{name} {claim[name]}"
        yield from (f"after {move}" for move in claim["after"])
        width = width_of(layers)
        yield f"width {width}"
        yield f"sha256 {sha256(b''.join(body(layers, width))).hexdigest()}"
        yield from (
            f"layer {count} {len(moves) // 2}" for count, moves in zip(layers.positions, layers.moves, strict=True)
        )


def width_of(layers: Layers) -> int:
    """How many bytes a move takes in a file: one where all places are below 256."""
    return 1 if not any(any(moves[1::2]) for moves in layers.moves) else 2


def body(layers: Layers, width: int) -> Iterator[bytes]:
    """The moves as they stand in a file."""
    return (moves[::2] if width == 1 else moves for moves in layers.moves)


def pieces(head: Mapping[str, Any]) -> Iterator[bytes]:
    """A file of version 2."""
    lines = list(head_lines(head))
    if any("\n" in line or "\r" in line for line in lines):
        raise CertificateError("a name with a line break has no place in a certificate of version 2: write JSON")
    yield MAGIC + "\n".join(lines).encode() + b"\n\n"
    for claim in head["claims"]:
        yield from body(claim["layers"], width_of(claim["layers"]))


_LINE = re.compile(r"(\w+)(?: (.*))?")
_ONCE = ("role", "at_least", "starts", "play", "width", "sha256")


def parse(data: bytes, name: str) -> dict[str, Any]:
    """What a file of version 2 says, as JSON with the layers of each claim; ``CertificateError`` with its place."""
    head, blank, rest = data.partition(b"\n\n")
    if not data.startswith(MAGIC) or not blank:
        raise CertificateError("a certificate of version 2 without its head, which ends with an empty line", file=name)
    try:
        lines = head.decode().split("\n")
    except UnicodeDecodeError as error:
        raise CertificateError(f"not UTF-8 at byte {error.start}", file=name) from None
    found: dict[str, Any] = {"claims": []}
    for number, line in enumerate(lines[1:], 2):
        try:
            _take(found, line)
        except ValueError as error:
            raise CertificateError(str(error), file=name, line=number) from None
    for number, claim in enumerate(found["claims"], 1):
        rest = _take_moves(claim, rest, f"claim {number}", name)
    if rest:
        raise CertificateError(f"{counted(len(rest), 'byte')} after the last move", file=name)
    return found


def _take(found: dict[str, Any], line: str) -> None:
    """Adds what a line of the head says."""
    match = _LINE.fullmatch(line)
    if match is None:
        raise ValueError(f"expected a word and what it says, found {line[:40]!r}")
    word, said = match[1], match[2]
    into = found["claims"][-1] if found["claims"] else found
    if word == "claim":
        found["claims"].append({"after": [], "layer": []})
    elif said is None:
        raise ValueError(f"{word} says nothing")
    elif word in ("target", "digest") and into is found and word not in into:
        into[word] = said
    elif word == "after" and into is not found:
        into["after"].append(said)
    elif word == "layer" and into is not found:
        sizes = said.split(" ")
        if len(sizes) != 2 or not all(size.isdecimal() and size.isascii() and len(size) < 16 for size in sizes):
            raise ValueError(f"expected `layer POSITIONS MOVES`, found {line[:40]!r}")
        into["layer"].append((int(sizes[0]), int(sizes[1])))
    elif word in _ONCE and into is not found and word not in into:
        into[word] = said
    else:
        raise ValueError(f"{line[:40]!r} has no place here")


def _take_moves(claim: dict[str, Any], rest: bytes, where: str, name: str) -> bytes:
    """Cuts the moves of a claim off the bytes that are left."""
    missing = [word for word in _ONCE if word not in claim]
    if missing:
        raise CertificateError(f"{where}: no {missing[0]}", file=name)
    if claim["width"] not in ("1", "2"):
        raise CertificateError(f"{where}: a width of {claim['width'][:20]} bytes, expected 1 or 2", file=name)
    width = int(claim["width"])
    size = width * sum(moves for _, moves in claim["layer"])
    if len(rest) < size:
        raise CertificateError(f"{where}: cut short, {size - len(rest)} bytes of moves are missing", file=name)
    if sha256(rest[:size]).hexdigest() != claim["sha256"]:
        raise CertificateError(f"{where}: the moves are not those that were written: the checksum differs", file=name)
    view, made, at = memoryview(rest), [], 0
    for _, count in claim["layer"]:
        part = bytes(view[at : at + width * count])
        made.append(part if width == 2 else _widened(part))
        at += width * count
    claim["layers"] = Layers(tuple(positions for positions, _ in claim["layer"]), tuple(made))
    return rest[size:]


def _widened(single: bytes) -> bytes:
    wide = bytearray(2 * len(single))
    wide[::2] = single
    return bytes(wide)
