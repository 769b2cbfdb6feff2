"""Draws the pictures of the manual that ``zermelo show`` makes: ``python docs/pictures/shown.py``."""

from __future__ import annotations

from pathlib import Path

from zermelo.cli import main

HERE = Path(__file__).parent
EXAMPLES = HERE.parents[1] / "examples"

SHOWN = {
    "ferry-graph.svg": [f"{EXAMPLES}/ferry.py:Ferry", "--as", "graph"],
    "hex.svg": ["hex:4", "--after", "c2 b3 a3"],
    "map.svg": [f"{EXAMPLES}/map.graph", "--as", "graph"],
    "nim-graph.svg": ["nim:1,2", "--as", "graph"],
    "nim-tree.svg": ["nim:1,2", "--as", "tree", "--depth", "3"],
    "race-tree.svg": [f"{EXAMPLES}/race.py:Race", "--as", "tree", "--depth", "3"],
    "reliability.svg": [f"{EXAMPLES}/reliability.dgr", "--after", "e1 e4"],
    "thirteen.svg": [f"{EXAMPLES}/thirteen.sgf"],
    "threevariables.svg": [f"{EXAMPLES}/threevariables.qlp", "--as", "polytope"],
    "tictactoe.svg": ["tictactoe", "--after", "b2 a1 c1"],
    "tictactoe-tree.svg": ["tictactoe", "--as", "tree"],
    "chess.svg": ["gdl:chess", "--after", "move(e,2,e,4) move(e,7,e,5) move(g,1,f,3)"],
    "backgammon.svg": ["gdl:backgammon", "--after", "roll(3,1) move(8,3) move(6,1)"],
    "formula.svg": [f"{EXAMPLES}/choices.qcir", "--as", "board"],
    "program.svg": [f"{EXAMPLES}/bakery.qlp", "--as", "board"],
    "sum.svg": ["{5|-5} + {3||2|-1}", "--as", "board"],
}
"""The arguments of each picture, by the name of its file."""

if __name__ == "__main__":
    for name, arguments in SHOWN.items():
        assert main(["show", *arguments, "-o", str(HERE / name)]) == 0, name
