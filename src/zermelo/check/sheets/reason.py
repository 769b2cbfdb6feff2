"""What a rulesheet says of a state: the checker's own reasoner.

Rules are applied to sets of rows (:mod:`zermelo.check.sheets.plan`), relations in an order in which each comes after
all that it rests on: the perfect model of a stratified program (Apt, Blair and Walker 1988; Przymusinski 1988). What
rests on no fact is worked out once, what rests on the state once a state, and the rest once a step; a rule of
``next`` that does not ask for moves is applied once a state as well. A relation that turns out to be large is not
worked out as a whole, but for the keys that a set of rows asks for (queries and subqueries: Vieille 1986).

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

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any as Anything
from typing import Final

from zermelo.check.read.kif import term_of_kif
from zermelo.check.sheets.normal import All, Literal
from zermelo.check.sheets.order import MOVES, STATE, STATIC, Component, new_rows_of, order_of
from zermelo.check.sheets.plan import Key, Plan, TooManyRowsError, flat, key_of, plan_of
from zermelo.check.sheets.tables import Columns, Row, Table, Terms, getter
from zermelo.check.sheets.terms import ARITY, Sheet, text_of, variables

State = tuple[str, ...]
"""The facts of a state in KIF, sorted."""
LARGE: Final = {STATIC: 300_000, STATE: 3_000, MOVES: 3_000}
"""A relation that meets more rows than this is only worked out for the keys that are asked for."""
UNBOUNDED: Final = 1 << 62
DEEPEST_ASKED: Final = 30
"""So many relations may ask each other in a row: each takes some of Python's stack."""
KEPT_STATES: Final = 64


@dataclass
class Store:
    """The tables of one layer."""

    tables: dict[Key, Table] = field(default_factory=dict)
    asked: dict[tuple[Key, Columns], tuple[set[Anything], Table]] = field(default_factory=dict)
    made: dict[int, set[Row]] = field(default_factory=dict)
    done: set[int] = field(default_factory=set)
    ready: set[str] = field(default_factory=set)
    pairs: dict[str, dict[str, list[str]]] = field(default_factory=dict)


_NOTHING: Final = Table()


@dataclass
class _Moment:
    """The three layers of tables at one moment of play."""

    reasoner: Reasoner
    stores: tuple[Store, Store, Store]
    most: int = UNBOUNDED

    def table(self, relation: Key, keys: Columns, wanted: Callable[[], set[Anything]]) -> Table:
        if relation in self.reasoner.asked:
            return self.reasoner.answered(self, relation, keys, wanted())
        return self.stores[self.reasoner.layers.get(relation, STATIC)].tables.get(relation, _NOTHING)

    def is_asked(self, relation: Key) -> bool:
        return relation in self.reasoner.asked

    def is_there(self, relation: Key) -> bool:
        return relation in self.stores[self.reasoner.layers[relation]].tables


class Reasoner:
    """Answers what a rulesheet says of a state; roles, facts, moves and goals are texts in KIF."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet, self.terms = sheet, Terms()
        self.asked: set[Key] = set()
        self._asked_depth: dict[Key, int] = {}
        self.stated = _facts(sheet, self.terms)
        order = order_of(sheet)
        self.clauses, self.components, self.layers = order.clauses, order.components, order.layers
        self._plans: dict[tuple[int, Columns, int], Plan] = {}
        self._stating: dict[Key, list[int]] = {}
        for number, component in enumerate(self.components):
            for key in component.keys:
                self._stating.setdefault(key, []).append(number)
        self._needs = {name: self._needed((name, str(count))) for name, count in ARITY.items()}
        self._facts: dict[str, tuple[Key, Row]] = {}
        self._moves: dict[str, tuple[Key, Row]] = {}
        self._static = Store()
        self._states: dict[State, Store] = {}
        self.roles = self._roles()

    def start(self) -> State:
        """The state in which play begins."""
        return self._sorted(self._rows("init", self._at(())))

    def terminal(self, state: State) -> bool:
        """Whether play is over."""
        return bool(self._rows("terminal", self._at(state)))

    def next(self, state: State, joint: Sequence[str]) -> State:
        """The state after a joint move, one move for each role."""
        return self._sorted(self._rows("next", self._at(state, joint)))

    def pairs(self, name: str, state: State) -> Mapping[str, list[str]]:
        """For each role what ``legal`` or ``goal`` gives it in a state, sorted."""
        store = self._state(state)
        found = store.pairs.get(name)
        if found is None:
            found = {}
            for role, given in self._rows(name, self._at(state)):
                found.setdefault(role, []).append(given)
            for texts in found.values():
                texts.sort()
            store.pairs[name] = found
        return found

    def _roles(self) -> tuple[str, ...]:
        stated = [text_of(rule.head[1]) for rule in self.sheet.rules if rule.head[0] == "role" and not rule.body]
        derived = sorted(row[0] for row in self._rows("role", self._at(())))
        return tuple(dict.fromkeys([*stated, *derived]))

    @staticmethod
    def _sorted(rows: Iterable[Row]) -> State:
        return tuple(sorted(row[0] for row in rows))

    def _state(self, state: State) -> Store:
        store = self._states.get(state)
        if store is None:
            if len(self._states) >= KEPT_STATES:
                del self._states[next(iter(self._states))]
            store = self._states[state] = Store()
            rows: dict[Key, list[Row]] = {}
            for fact in state:
                key, arguments = self._facts[fact] if fact in self._facts else self._parts("true", fact)
                if key in rows:
                    rows[key].append(arguments)
                else:
                    rows[key] = [arguments]
            store.tables = {key: Table(found) for key, found in rows.items()}
            if ("true", "1") in self.layers:
                store.tables["true", "1"] = Table((fact,) for fact in state)
        return store

    def _parts(self, name: str, text: str) -> tuple[Key, Row]:
        """Where a fact or move is found, and its row there (that of a move after the role)."""
        kept = self._facts if name == "true" else self._moves
        found = kept.get(text)
        if found is None:
            if text.startswith("(") and text not in self.terms.parts:
                self.terms.text(term_of_kif(text) or text)
            function, arguments = self.terms.parts.get(text, (text, ()))
            found = kept[text] = ((name, function, str(len(arguments))), arguments)
        return found

    def _at(self, state: State, joint: Sequence[str] = ()) -> _Moment:
        moves = Store()
        if joint:
            for role, move in zip(self.roles, joint, strict=True):
                key, arguments = self._parts("does", move)
                moves.tables.setdefault(key, Table()).rows.add((role, *arguments))
            moves.tables["does", "2"] = Table(zip(self.roles, joint, strict=True))
        return _Moment(self, (self._static, self._state(state), moves))

    def _rows(self, name: str, moment: _Moment) -> set[Row]:
        """The rows of a relation with a meaning, worked out with all that they rest on."""
        try:
            for store, numbers in zip(moment.stores, self._needs[name], strict=True):
                if name not in store.ready:
                    for number in numbers:
                        if number not in store.done:
                            self._work_out(self.components[number], moment)
                            store.done.add(number)
                    store.ready.add(name)
        except BaseException:
            # Whatever interrupts (a limit, Ctrl-C): no table that is half full may be asked again.
            self._static = Store()
            self._states.clear()
            raise
        key = (name, str(ARITY[name]))
        return moment.stores[self.layers.get(key, STATIC)].tables.get(key, _NOTHING).rows

    def _needed(self, key: Key) -> tuple[list[int], list[int], list[int]]:
        """The components that a relation rests on, by layer, each in the order in which they are worked out."""
        found: set[int] = set()
        waiting = [key]
        while waiting:
            for number in self._stating.get(waiting.pop(), ()):
                if number not in found:
                    found.add(number)
                    waiting.extend(self.components[number].uses)
        static, state, moves = (
            sorted(n for n in found if self.components[n].layer == layer) for layer in (STATIC, STATE, MOVES)
        )
        return static, state, moves

    def _work_out(self, component: Component, moment: _Moment) -> None:
        tables = moment.stores[component.layer].tables
        if not self.asked.isdisjoint(component.keys):
            return
        for key in component.keys:
            if key not in tables:
                tables[key] = Table(self.stated.get(key, ()))
        if component.recursive:
            self._repeat(component, moment)
            return
        moment.most = LARGE[component.layer] if self._may_be_asked(component) else UNBOUNDED
        try:
            for number in component.clauses:
                table = tables[self.clauses[number].key]
                table.add(self._applied(number, moment) - table.rows)
        except TooManyRowsError:
            self.asked.update(component.keys)
        finally:
            moment.most = UNBOUNDED

    def _may_be_asked(self, component: Component) -> bool:
        """Whether a relation may be worked out for single keys: not those that play itself asks for."""
        (key, *others) = component.keys
        if key not in self._asked_depth:
            below = max((self._asked_depth.get(used, 0) for used in component.uses), default=0)
            self._asked_depth[key] = 1 + below
        return not others and component.whole and key[0] not in ARITY and self._asked_depth[key] <= DEEPEST_ASKED

    def _applied(self, number: int, moment: _Moment) -> set[Row]:
        """The rows of a clause; kept with the layer that the clause itself rests on."""
        kept = moment.stores[self.clauses[number].layer].made
        found = kept.get(number)
        if found is None:
            found = kept[number] = self._plan(number, moment).rows(moment)
        return found

    def answered(self, moment: _Moment, key: Key, columns: Columns, wanted: set[Anything]) -> Table:
        """A table that has the rows of a large relation with wanted values in some columns."""
        known, table = moment.stores[self.layers[key]].asked.setdefault((key, columns), (set(), Table()))
        missing = wanted - known
        if missing:
            most, moment.most = moment.most, UNBOUNDED
            given = [(value,) for value in missing] if len(columns) == 1 else list(missing)
            pick = getter(columns)
            found = {row for row in self.stated.get(key, ()) if pick(row) in missing}
            for component in self._stating[key]:
                for number in self.components[component].clauses:
                    found |= self._plan(number, moment, columns).rows(moment, given)
            table.add(found - table.rows)
            known |= missing
            moment.most = most
        return table

    def _repeat(self, component: Component, moment: _Moment) -> None:
        """Applies clauses until they find nothing new; after the first round, to new rows only (semi-naive)."""
        tables = moment.stores[component.layer].tables
        found: dict[Key, set[Row]] = {key: set() for key in component.keys}
        for number in component.clauses:
            found[self.clauses[number].key] |= self._plan(number, moment).rows(moment)
        fresh = True
        while fresh:
            fresh = False
            for key in component.keys:
                rows = found[key] - tables[key].rows
                tables[key].add(rows)
                tables[new_rows_of(key)] = Table(rows)
                fresh = fresh or bool(rows)
            found = {key: set() for key in component.keys}
            for number in component.clauses if fresh else ():
                clause = self.clauses[number]
                for spot in clause.spots:
                    found[clause.key] |= self._plan(number, moment, (), spot).rows(moment)
                if clause.again:
                    found[clause.key] |= self._plan(number, moment).rows(moment)

    def _plan(self, number: int, moment: _Moment, given: Columns = (), spot: int = -1) -> Plan:
        plan = self._plans.get((number, given, spot))
        if plan is None:
            clause = self.clauses[number]
            body, first = clause.body, None
            if spot >= 0:
                parts = list(flat(clause.body))
                chosen = parts.pop(spot)
                assert isinstance(chosen, Literal)
                body, first = All((chosen, *parts)), new_rows_of(key_of(chosen.atom)[0])
            plan = plan_of(clause.head, body, self.terms, moment, given, first)
            self._plans[number, given, spot] = plan
        return plan


def _facts(sheet: Sheet, terms: Terms) -> dict[Key, set[Row]]:
    """The rows that the sheet states without a condition."""
    facts: dict[Key, set[Row]] = {}
    for rule in sheet.rules:
        if not rule.body:
            if variables(rule.head):
                raise sheet.fault("a variable in a fact, expected a ground fact", rule)
            facts.setdefault(key_of(rule.head)[0], set()).add(tuple(map(terms.text, rule.head[1:])))
    return facts
