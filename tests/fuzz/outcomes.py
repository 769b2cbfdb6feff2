"""Who wins random boards side by side, of one game or of several: by search over sums, and by their canonical value."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

from tests.cgt.boards import RANDOM, random_position
from zermelo.cgt.boards.board_value import value_of_board
from zermelo.cgt.boards.outcome import OutcomeSearch
from zermelo.cgt.boards.ruleset import IMPARTIAL, ruleset_named
from zermelo.cgt.values.arena import own_arena
from zermelo.cgt.values.value import number

GAMES = (*RANDOM, *(f"{IMPARTIAL}{name}" for name in ("clobber", "domineering", "nogo", "toads", "dominoes")))
CELLS = {"domineering": "...#", "clobber": "xxoo.", "nogo": "....xo", "konane": "xo.", "amazons": "....xo#"}
"""Games of which larger boards are drawn as well."""
SIZES = {"amazons": [(2, 4)], "domineering": [(2, 5), (3, 4), (5, 4), (4, 6), (5, 5)]}
"""How large, where that differs: domineering has bounds of its own, which small boards do not need."""


@dataclass(frozen=True)
class Case:
    """Boards side by side, each with its game; up to how many cells parts are replaced by their values; which rules."""

    boards: tuple[tuple[str, str], ...]
    valued: int | None
    native: bool


def draw(rng: random.Random) -> Case:
    """One to three boards, of which the first is sometimes larger."""
    boards = []
    for _ in range(rng.randint(1, 3)):
        name = rng.choice(GAMES)
        ruleset, position = random_position(name.removeprefix(IMPARTIAL), rng)
        boards.append((name, ruleset.text(position)))
    if rng.random() < 0.3:
        name = rng.choice(list(CELLS))
        rows, columns = rng.choice(SIZES.get(name, [(2, 5), (3, 4)]))
        cells = "|".join("".join(rng.choice(CELLS[name]) for _ in range(columns)) for _ in range(rows))
        if name != "nogo":  # a random one may have blocks without liberties
            boards[0] = (name, cells)
    return Case(tuple(boards), rng.choice([0, 2, 4, None]), rng.random() < 0.8)


def check(case: Case) -> None:
    """Search and value agree."""
    summands = []
    for name, text in case.boards:
        ruleset = ruleset_named(name)
        summands.append((ruleset, ruleset.parse(text, name)))
    with own_arena():
        value = sum((value_of_board(rules, [position]) for rules, position in summands), number(0))
        found = OutcomeSearch(native=case.native, valued=case.valued).outcome(summands)
        assert found.letter == value.outcome, f"{found.letter}, but the value {value} is {value.outcome}"


def smaller(case: Case) -> Iterator[Case]:
    """Without one of the boards."""
    for place in range(len(case.boards) if len(case.boards) > 1 else 0):
        yield replace(case, boards=case.boards[:place] + case.boards[place + 1 :])


def show(case: Case) -> str:
    """The boards as targets."""
    return repr(case)
