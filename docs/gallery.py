"""Draws every target of the library and the examples: ``python docs/gallery.py -o site/gallery`` or ``make gallery``.

For each target there is a picture of the start and one after some moves, and for some of them trees, strategies and
thermographs. ``index.html`` shows them all. While the manual is built, ``mkdocs`` calls :func:`on_files`, which adds a
page with the same pictures.
"""

from __future__ import annotations

import argparse
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

import zermelo
from zermelo.cli.games import listed
from zermelo.game import CHANCE, Game
from zermelo.games import is_library_game
from zermelo.picturing import PictureOptions, picture
from zermelo.solving import kind_of

ROOT = Path(__file__).parents[1]
EXAMPLES = (
    "choices.qcir", "answers.qcir", "bakery.qlp", "threevariables.qlp", "umbrella.json", "reliability.dgr", "map.graph",
    "corridors.sgf", "thirteen.sgf", "sente.sgf", "endgame.cgt", "heaps.kif", "goofspiel.kif", "toss.efg",
    "ultimatum.efg", "pennies.nfg",
)  # fmt: skip
SUMS = ("{5|-5} + {3||2|-1}", "{100|20||-10} + {5,{3|1}|-5} + *", "domineering:...|..# + clobber:xo.|oxo + {1||0|-2}")
FURTHER = (
    ("tictactoe", "tree"),
    ("nim:3,4", "strategy"),
    ("nim:2,3", "graph"),
    ("{15|||5|-5||-20}", "thermograph"),
    ("examples/threevariables.qlp", "polytope"),
)
PLIES = 7
STONES = {"corridors.sgf": "E4 D4 D2", "thirteen.sgf": "G7 H7 E10"}
"""Moves of Go records, whose boards name points and not the moves of the sum."""
IN_ROW = 3
SMALL = 'style="max-width:170px;max-height:190px"'
INTRODUCTION = """---
hide: [toc]
---
# Gallery

These are the pictures of all games of the library and of a file of every kind, as `zermelo show TARGET -o x.svg` draws
them. The left picture of a pair is the start. The right one is a later position: the last move is marked, and green
shows the legal moves. Click a picture to see it in full size. [Pictures](pictures.md) explains the colours and shapes.
"""


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
    if (stones := STONES.get(title)) is not None:
        later = picture(kind_of(game).on_board(game, stones) or game)
        yield Drawn(f"{name}-later", f"{title} after {stones}", later.svg, later.scene.is_text)
        return
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


def all_pictures() -> list[Drawn]:
    """Every picture of the gallery."""
    return [one for target in targets() for one in pictures_of(target)] + list(further())


def on_files(files: Any, config: Any) -> Any:
    """Called by ``mkdocs``: adds the page and its pictures."""
    from mkdocs.structure.files import File

    drawn = all_pictures()
    files.append(File.generated(config, "gallery.md", content=page_of(drawn)))
    for one in drawn:
        files.append(File.generated(config, f"gallery/{one.name}.svg", content=one.svg))
    return files


def page_of(drawn: Sequence[Drawn]) -> str:
    """The page of the manual, in sections."""
    parts = [INTRODUCTION]
    for title, belongs in SECTIONS.items():
        here = [one for one in drawn if section_of(one) == belongs]
        parts.append(f"## {title}\n\n{_table(here, 4 if any('-later' in one.name for one in here) else IN_ROW)}")
    return "\n\n".join(parts) + "\n"


SECTIONS = {
    "Games of the library": "library",
    "Boards that have values": "board",
    "Rulesheets": "rulesheet",
    "Sums, and files of every kind": "file",
    "Trees, graphs, strategies and more": "further",
}
"""The title of each section, and what :func:`section_of` calls it."""


def section_of(one: Drawn) -> str:
    """The section that a picture belongs to."""
    if one.name.startswith("further-"):
        return "further"
    if one.title.startswith("gdl:"):
        return "rulesheet"
    name = one.title.partition(":")[0].removesuffix(", later")
    if "." in name or "{" in name:
        return "file"
    return "library" if is_library_game(name) else "board"


def _table(drawn: Sequence[Drawn], columns: int) -> str:
    """Pictures in rows, each with its name below it; those of one target side by side."""
    rows = [drawn[start : start + columns] for start in range(0, len(drawn), columns)]
    lines = [f"|{' |' * columns}", f"|{':-:|' * columns}", *(f"| {' | '.join(map(_cell, row))} |" for row in rows)]
    return "\n".join(lines)


def _cell(one: Drawn) -> str:
    """A small picture that leads to the large one, and what it shows."""
    file, name = f"gallery/{one.name}.svg", one.title.replace("|", "\\|")
    return f"[![{_plain(one)}]({file}){{ {SMALL} loading=lazy }}]({file})<br>`{name}`"


def _plain(one: Drawn) -> str:
    """The title as alternative text, without what a table or a link would take for its own."""
    return re.sub(r"[|\[\]]+", " ", one.title)


def write(folder: Path) -> int:
    """Writes all pictures and the page that shows them; returns how many there are."""
    folder.mkdir(parents=True, exist_ok=True)
    drawn = all_pictures()
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
