"""What a rulesheet says of a state: the checker's own reasoner.

Rules are applied to sets of rows (:mod:`zermelo.check.sheets.join`), relations in an order in which each comes after
all that it rests on: the perfect model of a stratified program (Apt, Blair and Walker 1988; Przymusinski 1988). What
rests on no fact is worked out once, what rests on the state once a state, and the rest once a step; a rule of ``next``
that does not ask for moves is applied once a state as well.

>>> from zermelo.check.read.kif import rules_of_kif
>>> from zermelo.check.sheets.terms import Sheet
>>> rules = '''(role you) (init (left 3)) (less 3 2) (less 2 1) (less 1 0)
... (<= (legal you take) (true (left ?n)) (less ?n ?m))
... (<= (next (left ?m)) (does you take) (true (left ?n)) (less ?n ?m))
... (<= terminal (true (left 0)))   (<= (goal you 100) terminal)'''
>>> reasoner = Reasoner(Sheet(tuple(rules_of_kif(rules, "small.kif"))))
>>> reasoner.roles, reasoner.start(), reasoner.pairs("legal", ("(left 3)",))
(('you',), ('(left 3)',), {'you': ['take']})
>>> reasoner.next(("(left 1)",), ("take",)), reasoner.terminal(("(left 0)",)), reasoner.pairs("goal", ("(left 0)",))
(('(left 0)',), True, {'you': ['100']})
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from zermelo.check.read.kif import term_of_kif
from zermelo.check.sheets.join import Key, Look, Plan, Row, Table, key_of, plan_of
from zermelo.check.sheets.terms import ARITY, DEEPEST, Atom, Literal, Rule, Sheet, Term, text_of, variables
from zermelo.check.sheets.valid import Circles
from zermelo.errors import GameError

State = tuple[str, ...]
"""The facts of a state in KIF, sorted."""
STATIC, STATE, MOVES = range(3)
"""What a relation rests on: no fact, the state, or the moves as well."""
MOST_SYMBOLS: Final = 4096
"""A term of more symbols, or nested deeper than in a rulesheet, is taken for one that grows without end."""
KEPT_STATES: Final = 64
_NOTHING: Final = Table()


@dataclass(frozen=True)
class Clause:
    """A rule with one of its alternatives as the body."""

    rule: Rule
    body: tuple[Literal, ...]
    layer: int

    @property
    def key(self) -> Key:
        """The table that it adds to."""
        return key_of(self.rule.head)[0]


@dataclass(frozen=True)
class Component:
    """Clauses, by number, that are applied together; ``own`` are the tables that they add to."""

    clauses: tuple[int, ...]
    own: tuple[Key, ...]
    uses: frozenset[Key]
    layer: int
    recursive: bool


@dataclass
class Store:
    """The tables of one layer: those that are full, and the rows of each clause that rests on this layer."""

    tables: dict[Key, Table] = field(default_factory=dict)
    made: dict[int, set[Row]] = field(default_factory=dict)
    done: set[int] = field(default_factory=set)
    pairs: dict[str, dict[str, list[str]]] = field(default_factory=dict)


Stores = tuple[Store, Store, Store]
"""What is known of the rules, of a state and of the moves in it."""


class Reasoner:
    """Answers what a rulesheet says of a state; roles, facts, moves and goals are texts in KIF."""

    def __init__(self, sheet: Sheet) -> None:
        self.clauses: list[Clause] = []
        self.components: list[Component] = []
        self.layers: dict[Key, int] = {}
        self._stated = _facts(sheet)
        circles = Circles(sheet)
        for rules in circles.groups:
            layer = max((self._layer(one) for rule in rules for one in rule.literals), default=STATIC)
            for key in (key_of(rule.head)[0] for rule in rules):
                self.layers[key] = self.layers[new_rows_of(key)] = layer
            self.components += [self._component(stratum, layer) for stratum in circles.strata(rules)]
        self._needs = {name: self._needed((name, str(count))) for name, count in ARITY.items()}
        self._plans: dict[tuple[int, int | None], Plan] = {}
        self._terms: dict[str, Term] = {}
        self._written: dict[Term, str] = {}
        self._static = Store()
        self._states: dict[State, Store] = {}
        self.roles: tuple[str, ...] = ()
        stated = [text_of(rule.head[1]) for rule in sheet.rules if rule.head[0] == "role" and not rule.body]
        derived = sorted(text for (text,) in self._texts("role", ()))
        self.roles = tuple(dict.fromkeys([*stated, *derived]))

    def start(self) -> State:
        """The state in which play begins."""
        return tuple(sorted(text for (text,) in self._texts("init", ())))

    def terminal(self, state: State) -> bool:
        """Whether play is over."""
        return any(True for _ in self._texts("terminal", state))

    def next(self, state: State, joint: Sequence[str]) -> State:
        """The state after a joint move, one move for each role."""
        return tuple(sorted(text for (text,) in self._texts("next", state, joint)))

    def pairs(self, name: str, state: State) -> Mapping[str, list[str]]:
        """For each role what ``legal`` or ``goal`` gives it in a state, sorted."""
        kept = self._state(state).pairs
        if name not in kept:
            found: dict[str, list[str]] = {}
            for role, given in self._texts(name, state):
                found.setdefault(role, []).append(given)
            kept[name] = {role: sorted(texts) for role, texts in found.items()}
        return kept[name]

    # The order

    def _layer(self, literal: Literal) -> int:
        """What the table that a literal asks for rests on; those of the same group do not count before it is known."""
        key = key_of(literal.atom)[0]
        if key[0] in ("true", "does"):
            self.layers[key] = STATE if key[0] == "true" else MOVES
        return self.layers.get(key, STATIC)

    def _component(self, rules: Sequence[Rule], layer: int) -> Component:
        first = len(self.clauses)
        for rule in rules:
            for body in rule.alternatives:
                rests = max((self._layer(literal) for literal in body), default=STATIC)
                self.clauses.append(Clause(rule, body, rests))
        new = self.clauses[first:]
        uses = frozenset(key_of(literal.atom)[0] for clause in new for literal in clause.body)
        own = tuple(dict.fromkeys(key_of(rule.head)[0] for rule in rules))
        recursive = any(one.binds and key_of(one.atom)[0] in own for clause in new for one in clause.body)
        return Component(tuple(range(first, len(self.clauses))), own, uses, layer, recursive)

    def _needed(self, key: Key) -> list[int]:
        """The components that a relation rests on, in the order in which they are worked out."""
        stating: dict[Key, list[int]] = {}
        for number, component in enumerate(self.components):
            for own in component.own:
                stating.setdefault(own, []).append(number)
        found: set[int] = set()
        waiting = [key]
        while waiting:
            for number in stating.get(waiting.pop(), ()):
                if number not in found:
                    found.add(number)
                    waiting.extend(self.components[number].uses)
        return sorted(found)

    # What is asked

    def _texts(self, name: str, state: State, joint: Sequence[str] = ()) -> Iterator[tuple[str, ...]]:
        """The rows of a relation with a meaning, as texts."""
        moves = zip(self.roles, map(self._term, joint), strict=True) if joint else ()
        stores = (self._static, self._state(state), Store(_tables(("does", role, move) for role, move in moves)))
        for row in self._rows(name, stores):
            yield tuple(map(self._text, row))

    def _state(self, state: State) -> Store:
        store = self._states.get(state)
        if store is None:
            if len(self._states) >= KEPT_STATES:
                del self._states[next(iter(self._states))]
            store = self._states[state] = Store(_tables(("true", self._term(fact)) for fact in state))
        return store

    def _term(self, text: str) -> Term:
        """The term of a fact or move."""
        if text not in self._terms:
            self._terms[text] = term_of_kif(text) or text
        return self._terms[text]

    def _text(self, term: Term) -> str:
        """The text of a fact, move or goal."""
        if isinstance(term, str):
            return term
        text = self._written.get(term)
        if text is None:
            _need_small(term)
            text = self._written[term] = text_of(term)
            self._terms[text] = term
        return text

    # How it is worked out

    def _rows(self, name: str, stores: Stores) -> set[Row]:
        """The rows of a relation with a meaning, worked out with all that they rest on."""
        try:
            for number in self._needs[name]:
                component = self.components[number]
                if number not in (done := stores[component.layer].done):
                    self._work_out(component, stores)
                    done.add(number)
        except BaseException:
            # Whatever interrupts (a limit, Ctrl-C): no table that is half full may be asked again.
            self._static = Store()
            self._states.clear()
            raise
        return self._look(stores)((name, str(ARITY[name]))).rows

    def _look(self, stores: Stores) -> Look:
        layers = self.layers

        def look(key: Key) -> Table:
            table = stores[layers[key]].tables.get(key) if key in layers else None
            return self._stated.get(key, _NOTHING) if table is None else table

        return look

    def _work_out(self, component: Component, stores: Stores) -> None:
        look, tables = self._look(stores), stores[component.layer].tables
        for key in component.own:
            if key not in tables:
                tables[key] = Table(self._stated.get(key, _NOTHING).rows)
        if component.recursive:
            self._repeat(component, look, tables)
            return
        for number in component.clauses:
            kept, table = stores[self.clauses[number].layer].made, tables[self.clauses[number].key]
            if number not in kept:
                kept[number] = self._plan(number, look).rows(look)
            table.add(kept[number] - table.rows)

    def _repeat(self, component: Component, look: Look, tables: dict[Key, Table]) -> None:
        """Applies clauses until they find nothing new; after the first round, to new rows only (semi-naive)."""
        found: dict[Key, set[Row]] = {key: set() for key in component.own}
        for number in component.clauses:
            found[self.clauses[number].key] |= self._plan(number, look).rows(look)
        rounds = 0
        while any(found[key] - tables[key].rows for key in component.own):
            rounds += 1
            for key in component.own:
                rows = found[key] - tables[key].rows
                tables[key].add(rows)
                tables[new_rows_of(key)] = Table(rows)
                for term in (term for row in rows for term in row if rounds > DEEPEST):
                    _need_small(term)
            found = {key: set() for key in component.own}
            for number in component.clauses:
                for spot, literal in enumerate(self.clauses[number].body):
                    if literal.binds and key_of(literal.atom)[0] in component.own:
                        found[self.clauses[number].key] |= self._plan(number, look, spot).rows(look)

    def _plan(self, number: int, look: Look, spot: int | None = None) -> Plan:
        """The plan of a clause; with a spot, the one that begins there with the rows that are new."""
        if (number, spot) not in self._plans:
            clause, body, first = self.clauses[number], self.clauses[number].body, None
            if spot is not None:
                body, first = (body[spot], *body[:spot], *body[spot + 1 :]), new_rows_of(key_of(body[spot].atom)[0])
            self._plans[number, spot] = plan_of(clause.rule.head, body, look, first)
        return self._plans[number, spot]


def new_rows_of(key: Key) -> Key:
    """Where the rows are kept that the last round of a recursion found new.

    >>> new_rows_of(("reach", "2"))
    ('new reach', '2')
    """
    return (f"new {key[0]}", *key[1:])


def _tables(atoms: Iterable[Atom]) -> dict[Key, Table]:
    """Ground atoms as tables: facts and moves by their function, and as a whole as well."""
    rows: dict[Key, list[Row]] = {}
    for atom in atoms:
        key, row = key_of(atom)
        rows.setdefault(key, []).append(row)
        if len(key) == 3:
            rows.setdefault((str(atom[0]), str(len(atom) - 1)), []).append(atom[1:])
    return {key: Table(found) for key, found in rows.items()}


def _facts(sheet: Sheet) -> dict[Key, Table]:
    """The rows that the sheet states without a condition."""
    for rule in sheet.rules:
        if not rule.body and variables(rule.head):
            raise sheet.fault("a variable in a fact, expected a ground fact", rule)
    return _tables(rule.head for rule in sheet.rules if not rule.body)


def _need_small(term: Term) -> None:
    """``GameError`` for a term that is larger than any should be."""
    waiting, symbols = [(term, 0)], 0
    while waiting:
        here, depth = waiting.pop()
        symbols += 1
        if symbols > MOST_SYMBOLS or depth > DEEPEST:
            raise GameError(f"terms of {term[0]} grow beyond {MOST_SYMBOLS} symbols or {DEEPEST} levels")
        if isinstance(here, tuple):
            waiting += [(part, depth + 1) for part in here[1:]]
