"""``zermelo fuzz``: random games, asked about by random routes, which must agree."""

from __future__ import annotations

import sys
from pathlib import Path
from random import SystemRandom
from typing import Annotated

import typer

from zermelo.errors import InputError

FOLDER = Path("fuzz-failures")


def fuzz(
    words: Annotated[list[str] | None, typer.Argument(metavar="[replay FILE...]", help="Cases to try again.")] = None,
    seed: Annotated[int | None, typer.Option(metavar="N", help="Seed of the first game.")] = None,
    cases: Annotated[int, typer.Option(metavar="N", min=1, help="How many games.")] = 1000,
    time_limit: Annotated[float | None, typer.Option(metavar="S", help="Stop after so many seconds.")] = None,
    workers: Annotated[int, typer.Option(metavar="N", min=1, help="So many processes share the games.")] = 1,
    folder: Annotated[Path, typer.Option(metavar="DIR", help="Where failing games are kept.")] = FOLDER,
) -> int:
    """Compares engines and checkers on random small games.

    Games of every kind are drawn, and random routes are asked about them; or games that were kept are tried again.
    Every answer is compared with the value by trying everything, and with the other answers; every certificate is
    checked. A game on which something is wrong is made as small as possible and kept as a file, which
    "zermelo fuzz replay FILE" tries again. At the end stand the games of each kind, and the answers of each route.

    Exit status 0: nothing was wrong; 5: something was; 3: of a game that is tried again nothing could be compared.
    """
    if words:
        if words[0] != "replay" or len(words) < 2:
            raise InputError(f"{' '.join(words)!r}, expected nothing, or replay and files")
        return _replay(words[1:])
    from zermelo.fuzzing.running import fuzz as run

    first = SystemRandom().getrandbits(32) if seed is None else seed
    report = run(first, cases, folder, lambda line: print(line, file=sys.stderr, flush=True), time_limit, workers)
    print(report)
    for counted in (report.kinds, report.routes):
        for name, number in sorted(counted.items()):
            print(f"  {number:>7,}  {name}")
    return 5 if report.failures else 0


def _replay(files: list[str]) -> int:
    from zermelo.fuzzing.cases import in_words
    from zermelo.fuzzing.running import replayed

    status = 0
    for file in files:
        case, error, count = replayed(file)
        unknown = error is None and not count.answers
        status = 5 if error is not None else max(status, 3 if unknown else 0)
        fine = "nobody answers it any more, so nothing is compared" if unknown else "nothing is wrong"
        print(f"{file}: {fine if error is None else error}")
        print(in_words(case))
    return status
