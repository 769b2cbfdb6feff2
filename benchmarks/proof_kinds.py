"""What a proof costs beside the search where it is not one of layers: a board, a formula, a program, rulesheets.

``python -m benchmarks.proof`` measures these after its own targets. Each is solved as the command line solves it: the
search ends when its answer is told, what follows until the certificate is written is the writing.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.qip_models import lot_sizing
from zermelo.games.sheet_texts import rulesheet_text
from zermelo.qip.formats.qlp import write_qlp

SOLVE = """
import sys, time
from pathlib import Path
from zermelo.options import Options
from zermelo.solving.pipeline import solve_game
from zermelo.solving.targets import game_of
game, told = game_of(sys.argv[1]), []
options = Options(verify=False, move_values=False, guess=False)
began = time.process_time()
solution = solve_game(game, target=sys.argv[1], options=options, proved=lambda _: told.append(time.process_time()))
solution.certificate.write(Path(sys.argv[2]))
print(told[0] - began, time.process_time() - told[0], solution.stats.get("nodes", 0))
"""


@dataclass(frozen=True)
class Stated:
    """A game by the name that the table gives it, with what the command line reads; which may be made in a folder."""

    name: str
    target: Callable[[Path], str]
    by_second: bool = False
    """Whether ``zermelo-check`` reads its certificates."""


def _in_file(name: str, text: Callable[[], str]) -> Callable[[Path], str]:
    def written(folder: Path) -> str:
        file = folder / name
        file.write_text(text())
        return str(file)

    return written


def _formula(folder: Path) -> str:
    file = folder / "mnk.qcir"
    words = ["encode", "mnk:3,4,3", "--to", "qcir", "-o", str(file)]
    subprocess.run([sys.executable, "-m", "zermelo", *words], check=True, capture_output=True)
    return str(file)


KINDS = (
    Stated("domineering:5x5", lambda _: "domineering:5x5"),
    Stated("mnk:3,4,3 as a formula", _formula, True),
    Stated("lot sizing, 6 periods (a program)", _in_file("lots.qlp", lambda: write_qlp(lot_sizing(6, 3, 2, 1)))),
    Stated("gdl:connectfour:5,4,4", _in_file("connectfour.kif", lambda: rulesheet_text("connectfour", "5,4,4")), True),
    Stated("gdl:breakthrough:5,4", _in_file("breakthrough.kif", lambda: rulesheet_text("breakthrough", "5,4")), True),
)


def stated_in(folder: Path) -> Iterator[tuple[Stated, str]]:
    """Each of the kinds, with its target."""
    return ((kind, kind.target(folder)) for kind in KINDS)
