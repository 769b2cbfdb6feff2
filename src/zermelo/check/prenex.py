"""Quantifiers inside a circuit, moved to the front: which variables that makes, what they are called, in which blocks.

Let ``G = exists y. B(y, z)`` be used in ``C[G]``, always under an even number of negations, its free variables ``z``
meaning the same at every use. ``C`` is monotone in ``G``, so ``exists y. C[B(y, z)]`` is ``C`` at the greatest value of
``B``, which is ``C[G]``. Under an odd number ``C`` falls where ``G`` rises, and the quantifier flips. So a quantified
gate needs one **copy** of its variables for each polarity that it is used in and each meaning of what is free in it;
the inputs of ``xor`` and the condition of ``ite`` are used in both polarities. Any order of the copies will do in which
each comes behind what is free in it: the innermost block can be pushed back into its gate, then the next one, ...

Certificates name the copies, so it is laid down here how they are made. The circuit is walked from its output depth
first, inputs in the order in which their nodes were made; of an input that is used in both polarities the one that
belongs to the gate's own comes first, then, after all inputs, the other. A copy is made when it is met first. The first
variable made of ``x`` is called ``x``, others ``x_2``, ``x_3``, ..., names that the text has being passed over. A copy
stands in the first block behind (or of) the copy around it that has its quantifier.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from zermelo.check.boolean import Block, QuantifiedFormula, joined
from zermelo.check.circuit import OTHER, QUANTIFIERS, Circuit
from zermelo.errors import LimitReachedError
from zermelo.limits import reading_watch

MOST_GATES = 20_000_000
"""Equivalences around quantifiers, nested in each other, double a formula level by level; here that ends."""

Use = tuple[int, bool, tuple[int, ...]]
"""A node, whether it is used negated (if that matters), and what stands for its free variables that have copies."""


def prenex(formula: QuantifiedFormula) -> QuantifiedFormula:
    """The formula with all quantifiers in front, where variables that no block binds stand in gates that bind them.

    >>> circuit = Circuit()
    >>> x, y = circuit.variable(), circuit.variable()
    >>> inner = circuit.gate("forall", [y, circuit.gate("or", [x, y])])
    >>> found = prenex(QuantifiedFormula(circuit, (Block("exists", (1,)),), inner ^ 1, {1: "x", 2: "y"}))
    >>> [(block.quantifier, *(found.names[v] for v in block.variables)) for block in found.blocks]
    [('exists', 'x', 'y')]
    """
    return _Copying(formula).result()


def unbound(formula: QuantifiedFormula, variables: Iterable[int]) -> list[int]:
    """Those variables that a formula depends on outside of all gates that bind them.

    >>> circuit = Circuit()
    >>> x, y = circuit.variable(), circuit.variable()
    >>> top = circuit.gate("exists", [x, circuit.gate("and", [x, y])])
    >>> unbound(QuantifiedFormula(circuit, (), top, {}), [1, 2])
    [2]
    """
    bits = {variable: 1 << place for place, variable in enumerate(variables)}
    free = free_in(formula.circuit, formula.nodes, bits, keep=False)
    return sorted(variable for variable, bit in bits.items() if free[formula.output >> 1] & bit)


def free_in(circuit: Circuit, nodes: list[int], bits: Mapping[int, int], *, keep: bool = True) -> dict[int, int]:
    """Of each node the variables that are free in it, as a sum of their bits. Only the last one's, unless ``keep``.

    >>> circuit = Circuit()
    >>> x, y = circuit.variable(), circuit.variable()
    >>> top = circuit.gate("exists", [x, circuit.gate("and", [x, y])])
    >>> free_in(circuit, [1, 2, 3, 4], {1: 1, 2: 2})
    {1: 1, 2: 2, 3: 3, 4: 2}
    """
    last = {} if keep else {literal >> 1: node for node in nodes for literal in circuit.inputs[node]}
    free: dict[int, int] = {}
    look = reading_watch()
    for node in nodes:
        look()
        inputs, found = circuit.inputs[node], bits.get(node, 0)
        if circuit.kinds[node] in QUANTIFIERS:
            found = free[inputs[-1] >> 1] & ~sum(bits.get(literal >> 1, 0) for literal in set(inputs[:-1]))
        else:
            for literal in inputs:
                found |= free[literal >> 1]
        free[node] = found
        for literal in inputs:
            if last.get(literal >> 1) == node:
                free.pop(literal >> 1, None)
    return free


@dataclass(frozen=True)
class _Copy:
    """Variables made for one use of a quantified gate, and the number of the copy around it (-1: none)."""

    quantifier: str
    variables: tuple[int, ...]
    around: int


class _Copying:
    """A circuit with quantified gates on its way into one without."""

    def __init__(self, stated: QuantifiedFormula) -> None:
        self.stated, self.old, self.nodes = stated, stated.circuit, stated.nodes
        self.new = Circuit()
        self.names: dict[int, str] = {}
        self.stems: dict[str, int] = {}
        self.taken: set[str] = set()
        self.stated_names = set(stated.names.values())
        self.mixed = self.find_mixed()
        self.many = self.find_many()
        self.free = self.find_free()
        self.image: dict[int, int] = {}
        """What stands for a variable that has one meaning."""
        self.made: dict[Use, int] = {}
        self.opened: dict[Use, tuple[int, dict[int, int]]] = {}
        """Of each use of a quantified gate: its copy, and what its own variables mean inside."""
        self.copies: list[_Copy] = []

    def result(self) -> QuantifiedFormula:
        outer = [Block(b.quantifier, tuple(self.only(v) >> 1 for v in b.variables)) for b in self.stated.blocks]
        top = self.use(self.stated.output >> 1, bool(self.stated.output & 1), {})
        pending = [(top, -1)]
        look = reading_watch()
        while pending:
            look()
            use, around = pending[-1]
            needed, inside = self.needed(use, around)
            missing = [(one, inside) for one in needed if one not in self.made]
            pending.extend(reversed(missing))
            if not missing:
                self.made[use] = self.build(use)
                pending.pop()
            if len(self.made) > MOST_GATES:
                raise LimitReachedError(f"the formula has more than {MOST_GATES:,} gates once it is prenex")
        output = self.made[top] ^ (self.stated.output & 1)
        return QuantifiedFormula(self.new, self.blocks(outer), output, self.names)

    # What needs copies

    def find_mixed(self) -> set[int]:
        """The nodes with a quantified gate in them; for others it is of no matter how often they are negated."""
        mixed: set[int] = set()
        for node in self.nodes:
            if self.old.kinds[node] in QUANTIFIERS or any(i >> 1 in mixed for i in self.old.inputs[node]):
                mixed.add(node)
        return mixed

    def find_many(self) -> set[int]:
        """The variables of gates that may have copies: used in both polarities, binding what others bind, in such."""
        kinds, inputs = self.old.kinds, self.old.inputs
        binders = dict.fromkeys((v for block in self.stated.blocks for v in block.variables), 1)
        for node in self.nodes:
            for literal in inputs[node][:-1] if kinds[node] in QUANTIFIERS else ():
                binders[literal >> 1] = binders.get(literal >> 1, 0) + 1
        signs: dict[int, set[bool]] = {self.stated.output >> 1: {bool(self.stated.output & 1)}}
        inside: set[int] = set()
        copied: set[int] = set()
        for node in reversed(self.nodes):
            if node not in self.mixed:
                continue
            own = [i >> 1 for i in inputs[node][:-1]] if kinds[node] in QUANTIFIERS else []
            if own and (node in inside or len(signs[node]) > 1 or any(binders[v] > 1 for v in own)):
                inside.add(node)
                copied.update(own)
            for place, literal in enumerate(inputs[node]):
                both = kinds[node] == "xor" or (kinds[node] == "ite" and place == 0)
                found = {False, True} if both else {sign != bool(literal & 1) for sign in signs[node]}
                signs.setdefault(literal >> 1, set()).update(found)
                if node in inside:
                    inside.add(literal >> 1)
        return copied

    def find_free(self) -> dict[int, tuple[int, ...]]:
        """Of each node the variables with copies that are free in it, if there are any."""
        if not self.many:
            return {}
        many = sorted(self.many)
        masks = free_in(self.old, self.nodes, {v: 1 << place for place, v in enumerate(many)})
        lists = {mask: tuple(many[place] for place in _places(mask)) for mask in set(masks.values())}
        return {node: lists[mask] for node, mask in masks.items() if mask}

    # Making them

    def only(self, variable: int) -> int:
        """The literal of a variable that has one meaning here."""
        if variable not in self.image:
            self.image[variable] = self.fresh(variable)
        return self.image[variable]

    def fresh(self, variable: int) -> int:
        """A new variable that stands for an old one."""
        made = self.new.variable()
        name = stem = self.stated.names[variable]
        number = self.stems.get(stem, 1)
        while name in self.taken or (number > 1 and name in self.stated_names):
            number += 1
            name = f"{stem}_{number}"
        self.stems[stem] = number
        self.taken.add(name)
        self.names[made >> 1] = name
        return made

    def use(self, node: int, negated: bool, meaning: Mapping[int, int]) -> Use:
        free = self.free.get(node)
        known = tuple(meaning[v] if v in meaning else self.only(v) for v in free) if free else ()
        return node, negated and node in self.mixed, known

    def meaning(self, use: Use) -> dict[int, int]:
        return dict(zip(self.free.get(use[0], ()), use[2], strict=True))

    def parts(self, use: Use) -> tuple[list[Use], list[Use]]:
        """The uses of inputs that a use of a gate stands on: in its own polarity, and in the other where both count."""
        node, negated, _ = use
        kind, inputs = self.old.kinds[node], self.old.inputs[node]
        meaning = self.meaning(use)
        if kind in QUANTIFIERS:
            inputs, meaning = inputs[-1:], meaning | self.opened[use][1]
        own = [self.use(i >> 1, negated != bool(i & 1), meaning) for i in inputs]
        if node not in self.mixed or kind not in ("xor", "ite"):
            return own, []
        both = inputs if kind == "xor" else inputs[:1]
        return own, [self.use(i >> 1, negated == bool(i & 1), meaning) for i in both]

    def needed(self, use: Use, around: int) -> tuple[list[Use], int]:
        """What must be made before a use, and the copy that this lies in."""
        if self.old.kinds[use[0]] in QUANTIFIERS:
            if use not in self.opened:
                self.opened[use] = self.open(use, around)
            around = self.opened[use][0]
        own, other = self.parts(use)
        return own + other, around

    def open(self, use: Use, around: int) -> tuple[int, dict[int, int]]:
        """Makes the variables of one copy."""
        node, negated, _ = use
        own = [literal >> 1 for literal in self.old.inputs[node][:-1]]
        kind = OTHER[self.old.kinds[node]] if negated else self.old.kinds[node]
        meaning = {variable: self.fresh(variable) if variable in self.many else self.only(variable) for variable in own}
        self.copies.append(_Copy(kind, tuple(literal >> 1 for literal in meaning.values()), around))
        return len(self.copies) - 1, meaning

    def build(self, use: Use) -> int:
        """The literal of a use, once all that it needs is made."""
        node = use[0]
        kind, inputs = self.old.kinds[node], self.old.inputs[node]
        if kind == "false":
            return 0
        if kind == "variable":
            return use[2][0] if use[2] else self.only(node)
        own, other = self.parts(use)
        if kind in QUANTIFIERS:
            return self.made[own[0]] ^ (inputs[-1] & 1)
        plain = [self.made[one] ^ (literal & 1) for one, literal in zip(own, inputs, strict=True)]
        if not other:
            return self.new.gate(kind, plain)
        negations = [self.made[one] ^ 1 ^ (literal & 1) for one, literal in zip(other, inputs, strict=False)]
        pairs = [plain, negations] if kind == "xor" else [[negations[0], plain[1]], [plain[0], plain[2]]]
        return self.new.gate("and", [self.new.gate("or", pair) for pair in pairs])

    def blocks(self, outer: list[Block]) -> tuple[Block, ...]:
        """The outer blocks and the copies: with the fewest blocks, where there is a choice."""
        starts = [outer[-1].quantifier] if outer else list(QUANTIFIERS)
        return min((joined([*outer, *self.behind(start)]) for start in starts), key=len)

    def behind(self, start: str) -> list[Block]:
        """The copies in alternating blocks, of which the first has a given quantifier."""
        members: list[list[int]] = [[]]
        place: list[int] = []
        for copy in self.copies:
            at = place[copy.around] if copy.around >= 0 else 0
            at += (copy.quantifier == start) != (at % 2 == 0)
            place.append(at)
            if at == len(members):
                members.append([])
            members[at].extend(copy.variables)
        return [Block(start if at % 2 == 0 else OTHER[start], tuple(block)) for at, block in enumerate(members)]


def _places(mask: int) -> list[int]:
    """The places of the bits of a number."""
    return [place for place, bit in enumerate(bin(mask)[:1:-1]) if bit == "1"]
