"""Draws every target of the library and the examples: ``python docs/gallery.py -o site/gallery`` or ``make gallery``.

For each target there is a picture of the start and one after some moves, and for some of them trees, strategies and
thermographs. ``index.html`` shows them all.
"""

from __future__ import annotations

import argparse
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

import zermelo
from zermelo.cli.games import listed
from zermelo.game import CHANCE, Game
from zermelo.picturing import PictureOptions, picture

ROOT = Path(__file__).parents[1]
EXAMPLES = (
    "choices.qcir", "answers.qcir", "bakery.qlp", "threevariables.qlp", "umbrella.json", "reliability.dgr", "map.graph",
    "corridors.sgf", "endgame.cgt", "heaps.kif",
)  # fmt: skip
SUMS = ("{5|-5} + {3||2|-1}", "{100|20||-10} + {5,{3|1}|-5} + *")
FURTHER = (
    ("tictactoe", "tree"),
    ("nim:3,4", "strategy"),
    ("nim:2,3", "graph"),
    ("{15|||5|-5||-20}", "thermograph"),
    ("examples/threevariables.qlp", "polytope"),
)
PLIES = 7


@dataclass(frozen=True)
class Drawn:
    """One picture of the gallery."""

    name: str
    title: str
    svg: str
    is_text: bool = False


def targets() -> list[str]:
    """The targets of the gallery: an example of each game of the library, and files of every kind."""
    return [*(row["example"] for row in listed()), *SUMS, *(str(ROOT / "examples" / name) for name in EXAMPLES)]


def after_some_moves(game: Game, plies: int, seed: int = 1) -> tuple[Any, Any, Any]:
    """A position of random play, the last move and the position before it."""
    rng = random.Random(seed)
    position, last, before = game.start(), None, None
    for _ in range(plies):
        if game.result(position) is not None:
            break
        chance = game.turn(position) == CHANCE
        moves = [move for move, _ in game.chances(position)] if chance else list(game.moves(position))
        before, last = position, rng.choice(moves)
        position = game.play(position, last)
    return position, last, before


def pictures_of(target: str) -> Iterator[Drawn]:
    """The start of a target, and a later position with the moves that can be made there."""
    game = zermelo.game_of(target)
    title = Path(target).name if target.startswith(str(ROOT)) else target
    name = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-") or "sum"
    start = picture(game)
    yield Drawn(name, title, start.svg, start.scene.is_text)
    try:
        position, last, before = after_some_moves(game, PLIES)
        plies = PLIES
        while plies > 1 and game.result(position) is not None:
            plies //= 2
            position, last, before = after_some_moves(game, plies)
    except zermelo.ZermeloError:
        return  # a program with continuous variables has no list of moves
    later = picture(game, position, PictureOptions(legal=True, last=last, before=before))
    yield Drawn(f"{name}-later", f"{title}, later", later.svg, later.scene.is_text)


def further() -> Iterator[Drawn]:
    """Trees, graphs, strategies and what only some kinds have."""
    from tempfile import TemporaryDirectory

    from zermelo.cli import main

    with TemporaryDirectory() as folder:
        for target, what in FURTHER:
            file = Path(folder, f"{what}.svg")
            stated = str(ROOT / target) if target.startswith("examples/") else target
            assert main(["show", stated, "--as", what, "-o", str(file)]) == 0
            yield Drawn(f"further-{what}", f"{target}: {what}", file.read_text(encoding="utf-8"))


def write(folder: Path) -> int:
    """Writes all pictures and the page that shows them; returns how many there are."""
    folder.mkdir(parents=True, exist_ok=True)
    drawn = [one for target in targets() for one in pictures_of(target)] + list(further())
    cells = []
    for one in drawn:
        (folder / f"{one.name}.svg").write_text(one.svg, encoding="utf-8")
        image = f'<a href="{one.name}.svg"><img src="{one.name}.svg" alt="{escape(one.title)}" loading="lazy"></a>'
        cells.append(f"<figure>{image}<figcaption>{escape(one.title)}</figcaption></figure>")
    style = (
        "body{font:14px system-ui,sans-serif;margin:1rem;background:#f2f1ee;color:#23262b}"
        "main{display:flex;flex-wrap:wrap;gap:1rem}figure{margin:0;width:300px}"
        "img{max-width:300px;max-height:300px}figcaption{overflow-wrap:anywhere}"
    )
    page = (
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>Zermelo: all pictures</title>'
        f"<style>{style}</style><h1>All pictures</h1><main>{''.join(cells)}</main></html>"
    )
    (folder / "index.html").write_text(page, encoding="utf-8")
    return len(drawn)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", "--output", type=Path, default=ROOT / "site" / "gallery", metavar="FOLDER")
    where = parser.parse_args().output
    print(f"{write(where)} pictures in {where}")
