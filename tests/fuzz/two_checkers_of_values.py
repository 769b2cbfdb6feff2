"""Certificates of sums in brackets and of boards, right, changed and forged: both checkers accept exactly the same.

Games and forgeries come from the forgers. What is forged is accepted by neither; what is only changed may be right or
wrong, and both must say the same. Texts that are damaged must be read, or refused, by both.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace

from tests.cgt.boards import RANDOM as BOARDS
from tests.cgt.randomgames import random_text
from tests.check.second import second_verdict
from tests.fuzz import forged, forged_heaps, forged_outcomes
from tests.fuzz.damage import rearranged_text
from tests.fuzz.forged import Statement
from tests.fuzz.two_checkers import COUNTS, Setting, agree, damaged, folder, json_of, show, smaller, summary
from tests.fuzz.two_checkers_of_rules import changed
from zermelo.certificate import Certificate
from zermelo.check.instance import digest_of
from zermelo.check.targets import game_to_check
from zermelo.errors import ZermeloError
from zermelo.limits import Limits
from zermelo.options import Options
from zermelo.solving import solve_game

__all__ = ["check", "draw", "show", "smaller", "summary"]

CHANGES = 12
"""Certificates that are only changed, for each game."""
TEXTS = 6
"""Texts of games that are changed, for each game."""

SHORT = ("^<2>", "v[3]", "Tiny(2)", "upstar", "±3", "+-(3,{4|1})", "-_{2|1}", "3||2|-1", "2.5", "{1 + *|{2|0} - ^}")
"""Games that are written in other ways."""


@dataclass(frozen=True)
class Case:
    """A kind of game, and the seed of everything else."""

    kind: str
    seed: int


def _sum(rng: random.Random) -> Statement:
    """A sum in brackets: small games, switches, mirrored pairs, copies and sums inside of brackets."""
    terms = [random_text(rng, rng.randint(1, 2)) for _ in range(rng.randint(0, 2))]
    terms += [f"{{{rng.randint(-2, 9)}|{rng.randint(-9, 2)}}}" for _ in range(rng.randint(1, 3))]
    if rng.random() < 0.3:
        terms.append(f"-{rng.choice(terms)}")
    if rng.random() < 0.3:
        terms.append(f"{rng.randint(0, 3)}*{{{rng.choice(terms)}|{rng.randint(-9, 2)}}}")
    if rng.random() < 0.2:
        terms.append(
            rng.choice(("^<2>", "v[3]", "Tiny(2)", "upstar", "±3", "+-(3,{4|1})", "-_{2|1}", "3||2|-1", "2.5"))
        )
    rng.shuffle(terms)
    return Statement(
        "cgt", rng.choice((" + ", "+", " +\t", " + # more\n")).join(f"({t})" if "||" in t else t for t in terms)
    )


def _board(rng: random.Random) -> Statement:
    name = rng.choice(sorted(BOARDS))
    boards = " + ".join(BOARDS[name](rng) for _ in range(rng.choice((1, 1, 2))))
    return Statement("board", f"{rng.choice(('', '', 'impartial-'))}{name}:{boards}")


def _large(rng: random.Random) -> Statement:
    """Heaps that only a period says something about."""
    codes = ("0.3", "0.7", "0.77", "0.137", "0.33", "4.7", "0.13", "0.07")  # with short periods
    heaps = ",".join(str(rng.randint(100, 10 ** rng.randint(3, 40))) for _ in range(rng.randint(1, 2)))
    return Statement("board", f"{rng.choice(('octal', 'hexadecimal'))}:{rng.choice(codes)}:{heaps}")


DRAWS: dict[str, Callable[[random.Random], Statement]] = {
    "sums": _sum,
    "boards": _board,
    "outcomes": forged_outcomes.draw,
    "heaps": forged_heaps.draw,
    "periods": _large,
}
"""Games of each kind."""
SHOPS = {"boards": "sums", "periods": "sums"}
"""Whose forgeries they are, where the name is another."""


def draw(rng: random.Random) -> Case:
    """A kind, evenly."""
    return Case(rng.choice(list(DRAWS)), rng.randrange(10**9))


def check(case: Case) -> int:
    """Both checkers say the same of every certificate; how many there were."""
    rng = random.Random(case.seed)
    shop = forged.workshop_named(SHOPS.get(case.kind, case.kind))
    statement = DRAWS[case.kind](rng)
    try:
        game = forged.stated(statement)
        right = shop.right(game, rng)
    except ZermeloError:
        return 0
    if right is None:
        return 0
    found = Setting(game, right, _target(statement, rng), "")
    assert agree(case.kind, found, right, "right.json"), "a right certificate is refused"
    count = 1
    if right.fits_version_2:
        assert agree(case.kind, found, right, "right.zc"), "a right certificate of version 2 is refused"
        count += 1
    lies = () if case.kind == "periods" else shop.forgeries(game, right, rng)
    for what, false in (*forged.elsewhere(right, rng), *lies):
        assert not agree(case.kind, found, false, "forged.json"), f"accepted: {what}"
        count += 1
    for _ in range(CHANGES):
        agree(case.kind, found, changed(right, rng), "changed.json")
        count += 1
    if (table := _by_table(case, found, rng)) is not None:
        for name in ("table.json", "table.zc")[: 1 + table.fits_version_2]:
            assert agree(case.kind, found, table, name), "a right table is refused"
            count += 1
    return count + damaged(case.kind, found, right, rng) + _other_texts(case.kind, statement, right, rng)


def _by_table(case: Case, found: Setting, rng: random.Random) -> Certificate | None:
    """A table of moves for the same game, where one is small."""
    if case.kind not in ("boards", "outcomes") or rng.random() < 0.5:
        return None
    options = Options(verify=False)
    return solve_game(found.game, rng.choice(("dp", "alphabeta")), Limits(nodes=2_000), options, "forged").certificate


def _target(statement: Statement, rng: random.Random) -> str:
    """How the second checker is asked: a line, or a file."""
    if statement.format != "cgt" or ("\n" not in statement.text and "\t" not in statement.text and rng.random() < 0.5):
        return statement.text
    file = folder() / "stated.cgt"
    file.write_text(statement.text)
    return str(file)


def _other_texts(kind: str, statement: Statement, right: Certificate, rng: random.Random) -> int:
    """Asks about texts that were changed, under the digest that the checker in Python has for them; how many.

    Who reads another game in a text says that the digest differs, and who reads none that there is none.
    """
    asked = 0
    for _ in range(TEXTS):
        text = rearranged_text(statement.text, rng)
        if statement.format != "cgt" and set(text) & set("\r\n\t"):
            continue
        target = _target(Statement(statement.format, text), rng)
        try:
            game = game_to_check(target)
            digest = "0" * 64 if game is None else digest_of(game)
        except ZermeloError:
            game, digest = None, ""
        file = folder() / "text.json"
        file.write_text(json_of(replace(right, digest=digest or "0" * 64)))
        status, words = second_verdict(file, target)
        COUNTS[f"{kind} text"] += 1
        asked += 1
        if game is not None:
            assert status < 2 and "digest" not in words, f"{text!r} is read in another way: {words}"
        elif not digest:
            assert status == 2, f"only the second checker reads {text!r}"
    return asked
