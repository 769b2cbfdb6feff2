"""Statements that come with the package, so that every view of the page has something to begin with."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from zermelo.errors import UnknownGameError

FOLDER: Final = Path(__file__).parent / "samples"
SAMPLES: Final = {
    "thesis.graph": "Geography on the graph of a thesis",
    "heap.kif": "A rulesheet: take one or two from a heap of five",
    "choices.qcir": "A formula: two choices against two replies",
    "bakery.qlp": "A program: bake before the orders are known",
    "threevariables.qlp": "A program with three whole numbers",
    "rockpaperscissors.kif": "A rulesheet in which both move at once",
    "umbrella.json": "A network: take the umbrella or not",
    "endgame.cgt": "A sum: a late endgame in brackets",
    "toss.efg": "A tree of choices and chance, in Gambit's format",
    "pennies.nfg": "A table of payoffs, in Gambit's format",
    "corridors.sgf": "A Go record: two corridors",
    "thirteen.sgf": "A Go record: three disputes on 13 x 13",
}
"""What there is, in words."""


def sample_text(name: str) -> str:
    """The text of a sample.

    >>> sample_text("thesis.graph").startswith("# The graph")
    True
    """
    if name not in SAMPLES:
        raise UnknownGameError(f"no sample {name[:60]!r}, expected one of {', '.join(SAMPLES)}")
    return (FOLDER / name).read_text(encoding="utf-8")
