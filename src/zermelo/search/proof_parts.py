"""Strategies written down in parts: several threads at once, and each part kept, so that a run can be taken up again.

The kernel writes the first layers and stops before one that has enough positions. These are dealt out to parts. A part
stands on the table of the search, which nobody changes meanwhile, and so it is the same whoever writes it, and when.
Parts that are ready are kept in a folder. A run that was ended in the middle searches anew, which has no random part,
and writes what is missing.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from zermelo import _native
from zermelo.errors import InputError
from zermelo.files import read_bytes, write_pieces
from zermelo.game import Game
from zermelo.kernel_thread import KernelRun, control_for, race
from zermelo.layers_file import checksum
from zermelo.limits import Limits
from zermelo.move_layers import Layers
from zermelo.progress import Watch, no_watch

FIRST_POSITIONS = 64
"""So many positions, at least, are there for each part to begin with: parts of one position would share too little."""
MOST_PART_BYTES = 4 << 30


@dataclass(frozen=True)
class ProofForm:
    """How a strategy is wanted: with images and closed positions left out, in so many parts, kept in a folder.

    >>> ProofForm(parts=0)
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: 0 parts, expected 1 to 9999
    """

    brief: bool = False
    parts: int = 1
    checkpoint: Path | None = None

    def __post_init__(self) -> None:
        if not 1 <= self.parts <= 9999:
            raise InputError(f"{self.parts} parts, expected 1 to 9999")


def layers_of(found: _native.LayeredStrategy, parts: tuple[Layers, ...] = ()) -> Layers:
    """What a kernel wrote down; it is gone from there afterwards."""
    images, closed = found.images, tuple(found.closed)
    return Layers(tuple(found.positions), tuple(found.take()), images, closed, parts, tuple(found.line))


def with_parts(
    game: Game,
    search: _native.Search,
    trunk: _native.LayeredStrategy,
    about: str,
    form: ProofForm,
    limits: Limits,
    watch: Watch = no_watch,
) -> Layers:
    """A strategy whose first layers a kernel has written; ``about`` tells it apart from other strategies."""
    first, beyond = layers_of(trunk), trunk.beyond
    if not beyond:
        return first
    shares = list(_shares(beyond, form.parts))
    kept = _Kept(form.checkpoint, f"{_statement(game)} {about} {checksum(first)}")
    ready = {share: part for share in shares if (part := kept.read(share)) is not None}
    waiting = [share for share in shares if share not in ready]

    def write(control: _native.Control) -> None:
        while waiting:
            try:
                share = waiting.pop(0)
            except IndexError:  # another thread was quicker
                return
            ready[share] = part = layers_of(search.part(*share, control))
            kept.write(share, part)

    _in_threads(write, min(len(waiting), os.cpu_count() or 1), limits, watch)
    parts = tuple(ready[share] for share in shares)
    return Layers(first.positions, first.moves, first.images, first.closed, parts, first.line)


def _shares(beyond: int, parts: int) -> Iterator[tuple[int, int]]:
    """The first position of each part, and how many it has."""
    count = min(parts, beyond)
    for number in range(count):
        begin, end = beyond * number // count, beyond * (number + 1) // count
        yield begin, end - begin


def _in_threads(write: Callable[[_native.Control], None], threads: int, limits: Limits, watch: Watch) -> None:
    runs = [KernelRun("strategy", write, control_for(limits)) for _ in range(threads)]
    if runs:
        race(runs, watch, lambda run: False)
    for run in runs:
        run.result()


def _statement(game: Game) -> str:
    """The game with what it was made with: enough to tell the parts of one from those of another."""
    sizes = sorted((name, value) for name, value in vars(game).items() if isinstance(value, int))
    return f"{type(game).__qualname__} {sizes} {game.key(game.start())}"


class _Kept:
    """Parts that are ready, in a folder; a file that is not whole counts as none."""

    def __init__(self, folder: Path | None, about: str) -> None:
        self.folder, self.about = folder, sha256(about.encode()).hexdigest()
        if folder is not None:
            try:
                folder.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise InputError(f"no folder for parts: {error.strerror}", file=str(folder)) from None

    def path(self, share: tuple[int, int]) -> Path | None:
        return None if self.folder is None else self.folder / f"{self.about[:16]}-{share[0]}-{share[1]}.part"

    def write(self, share: tuple[int, int], part: Layers) -> None:
        path = self.path(share)
        if path is None:
            return
        moves = b"".join(part.moves)
        said = {
            "about": self.about,
            "sha256": sha256(moves).hexdigest(),
            "positions": part.positions,
            "moves": [len(layer) for layer in part.moves],
            "images": part.images,
            "closed": part.closed,
        }
        write_pieces(path, (json.dumps(said).encode() + b"\n", moves))

    def read(self, share: tuple[int, int]) -> Layers | None:
        path = self.path(share)
        if path is None or not path.exists():
            return None
        head, _, moves = read_bytes(path, "part", MOST_PART_BYTES).partition(b"\n")
        try:
            said = json.loads(head)
            whole = said["about"] == self.about and said["sha256"] == sha256(moves).hexdigest()
            sizes, positions = [int(size) for size in said["moves"]], tuple(map(int, said["positions"]))
            if not whole or sum(sizes) != len(moves) or len(sizes) != len(positions):
                return None
            ends = [sum(sizes[: number + 1]) for number in range(len(sizes))]
            layers = tuple(moves[end - size : end] for size, end in zip(sizes, ends, strict=True))
            return Layers(positions, layers, str(said["images"]), tuple(map(str, said["closed"])))
        except (ValueError, KeyError, TypeError):
            return None
