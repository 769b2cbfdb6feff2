"""The reference reasoner: what a rulesheet says of one state, in plain Python.

Everything else that plays rulesheets is tested against it, and certificates are checked with it. It computes the
relations of the rulesheet bottom-up, component by component (semi-naive evaluation of stratified programs: Ullman,
Principles of Database and Knowledge-Base Systems, 1988), but only those that a question needs: relations that do not
depend on the state once, those that depend on the state once for each state, those that depend on the moves once for
each step.

>>> from zermelo.gdl.kif import read_kif
>>> rules = '''(role you) (init (left 3)) (less 3 2) (less 2 1) (less 1 0)
... (<= (legal you take) (true (left ?n)) (less ?n ?m))
... (<= (next (left ?m)) (does you take) (true (left ?n)) (less ?n ?m))
... (<= terminal (true (left 0)))   (<= (goal you 100) terminal)'''
>>> reasoner = Reasoner(read_kif(rules))
>>> reasoner.roles, reasoner.start(), reasoner.legal(("(left 3)",), "you")
(('you',), ('(left 3)',), ['take'])
>>> reasoner.next(("(left 1)",), ("take",)), reasoner.terminal(("(left 0)",)), reasoner.goals(("(left 0)",), "you")
(('(left 0)',), True, ['100'])
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import prod
from typing import Final

from zermelo.brief import introduced, shown_in_brief
from zermelo.errors import GameError, InputError
from zermelo.gdl.demand import DemandTable
from zermelo.gdl.join import Ground, Join, Row, Table, compile_rule, estimate
from zermelo.gdl.kif import read_term
from zermelo.gdl.lower import Literal, PlainRule, Sign, lower
from zermelo.gdl.strata import Component, Layer, Relation, components, relation_of
from zermelo.gdl.syntax import KEYWORDS, MAX_DEPTH, Function, Rulesheet, Span, Term, Variable, variables_of

State = tuple[str, ...]
"""The facts of a state as KIF text, sorted, each once: equal exactly for equal states."""
TERM_SYMBOLS: Final = 4096
"""A term of more symbols, or nested deeper than a rulesheet may be, is taken for one that grows without end."""
LARGE: Final[Mapping[Layer, int]] = {Layer.STATIC: 300_000, Layer.STATE: 3_000, Layer.MOVES: 3_000}
"""Relations with more rows than this are only computed where they are looked at; static ones are computed once."""
DEEPEST_DEMAND: Final = 40
"""So many relations may ask each other in a row: each takes some of Python's stack."""
KEPT_STATES: Final = 16
"""How many states the reasoner remembers the relations of."""


class Reasoner:
    """Answers what a rulesheet says of a state. Roles, facts, moves, goals and percepts are KIF text.

    A rule whose variables are not bound by atoms that hold, and negation through recursion, raise
    :class:`InputError` with the place of the rule.
    """

    _repr_html_ = shown_in_brief

    def __init__(self, sheet: Rulesheet):
        self.sheet = sheet
        self.rules = lower(sheet)
        self.large: Mapping[Layer, int] = LARGE
        self._components = components(self.rules)
        self._where: dict[Relation, list[int]] = {}
        for number, component in enumerate(self._components):
            _check(component, sheet.file)
            for relation in component.relations:
                self._where.setdefault(relation, []).append(number)
        self._joins: dict[tuple[int, int, int | tuple[int, ...] | None], Join] = {}
        self._asked: dict[int, bool] = {}
        self._asked_depth: dict[int, int] = {}
        self._needs: dict[Relation, list[int]] = {}
        self._texts: dict[Ground, str] = {}
        self._grounds: dict[str, Ground] = {}
        self._static = _Layered(Layer.STATIC, {})
        self._states: dict[State, _Layered] = {}
        self.roles: tuple[str, ...] = ()
        self.roles = self._roles()

    def __repr__(self) -> str:
        return introduced(self, f"roles {' '.join(self.roles)}")

    def start(self) -> State:
        """The state in which play begins."""
        return self._sorted(row[0] for row in self._rows(("init", 1), self._moves(())))

    def terminal(self, state: State) -> bool:
        """Whether play is over in a state."""
        return bool(self._rows(("terminal", 0), self._store(("terminal", 0), state)))

    def legal(self, state: State, role: str) -> list[str]:
        """The moves of a role, sorted by their text; also where play is over."""
        return self._answers(("legal", 2), self._store(("legal", 2), state), role)

    def goals(self, state: State, role: str) -> list[str]:
        """The goal values of a role in a state, smallest first: one where the rules are as they should be."""
        found = self._answers(("goal", 2), self._store(("goal", 2), state), role)
        return sorted(found, key=lambda text: (0, int(text), text) if _is_number(text) else (1, 0, text))

    def next(self, state: State, joint: Sequence[str]) -> State:
        """The state after a joint move, one move for each role; that the moves are legal is not checked."""
        return self._sorted(row[0] for row in self._rows(("next", 1), self._moves(state, joint)))

    def sees(self, state: State, joint: Sequence[str], role: str) -> list[str]:
        """What a role perceives of a step (GDL-II), sorted by text."""
        return self._answers(("sees", 2), self._moves(state, joint), role)

    def holds(self, name: str, state: State, joint: Sequence[str] = ()) -> list[str]:
        """All atoms of a relation that hold in a state, sorted by text; with a joint move, in that step.

        >>> from zermelo.gdl.kif import read_kif
        >>> Reasoner(read_kif("(edge a b) (edge b c) (role x)")).holds("edge", ())
        ['(edge a b)', '(edge b c)']
        """
        store = self._moves(state, joint)
        found = [relation for relation in self._where if relation[0] == name]
        rows = [row for relation in found for row in self._rows(relation, store)]
        return sorted(self.text((name, *row) if row else name) for row in rows)

    def has(self, name: str) -> bool:
        """Whether the rules speak of a relation of that name."""
        return any(relation[0] == name for relation in self._where)

    def text(self, term: Ground) -> str:
        """The KIF text of a ground term."""
        found = self._texts.get(term)
        if found is None:
            if _is_too_large(term):
                message = f"terms grow beyond {TERM_SYMBOLS} symbols or {MAX_DEPTH} levels"
                raise GameError(message, file=self.sheet.file)
            found = self._texts[term] = _written(term)
            self._grounds[found] = term
        return found

    def ground(self, text: str) -> Ground:
        """The ground term that a text states."""
        found = self._grounds.get(text)
        if found is None:
            found = self._grounds[text] = _ground(read_term(text))
        return found

    def _roles(self) -> tuple[str, ...]:
        stated = [
            str(rule.head.args[0]) for rule in self.rules if relation_of(rule.head) == ("role", 1) and not rule.body
        ]
        derived = sorted(self.text(row[0]) for row in self._rows(("role", 1), self._moves(())))
        return tuple(dict.fromkeys([*stated, *derived]))

    def _sorted(self, terms: Iterable[Ground]) -> State:
        return tuple(sorted(map(self.text, terms)))

    def _answers(self, relation: Relation, store: _Layered, role: str) -> list[str]:
        """The second arguments of a relation whose first is the role."""
        found = store.answers.get(relation)
        if found is None:
            found = {}
            for first, second in self._rows(relation, store):
                found.setdefault(self.text(first), []).append(self.text(second))
            for texts in found.values():
                texts.sort()
            store.answers[relation] = found
        return list(found.get(role, ()))

    def _state(self, state: State) -> _Layered:
        store = self._states.get(state)
        if store is None:
            if len(self._states) >= KEPT_STATES:
                self._states.pop(next(iter(self._states)))
            rows: set[Row] = {(self.ground(fact),) for fact in state}
            store = self._states[state] = _Layered(Layer.STATE, {("true", 1): Table(rows)}, self._static)
        return store

    def _moves(self, state: State, joint: Sequence[str] = ()) -> _Layered:
        if joint and len(joint) != len(self.roles):
            raise GameError(f"a joint move of {len(joint)} moves, expected {len(self.roles)}", file=self.sheet.file)
        rows: set[Row] = {(self.ground(role), self.ground(move)) for role, move in zip(self.roles, joint, strict=False)}
        return _Layered(Layer.MOVES, {("does", 2): Table(rows)}, self._state(state))

    def _store(self, relation: Relation, state: State) -> _Layered:
        """Where a question about a state alone is answered: nobody moves, should the relation ask for moves."""
        numbers = self._where.get(relation, ())
        moves = any(self._components[number].layer is Layer.MOVES for number in numbers)
        return self._moves(state) if moves else self._state(state)

    def _rows(self, relation: Relation, store: _Layered) -> set[Row]:
        """The rows of a relation, computed with all that it needs."""
        if relation not in self._where:
            return set()
        try:
            return self._computed(relation, store)
        except BaseException:
            # Whatever interrupts (a time limit, Ctrl-C), no table that is half full may be asked again.
            self._static = _Layered(Layer.STATIC, {})
            self._states.clear()
            raise

    def _computed(self, relation: Relation, store: _Layered) -> set[Row]:
        for number in self._needed(relation):
            layer = store.at(self._components[number].layer)
            if number not in layer.done:
                self._compute(number, layer)
                layer.done.add(number)
        table = store.find(relation)
        return table.complete().rows if table else set()

    def _needed(self, relation: Relation) -> list[int]:
        """The components that a relation rests on, in the order in which they can be computed."""
        found = self._needs.get(relation)
        if found is None:
            needed: set[int] = set()
            waiting = list(self._where[relation])
            while waiting:
                number = waiting.pop()
                if number not in needed:
                    needed.add(number)
                    waiting.extend(self._components[number].uses)
            found = self._needs[relation] = sorted(needed)
        return found

    def _compute(self, number: int, store: _Layered) -> None:
        component = self._components[number]
        if self._is_asked(number, store):
            relation = component.relations[0]
            ask = partial(self._ask, number, store)
            store.tables[relation] = DemandTable(
                relation[1], ask, lambda: Table(self._derived(number, store)[relation])
            )
            return
        for relation in component.relations:
            store.tables.setdefault(relation, Table())
        if component.recursive:
            self._compute_recursive(number, store)
            return
        for relation, rows in self._derived(number, store).items():
            store.tables[relation].add(rows)

    def _derived(self, number: int, store: _Layered) -> dict[Relation, set[Row]]:
        """All rows of a component that is not recursive."""
        component = self._components[number]
        found: dict[Relation, set[Row]] = {relation: set() for relation in component.relations}
        for place, rule in enumerate(component.rules):
            tables = self._tables(rule, store)
            self._join(number, place, rule, tables)(tables, found[relation_of(rule.head)])
        return found

    def _ask(self, number: int, store: _Layered, places: tuple[int, ...], values: Row) -> set[Row]:
        """The rows of a relation with the given values at the given places."""
        asked = Table({values})
        found: set[Row] = set()
        for place, rule in enumerate(self._components[number].rules):
            question = Literal(Sign.HOLDS, Function("asked", tuple(rule.head.args[at] for at in places)))
            tables = [asked, *self._tables(rule, store)]
            join = self._joins.get((number, place, places))
            if join is None:
                join = compile_rule(PlainRule(rule.head, (question, *rule.body), rule.span), tables, 0)
                self._joins[number, place, places] = join
            join(tables, found)
        return found

    def _is_asked(self, number: int, store: _Layered) -> bool:
        """Whether a relation is so large that its rows are only computed where they are looked at.

        That is estimated in the first state in which the relation is needed.
        """
        found = self._asked.get(number)
        if found is None:
            component = self._components[number]
            name = component.relations[0]
            depth = 1 + max((self._asked_depth[below] for below in component.uses), default=0)
            found = (
                not component.recursive
                and bool(component.rules)
                and self._where[name] == [number]
                and name[0] not in KEYWORDS
                and depth <= DEEPEST_DEMAND
                and self._rows_exceed(component.rules, store, self.large[component.layer])
            )
            self._asked[number] = found
            self._asked_depth[number] = depth if found else depth - 1
        return found

    def _rows_exceed(self, rules: Sequence[PlainRule], store: _Layered, limit: int) -> bool:
        """Whether rules seem to give more rows than the limit; the product of their tables' sizes is asked first."""
        for rule in rules:
            tables = self._tables(rule, store)
            sizes = (t.size() for t, literal in zip(tables, rule.body, strict=True) if literal.sign is Sign.HOLDS)
            if prod(sizes) > limit // len(rules) and estimate(rule, tables) > limit / len(rules):
                return True
        return False

    def _tables(self, rule: PlainRule, store: _Layered) -> list[Table]:
        return [store.table(relation_of(literal.atom)) for literal in rule.body]

    def _compute_recursive(self, number: int, store: _Layered) -> None:
        """Semi-naive: after the first round, a rule is only applied to what the round before found new."""
        component = self._components[number]
        heads = [relation_of(rule.head) for rule in component.rules]
        grows = any(
            isinstance(arg, Function) and variables_of(arg) for rule in component.rules for arg in rule.head.args
        )
        variants: list[tuple[int, int | None]] = [(place, None) for place in range(len(heads))]
        again: list[tuple[int, int | None]] = [
            (place, spot)
            for place, rule in enumerate(component.rules)
            for spot, literal in enumerate(rule.body)
            if literal.sign is Sign.HOLDS and relation_of(literal.atom) in component.relations
        ]
        fresh: dict[Relation, Table] = {}
        while True:
            found: dict[Relation, set[Row]] = {relation: set() for relation in component.relations}
            for place, spot in variants:
                rule = component.rules[place]
                tables = self._tables(rule, store)
                if spot is not None:
                    tables[spot] = fresh[relation_of(rule.body[spot].atom)]
                    if not tables[spot].rows:
                        continue
                self._join(number, place, rule, tables, spot)(tables, found[heads[place]])
            for relation, rows in found.items():
                rows.difference_update(store.tables[relation].rows)
                if grows and any(_is_too_large(term) for row in rows for term in row):
                    span = component.rules[heads.index(relation)].span
                    raise _fail(f"the terms of {relation[0]} grow without end", self.sheet.file, span)
                store.tables[relation].add(rows)
            if not any(found.values()):
                return
            fresh = {relation: Table(rows) for relation, rows in found.items()}
            variants = again

    def _join(self, number: int, place: int, rule: PlainRule, tables: Sequence[Table], spot: int | None = None) -> Join:
        key = (number, place, spot)
        found = self._joins.get(key)
        if found is None:
            found = self._joins[key] = compile_rule(rule, tables, spot)
        return found


@dataclass
class _Layered:
    """The tables that belong to nothing, to a state or to a step, each above those of the layer before."""

    layer: Layer
    tables: dict[Relation, Table]
    below: _Layered | None = None
    done: set[int] = field(default_factory=set)
    answers: dict[Relation, dict[str, list[str]]] = field(default_factory=dict)

    def find(self, relation: Relation) -> Table | None:
        here: _Layered | None = self
        while here is not None:
            if relation in here.tables:
                return here.tables[relation]
            here = here.below
        return None

    def table(self, relation: Relation) -> Table:
        return self.find(relation) or Table()  # distinct has none

    def at(self, layer: Layer) -> _Layered:
        """The layer to which a relation belongs."""
        here = self
        while here.layer > layer and here.below is not None:
            here = here.below
        return here


def _check(component: Component, file: str) -> None:
    """Refuses rules that cannot be evaluated: unbound variables, negation through recursion."""
    for rule in component.rules:
        bound = {name for literal in rule.body if literal.sign is Sign.HOLDS for name in variables_of(literal.atom)}
        parts = [rule.head, *(literal.atom for literal in rule.body if literal.sign is not Sign.HOLDS)]
        for part in parts:
            loose = sorted(variables_of(part) - bound)
            if loose:
                message = f"unsafe rule: ?{loose[0]} in {part} stands in no atom of the body that must hold"
                raise _fail(message, file, rule.span)
    if component.contradiction is not None:
        names = " and ".join(sorted({name for name, _ in component.relations}))
        message = f"not stratified: the meaning of {names} depends on its own negation"
        raise _fail(message, file, component.contradiction.span)


def _fail(message: str, file: str, span: Span) -> InputError:
    return InputError(message, file=file, line=span.line, column=span.column)


def _is_number(text: str) -> bool:
    return text.isascii() and text.removeprefix("-").isdigit()


def _is_too_large(term: Ground) -> bool:
    """Whether a term has more symbols or levels than terms may have, looked at no further than that."""
    if isinstance(term, str):
        return False
    waiting: list[tuple[Ground, int]] = [(term, 1)]
    seen = 0
    while waiting:
        here, depth = waiting.pop()
        if isinstance(here, tuple):
            seen += len(here)
            if seen > TERM_SYMBOLS or depth > MAX_DEPTH:
                return True
            waiting.extend((part, depth + 1) for part in here)
    return False


def _written(term: Ground) -> str:
    """The KIF text of a term, by a stack of our own."""
    out: list[str] = []
    waiting: list[Ground] = [term]
    while waiting:
        here = waiting.pop()
        if isinstance(here, str):
            out.append(here)
        else:
            out.append("(")
            waiting.append(")")
            waiting.extend(reversed(here))
    text = " ".join(out)
    return text.replace("( ", "(").replace(" )", ")")


def _ground(term: Term) -> Ground:
    if isinstance(term, Variable):
        raise TypeError("a ground term was expected")
    return (term.name, *map(_ground, term.args)) if isinstance(term, Function) and term.args else term.name
