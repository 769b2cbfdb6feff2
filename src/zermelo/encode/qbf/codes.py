"""How a choice among several moves is written in bits.

``count`` moves take the *truncated binary code*: as many bits as needed, and one bit less for some of the moves, so
that no value of the bits is left over. Two values of the bits then mean the same move only where one of them differs
in a bit that the code does not read: nothing has to be excluded, and no search tries a move twice.
"""

from __future__ import annotations

from collections.abc import Sequence

from zermelo.qbf.circuit import FALSE, TRUE, Circuit, Literal, negate

Code = tuple[bool, ...]


def bits_for(count: int) -> int:
    """How many bits tell so many moves apart.

    >>> [bits_for(count) for count in (0, 1, 2, 3, 4, 5)]
    [0, 0, 1, 2, 2, 3]
    """
    return max(count - 1, 0).bit_length()


def codes(count: int) -> list[Code]:
    """The code of each of so many moves; bits that a code lacks are free.

    >>> codes(3)
    [(False,), (True, False), (True, True)]
    """
    width = bits_for(count)
    short = (1 << width) - count
    made = []
    for number in range(count):
        value, length = (number, width - 1) if number < short else (number + short, width)
        made.append(tuple(bool(value >> place & 1) for place in reversed(range(length))))
    return made


def number_of(count: int, bits: Sequence[bool]) -> int:
    """Which of so many moves the bits say; only the first bits are read.

    >>> [number_of(3, bits) for bits in ((False, True), (True, False), (True, True))]
    [0, 1, 2]
    """
    width = bits_for(count)
    short = (1 << width) - count
    value = 0
    for bit in bits[: max(width - 1, 0)]:
        value = 2 * value + bit
    if value < short or width == 0:
        return value
    return 2 * value + bits[width - 1] - short


def selectors(circuit: Circuit, bits: Sequence[Literal], count: int) -> list[Literal]:
    """For each of so many moves, whether the bits say it.

    >>> circuit = Circuit()
    >>> bit = circuit.variable()
    >>> selectors(circuit, [bit], 2) == [negate(bit), bit]
    True
    """
    return [
        circuit.conjunction(bit if wanted else negate(bit) for bit, wanted in zip(bits, code, strict=False))
        for code in codes(count)
    ]


def selected(circuit: Circuit, bits: Sequence[Literal], choices: Sequence[Literal]) -> Literal:
    """The one of the choices that the bits say, as a tree of if-then-else gates.

    >>> circuit = Circuit()
    >>> bit, one, other = (circuit.variable() for _ in range(3))
    >>> selected(circuit, [bit], [one, other]) == circuit.choice(bit, other, one)
    True
    """
    width = bits_for(len(choices))
    short = (1 << width) - len(choices)
    # A move with a short code stands at both ends of the bit that it does not read.
    level = [choice for number, choice in enumerate(choices) for _ in range(2 if number < short else 1)]
    for place in reversed(range(width)):
        level = [circuit.choice(bits[place], level[i + 1], level[i]) for i in range(0, len(level), 2)]
    return level[0]


def corrected(circuit: Circuit, bits: Sequence[Literal], legal: Sequence[Literal]) -> list[Literal]:
    """For each move, whether it is legal and the bits say it, or they say an illegal one and it is the first legal.

    >>> circuit = Circuit()
    >>> bit = circuit.variable()
    >>> corrected(circuit, [bit], [TRUE, FALSE]) == [TRUE, FALSE]
    True
    """
    said = selectors(circuit, bits, len(legal))
    otherwise = circuit.disjunction(
        circuit.conjunction((says, negate(move))) for says, move in zip(said, legal, strict=True)
    )
    does = []
    for says, move in zip(said, legal, strict=True):
        does.append(circuit.conjunction((circuit.disjunction((says, otherwise)), move)))
        otherwise = circuit.conjunction((otherwise, negate(move)))
    return does


def ranked(circuit: Circuit, bits: Sequence[Literal], legal: Sequence[Literal]) -> list[Literal]:
    """For each move, whether it is legal and the bits say its place among the legal ones.

    With n moves legal the bits are read in the code of n moves: where two values of them differ in a bit that is
    read, they are two different legal moves. Takes a number of gates quadratic in the number of moves.

    >>> circuit = Circuit()
    >>> bit = circuit.variable()
    >>> ranked(circuit, [bit], [TRUE, FALSE, TRUE]) == [negate(bit), FALSE, bit]
    True
    """
    counts: list[Literal] = [TRUE]  # counts[r]: exactly r of the moves so far are legal
    places = []
    for move in legal:
        places.append(counts)
        up, same = [FALSE, *counts], [*counts, FALSE]
        counts = [circuit.choice(move, one, other) for one, other in zip(up, same, strict=True)]
    wanted: list[list[Literal]] = [[] for _ in legal]
    for count, exactly in enumerate(counts):
        if count and exactly != FALSE:
            for place, says in enumerate(selectors(circuit, bits, count)):
                wanted[place].append(circuit.conjunction((exactly, says)))
    said = [circuit.disjunction(ways) for ways in wanted]
    return [
        circuit.conjunction((
            move,
            circuit.disjunction(circuit.conjunction((here, said[rank])) for rank, here in enumerate(before)),
        ))
        for move, before in zip(legal, places, strict=True)
    ]  # fmt: skip
