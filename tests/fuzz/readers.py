"""Two readers of every format, that of the engines and that of the checker: both refuse a text, or both read one game.

A format takes part once the checker has a reader for it. ``TEXTS`` makes valid texts of it, among them those of the
shared inputs where they are at hand; most cases are such texts with some damage.
"""

from __future__ import annotations

import os
import random
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path

from tests.fuzz.damage import damaged_text, random_text, rearranged_text
from tests.fuzz.part import shorter
from tests.fuzz.texts import TEXTS
from zermelo.check.instance import READERS
from zermelo.check.without_text import copy_of
from zermelo.errors import InputError, ZermeloError
from zermelo.solving.targets import game_from
from zermelo.source import Source

LONGEST = 1600
"""Longer shared files are compared whole in the tests, not damaged here."""


@dataclass(frozen=True)
class Case:
    """A text in a format."""

    format: str
    text: str


COMPARED: Counter[str] = Counter()
"""How many texts of each format were compared,"""
READ: Counter[str] = Counter()
"""how many of them state a game,"""
SECONDS: defaultdict[str, float] = defaultdict(float)
"""and the processor time that this took."""


def draw(rng: random.Random) -> Case:
    """A text of some format, damaged most of the time."""
    return draw_of(rng.choice(sorted(TEXTS)), rng)


def draw_of(format: str, rng: random.Random) -> Case:
    """A text of one format."""
    shared = shared_texts(format)
    kind = rng.random()
    if kind < 0.03:
        return Case(format, random_text(rng))
    text = rng.choice(shared) if shared and rng.random() < 0.2 else TEXTS[format](rng)
    if kind < 0.1:
        return Case(format, text)
    return Case(format, rearranged_text(text, rng) if kind < 0.4 else damaged_text(text, rng))


@cache
def shared_texts(format: str) -> list[str]:
    """The short ones of the shared inputs in a format."""
    return [text for path in shared_files(format) if len(text := path.read_text(encoding="utf-8")) <= LONGEST]


SHARED = {
    "qlp": "qip/*.qlp",
    "qcir": "qbf/*.qcir",
    "qdimacs": "qbf/*.qdimacs",
    "sgf": "go/*.sgf",
    "rulesheet": "gdl/rules/*.kif",
}
"""Where the shared inputs of a format are."""


def shared_files(format: str) -> list[Path]:
    """The shared inputs in a format; none where they are not at hand."""
    corpus = os.environ.get("ZERMELO_CORPUS")
    return sorted(Path(corpus).glob(SHARED[format])) if corpus and format in SHARED else []


def check(case: Case) -> None:
    """Both readers refuse the text, or both read the same game."""
    source, began = Source(case.format, case.text, "text"), time.process_time()
    theirs, ours = _engines(source), _checkers(source)
    COMPARED[case.format] += 1
    READ[case.format] += isinstance(ours, str)
    SECONDS[case.format] += time.process_time() - began
    assert type(theirs) is type(ours) and (isinstance(theirs, InputError) or theirs == ours), (
        f"the engines read {_short(theirs)}, the checker {_short(ours)}"
    )


def _engines(source: Source) -> str | InputError:
    try:
        game = game_from(source)
    except InputError as error:
        return InputError(error.message)
    copied = copy_of(game)
    assert copied is not None
    return copied.canonical()


def _checkers(source: Source) -> str | InputError:
    try:
        found: str = import_module(READERS[source.format]).read(source).canonical()
    except InputError as error:
        return InputError(error.message)
    return found


def _short(reading: str | ZermeloError) -> str:
    return f"{'an error, ' if isinstance(reading, InputError) else ''}{str(reading)[:300]!r}"


def smaller(case: Case) -> Iterator[Case]:
    """The text with pieces left out."""
    for letters in shorter(tuple(case.text)):
        yield Case(case.format, "".join(letters))


def show(case: Case) -> str:
    """The text, as Python."""
    return repr(case)


def summary() -> str:
    """How many texts of each format there were."""
    rows = (
        f"\n    {COMPARED[name]:9,} {name}, {READ[name]:,} of them read, in {SECONDS[name]:.0f} s of processor time"
        for name in sorted(COMPARED)
    )
    return f"{sum(COMPARED.values()):,} texts{''.join(rows)}"
