"""Small rulesheets of our own, and random ones."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st

from zermelo.gdl.kif import read_kif
from zermelo.gdl.reasoner import State
from zermelo.gdl.syntax import And, Formula, Function, Not, Or, Rule, Rulesheet, Term, Variable, atoms_of

NIM = """
; Two heaps; take any number from one; who takes the last object wins.
(role left) (role right)
(init (heap a 1)) (init (heap b 2)) (init (control left))
(succ 0 1) (succ 1 2) (other left right) (other right left)
(<= (less ?a ?b) (succ ?a ?b))
(<= (less ?a ?c) (less ?a ?b) (succ ?b ?c))
(<= (legal ?p (reduce ?h ?n)) (true (control ?p)) (true (heap ?h ?m)) (less ?n ?m))
(<= (legal ?p noop) (other ?p ?q) (true (control ?q)))
(<= (next (heap ?h ?n)) (does ?p (reduce ?h ?n)))
(<= (next (heap ?h ?n)) (true (heap ?h ?n)) (does ?p (reduce ?k ?m)) (distinct ?h ?k))
(<= (next (control ?q)) (true (control ?p)) (other ?p ?q))
(<= open (true (heap ?h ?n)) (distinct ?n 0))
(<= terminal (not open))
(<= (goal ?p 100) (other ?p ?q) (true (control ?q)))
(<= (goal ?p 0) (true (control ?p)))
"""

DICE = """
; Chance rolls after the player has bet on low or high: both choose in one step, and the player sees the roll.
(role player) (role random)
(init betting)
(side 1 low) (side 2 low) (side 3 high)
(<= (legal player ?bet) (side ?n ?bet) (true betting))
(<= (legal random (roll ?n)) (side ?n ?bet) (true betting))
(<= (next won) (does player ?bet) (does random (roll ?n)) (side ?n ?bet))
(<= (next over) (does player ?bet))
(<= (sees ?r (did ?p ?m)) (role ?r) (does ?p ?m))
(<= terminal (true over))
(<= (goal player 100) (true won))
(<= (goal player 0) (not (true won)))
"""

PENNIES = """
; Both show a side of a coin at once.
(role even) (role odd)
(init open)
(side heads) (side tails)
(<= (legal ?r (show ?s)) (role ?r) (side ?s) (true open))
(<= (next (shown ?r ?s)) (does ?r (show ?s)))
(<= terminal (not (true open)))
(<= same (true (shown even ?s)) (true (shown odd ?s)))
(<= (goal even 100) same) (<= (goal even 0) (not same))
(<= (goal odd 0) same) (<= (goal odd 100) (not same))
"""

CROSS = """
; Three in a row on two rows of three cells, x begins.
(role x) (role o)
(column 1) (column 2) (column 3) (row 1) (row 2)
(<= (init (cell ?c ?r b)) (column ?c) (row ?r))
(init (control x))
(other x o) (other o x)
(<= (legal ?p (mark ?c ?r)) (true (control ?p)) (true (cell ?c ?r b)))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (next (cell ?c ?r ?p)) (does ?p (mark ?c ?r)))
(<= (next (cell ?c ?r ?s)) (true (cell ?c ?r ?s)) (or (distinct ?s b) (not (marked ?c ?r))))
(<= (marked ?c ?r) (does ?p (mark ?c ?r)))
(<= (next (control ?q)) (true (control ?p)) (other ?p ?q))
(<= (line ?p) (true (cell 1 ?r ?p)) (true (cell 2 ?r ?p)) (true (cell 3 ?r ?p)) (role ?p))
(<= decided (line ?p))
(<= terminal (or decided (not free)))
(<= free (true (cell ?c ?r b)))
(<= (goal ?p 100) (line ?p))
(<= (goal ?p 0) (other ?p ?q) (line ?q))
(<= (goal ?p 50) (role ?p) (not decided))
"""


def sheet_of(text: str, file: str = "<rules>") -> Rulesheet:
    """The rulesheet of a text."""
    return read_kif(text, file)


@dataclass(frozen=True)
class Question:
    """A random rulesheet, a state and a joint move of its two roles."""

    sheet: Rulesheet
    state: State
    joint: tuple[str, str]


CONSTANTS = ("a", "b", "1", "20")
ARITIES = {"p": 1, "q": 2, "r": 1, "s": 2, "t": 0, "u": 1, "legal": 2, "next": 1}
"""The relations, each at a level of its own: negation only looks down, so every sheet is stratified."""
NAMES = tuple(ARITIES)
VARIABLES = tuple(map(Variable, "xyz"))

constants = st.sampled_from(CONSTANTS).map(Function)
arguments = st.one_of(st.sampled_from(VARIABLES), constants)
terms = st.one_of(arguments, st.builds(lambda a: Function("f", (a,)), arguments))
ground = st.one_of(constants, st.builds(lambda a: Function("f", (a,)), constants))
facts = st.builds(lambda a, b: Function("cell", (a, b)), constants, ground)


@st.composite
def atoms(draw: st.DrawFn, level: int, parts: st.SearchStrategy[Term]) -> Function:
    """An atom of a relation up to a level, of the state, or of the moves."""
    name = draw(st.sampled_from(("cell", "does", "e", *NAMES[: level + 1])))
    if name == "cell":
        return Function("true", (Function("cell", (draw(parts), draw(parts))),))
    arity = {"does": 2, "e": 2, **ARITIES}[name]
    return Function(name, tuple(draw(parts) for _ in range(arity)))


@st.composite
def rules(draw: st.DrawFn) -> Rule:
    """A safe rule: atoms that bind its variables, then tests over those."""
    level = draw(st.integers(0, len(NAMES) - 1))
    binders = draw(st.lists(atoms(level, terms), min_size=1, max_size=3))
    bound = sorted({term.name for atom in binders for term in _leaves(atom) if isinstance(term, Variable)})
    known = st.one_of(constants, st.sampled_from([Variable(name) for name in bound])) if bound else constants
    lower = atoms(level - 1, known)
    distinct = st.builds(lambda a, b: Function("distinct", (a, b)), known, known)
    test: st.SearchStrategy[Formula] = st.one_of(lower, lower.map(Not), distinct)
    nested = st.recursive(
        test,
        lambda inner: st.one_of(
            st.lists(inner, min_size=1, max_size=3).map(lambda parts: Or(tuple(parts))),
            st.lists(inner, min_size=1, max_size=2).map(lambda parts: And(tuple(parts))),
            inner.map(Not),
        ),
        max_leaves=4,
    )
    body = draw(st.permutations([*binders, *draw(st.lists(nested, max_size=3))]))
    # Terms must not grow round a circle of rules: heads wrap variables only where nothing of their level is used.
    grows = all(atom.name in ("true", "does", "e") for atom in binders)
    head_terms = st.one_of(known, known.map(lambda a: Function("g", (a, a)))) if grows else known
    head = Function(NAMES[level], tuple(draw(head_terms) for _ in range(ARITIES[NAMES[level]])))
    return Rule(head, tuple(body))


def _leaves(term: Term) -> list[Term]:
    if isinstance(term, Function) and term.args:
        return [leaf for arg in term.args for leaf in _leaves(arg)]
    return [term]


@st.composite
def questions(draw: st.DrawFn) -> Question:
    """A random rulesheet with something to ask it."""
    roles = [Rule(Function("role", (Function(name),))) for name in "ab"]
    edges = draw(st.lists(st.builds(lambda a, b: Rule(Function("e", (a, b))), ground, constants), max_size=5))
    body = draw(st.lists(rules(), min_size=1, max_size=8))
    state = tuple(sorted({str(fact) for fact in draw(st.lists(facts, max_size=5))}))
    return Question(Rulesheet((*roles, *edges, *body)), state, (str(draw(ground)), str(draw(ground))))


@st.composite
def playable_sheets(draw: st.DrawFn) -> Rulesheet:
    """A random rulesheet that can be played: moves are read by ``next`` alone, and states are made of cells."""
    roles = [Rule(Function("role", (Function(name),))) for name in "ab"]
    moves = [
        Rule(Function("legal", (Function(role), move)))
        for role in "ab"
        for move in draw(st.lists(ground, min_size=1, max_size=3))
    ]
    edges = draw(st.lists(st.builds(lambda a, b: Rule(Function("e", (a, b))), ground, constants), max_size=5))
    start = draw(st.lists(facts.map(lambda fact: Rule(Function("init", (fact,)))), max_size=5))
    body = [_playable(rule) for rule in draw(st.lists(rules(), min_size=2, max_size=10))]
    ends = Rule(Function("terminal"), (Function("p", (Function("a"),)),))
    goals = [
        Rule(Function("goal", (Function(role), Function(value))), (Function("u", (Function(value),)),))
        for role in "ab"
        for value in ("1", "20")
    ]
    kept = [rule for rule in body if rule.head.name == "next" or not _reads_moves(rule)]
    return Rulesheet((*roles, *moves, *edges, *start, *kept, ends, *goals))


def _reads_moves(rule: Rule) -> bool:
    return any(atom.name == "does" for formula in rule.body for atom, _ in atoms_of(formula))


def _playable(rule: Rule) -> Rule:
    """The same rule; a fact of the next state becomes a cell, without terms that grow from step to step."""
    if rule.head.name != "next":
        return rule
    (fact,) = rule.head.args
    inner = fact.args[0] if isinstance(fact, Function) and fact.args else fact
    return Rule(Function("next", (Function("cell", (inner, Function("a"))),)), rule.body)
