"""Strategies written down layer by layer, as certificates of version 2 hold them.

The first layer is the start. From each position of a layer the owner of the strategy makes the move that is written
down, the other role every legal move. The positions that are met by it and are not over, each once and in the order in
which they are first met, are the next layer. So the positions themselves need not be written down: a file holds one or
two bytes for each move of the owner, which say its place in the list of legal moves, and nothing else.

Positions that rules close (:mod:`zermelo.closing`) and images of those that were met are left out where a strategy
says so. ``docs/formats/layers.md`` describes all of it; :mod:`zermelo.layers_file` reads and writes the files.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from zermelo.brief import counted, introduced

SUFFIX = ".zc"
"""How the names of files of version 2 end."""


@dataclass(frozen=True)
class Layers:
    """The moves of a strategy: for each layer how many positions it has, and the owner's moves as two bytes each.

    >>> layers = Layers((1, 2), (b"\\x01\\x00", b""))
    >>> layers, list(layers.places(0))
    (<Layers: 2 layers, 3 positions, 1 move>, [1])
    """

    positions: tuple[int, ...]
    moves: tuple[bytes, ...]
    images: str = ""
    """The word for the images that stand for one another; empty: none do."""
    closed: tuple[str, ...] = ()
    """The rules that close positions."""
    parts: tuple[Layers, ...] = ()
    """What follows on the last layer: each goes on from some of its positions, which are dealt out in order."""
    line: tuple[int, ...] = field(default=(), compare=False)
    """Where whoever wrote them knows it: one of the lines that last longest, in the same form. No file holds it."""

    def __repr__(self) -> str:
        sizes = counted(self.depth, "layer"), counted(self.position_count, "position")
        return introduced(self, *sizes, counted(self.move_count, "move"))

    @property
    def move_count(self) -> int:
        """How many moves are written down."""
        return sum(sum(map(len, layers.moves)) for layers in self.files()) // 2

    @property
    def position_count(self) -> int:
        """How many positions the layers have, those of parts included."""
        return sum(sum(layers.positions) for layers in self.files())

    @property
    def depth(self) -> int:
        """How many layers follow on one another."""
        return len(self.positions) + max((part.depth for part in self.parts), default=0)

    @property
    def brief(self) -> bool:
        """Whether something is left out: images, or what rules close."""
        return bool(self.images or self.closed)

    def files(self) -> Iterator[Layers]:
        """These layers and their parts."""
        yield self
        yield from self.parts

    def places(self, layer: int) -> memoryview:
        """The owner's moves in a layer, each as its place in the list of legal moves."""
        moves = self.moves[layer]
        return memoryview(moves if _LITTLE else _swapped(moves)).cast("H")


_LITTLE = memoryview(b"\x01\x00").cast("H")[0] == 1


def _swapped(pairs: bytes) -> bytes:
    turned = bytearray(pairs)
    turned[::2], turned[1::2] = pairs[1::2], pairs[::2]
    return bytes(turned)
