"""Lowers a rulesheet to plain rules: every body a list of atoms that hold, atoms that fail, and ``distinct`` pairs.

Negation is pushed to atoms, disjunctions are spread over several rules, and ``(not (distinct a b))`` is gone because
``a`` and ``b`` have been unified. Where spreading would multiply (many disjunctions in one body), a disjunction
becomes a relation of its own, over the variables it shares with the rest of its rule.

>>> from zermelo.gdl.kif import read_kif
>>> for rule in lower(read_kif("(<= (p ?x) (q ?x) (or (r ?x) (not (distinct ?x a))))")):
...     print(rule)
(<= (p ?x) (q ?x) (r ?x))
(<= (p a) (q a))
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from itertools import count
from math import prod
from typing import TYPE_CHECKING, Final, overload

from zermelo.errors import InputError
from zermelo.gdl.syntax import (
    NOWHERE,
    And,
    Formula,
    Function,
    Not,
    Or,
    Rule,
    Rulesheet,
    Span,
    Term,
    Variable,
    atoms_of,
    subterms,
    variables_of,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SPREAD_LIMIT: Final = 64
"""More alternatives than this in one body, and disjunctions become relations of their own."""
LITERAL_LIMIT: Final = 1_000_000
"""A rulesheet whose plain rules have more literals than this is refused."""
TERM_LIMIT: Final = 4096
"""A term of more symbols than this, made by unifying, is refused."""


class Sign(IntEnum):
    """What a literal says of its atom; the numbers are those of the native side."""

    HOLDS = 0
    FAILS = 1
    DISTINCT = 2


@dataclass(frozen=True, slots=True)
class Literal:
    """An atom that holds, an atom that fails, or two terms that are distinct (the atom is ``(distinct a b)``)."""

    sign: Sign
    atom: Function

    def __str__(self) -> str:
        return f"(not {self.atom})" if self.sign is Sign.FAILS else str(self.atom)


@dataclass(frozen=True, slots=True)
class PlainRule:
    """A head that holds wherever all literals of the body do. The span is that of the rule it came from."""

    head: Function
    body: tuple[Literal, ...] = ()
    span: Span = field(default=NOWHERE, compare=False, repr=False)

    def __str__(self) -> str:
        return f"(<= {' '.join(map(str, (self.head, *self.body)))})" if self.body else str(self.head)


def lower(sheet: Rulesheet) -> tuple[PlainRule, ...]:
    """The plain rules of a rulesheet: in its order, those of new relations after the rule that needed them."""
    lowering = _Lowering(sheet.file, _names_of(sheet))
    for rule in sheet.rules:
        lowering.rule(rule)
    return tuple(lowering.out)


def _names_of(sheet: Rulesheet) -> set[str]:
    atoms = (atom for rule in sheet.rules for part in (rule.head, *rule.body) for atom, _ in atoms_of(part))
    return {term.name for atom in atoms for term in subterms(atom) if isinstance(term, Function)}


# The body of a rule on its way: atoms with a sign, and disjunctions and conjunctions of these. `Same` is a negated
# `distinct`, gone as soon as a body is a plain conjunction.


@dataclass(frozen=True, slots=True)
class _Same:
    left: Term
    right: Term


@dataclass(frozen=True, slots=True)
class _Any:
    parts: tuple[_Part, ...]


@dataclass(frozen=True, slots=True)
class _All:
    parts: tuple[_Part, ...]


_Part = Literal | _Same | _Any | _All
_Body = tuple[Function, tuple[_Part, ...]]


@dataclass
class _Lowering:
    file: str
    names: set[str]
    out: list[PlainRule] = field(default_factory=list)
    literals: int = 0

    def rule(self, rule: Rule) -> None:
        body = tuple(self.part(formula, True) for formula in rule.body)
        waiting: list[_Body] = [(rule.head, body)]
        while waiting:
            head, parts = waiting.pop()
            flat = tuple(_flattened(parts))
            self.literals += len(flat)
            if self.literals > LITERAL_LIMIT:
                raise self.fail(f"the rules spread over more than {LITERAL_LIMIT} literals", rule.span)
            choices = [part for part in flat if isinstance(part, _Any)]
            if not choices:
                self.conjunction(head, flat, rule.span)
                continue
            pieces: list[_Body] = []
            if len(choices) > 1 and prod(map(_alternatives, choices)) > SPREAD_LIMIT:
                pieces = self.split(head, flat, choices)
            waiting.extend(pieces or reversed([(head, _replaced(flat, choices[0], p)) for p in choices[0].parts]))

    def part(self, formula: Formula, positive: bool) -> _Part:
        """A formula with its negations pushed to the atoms (the reader bounds how deep formulas are nested)."""
        if isinstance(formula, Not):
            return self.part(formula.part, not positive)
        if isinstance(formula, Or | And):
            parts = tuple(self.part(part, positive) for part in formula.parts)
            return _Any(parts) if isinstance(formula, Or) == positive else _All(parts)
        if formula.name != "distinct":
            return Literal(Sign.HOLDS if positive else Sign.FAILS, formula)
        if len(formula.args) != 2:
            raise self.fail(f"distinct has {len(formula.args)} arguments, expected two", formula.span)
        return Literal(Sign.DISTINCT, formula) if positive else _Same(*formula.args)

    def split(self, head: Function, flat: tuple[_Part, ...], choices: list[_Any]) -> list[_Body]:
        """The rule with a large disjunction made a relation, and the rules of that relation.

        The new relation must be safe on its own, so it takes along those atoms of the rule that bind variables
        which one of its alternatives does not bind itself. No pieces where no disjunction can be made safe so.
        """
        for choice in sorted(choices, key=_alternatives, reverse=True):
            rest = [part for part in flat if part is not choice]
            shared = _variables(choice) & variables_of(head).union(*map(_variables, rest))
            needed = {name for part in choice.parts for name in (_variables(part) | shared) - _bound(part)}
            binders = [part for part in rest if isinstance(part, Literal) and part.sign is Sign.HOLDS]
            guards = [part for part in binders if _variables(part) & needed]
            if needed <= set().union(*map(_variables, guards)):
                atom = Function(self.fresh(head.name), tuple(Variable(name) for name in sorted(shared)), head.span)
                whole = (head, _replaced(flat, choice, Literal(Sign.HOLDS, atom)))
                return [*((atom, (*guards, part)) for part in reversed(choice.parts)), whole]
        return []

    def conjunction(self, head: Function, parts: Sequence[_Part], span: Span) -> None:
        """Emits a plain rule, unless its body contradicts itself."""
        bindings: dict[str, Term] = {}
        try:
            if not all(_unify(part.left, part.right, bindings) for part in parts if isinstance(part, _Same)):
                return
        except OverflowError:
            raise self.fail(f"its equal terms grow beyond {TERM_LIMIT} symbols", span) from None
        body: dict[Literal, None] = {}
        for part in parts:
            if not isinstance(part, Literal):
                continue
            atom = _substituted(part.atom, bindings) if bindings else part.atom
            if part.sign is Sign.DISTINCT:
                if atom.args[0] == atom.args[1]:
                    return
                if _clash(atom.args[0], atom.args[1]):
                    continue
            body[Literal(part.sign, atom)] = None
        literals = list(body)
        new_head = _substituted(head, bindings) if bindings else head
        extra = [self.closed(new_head, literals, place, span) for place in range(len(literals))]
        self.out.append(PlainRule(new_head, tuple(literals), span))
        self.out.extend(rule for rule in extra if rule is not None)

    def closed(self, head: Function, literals: list[Literal], place: int, span: Span) -> PlainRule | None:
        """Gives a negated atom with a variable found nowhere else a relation of its own.

        ``(not (p ?x ?any))`` is read as provers of the field do: there is no ``?any`` such that ``(p ?x ?any)``.
        """
        literal = literals[place]
        if literal.sign is not Sign.FAILS:
            return None
        others = variables_of(head).union(*(variables_of(other.atom) for other in literals if other is not literal))
        own = variables_of(literal.atom)
        if own <= others:
            return None
        atom = Function(self.fresh(literal.atom.name), tuple(Variable(name) for name in sorted(own & others)))
        literals[place] = Literal(Sign.FAILS, atom)
        return PlainRule(atom, (Literal(Sign.HOLDS, literal.atom),), span)

    def fresh(self, name: str) -> str:
        found = next(made for number in count(1) if (made := f"{name}/{number}") not in self.names)
        self.names.add(found)
        return found

    def fail(self, message: str, span: Span) -> InputError:
        return InputError(message, file=self.file, line=span.line, column=span.column)


def _replaced(parts: tuple[_Part, ...], old: _Part, new: _Part) -> tuple[_Part, ...]:
    place = next(number for number, part in enumerate(parts) if part is old)
    return (*parts[:place], new, *parts[place + 1 :])


def _flattened(parts: Iterable[_Part]) -> Iterator[_Part]:
    for part in parts:
        if isinstance(part, _All) or (isinstance(part, _Any) and len(part.parts) == 1):
            yield from _flattened(part.parts)
        else:
            yield part


def _alternatives(part: _Part) -> int:
    """How many plain conjunctions a formula spreads over."""
    if isinstance(part, _Any):
        return sum(map(_alternatives, part.parts))
    return prod(map(_alternatives, part.parts)) if isinstance(part, _All) else 1


def _variables(part: _Part) -> set[str]:
    if isinstance(part, Literal):
        return variables_of(part.atom)
    if isinstance(part, _Same):
        return variables_of(part.left) | variables_of(part.right)
    return {name for inner in part.parts for name in _variables(inner)}


def _bound(part: _Part) -> set[str]:
    """The variables that hold a value wherever the formula holds."""
    if isinstance(part, Literal):
        return variables_of(part.atom) if part.sign is Sign.HOLDS else set()
    if isinstance(part, _All):
        return {name for inner in part.parts for name in _bound(inner)}
    if isinstance(part, _Any) and part.parts:
        return set.intersection(*map(_bound, part.parts))
    return set()


def _unify(left: Term, right: Term, bindings: dict[str, Term]) -> bool:
    """Makes two terms equal by binding variables, if that can be done (Robinson, with the occurs check)."""
    waiting = [(left, right)]
    while waiting:
        one, two = (_substituted(term, bindings) for term in waiting.pop())
        if one == two:
            continue
        if isinstance(two, Variable) and not isinstance(one, Variable):
            one, two = two, one
        if isinstance(one, Variable):
            if one.name in variables_of(two):
                return False
            _need_small(two, (), 0)
            size = sum(1 for _ in subterms(two))
            for name, term in bindings.items():
                _need_small(term, {one.name}, size)
                bindings[name] = _substituted(term, {one.name: two})
            bindings[one.name] = two
        elif isinstance(two, Function):
            if one.name != two.name or len(one.args) != len(two.args):
                return False
            waiting.extend(zip(one.args, two.args, strict=True))
    return True


def _need_small(term: Term, growing: Collection[str], size: int) -> None:
    """Raises ``OverflowError`` where a term is too large once some variables stand for terms of a size."""
    total = 0
    for part in subterms(term):
        total += size if isinstance(part, Variable) and part.name in growing else 1
        if total > TERM_LIMIT:
            raise OverflowError


def _clash(left: Term, right: Term) -> bool:
    """Whether two terms differ in a name, and so are distinct whatever their variables are."""
    if isinstance(left, Variable) or isinstance(right, Variable):
        return False
    if left.name != right.name or len(left.args) != len(right.args):
        return True
    return any(map(_clash, left.args, right.args))


@overload
def _substituted(term: Function, bindings: dict[str, Term]) -> Function: ...
@overload
def _substituted(term: Term, bindings: dict[str, Term]) -> Term: ...
def _substituted(term: Term, bindings: dict[str, Term]) -> Term:
    """The term with its variables replaced; bindings hold no variable that they bind themselves."""
    if isinstance(term, Variable):
        return bindings.get(term.name, term)
    return Function(term.name, tuple(_substituted(arg, bindings) for arg in term.args), term.span)


@dataclass(frozen=True)
class NativeProgram:
    """Plain rules as the flat arrays that ``native/gdl/datalog/program.hpp`` describes.

    Rule ``i`` has the literals ``rule_first_literal[i]`` up to ``rule_first_literal[i + 1]``.
    """

    names: list[str]
    node_name: NDArray[np.int32]
    node_first_arg: NDArray[np.uint32]
    node_arg_count: NDArray[np.uint32]
    args: NDArray[np.uint32]
    rule_head: NDArray[np.uint32]
    rule_first_literal: NDArray[np.uint32]
    rule_variables: NDArray[np.uint32]
    literal_sign: NDArray[np.uint8]
    literal_atom: NDArray[np.uint32]


def native_program(rules: Sequence[PlainRule]) -> NativeProgram:
    """Plain rules as flat arrays, every term once.

    >>> from zermelo.gdl.kif import read_kif
    >>> program = native_program(lower(read_kif("(role x) (<= (next ?f) (true ?f) (not (gone ?f)))")))
    >>> program.names, program.node_name.tolist(), program.rule_first_literal.tolist()
    (['x', 'role', 'next', 'true', 'gone'], [0, 1, -1, 2, 3, 4], [0, 0, 2])
    """
    import numpy as np

    pool = _Pool()
    heads: list[int] = []
    first, signs, atoms, variables = [0], list[int](), list[int](), list[int]()
    for rule in rules:
        numbers: dict[str, int] = {}
        heads.append(pool.node(rule.head, numbers))
        for literal in rule.body:
            signs.append(int(literal.sign))
            atoms.append(pool.node(literal.atom, numbers))
        first.append(len(atoms))
        variables.append(len(numbers))
    return NativeProgram(
        list(pool.names),
        np.array([name for name, _ in pool.nodes], np.int32),
        np.array(pool.first_arg, np.uint32),
        np.array([len(args) for _, args in pool.nodes], np.uint32),
        np.array([arg for _, args in pool.nodes for arg in args], np.uint32),
        np.array(heads, np.uint32),
        np.array(first, np.uint32),
        np.array(variables, np.uint32),
        np.array(signs, np.uint8),
        np.array(atoms, np.uint32),
    )


@dataclass
class _Pool:
    """Hash-consed terms; the arguments of a node have smaller numbers than the node."""

    names: dict[str, int] = field(default_factory=dict)
    nodes: dict[tuple[int, tuple[int, ...]], int] = field(default_factory=dict)
    first_arg: list[int] = field(default_factory=list)
    arg_count: int = 0

    def node(self, term: Term, variables: dict[str, int]) -> int:
        key: tuple[int, tuple[int, ...]]
        if isinstance(term, Variable):
            key = (-1 - variables.setdefault(term.name, len(variables)), ())
        else:
            args = tuple(self.node(arg, variables) for arg in term.args)
            key = (self.names.setdefault(term.name, len(self.names)), args)
        number = self.nodes.setdefault(key, len(self.nodes))
        if number == len(self.first_arg):
            self.first_arg.append(self.arg_count)
            self.arg_count += len(key[1])
        return number
