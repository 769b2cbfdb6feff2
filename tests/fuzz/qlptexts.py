"""Texts in the QLP format that a reader could take for something else: names that look like exponents, rows of both
players by name and by section, signs, comments and sections in any order."""

from __future__ import annotations

import random
from collections.abc import Sequence

NAMES = ("e", "E", "e1", "e2", "E5", "e2x", "x", "x1", "y", "e5x", "U_1", "e2e2", "C2.", "inf1", "e_1", "z,1")
NUMBERS = ("2", "0", "1.5", ".5", "3.", "2e2", "1e+1", "2e-1", "1/2", "12", "2E2", "1e01", "007")
GLUED = ("2e2", "1e5x", "2e+3x", "2e-3", "2e2e2", "0x1", "3e", "2E5", "1/2e2", ".5e1", "2.e2x", "1e5e2", "2e2y", "2e1")


def program_text(rng: random.Random) -> str:
    """The text of a small program, most of the time a valid one."""
    names = rng.sample(NAMES, rng.randint(1, 6))
    universal = [name for name in names if rng.random() < 0.4]
    binary = [name for name in names if rng.random() < 0.6]
    parts = [
        _rows("SUBJECT TO", names, universal, rng, 0.25),
        _rows("UNCERTAINTY SUBJECT TO", universal, universal, rng, 1) if rng.random() < 0.5 else "",
        "\n".join(["BOUNDS", *(_bound(name, name in binary, rng) for name in names)]),
        _list(("GENERALS", "GENERAL", "INTEGERS"), [n for n in names if n not in binary and rng.random() < 0.8], rng),
        _list(("BINARIES", "BINARY"), binary, rng),
        _list(("EXISTS",), [name for name in names if name not in universal], rng),
        _list(("ALL",), universal, rng),
        "ORDER\n" + " ".join(names),
    ]
    if rng.random() < 0.3:
        rng.shuffle(parts)
    label = rng.choice(("", "", "cost: ", "e2:\n"))
    goal = label + _sum(names, rng) if rng.random() < 0.8 else label.strip()
    text = "\n".join([rng.choice(("MINIMIZE", "maximize")), goal, *filter(None, parts), "END"])
    return text if rng.random() < 0.8 else text.replace("\n", rng.choice((" // e2\n", "\r\n", " \\ <= \n")))


def _list(keywords: Sequence[str], names: Sequence[str], rng: random.Random) -> str:
    return rng.choice(keywords) + "\n" + rng.choice((" ", "\n", "  \n")).join(names) if names else ""


def _rows(keyword: str, names: Sequence[str], universal: Sequence[str], rng: random.Random, his: float) -> str:
    lines = [keyword]
    for number in range(rng.randint(0, 3)):
        own = rng.random() < his and universal
        label = f"U_{number}: " if own and keyword == "SUBJECT TO" else rng.choice(("", f"r{number}: ", "2e2 :"))
        right = _sum(universal if own else names, rng, 2) if rng.random() < 0.2 else _number(rng)
        lines.append(f"{label}{_sum(universal if own else names, rng)} {rng.choice(('<=', '>=', '='))} {right}")
    return "\n".join(lines)


def _sum(names: Sequence[str], rng: random.Random, most: int = 4) -> str:
    terms = []
    for number in range(rng.randint(1, most)):
        sign = rng.choice((" + ", " - ", "+", "-", "- -")) if number or rng.random() < 0.2 else ""
        what = rng.random()
        if what < 0.2 or not names:
            terms.append(sign + _number(rng))
        elif what < 0.25:
            terms.append(sign + rng.choice(GLUED))
        else:
            between = rng.choice((" ", "", "*", " * "))
            terms.append(sign + rng.choice(("", _number(rng) + between)) + rng.choice(names))
    return "".join(terms)


def _number(rng: random.Random) -> str:
    return rng.choice(NUMBERS)


def _bound(name: str, binary: bool, rng: random.Random) -> str:
    if binary:
        return rng.choice(("", "", "", f"{name} <= 1e0", f"0 <= {name} <= 1", f"{name} = 1"))
    low = "-inf" if rng.random() < 0.04 else rng.choice(("0", "-1", "1/2", "0e2", "- 2e0"))
    high = "+inf" if rng.random() < 0.04 else rng.choice(("1", "3", "2e2", "5/2", "1e1"))
    return rng.choice(
        (
            f"{low} <= {name} <= {high}",
            f"{high}>={name}>={low}",
            f"{name} <= {high}\n{name} >= {low}",
            f"{name} = {rng.choice(('0', '1', '2e0'))}",
        )
    )
