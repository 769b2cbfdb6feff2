"""Whether clauses can be satisfied, with values or a proof: what an untrusting reader checks for himself.

CaDiCaL (Biere, Faller, Fazekas, Fleury, Froleyks and Pollitt, 2024), as python-sat ships it, writes down for each
clause that it learns from which clauses it follows (LRAT). Many of these steps lead nowhere. What the contradiction
stands on is found from the end of the proof, and is all that is kept.

The checker (:mod:`zermelo.check.formula`) asks here, and believes nothing that it is told.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Sequence
from threading import current_thread, main_thread
from time import monotonic
from typing import IO, Literal

Step = tuple[list[int], list[int]]
"""A clause, and the numbers of the clauses that it follows from: given ones from 1 on, then steps."""
Answer = tuple[Literal["values"], list[int]] | tuple[Literal["proof"], list[Step]]

WORK = 100_000_000
"""The solver first works for about so many conflicts times clauses; then limits are looked at, and it goes on."""
SECONDS = 0.2
"""About how long it may work at a stretch."""
LONGEST = 256 << 20
"""A proof of more bytes than this is given up."""
BATCH = 4096


def answer_of(clauses: Sequence[Sequence[int]], look: Callable[[], None] = lambda: None) -> Answer:
    """Literals that satisfy clauses, or the steps of a proof that nothing does.

    ``look`` is called now and then and may raise; ``TimeoutError`` if the proof gets too long.

    >>> answer_of([[1, 2], [-1]])
    ('values', [-1, 2])
    >>> answer_of([[1], [-1]])
    ('proof', [([], [1, 2])])
    """
    for number, clause in enumerate(clauses, 1):
        if not clause:
            return "proof", [(list[int](), [number])]
    import pysolvers

    with tempfile.TemporaryFile() as file:
        solver = pysolvers.cadical195_new()
        try:
            for option, value in (("lrat", 1), ("binary", 0)):
                pysolvers.cadical195_set(solver, option, value)
            log = pysolvers.cadical195_tracepr(solver, file)
            for number, clause in enumerate(clauses):
                if number % BATCH == 0:
                    look()
                pysolvers.cadical195_add_cl(solver, clause)
            if _satisfied(solver, len(clauses), file, look):
                return "values", pysolvers.cadical195_model(solver) or []
        finally:
            pysolvers.cadical195_del(solver, file)  # which writes out what is left of the proof
        del log
        file.seek(0)
        return "proof", trimmed(file.read(), len(clauses), look)


def _satisfied(solver: object, count: int, file: IO[bytes], look: Callable[[], None]) -> bool:
    import pysolvers

    conflicts = max(100, WORK // (count + 1))
    while True:
        look()
        if os.fstat(file.fileno()).st_size > LONGEST:
            raise TimeoutError
        began = monotonic()
        pysolvers.cadical195_cbudget(solver, conflicts)
        answer = pysolvers.cadical195_solve_lim(solver, [], int(current_thread() is main_thread()))
        if answer:
            return bool(answer > 0)
        conflicts = max(100, conflicts * 2 if monotonic() - began < SECONDS / 2 else conflicts * 3 // 4)


def trimmed(text: bytes, count: int, look: Callable[[], None] = lambda: None) -> list[Step]:
    """The steps of a proof in LRAT that its empty clause stands on, numbered on from the given clauses.

    The solver numbers all clauses as they come, and derives some while the given ones are still being added: the given
    ones are those whose numbers no line derives.

    >>> trimmed(b"5 1 0 1 2 0\\n6 2 0 1 3 0\\n7 0 5 3 4 0\\n7 d 6 0\\n", 4)
    [([1], [1, 2]), ([], [5, 3, 4])]
    """
    lines, names = list[bytes](), list[int]()
    for line in text.splitlines():
        name, second, *_ = line.split(b" ", 2)
        if second != b"d":
            lines.append(line)
            names.append(int(name))
            if second == b"0":
                break
    needed, kept = set(names[-1:]), list[tuple[int, list[int], list[int]]]()
    for number in reversed(range(len(lines))):
        if number % BATCH == 0:
            look()
        if names[number] in needed:
            words = [*map(int, lines[number].split())]
            end = words.index(0)
            hints = words[end + 1 : -1]
            needed.update(hints)
            kept.append((words[0], words[1:end], hints))
    derived = set(names)
    given = (name for name in range(1, count + len(names) + 1) if name not in derived)
    renamed = dict(zip(given, range(1, count + 1), strict=False))
    renamed.update((name, place) for place, (name, _, _) in enumerate(reversed(kept), count + 1))
    return [(clause, [renamed.get(hint, 0) for hint in hints]) for _, clause, hints in reversed(kept)]
