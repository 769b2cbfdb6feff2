"""Functions as a certificate states them: and-gates and negations, in AIGER text (``aag``)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NoReturn

from zermelo.check.verdict import Fault

_NUMBERS = re.compile(r"[0-9]{1,11}(?: [0-9]{1,11})*")


@dataclass(frozen=True)
class AndGraph:
    """And-gates over inputs. Node 0 is false; inputs are the nodes from 1 on, then come the gates.

    A literal is twice the number of a node, plus one where it is negated.
    """

    inputs: tuple[str, ...]
    outputs: tuple[tuple[str, int], ...]
    gates: tuple[tuple[int, int], ...]


def read_and_graph(text: str) -> AndGraph:
    """Reads AIGER text (``aag``), refusing whatever is not plainly right.

    >>> read_and_graph("aag 2 1 0 1 1\\n2\\n5\\n4 2 2\\ni0 x\\no0 y\\n")
    AndGraph(inputs=('x',), outputs=(('y', 5),), gates=((2, 2),))
    """
    lines = text.splitlines()

    def fail(line: int, message: str) -> NoReturn:
        raise Fault(f"aag:{line + 1}: {message}")

    def numbers(line: int, count: int) -> list[int]:
        words = lines[line].split(" ") if line < len(lines) and _NUMBERS.fullmatch(lines[line]) else []
        if len(words) != count:
            fail(line, f"expected {count} number{'s' * (count > 1)}")
        return list(map(int, words))

    if not lines or not lines[0].startswith("aag "):
        fail(0, "expected aag and five numbers")
    lines[0] = lines[0].removeprefix("aag ")
    highest, n_inputs, n_latches, n_outputs, n_gates = numbers(0, 5)
    if n_latches or n_inputs + n_gates > highest or n_inputs + n_outputs + n_gates >= len(lines):
        fail(0, "the numbers of the header do not fit")
    node: dict[int, int] = {0: 0}  # the number here of each variable of the text

    def literal(line: int, stated: int) -> int:
        if stated >> 1 not in node:
            fail(line, f"{stated} is not defined before")
        return 2 * node[stated >> 1] + (stated & 1)

    def define(line: int, stated: int) -> None:
        if stated & 1 or stated >> 1 in node or stated > 2 * highest:
            fail(line, f"{stated} cannot be defined here")
        node[stated >> 1] = len(node)

    gates = []
    first_gate = 1 + n_inputs + n_outputs
    for line in range(1, n_inputs + 1):
        define(line, *numbers(line, 1))
    for line in range(first_gate, first_gate + n_gates):
        made, one, other = numbers(line, 3)
        gates.append((literal(line, one), literal(line, other)))
        define(line, made)
    outputs = [literal(line, *numbers(line, 1)) for line in range(1 + n_inputs, first_gate)]
    names: dict[str, str] = {}
    for line in range(first_gate + n_gates, len(lines)):
        if lines[line] == "c":
            break
        place, _, name = lines[line].partition(" ")
        if place in names or not name:
            fail(line, "expected a new place and its name")
        names[place] = name
    wanted = [*(f"i{number}" for number in range(n_inputs)), *(f"o{number}" for number in range(n_outputs))]
    if set(names) != set(wanted):
        fail(len(lines) - 1, "the names are not those of all inputs and outputs")
    named = [names[place] for place in wanted]
    return AndGraph(tuple(named[:n_inputs]), tuple(zip(named[n_inputs:], outputs, strict=True)), tuple(gates))
