"""What a rulesheet says of a state: the checker's own reasoner.

A relation is worked out when it is asked for, only for the arguments that are asked about, and for all of these at once
(query-subquery: Vieille 1986). Relations in circles, and those on which long chains of others rest, are worked out as a
whole and beforehand, each after all that it rests on: the perfect model of a stratified program (Apt, Blair and Walker
1988; Przymusinski 1988). What rests on no fact is kept for ever, what rests on the state as long as the state is.

>>> from zermelo.check.read.kif import rules_of_kif
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

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

from zermelo.check.read.kif import ground_term
from zermelo.check.sheets.plan import NEW, Index, Mode, Plan, Row, picker, split
from zermelo.check.sheets.rules import Body, Rule, Sheet
from zermelo.check.sheets.terms import ARITY, DEEPEST, Atom, Relation, Term, relation_of, text_of
from zermelo.check.sheets.valid import Order, in_circle, reached
from zermelo.errors import GameError

State = tuple[str, ...]
"""The facts of a state in KIF, sorted."""
STATIC, STATE, MOVES = range(3)
"""What a relation rests on: no fact, the state, or the moves as well."""
MOST_SYMBOLS: Final = 4096
"""A term of more symbols, or nested deeper than in a rulesheet, is taken for one that grows without end."""
KEPT_STATES: Final = 64
MOST_NESTED: Final = 32
"""Relations that may ask one another before one of them is worked out as a whole."""


class Clause:
    """A head and a body, with a plan for each way of asking that has occurred."""

    def __init__(self, head: Atom, body: Body) -> None:
        self.head, self.body, self.plans = head, body, dict[Mode, Plan]()

    def rows(self, mode: Mode, keys: Iterable[Row], view: View) -> Iterable[Row]:
        """The rows that it gives for some keys."""
        if mode not in self.plans:
            self.plans[mode] = Plan(self.head, self.body, mode.given, view)
        return self.plans[mode].rows(keys, view)


class Layer:
    """What is known of the rules, of a state, or of the moves in it: facts and moves by their function as well."""

    def __init__(self, atoms: Iterable[Atom] = ()) -> None:
        self.rows: dict[Relation, set[Row]] = defaultdict(set)
        self.indexes: dict[Mode, Index] = {}
        self.asked: dict[Mode, set[Row]] = defaultdict(set)
        self.done: set[int] = set()
        for atom in atoms:
            for each in (atom, split(atom)):
                self.rows[relation_of(each)].add(each[1:])

    def put(self, relation: Relation, rows: set[Row]) -> None:
        """Takes these for the rows of a relation."""
        self.rows[relation] = rows
        for mode in [mode for mode in self.indexes if mode.relation == relation]:
            del self.indexes[mode]


@dataclass(frozen=True)
class View:
    """What is known in a state and step, by layers."""

    reasoner: Reasoner
    layers: tuple[Layer, Layer, Layer]

    def index(self, mode: Mode, keys: Iterable[Row]) -> Index:
        """The rows of a relation by what is given; where it is worked out on demand, those for the keys."""
        relation, layer = mode.relation, self.layers[self.reasoner.layers[mode.relation]]
        index = layer.indexes.get(mode)
        if index is None:
            index = _enter({}, layer.rows[relation] or self.reasoner.stated[relation], mode)
            layer.indexes[mode] = index
        if (clauses := self.reasoner.on_demand.get(relation)) and (new := set(keys) - layer.asked[mode]):
            for clause in clauses:
                _enter(index, clause.rows(mode, new, self), mode)
            layer.asked[mode] |= new
        return index

    def cost(self, mode: Mode) -> float:
        """About how many rows there are for a key: a guess for what is worked out on demand, or not there now."""
        (name, count), on_demand = mode.relation, mode.relation in self.reasoner.on_demand
        if name.startswith(NEW):
            return -1.0
        if not on_demand and (index := self.index(mode, ())):
            return sum(map(len, index.values())) / len(index)
        return 1.0 if name.startswith("does ") else float((4 if on_demand else 2) ** (count - len(mode.given)))


class Group(NamedTuple):
    """Relations that are worked out as a whole, the layer that they are in, and how it is done."""

    relations: Sequence[Relation]
    layer: int
    work_out: Callable[[View, Layer], None]


class Reasoner:
    """Answers what a valid rulesheet says of a state; roles, facts, moves and goals are texts in KIF."""

    def __init__(self, sheet: Sheet) -> None:
        order = Order(sheet)
        self.on_demand: dict[Relation, list[Clause]] = {}
        self.layers: dict[Relation, int] = defaultdict(int)
        self._groups: list[Group] = []
        self._depths: dict[Relation, int] = defaultdict(int)
        for rules in order.groups:
            self._add(rules, sheet)
        self._needs: dict[str, list[int]] = {}
        for name, count in ARITY.items():
            below = set(reached(order.uses, (name, count), set()))
            self._needs[name] = [n for n, group in enumerate(self._groups) if not below.isdisjoint(group.relations)]
        self.stated = Layer(rule.head for rule in sheet.rules if not rule.body).rows
        self._static = Layer()
        self._state = lru_cache(KEPT_STATES)(lambda state: Layer(("true", ground_term(fact)) for fact in state))
        self.pairs = lru_cache(KEPT_STATES)(self._pairs)
        self.roles: tuple[str, ...] = ()
        stated = [text_of(rule.head[1]) for rule in sheet.rules if rule.head[0] == "role" and not rule.body]
        self.roles = tuple(dict.fromkeys([*stated, *self._facts("role")]))

    def _add(self, rules: Sequence[Rule], sheet: Sheet) -> None:
        """Adds the relations of a group, all that they rest on being known; none for a group of facts."""
        relations = list(dict.fromkeys(relation_of(rule.head) for rule in rules))
        used = {relation_of(split(one.atom)): str(one.atom[0]) for rule in rules for one in rule.literals}
        for relation, name in used.items():
            self.layers[relation] = {"true": STATE, "does": MOVES}.get(name, self.layers[relation])
        layer = max((self.layers[relation] for relation in used), default=STATIC)
        depth = (max((self._depths[relation] for relation in used), default=0) + 1) % MOST_NESTED
        for name, count in relations:
            self.layers[name, count] = self.layers[NEW + name, count] = layer
            self._depths[name, count] = depth
        if in_circle(rules):
            from zermelo.check.sheets.circles import Circle

            self._groups.append(Group(relations, layer, Circle(rules, sheet).work_out))
            return
        clauses = [Clause(rule.head, rule.parts) for rule in rules]
        if layer > STATIC and depth:
            self.on_demand[relations[0]] = clauses
            return

        def work_out(view: View, layer: Layer) -> None:
            rows = (clause.rows(Mode(relations[0], ()), [()], view) for clause in clauses)
            layer.put(relations[0], self.stated[relations[0]].union(*rows))

        self._groups.append(Group(relations, layer, work_out))

    def start(self) -> State:
        """The state in which play begins."""
        return self._facts("init")

    def terminal(self, state: State) -> bool:
        """Whether play is over."""
        return bool(self._rows("terminal", state))

    def next(self, state: State, joint: Sequence[str]) -> State:
        """The state after a joint move, one move for each role."""
        return self._facts("next", state, joint)

    def _pairs(self, name: str, state: State) -> Mapping[str, list[str]]:
        """For each role what ``legal`` or ``goal`` gives it in a state, sorted."""
        found: dict[str, list[str]] = {}
        for role, given in sorted((_text(role), _text(given)) for role, given in self._rows(name, state)):
            found.setdefault(role, []).append(given)
        return found

    def _facts(self, name: str, state: State = (), joint: Sequence[str] = ()) -> State:
        return tuple(sorted(_text(fact) for (fact,) in self._rows(name, state, joint)))

    def _rows(self, name: str, state: State, joint: Sequence[str] = ()) -> Iterable[Row]:
        """The rows of a relation with a meaning."""
        moves = (("does", *map(ground_term, pair)) for pair in zip(self.roles, joint, strict=bool(joint)))
        view = View(self, (self._static, self._state(state), Layer(moves)))
        for number in self._needs[name]:
            layer = view.layers[self._groups[number].layer]
            if number not in layer.done:
                self._groups[number].work_out(view, layer)
                layer.done.add(number)
        return view.index(Mode((name, ARITY[name]), ()), [()]).get((), ())


def _enter(index: Index, rows: Iterable[Row], mode: Mode) -> Index:
    """The index, with some more rows."""
    key = picker(mode.given)
    for row in rows:
        index.setdefault(key(row), set()).add(row)
    return index


@lru_cache(1 << 16)
def _text(term: Term) -> str:
    """The text of a fact, move or goal; ``GameError`` for a term that is larger than any should be."""
    waiting, symbols = [(term, 0)], 0
    while waiting:
        here, depth = waiting.pop()
        symbols += 1
        if symbols > MOST_SYMBOLS or depth > DEEPEST:
            raise GameError(f"terms of {term[0]} grow beyond {MOST_SYMBOLS} symbols or {DEEPEST} levels")
        if isinstance(here, tuple):
            waiting += [(part, depth + 1) for part in here[1:]]
    return text_of(term)
