"""Checks functions that are claimed to win a formula: Skolem functions of ``exists``, Herbrand functions of ``forall``.

The claim holds exactly if three things do:

* *who*: there is one function for each of the claimer's variables, over the other role's variables only; but in the
  last block that matters to him variables may be left open, and all their values are tried;
* *when*: each function looks only at variables of blocks before its own, tested on the gates it is made of;
* *what*: with the functions in the place of the claimer's variables, no values of the other role's variables make the
  circuit come out wrong. Where the other role has few variables all its plays are tried (:mod:`zermelo.check.plays`);
  else this is a question for a SAT solver (:mod:`zermelo.check.clauses`): Glucose and, if it takes long, CaDiCaL, as
  python-sat ships them.

The gates are given in an order in which each uses earlier ones only, so nothing goes round in circles. Nothing of the
text is believed; it is read here, by a reader that shares nothing with the one that engines use. If values are found,
they are played against the functions in plain Python, and are the line that refutes the claim.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from time import monotonic
from typing import NoReturn, cast

from zermelo.certificate import Claim, score_text
from zermelo.check.clauses import Clauses
from zermelo.check.plays import Gate, Plays
from zermelo.check.strategy import Verdict
from zermelo.game import Game
from zermelo.limits import Limits, memory_watch
from zermelo.qbf.circuit import Kind, cone, holds, values
from zermelo.qbf.formula import OTHER, Formula, Quantifier
from zermelo.qbf.game import FormulaGame

SOLVERS = (("Glucose", "glucose4"), ("CaDiCaL", "cadical195"))
"""SAT solvers of python-sat: one that is faster on short questions, and one for the others."""
WORK = 100_000_000
"""The SAT solver is first asked to stop after so many conflicts times clauses, then asked again: Ctrl-C is heard so."""
SECONDS = 0.2
"""About how long it may work at a stretch."""
BATCH = 4096
MOST_OPEN = 16
"""So many variables may be left without a function at most."""
MOST_COPIES = 1 << 22
"""For each value of them there is a copy of what depends on them; so many gates at most."""


_NUMBERS = re.compile(r"[0-9]{1,11}(?: [0-9]{1,11})*")


class _Fault(Exception):  # noqa: N818  (never leaves this module)
    """Why the claim is refuted before any SAT solver is asked."""


def check_functions(game: Game, claim: Claim, limits: Limits) -> Verdict:
    """Checks a claim by the rule ``functions``, whose data is ``{"aag": AIGER text}``.

    >>> from zermelo.qbf.circuit import Circuit
    >>> from zermelo.qbf.formula import Block
    >>> circuit = Circuit()
    >>> x, y = circuit.variable() // 2, circuit.variable() // 2
    >>> prefix = (Block("forall", (x,)), Block("exists", (y,)))
    >>> game = FormulaGame(Formula(circuit, prefix, circuit.exclusive(2 * x, 2 * y), {x: "x", y: "y"}))
    >>> differ = {"aag": "aag 1 1 0 1 0\\n2\\n3\\ni0 x\\no0 y\\n"}
    >>> check_functions(game, Claim("exists", 1, rule="functions", data=differ), Limits()).status
    'accepted'
    >>> agree = {"aag": "aag 1 1 0 1 0\\n2\\n2\\ni0 x\\no0 y\\n"}
    >>> verdict = check_functions(game, Claim("exists", 1, rule="functions", data=agree), Limits())
    >>> verdict.status, [game.move_text(move) for move in verdict.line]
    ('refuted', ['x=0', 'y=0'])
    """
    if type(game) is not FormulaGame:
        return Verdict("refuted", f"the rule 'functions' is for formulas, not {type(game).__name__}")
    if claim.role not in game.roles:
        return Verdict("refuted", f"{claim.role!r} is not a role of the game: {', '.join(game.roles)}")
    if claim.at_least > 1:
        return Verdict("refuted", f"functions promise 1, the claim is at least {score_text(claim.at_least)}")
    if set(claim.data) != {"aag"} or not isinstance(claim.data["aag"], str):
        return Verdict("refuted", "the data of the rule 'functions' is not {\"aag\": a text}")
    role = cast(Quantifier, claim.role)
    try:
        graph = read_and_graph(claim.data["aag"])
        _test_names(game, role, graph)
        _test_order(game, role, graph)
        return _Question(game, role, graph, _left_open(game, role, graph), limits).verdict()
    except _Fault as fault:
        return Verdict("refuted", str(fault))
    except TimeoutError:
        return Verdict("limit", "the limit was reached before the SAT solver had an answer")


@dataclass(frozen=True)
class AndGraph:
    """And-gates over inputs. Node 0 is false; inputs are the nodes from 1 on, then come the gates.

    A literal is twice the number of a node, plus one where it is negated.
    """

    inputs: tuple[str, ...]
    outputs: tuple[tuple[str, int], ...]
    gates: tuple[tuple[int, int], ...]


def read_and_graph(text: str) -> AndGraph:
    """Reads AIGER text (``aag``), refusing whatever is not plainly right.

    >>> read_and_graph("aag 2 1 0 1 1\\n2\\n5\\n4 2 2\\ni0 x\\no0 y\\n")
    AndGraph(inputs=('x',), outputs=(('y', 5),), gates=((2, 2),))
    """
    lines = text.splitlines()

    def fail(line: int, message: str) -> NoReturn:
        raise _Fault(f"aag:{line + 1}: {message}")

    def numbers(line: int, count: int) -> list[int]:
        words = lines[line].split(" ") if line < len(lines) and _NUMBERS.fullmatch(lines[line]) else []
        if len(words) != count:
            fail(line, f"expected {count} number{'s' * (count > 1)}")
        return list(map(int, words))

    if not lines or not lines[0].startswith("aag "):
        fail(0, "expected aag and five numbers")
    lines[0] = lines[0].removeprefix("aag ")
    highest, n_inputs, n_latches, n_outputs, n_gates = numbers(0, 5)
    if n_latches or n_inputs + n_gates > highest or n_inputs + n_outputs + n_gates >= len(lines):
        fail(0, "the numbers of the header do not fit")
    node: dict[int, int] = {0: 0}  # the number here of each variable of the text

    def literal(line: int, stated: int) -> int:
        if stated >> 1 not in node:
            fail(line, f"{stated} is not defined before")
        return 2 * node[stated >> 1] + (stated & 1)

    def define(line: int, stated: int) -> None:
        if stated & 1 or stated >> 1 in node or stated > 2 * highest:
            fail(line, f"{stated} cannot be defined here")
        node[stated >> 1] = len(node)

    for line in range(1, n_inputs + 1):
        define(line, numbers(line, 1)[0])
    gates = []
    first_gate = 1 + n_inputs + n_outputs
    for line in range(first_gate, first_gate + n_gates):
        made, one, other = numbers(line, 3)
        gates.append((literal(line, one), literal(line, other)))
        define(line, made)
    outputs = [literal(line, numbers(line, 1)[0]) for line in range(1 + n_inputs, first_gate)]
    names: dict[str, str] = {}
    for line in range(first_gate + n_gates, len(lines)):
        if lines[line] == "c":
            break
        place, _, name = lines[line].partition(" ")
        if place in names or not name:
            fail(line, "expected a new place and its name")
        names[place] = name
    wanted = [*(f"i{number}" for number in range(n_inputs)), *(f"o{number}" for number in range(n_outputs))]
    if set(names) != set(wanted):
        fail(len(lines) - 1, "the names are not those of all inputs and outputs")
    return AndGraph(
        tuple(names[f"i{number}"] for number in range(n_inputs)),
        tuple((names[f"o{number}"], output) for number, output in enumerate(outputs)),
        tuple(gates),
    )


def _places(game: FormulaGame) -> dict[str, tuple[int, Quantifier, int]]:
    """Of each variable that is still open, by its name: its number, its role, its block."""
    open_variables = set(game.order[len(game.given) :])
    return {
        game.formula.name(variable): (variable, block.quantifier, number)
        for number, block in enumerate(game.formula.prefix)
        for variable in block.variables
        if variable in open_variables
    }


def _test_names(game: FormulaGame, role: Quantifier, graph: AndGraph) -> None:
    places = _places(game)
    outputs = [name for name, _ in graph.outputs]
    for names, wanted in ((graph.inputs, OTHER[role]), (outputs, role)):
        for name in names:
            if name not in places or places[name][1] != wanted:
                raise _Fault(f"{name} is not a variable that {wanted} still has to choose")
        if len(set(names)) != len(names):
            raise _Fault("a variable is named twice")


def _left_open(game: FormulaGame, role: Quantifier, graph: AndGraph) -> list[int]:
    """The claimer's variables without a function: few, of one block, and no choice of his matters after it."""
    places = _places(game)
    stated = {name for name, _ in graph.outputs}
    left = [name for name, (_, owner, _) in places.items() if owner == role and name not in stated]
    if not left:
        return []
    below = set(cone(game.formula.circuit, [game.formula.output]))
    first = places[left[0]][2]
    for variable, owner, block in places.values():
        if owner == role and block > first and variable in below:
            raise _Fault(f"there is no function for {left[0]}, and {role} has to choose again later")
    if len(left) > MOST_OPEN:
        raise _Fault(f"there is no function for {left[0]} and {len(left) - 1} others")
    return [places[name][0] for name in left]


def _test_order(game: FormulaGame, role: Quantifier, graph: AndGraph) -> None:
    """Each function may depend on earlier blocks only: the latest block below each node tells."""
    places = _places(game)
    latest = [-1, *(places[name][2] for name in graph.inputs)]
    for one, other in graph.gates:
        latest.append(max(latest[one >> 1], latest[other >> 1]))
    for name, output in graph.outputs:
        if latest[output >> 1] >= places[name][2]:
            late = _latest_input(graph, output, latest)
            raise _Fault(f"the function of {name} looks at {late}, which {OTHER[role]} chooses later")


def _latest_input(graph: AndGraph, output: int, latest: list[int]) -> str:
    node, first = output >> 1, 1 + len(graph.inputs)
    while node >= first:
        one, other = graph.gates[node - first]
        node = (one if latest[one >> 1] == latest[node] else other) >> 1
    return graph.inputs[node - 1]


class _Question:
    """The formula with the functions put in, as one circuit: is there an assignment that makes it come out wrong?"""

    def __init__(
        self, game: FormulaGame, role: Quantifier, graph: AndGraph, left_open: list[int], limits: Limits
    ) -> None:
        self.game, self.role, self.graph, self.limits = game, role, graph, limits
        self.formula: Formula = game.formula
        self.over_memory = memory_watch(limits.memory)
        named = {self.formula.name(variable): variable for variable in game.order}
        self.leaves = [named[name] for name in graph.inputs]
        self.own = [(named[name], output) for name, output in graph.outputs]
        self.left_open = left_open
        self.later: list[list[int]] = []  # copies of the other role's variables that come after what is open
        self.gates, self.output = self.put_in()

    def verdict(self) -> Verdict:
        used = {literal >> 1 for gate in self.gates for literal in gate.inputs} | {self.output >> 1}
        blocks = [block.variables for block in self.formula.prefix]
        kept = [[v for v in block if v in used and v not in self.left_open] for block in (*blocks, *self.later)]
        plays = Plays([block for block in kept if block])
        self.look_at_limits()
        if not plays.affordable(self.gates):
            return self.asked()
        chosen = plays.first(self.gates, self.output, self.look_at_limits)
        if chosen is not None:
            return self.refuted(chosen)
        count = 1 << len(plays.variables)
        return Verdict("accepted", how=f"by trying all {count:,} plays" if count > 1 else "by the only play")

    def put_in(self) -> tuple[list[Gate], int]:
        """All gates below the output, each after its inputs; and the output, true where the claimer loses.

        Variables and gates of the formula keep their numbers, gates of the functions and copies come after them; in the
        place of variables that have a value or a function, their literal stands.

        Where variables are open the claimer loses if all their values lose: there is a copy of what depends on them for
        each value, in which the other role's later choices are its own.
        """
        circuit, role = self.formula.circuit, self.role
        image = {variable: int(value) for variable, value in self.game.chosen(self.game.given).items()}
        folded = _Folded(len(circuit.kind))
        number = [0, *self.leaves, *folded.numbers(len(self.graph.gates))]
        for node, literals in _conjunctions(self.graph):
            folded.gates.append(Gate(number[node], Kind.AND, [2 * number[one >> 1] + (one & 1) for one in literals]))
        for variable, output in self.own:
            image[variable] = 2 * number[output >> 1] + (output & 1)
        nodes = [node for node in cone(circuit, [self.formula.output]) if circuit.kind[node] > Kind.VARIABLE]
        if any(circuit.kind[node] > Kind.ITE for node in nodes):
            raise _Fault("the formula is not in normal form")
        later = self.after_open()
        differ = set(self.left_open) | set(later)
        for node in nodes:
            if any(literal >> 1 in differ for literal in circuit.inputs[node]):
                differ.add(node)
        if len(differ) << len(self.left_open) > MOST_COPIES:
            raise _Fault(
                f"there is no function for {self.formula.name(self.left_open[0])}, and to try all values takes long"
            )
        self.copy(folded, [node for node in nodes if node not in differ], image)
        outputs = []
        for value in range(1 << len(self.left_open)):
            self.look_at_limits()
            here = image | {variable: value >> k & 1 for k, variable in enumerate(self.left_open)}
            if value:
                self.later.append([*folded.numbers(len(later))])
                here |= {variable: 2 * number for variable, number in zip(later, self.later[-1], strict=True)}
            self.copy(folded, [node for node in nodes if node in differ], here)
            outputs.append(_signed(here, self.formula.output) ^ (role == "exists"))
        output = folded.gate(Kind.AND, outputs)
        return _below(folded.gates, output), output

    def after_open(self) -> list[int]:
        """The other role's variables in blocks after that of what is open."""
        found, blocks = list[int](), self.formula.prefix
        for block in blocks if self.left_open else ():
            if self.left_open[0] in block.variables:
                found = []
            elif block.quantifier != self.role:
                found.extend(block.variables)
        return found

    def copy(self, folded: _Folded, nodes: list[int], image: dict[int, int]) -> None:
        """Puts gates of the formula in, with the images of what is below them; their own are added."""
        kinds, inputs, put_in = self.formula.circuit.kind, self.formula.circuit.inputs, image.get
        for node in nodes:
            image[node] = folded.gate(kinds[node], [put_in(one >> 1, one & ~1) ^ (one & 1) for one in inputs[node]])

    def asked(self) -> Verdict:
        """What a SAT solver says: the last one as long as it takes, those before it for one stretch each."""
        verdict = None
        for name, solver_name in SOLVERS:
            if verdict is None:
                verdict = self.asked_of(name, solver_name, give_up=(name, solver_name) != SOLVERS[-1])
        if verdict is None:
            raise TimeoutError
        return verdict

    def asked_of(self, name: str, solver_name: str, *, give_up: bool) -> Verdict | None:
        """What one of them says; nothing if it gave up."""
        from pysat.solvers import Solver

        with Solver(name=solver_name) as solver:
            clauses, count = Clauses(self.gates, self.output, plain=not give_up).all(), 0
            while batch := list(islice(clauses, BATCH)):
                self.look_at_limits()
                count += len(batch)
                solver.append_formula(batch)
            answer, conflicts = None, max(100, WORK // count)
            while answer is None:
                self.look_at_limits()
                began = monotonic()
                solver.conf_budget(conflicts)
                answer = solver.solve_limited()
                conflicts = max(100, conflicts * 2 if monotonic() - began < SECONDS / 2 else conflicts * 3 // 4)
                if answer is None and give_up:
                    return None
            if not answer:
                return Verdict("accepted", how=f"by {name}, {count:,} clauses")
            return self.refuted({abs(number): number > 0 for number in solver.get_model()})

    def look_at_limits(self) -> None:
        if self.limits.expired() or self.over_memory():
            raise TimeoutError

    def refuted(self, found: Mapping[int, bool]) -> Verdict:
        """Plays the values that were found, once more, against the functions."""
        game = self.game
        chosen = game.chosen(game.given)
        for variable in game.order[len(game.given) :]:
            if game.quantifiers[variable] != self.role:
                chosen[variable] = found.get(variable, False)
        value = [False, *(chosen[variable] for variable in self.leaves)]
        for one, other in self.graph.gates:
            value.append((value[one >> 1] != bool(one & 1)) and (value[other >> 1] != bool(other & 1)))
        chosen |= dict.fromkeys(self.left_open, False)  # whatever is chosen loses, this too
        for variable, output in self.own:
            chosen[variable] = value[output >> 1] != bool(output & 1)
        came_out = holds(values(self.formula.circuit, chosen), self.formula.output)
        if came_out == (self.role == "exists"):
            raise AssertionError("the counterexample is none")
        line = tuple(2 * variable + (not chosen[variable]) for variable in game.order[len(game.given) :])
        word = "true" if came_out else "false"
        return Verdict("refuted", f"the formula comes out {word} against the functions of {self.role}", line)


class _Folded:
    """Gates as they are made: equal ones once, and none where a constant says what comes out."""

    def __init__(self, next_number: int) -> None:
        self.next_number = next_number
        self.gates: list[Gate] = []
        self.known: dict[tuple[int, ...], int] = {}

    def numbers(self, count: int) -> range:
        """Numbers that nothing has yet."""
        self.next_number += count
        return range(self.next_number - count, self.next_number)

    def gate(self, kind: int, inputs: list[int]) -> int:
        """The literal of a gate with these inputs."""
        flip = 0
        if kind == Kind.OR:
            kind, flip, inputs = Kind.AND, 1, [literal ^ 1 for literal in inputs]
        if kind == Kind.AND:
            left = set(inputs)
            left.discard(1)
            if 0 in left:
                return flip
            if len(left) <= 1:
                return (left.pop() if left else 1) ^ flip
            inputs = sorted(left)
        key = (int(kind), *inputs)
        made = self.known.get(key)
        if made is None:
            made = self.known[key] = 2 * self.next_number
            self.gates.append(Gate(self.next_number, kind, inputs))
            self.next_number += 1
        return made ^ flip


def _below(gates: list[Gate], output: int) -> list[Gate]:
    """Those gates that the output depends on."""
    needed = {output >> 1}
    kept = []
    for gate in reversed(gates):
        if gate.number in needed:
            kept.append(gate)
            needed.update([literal >> 1 for literal in gate.inputs])
    return kept[::-1]


def _conjunctions(graph: AndGraph) -> Iterator[tuple[int, list[int]]]:
    """The gates with what they are the conjunction of; one that only another gate uses, as it is, is part of that."""
    first = 1 + len(graph.inputs)
    uses, plain = [0] * (first + len(graph.gates)), bytearray(first + len(graph.gates))
    for literal in (literal for gate in graph.gates for literal in gate):
        uses[literal >> 1] += 1
        plain[literal >> 1] = literal & 1 == 0 and literal >> 1 >= first
    for _, output in graph.outputs:
        uses[output >> 1] += 2
    for node, gate in enumerate(graph.gates, first):
        if uses[node] == 1 and plain[node]:
            continue
        parts, pending = [], list(gate)
        while pending:
            literal = pending.pop()
            if uses[literal >> 1] == 1 and plain[literal >> 1]:
                pending.extend(graph.gates[(literal >> 1) - first])
            else:
                parts.append(literal)
        yield node, parts


def _signed(literal_of: Mapping[int, int], literal: int) -> int:
    """A literal, or what stands in the place of its variable."""
    return literal_of.get(literal >> 1, literal & ~1) ^ (literal & 1)
