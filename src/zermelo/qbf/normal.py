"""The normal form that engines take: prenex, every variable bound once, alternating blocks, nothing free.

*Pulling a quantifier out.* Let ``G = exists y. B(y, z)`` be used in a formula ``C[G]`` any number of times, always
under an even number of negations, and let ``z``, the variables free in ``G``, mean the same at each of these places.
For fixed ``z``, ``C`` is monotone in ``G``, and it depends on ``y`` through ``B`` alone; so ``exists y. C[B(y, z)]``
is ``C`` at the greatest value that ``B(y, z)`` takes over all ``y``, which is ``C[G]``. Under an odd number of
negations ``C`` is antitone and ``C`` at the greatest value of ``B`` is ``forall y. C[B]``: the quantifier flips.
Hence one copy of the gate's variables serves all uses of a gate that agree in the *polarity* and in what ``z`` means.
A gate used in both polarities gets two copies; the inputs of XOR and the condition of ITE are used in both.

*Any order will do* that puts a gate's variables behind those free in it. Take such a prefix and its last block ``y``,
of the gate ``G``. Nothing else mentions ``y``, for what does comes behind it. By the paragraph above the block can be
pushed back into the gate, whose value depends on earlier variables alone; go on with the rest of the prefix until it
is the original one. So blocks of parts that lie side by side are merged, each as far out as the nesting of the gates
allows: the number of blocks is the greatest number of alternations on any way from the output (Egly, Seidl, Tompits,
Woltran and Zolda, "Comparing different prenexing strategies for quantified Boolean formulas", 2003).

*Size.* With AND, OR and NOT around the quantified gates and every variable bound once, everything is copied once.
Equivalences nested in each other around quantifiers can double the formula at each level; a limit stops that.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from zermelo.errors import LimitReachedError
from zermelo.limits import reading_watch
from zermelo.qbf.circuit import QUANTIFIED, Circuit, Kind, Literal, cone, gate_of, negate
from zermelo.qbf.formula import OTHER, Block, Formula, Quantifier
from zermelo.qbf.scope import escaping, free_variables

LARGEST: Final = 20_000_000
"""More gates than this are not made of a formula by default."""


@dataclass(frozen=True)
class NormalForm:
    """A formula in normal form, and of each of its variables the one of the original formula it stands for."""

    formula: Formula
    origin: Mapping[int, int]


def normalized(formula: Formula, most_gates: int = LARGEST) -> Formula:
    """An equivalent formula in normal form. Free variables become an outermost block of ``exists``.

    Variables keep their names, copies of them get new ones. :class:`LimitReachedError` where there would be too many
    gates.

    >>> circuit = Circuit()
    >>> x, y = circuit.variable(), circuit.variable()
    >>> inner = circuit.quantified(Kind.FORALL, [y], circuit.disjunction([x, y]))
    >>> normal = normalized(Formula(circuit, (Block("exists", (x >> 1,)),), negate(inner), {1: "x", 2: "y"}))
    >>> [(block.quantifier, *map(normal.name, block.variables)) for block in normal.prefix], normal.is_normal
    ([('exists', 'x', 'y')], True)
    """
    return normal_form(formula, most_gates).formula


def normal_form(formula: Formula, most_gates: int = LARGEST) -> NormalForm:
    """The normal form with the origin of its variables. A circuit without quantified gates is kept as it is.

    >>> circuit = Circuit()
    >>> x = circuit.variable()
    >>> form = normal_form(Formula(circuit, (), x, {x >> 1: "x"}, free=(x >> 1,)))
    >>> form.formula.prefix == (Block("exists", (x >> 1,)),), form.origin == {x >> 1: x >> 1}
    (True, True)
    """
    # Not only what the output depends on: who evaluates the whole circuit must not meet a quantified gate either.
    if any(kind in formula.circuit.kind for kind in QUANTIFIED):
        return _Puller(formula, most_gates).result()
    circuit = formula.circuit
    bound = {variable for block in formula.prefix for variable in block.variables} | set(formula.free)
    nodes = cone(circuit, [formula.output])
    loose = [node for node in nodes if circuit.kind[node] == Kind.VARIABLE and node not in bound]
    prefix = merged([Block("exists", (*formula.free, *loose)), *formula.prefix])
    variables = [variable for block in prefix for variable in block.variables]
    return NormalForm(replace(formula, prefix=prefix, free=()), {variable: variable for variable in variables})


def negation(formula: Formula) -> Formula:
    """The formula that is true where this one is false, with the roles exchanged; of formulas without free variables.

    >>> circuit = Circuit()
    >>> x = circuit.variable()
    >>> negation(Formula(circuit, (Block("exists", (x >> 1,)),), x)).prefix[0].quantifier
    'forall'
    """
    if formula.free:
        raise ValueError("a formula with free variables has no negation with the roles exchanged")
    prefix = tuple(Block(OTHER[block.quantifier], block.variables) for block in formula.prefix)
    return replace(formula, prefix=prefix, output=negate(formula.output))


def use_counts(circuit: Circuit, output: Literal) -> tuple[list[int], bytearray]:
    """The nodes an output depends on, and of each node how many gates take it as an input: 0, 1 or 2 for more.

    >>> circuit = Circuit()
    >>> x, y = circuit.variable(), circuit.variable()
    >>> list(use_counts(circuit, circuit.conjunction([x, circuit.exclusive(x, y)]))[1])
    [0, 2, 1, 1, 0]
    """
    nodes = cone(circuit, [output])
    uses = bytearray(len(circuit))
    for node in nodes:
        for literal in circuit.inputs[node]:
            if uses[literal >> 1] < 2:
                uses[literal >> 1] += 1
    return nodes, uses


def junction_inputs(source: Circuit, top: int, uses: bytearray, absorbed: bytearray) -> list[Literal]:
    """The inputs of an AND (OR) after merging those ANDs (ORs) into it that nothing else uses, which are noted.

    >>> circuit = Circuit()
    >>> x, y, z = (circuit.variable() for _ in range(3))
    >>> output = circuit.conjunction([x, negate(circuit.disjunction([y, z]))])
    >>> nodes, uses = use_counts(circuit, output)
    >>> junction_inputs(circuit, output >> 1, uses, bytearray(len(circuit))) == [x, negate(y), negate(z)]
    True
    """
    leaves = []
    # The second of each pair says whether the inputs are taken negated: De Morgan.
    pending = [(top, 0)]
    while pending:
        node, flip = pending.pop()
        for literal in source.inputs[node]:
            inner, sign = literal >> 1, (literal & 1) ^ flip
            wanted = source.kind[top] if not sign else Kind.AND + Kind.OR - source.kind[top]
            if uses[inner] == 1 and source.kind[inner] == wanted:
                absorbed[inner] = 1
                pending.append((inner, sign))
            else:
                leaves.append(literal ^ flip)
    return leaves


def merged(blocks: Iterable[Block]) -> tuple[Block, ...]:
    """The blocks with equal neighbours joined and empty ones left out; the last binding of a variable holds.

    >>> merged([Block("exists", (1,)), Block("forall", ()), Block("exists", (2,))])
    (Block(quantifier='exists', variables=(1, 2)),)
    """
    last: dict[int, int] = {}
    runs: list[tuple[Quantifier, list[int]]] = []
    for block in blocks:
        if block.variables:
            if not runs or runs[-1][0] != block.quantifier:
                runs.append((block.quantifier, []))
            runs[-1][1].extend(block.variables)
            last.update((variable, len(runs) - 1) for variable in block.variables)
    kept = [
        Block(quantifier, tuple(dict.fromkeys(v for v in variables if last[v] == place)))
        for place, (quantifier, variables) in enumerate(runs)
    ]
    if all(block.variables for block in kept):
        return tuple(kept)
    return merged(block for block in kept if block.variables)


@dataclass(frozen=True)
class _Copy:
    """The variables that one copy of a quantified gate binds, and the copy around it (-1: none)."""

    quantifier: Quantifier
    variables: tuple[int, ...]
    parent: int


_NONE: Final[frozenset[int]] = frozenset()

_Key = tuple[int, int, int]
"""A node, the polarity it is used in (0 even, 1 odd; 0 where it does not matter) and what its variables mean."""


class _Puller:
    """Copies a formula into a new circuit without its quantified gates.

    A variable is *settled* if it has one binding and one copy; the others are *many*, and what they mean at a place is
    an environment. Environments have numbers; each has exactly the many variables that are free in the node at hand,
    so that equal numbers mean equal copies.
    """

    def __init__(self, formula: Formula, most_gates: int) -> None:
        self.source, self.formula, self.most_gates = formula.circuit, formula, most_gates
        self.nodes = cone(self.source, [formula.output])
        self.circuit = Circuit()
        self.names: dict[int, str] = {}
        self.used = {formula.name(variable) for variable in range(len(self.source)) if variable in formula.names}
        self.taken: set[str] = set()
        self.origin: dict[int, int] = {}
        self.image: dict[int, Literal] = {0: 0}
        self.copies: list[_Copy] = []
        self.made: dict[_Key, Literal] = {}
        self.inner: dict[_Key, tuple[int, int]] = {}
        """Of the key of a quantified gate: the number of its copy, and the environment of its body."""
        self.loose = self.find_loose()
        self.mixed = self.find_mixed()
        self.many = self.find_many()
        self.scopes = free_variables(self.source, self.nodes, self.many) if self.many else {}
        self.members: dict[frozenset[int], tuple[int, ...]] = {_NONE: ()}
        self.environments: list[tuple[frozenset[int], dict[int, Literal]]] = [(_NONE, {})]
        self.numbers: dict[tuple[frozenset[int], tuple[Literal, ...]], int] = {(_NONE, ()): 0}

    def result(self) -> NormalForm:
        outer = [Block("exists", (*self.formula.free, *self.loose)), *self.formula.prefix]
        base = [Block(b.quantifier, tuple(map(self.settle, b.variables))) for b in merged(outer)]
        output = self.formula.output
        self.copy(output)
        made = self.use(output, 0, 0)
        prefix = self.prefix(base)
        return NormalForm(Formula(self.circuit, prefix, made, self.names), self.origin)

    def find_loose(self) -> list[int]:
        """Variables that are used where nothing binds them: they count as free."""
        bound = {v for block in self.formula.prefix for v in block.variables} | set(self.formula.free)
        kind = self.source.kind
        return escaping(
            self.source,
            self.formula.output,
            {node for node in self.nodes if kind[node] == Kind.VARIABLE and node not in bound},
        )

    def find_mixed(self) -> bytearray:
        """Of each node whether a quantified gate is in it: for the others polarity is of no matter."""
        mixed = bytearray(len(self.source))
        for node in self.nodes:
            kind = self.source.kind[node]
            mixed[node] = kind in QUANTIFIED or any(mixed[literal >> 1] for literal in self.source.inputs[node])
        return mixed

    def find_many(self) -> dict[int, None]:
        """Variables bound more than once, or by a gate that may need more than one copy."""
        source = self.source
        bindings = dict.fromkeys(self.loose, 1)
        bindings |= dict.fromkeys(self.formula.free, 1)
        for block in self.formula.prefix:
            bindings |= dict.fromkeys(block.variables, 1)
        polarity, below = bytearray(len(source)), bytearray(len(source))
        polarity[self.formula.output >> 1] = 2 if self.formula.output & 1 else 1
        for node in self.nodes:
            if source.kind[node] in QUANTIFIED:
                for literal in source.inputs[node][:-1]:
                    bindings[literal >> 1] = bindings.get(literal >> 1, 0) + 1
        many: dict[int, None] = {}
        for node in reversed(self.nodes):
            if not self.mixed[node]:
                continue
            kind, inputs, signs = source.kind[node], source.inputs[node], polarity[node]
            if kind in QUANTIFIED:
                variables = [literal >> 1 for literal in inputs[:-1]]
                if below[node] or signs == 3 or any(bindings[variable] > 1 for variable in variables):
                    below[node] = 1
                    many |= dict.fromkeys(variables)
            for place, literal in enumerate(inputs):
                both = kind == Kind.XOR or (kind == Kind.ITE and not place)
                polarity[literal >> 1] |= 3 if both else (signs >> 1 | (signs & 1) << 1) if literal & 1 else signs
                below[literal >> 1] |= below[node]
        return many

    def settle(self, variable: int) -> int:
        """The one image of a variable in the new circuit, made where there is none."""
        if variable not in self.image:
            self.image[variable] = 2 * self.fresh(variable)
        return self.image[variable] >> 1

    def fresh(self, variable: int) -> int:
        """A new variable that stands for an old one: of the same name, if it is the first."""
        node = self.circuit.variable() >> 1
        self.origin[node] = variable
        name = stem = self.formula.name(variable)
        number = 1
        while name in self.taken or (number > 1 and name in self.used):
            number += 1
            name = f"{stem}_{number}"
        self.taken.add(name)
        self.names[node] = name
        return node

    def copy(self, output: Literal) -> None:
        """Makes all that the output needs; a task is done after those that it put above itself."""
        tasks = [(self.key(output >> 1, output & 1, 0), -1)]
        look = reading_watch()
        while tasks:
            look()
            key, parent = tasks[-1]
            if key not in self.made:
                wanted, around = self.needs(key, parent)
                missing = [(task, around) for task in wanted if task not in self.made]
                if missing:
                    # The first on top, so that copies are numbered in the order of the text.
                    tasks += reversed(missing)
                    continue
                self.made[key] = self.build(key)
                if len(self.made) > self.most_gates:
                    raise LimitReachedError(
                        f"the normal form of the formula has more than {self.most_gates:,} gates: "
                        "quantified gates are used in both polarities, nested in each other"
                    )
            tasks.pop()

    def key(self, node: int, polarity: int, environment: int) -> _Key:
        scope = self.scopes.get(node, _NONE)
        if scope != self.environments[environment][0]:
            environment = self.number(scope, self.environments[environment][1])
        return node, polarity if self.mixed[node] else 0, environment

    def number(self, scope: frozenset[int], meaning: Mapping[int, Literal]) -> int:
        """The number of the environment that is a part of another, given by its variables."""
        if scope not in self.members:
            self.members[scope] = tuple(sorted(scope))
        members = self.members[scope]
        images = tuple([meaning[v] if v in meaning else 2 * self.settle(v) for v in members])
        found = self.numbers.setdefault((scope, images), len(self.environments))
        if found == len(self.environments):
            self.environments.append((scope, dict(zip(members, images, strict=True))))
        return found

    def needs(self, key: _Key, parent: int) -> tuple[list[_Key], int]:
        """What must be made before a node, and the copy of a quantified gate around that."""
        node, polarity, environment = key
        kind, inputs = self.source.kind[node], self.source.inputs[node]
        if kind in QUANTIFIED:
            if key not in self.inner:
                self.inner[key] = self.open(key, parent)
            copy, environment = self.inner[key]
            return [self.key(inputs[-1] >> 1, polarity ^ (inputs[-1] & 1), environment)], copy
        wanted = [self.key(i >> 1, polarity ^ (i & 1), environment) for i in inputs]
        if self.mixed[node] and kind not in (Kind.AND, Kind.OR):
            # XOR, and ITE as far as the condition goes, use their inputs in the other polarity as well.
            both = inputs if kind == Kind.XOR else inputs[:1]
            wanted += [self.key(i >> 1, 1 ^ polarity ^ (i & 1), environment) for i in both]
        return wanted, parent

    def open(self, key: _Key, parent: int) -> tuple[int, int]:
        """Makes the variables of one copy of a quantified gate."""
        node, polarity, environment = key
        *bound, body = self.source.inputs[node]
        meaning = dict(self.environments[environment][1])
        variables = []
        for literal in bound:
            variable = literal >> 1
            if variable in self.many:
                meaning[variable] = 2 * self.fresh(variable)
                variables.append(meaning[variable] >> 1)
            else:
                variables.append(self.settle(variable))
        quantifier: Quantifier = "exists" if (self.source.kind[node] == Kind.EXISTS) != bool(polarity) else "forall"
        self.copies.append(_Copy(quantifier, tuple(variables), parent))
        return len(self.copies) - 1, self.number(self.scopes.get(body >> 1, _NONE), meaning)

    def use(self, literal: Literal, polarity: int, environment: int) -> Literal:
        """What stands for a literal that is used in a polarity."""
        return self.made[self.key(literal >> 1, polarity ^ (literal & 1), environment)] ^ (literal & 1)

    def build(self, key: _Key) -> Literal:
        """The image of a node, once those of its inputs are made."""
        node, polarity, environment = key
        kind, inputs, circuit = self.source.kind[node], self.source.inputs[node], self.circuit
        if kind == Kind.CONSTANT:
            return 0
        if kind == Kind.VARIABLE:
            meaning = self.environments[environment][1]
            return meaning[node] if node in meaning else 2 * self.settle(node)
        if kind in QUANTIFIED:
            return self.use(inputs[-1], polarity, self.inner[key][1])
        same = [self.use(literal, polarity, environment) for literal in inputs]
        if not self.mixed[node] or kind in (Kind.AND, Kind.OR):
            return gate_of(circuit, Kind(kind), same)
        # Every part of XOR and ITE in the copy that belongs to the polarity in which it occurs here.
        flipped = [negate(self.use(i, 1 ^ polarity, environment)) for i in (inputs if kind == Kind.XOR else inputs[:1])]
        if kind == Kind.XOR:
            return circuit.conjunction([circuit.disjunction(same), circuit.disjunction(flipped)])
        condition, then, otherwise = same
        return circuit.conjunction(
            [circuit.disjunction([flipped[0], then]), circuit.disjunction([condition, otherwise])]
        )

    def prefix(self, base: list[Block]) -> tuple[Block, ...]:
        """The blocks: those of the original prefix, then the copies of gates, as far out as their nesting allows."""
        starts: list[Quantifier] = [base[-1].quantifier] if base else ["exists", "forall"]
        tails = [self.levels(start) for start in starts]
        return min((merged([*base, *tail]) for tail in tails), key=len)

    def levels(self, start: Quantifier) -> list[Block]:
        """The copies in alternating blocks, the first of which has a given quantifier and may be empty."""
        blocks: list[list[int]] = [[]]
        level: list[int] = []
        for copy in self.copies:
            around = level[copy.parent] if copy.parent >= 0 else 0
            place = around if (around % 2 == 0) == (copy.quantifier == start) else around + 1
            if place == len(blocks):
                blocks.append([])
            blocks[place] += copy.variables
            level.append(place)
        return [Block(start if place % 2 == 0 else OTHER[start], tuple(b)) for place, b in enumerate(blocks)]
