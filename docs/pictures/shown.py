"""Draws the pictures of the manual that the command line makes: ``python docs/pictures/shown.py``."""

from __future__ import annotations

import contextlib
from pathlib import Path
from tempfile import TemporaryDirectory

from zermelo.cli import main

HERE = Path(__file__).resolve().parent

SHOWN = {
    "ferry-graph.svg": ["examples/ferry.py:Ferry", "--as", "graph"],
    "hex.svg": ["hex:4", "--after", "c2 b3 a3"],
    "map.svg": ["examples/map.graph", "--as", "graph"],
    "nim-graph.svg": ["nim:1,2", "--as", "graph"],
    "nim-tree.svg": ["nim:1,2", "--as", "tree", "--depth", "3"],
    "race-tree.svg": ["examples/race.py:Race", "--as", "tree", "--depth", "3"],
    "reliability.svg": ["examples/reliability.dgr", "--after", "e1 e4"],
    "thirteen.svg": ["examples/thirteen.sgf"],
    "thirteen-later.svg": ["examples/thirteen.sgf", "--after", "G7 H7 E10"],
    "threevariables.svg": ["examples/threevariables.qlp", "--as", "polytope"],
    "tictactoe.svg": ["tictactoe", "--after", "b2 a1 c1"],
    "tictactoe-tree.svg": ["tictactoe", "--as", "tree"],
    "chess.svg": ["gdl:chess", "--after", "move(e,2,e,4) move(e,7,e,5) move(g,1,f,3)"],
    "backgammon.svg": ["gdl:backgammon", "--after", "roll(3,1) move(8,3) move(6,1)"],
    "formula.svg": ["examples/choices.qcir", "--as", "board"],
    "program.svg": ["examples/bakery.qlp", "--as", "board"],
    "toss.svg": ["examples/toss.efg"],
    "pennies.svg": ["examples/pennies.nfg"],
    "goofspiel.svg": ["goofspiel:5", "--after", "3,2"],
    "boards.svg": ["sheep:5,0,0|0,#,0|0,0,-5 + graphsnort:a-b,b-c,c-d,d-a,a-c,b:x + hexapawn:3x3"],
    "impartial.svg": ["kayles:5 + turning:mock:THHTHTH + arckayles:a-b,b-c,c-d,d-e,e-a,e-f"],
    "forced.svg": ["{{900|80}|-1000} + {100,{20|-20}|-90} + {7|-7} + {2|-3}", "--as", "board"],
    "sum.svg": ["{5|-5} + {3||2|-1}", "--as", "board"],
}
"""The arguments of each picture, by the name of its file."""

if __name__ == "__main__":
    # From here, so that what pictures say of files begins at the project and not at the root of this machine.
    with contextlib.chdir(HERE.parents[1]):
        for name, arguments in SHOWN.items():
            assert main(["show", *arguments, "-o", str(HERE / name)]) == 0, name
    with TemporaryDirectory() as folder:
        learn = ["learn", "gdl:tictactoe", "-o", str(Path(folder, "values.npz")), "--games", "3000"]
        assert main([*learn, "--plot", str(HERE / "learning.svg")]) == 0
