"""Functions as AIGER text (``.aag``): and-gates and negations, which any tool for circuits reads.

The format is that of Biere, *The AIGER and-inverter graph format* (2007), in ASCII. The inputs are the other role's
variables, the outputs the owner's, each with its name in the symbol table. Gates come after what they use, so that
nothing can go round in circles; there are no latches.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NoReturn

from zermelo.errors import InputError
from zermelo.qbf.circuit import FALSE, Circuit, Kind, Literal, cone
from zermelo.qbf.formula import OTHER, Formula, Quantifier, quantifiers, variables_by_name
from zermelo.qbf.functions import Functions

LONGEST_NUMBER = 12


def write_aag(formula: Formula, functions: Functions) -> str:
    """The functions as AIGER text.

    >>> from zermelo.qbf.formula import Block
    >>> circuit = Circuit()
    >>> x, y = circuit.variable() // 2, circuit.variable() // 2
    >>> formula = Formula(circuit, (Block("forall", (x,)), Block("exists", (y,))),
    ...     circuit.exclusive(2 * x, 2 * y), {x: "x", y: "y"})
    >>> inner = Circuit()
    >>> leaf = inner.variable()
    >>> print(write_aag(formula, Functions("exists", inner, {x: leaf // 2}, {y: leaf ^ 1})), end="")
    aag 1 1 0 1 0
    2
    3
    i0 x
    o0 y
    """
    order = [(variable, block.quantifier) for block in formula.prefix for variable in block.variables]
    # Functions of a formula that is partly played speak of fewer variables than its prefix.
    inputs = [v for v, quantifier in order if quantifier != functions.owner and v in functions.inputs]
    own = [v for v, quantifier in order if quantifier == functions.owner and v in functions.outputs]
    graph = _AndGraph(len(inputs))
    leaves = {functions.inputs[variable]: 2 * place for place, variable in enumerate(inputs, 1)}
    image = _images(functions, graph, leaves)
    outputs = [image[functions.outputs[v] >> 1] ^ (functions.outputs[v] & 1) for v in own]
    first = len(inputs) + 1
    lines = [f"aag {len(inputs) + len(graph.gates)} {len(inputs)} 0 {len(outputs)} {len(graph.gates)}"]
    lines += [str(2 * place) for place in range(1, first)]
    lines += [str(output) for output in outputs]
    lines += [f"{2 * number} {one} {other}" for number, (one, other) in enumerate(graph.gates, first)]
    lines += [f"i{place} {formula.name(variable)}" for place, variable in enumerate(inputs)]
    lines += [f"o{place} {formula.name(variable)}" for place, variable in enumerate(own)]
    return "\n".join(lines) + "\n"


class _AndGraph:
    """And-gates over numbered inputs, each distinct gate stored once; literals as in circuits."""

    def __init__(self, inputs: int) -> None:
        self.first = inputs + 1
        self.gates: list[tuple[Literal, Literal]] = []
        self._known: dict[tuple[Literal, Literal], Literal] = {}

    def both(self, one: Literal, other: Literal) -> Literal:
        if one < other:
            one, other = other, one
        if other <= 1 or one >> 1 == other >> 1:
            return one if other in (1, one) else FALSE
        made = self._known.get((one, other))
        if made is None:
            made = self._known[one, other] = 2 * (self.first + len(self.gates))
            self.gates.append((one, other))
        return made

    def choice(self, condition: Literal, then: Literal, otherwise: Literal) -> Literal:
        return self.both(self.both(condition, then) ^ 1, self.both(condition ^ 1, otherwise) ^ 1) ^ 1


def _images(functions: Functions, graph: _AndGraph, leaves: Mapping[int, Literal]) -> dict[int, Literal]:
    """The literal of the graph that stands for each node which the outputs depend on."""
    circuit = functions.circuit
    image: dict[int, Literal] = {0: FALSE}
    for node in cone(circuit, functions.outputs.values()):
        kind = circuit.kind[node]
        if kind == Kind.VARIABLE:
            image[node] = leaves[node]
        if kind <= Kind.VARIABLE:
            continue
        inputs = [image[literal >> 1] ^ (literal & 1) for literal in circuit.inputs[node]]
        match kind:
            case Kind.AND | Kind.OR:
                flip = int(kind == Kind.OR)
                made: Literal = 1
                for literal in inputs:
                    made = graph.both(made, literal ^ flip)
                image[node] = made ^ flip
            case Kind.XOR:
                image[node] = graph.choice(inputs[0], inputs[1] ^ 1, inputs[1])
            case Kind.ITE:
                image[node] = graph.choice(*inputs)
            case _:
                raise ValueError("a function has no quantifiers")
    return image


@dataclass
class _Reader:
    """The lines of a text, one after the other, with their numbers for messages."""

    lines: list[str]
    name: str
    line: int = 0

    def next(self, expected: str) -> str:
        if self.line >= len(self.lines):
            self.line += 1
            self.fail(f"the text ends here, expected {expected}")
        self.line += 1
        return self.lines[self.line - 1]

    def numbers(self, count: int, expected: str) -> list[int]:
        words = self.next(expected).split(" ")
        if len(words) != count or not all(w.isascii() and w.isdecimal() and len(w) <= LONGEST_NUMBER for w in words):
            self.fail(f"expected {expected}")
        return [int(word) for word in words]

    def fail(self, message: str) -> NoReturn:
        raise InputError(message, file=self.name, line=self.line)


def parse_aag(text: str, formula: Formula, owner: Quantifier | None = None, name: str = "functions") -> Functions:
    """The functions that an AIGER text states; ``InputError`` with the line if it states none.

    Without an ``owner``, the owner is the role of the first output. Whether the functions win, and whether they look
    only at what was chosen before, is for the checker to say (:mod:`zermelo.check.formula`).

    >>> from zermelo.qbf.formula import Block
    >>> circuit = Circuit()
    >>> x = circuit.variable() // 2
    >>> formula = Formula(circuit, (Block("exists", (x,)),), 2 * x, {x: "x"})
    >>> parse_aag("aag 0 0 0 1 0\\n1\\no0 x\\n", formula).outputs == {x: 1}
    True
    >>> parse_aag("aag 0 0 0 1 0\\n2\\no0 x\\n", formula)
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: functions:2: 2 is neither an input nor a gate that was defined before
    """
    reader = _Reader(text.splitlines(), name)
    if not reader.next("aag M I L O A").startswith("aag "):
        reader.fail('expected a header "aag M I L O A"')
    reader.lines[0], reader.line = reader.lines[0][4:], 0
    most, inputs, latches, outputs, gates = reader.numbers(5, 'a header "aag M I L O A" with five numbers')
    if latches:
        reader.fail(f"{latches} latches, expected none: functions have no memory")
    if inputs + gates > most:
        reader.fail(f"{inputs} inputs and {gates} gates, but {most} as the highest number")
    circuit = Circuit()
    image: dict[int, Literal] = {0: FALSE}
    leaves = []
    for _ in range(inputs):
        (literal,) = reader.numbers(1, "an input: one even number")
        _define(reader, image, literal, most)
        leaves.append(image.setdefault(literal >> 1, circuit.variable()))
    stated = [(reader.numbers(1, "an output: one number")[0], reader.line) for _ in range(outputs)]
    for _ in range(gates):
        literal, one, other = reader.numbers(3, "a gate: three numbers")
        _define(reader, image, literal, most)
        image[literal >> 1] = circuit.conjunction([_image(reader, image, one), _image(reader, image, other)])
    end, results = reader.line, []
    for literal, reader.line in stated:
        results.append(_image(reader, image, literal))
    reader.line = end
    names = dict(_symbols(reader, inputs, outputs))
    return _named(reader, formula, owner, circuit, leaves, results, names)


def _define(reader: _Reader, image: Mapping[int, Literal], literal: int, most: int) -> None:
    if literal & 1 or literal > 2 * most:
        reader.fail(f"{literal} is not an even number up to {2 * most}")
    if literal >> 1 in image:
        reader.fail(f"{literal} is defined a second time")


def _image(reader: _Reader, image: Mapping[int, Literal], literal: int) -> Literal:
    made = image.get(literal >> 1)
    if made is None:
        reader.fail(f"{literal} is neither an input nor a gate that was defined before")
    return made ^ (literal & 1)


def _symbols(reader: _Reader, inputs: int, outputs: int) -> Iterator[tuple[tuple[str, int], tuple[str, int]]]:
    """The names in the symbol table with their lines; each input and output must have exactly one."""
    seen = set()
    while reader.line < len(reader.lines):
        entry = reader.next("a name")
        if entry == "c":
            break
        place, blank, word = entry.partition(" ")
        kind, digits = place[:1], place[1:]
        count = {"i": inputs, "o": outputs}.get(kind, 0)
        good = digits.isascii() and digits.isdecimal() and len(digits) <= LONGEST_NUMBER
        if not (good and blank and word and int(digits) < count):
            reader.fail('expected the name of an input or output ("i0 x"), or "c" before comments')
        key = (kind, int(digits))
        if key in seen:
            reader.fail(f"{place} is named a second time")
        seen.add(key)
        yield key, (word, reader.line)
    for kind, count in (("i", inputs), ("o", outputs)):
        for number in range(count):
            if (kind, number) not in seen:
                reader.fail(f"no name for {kind}{number}")


def _named(
    reader: _Reader,
    formula: Formula,
    owner: Quantifier | None,
    circuit: Circuit,
    leaves: list[Literal],
    results: list[Literal],
    names: Mapping[tuple[str, int], tuple[str, int]],
) -> Functions:
    known, role = variables_by_name(formula), quantifiers(formula)
    if owner is None:
        first = known.get(names["o", 0][0]) if results else None
        owner = "exists" if first is None else role[first]

    def variables(kind: str, count: int, wanted: Quantifier) -> Iterator[int]:
        seen = set()
        for number in range(count):
            word, reader.line = names[kind, number]
            found = known.get(word)
            if found is None:
                reader.fail(f"the formula has no variable {word!r}")
            if role[found] != wanted:
                reader.fail(f"{word} is a variable of {role[found]}, expected one of {wanted}")
            if found in seen:
                reader.fail(f"{word} is named a second time")
            seen.add(found)
            yield found

    own = dict(zip(variables("o", len(results), owner), results, strict=True))
    inputs = dict(zip(variables("i", len(leaves), OTHER[owner]), (leaf >> 1 for leaf in leaves), strict=True))
    return Functions(owner, circuit, inputs, own)
