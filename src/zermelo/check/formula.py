"""Checks functions that are claimed to win a formula: Skolem functions of ``exists``, Herbrand functions of ``forall``.

The claim holds exactly if three things do:

* *who*: there is one function for each of the claimer's variables, over the other role's variables only; but in the
  last block that matters to him variables may be left open, and all their values are tried;
* *when*: each function looks only at variables of blocks before its own, tested on the gates it is made of;
* *what*: with the functions in the place of the claimer's variables, no values of the other role's variables make the
  circuit come out wrong. Where the other role has few variables all its plays are tried (:mod:`zermelo.check.plays`);
  else this is a set of clauses (:mod:`zermelo.check.clauses`) that contradict each other, and there is a proof of that,
  whose steps are followed (:mod:`zermelo.check.lrat`).

The formula is the checker's own reading of it. The gates of the functions are given in an order in which each uses
earlier ones only, so nothing goes round in circles. Nothing of the text is believed; it is read here, by a reader that
shares nothing with the one that engines use. The proof comes from a SAT solver, which is asked through ``PROVER`` and
believed in nothing: if what it says is no proof, the claim is not accepted. If it finds values instead, they are played
against the functions here, and are the line that refutes the claim.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

from zermelo.certificate import Claim, score_text
from zermelo.check.andgraph import AndGraph, GraphError, conjunctions, read_and_graph
from zermelo.check.boolean import QuantifiedFormula
from zermelo.check.circuit import OTHER, QUANTIFIERS
from zermelo.check.clauses import Clauses
from zermelo.check.instance import instance_of, rules_of
from zermelo.check.lrat import fault_of
from zermelo.check.plays import Gate, Plays
from zermelo.check.strategy import Verdict
from zermelo.errors import IllegalMoveError
from zermelo.game import Game
from zermelo.limits import Limits, memory_watch

PROVER = "zermelo.qbf.refutation"
"""The module that answers whether clauses can be satisfied: ``answer_of(clauses, look)`` is ``("values", literals)`` or
``("proof", steps)``. Not trusted; loaded where it is needed."""
MOST_OPEN = 16
"""So many variables may be left without a function at most."""
MOST_COPIES = 1 << 22
"""For each value of them there is a copy of what depends on them; so many gates at most."""


class _Fault(Exception):  # noqa: N818  (never leaves this module)
    """Why the claim is refuted before any play is tried."""


def check_functions(game: Game, claim: Claim, limits: Limits) -> Verdict:
    """Checks a claim by the rule ``functions``, whose data is ``{"aag": AIGER text}``.

    >>> from zermelo import game_of
    >>> game = game_of("examples/answers.qcir")
    >>> won = {"aag": "aag 2 2 0 3 0\\n2\\n4\\n1\\n3\\n5\\ni0 a\\ni1 c\\no0 start\\no1 b\\no2 d\\n"}
    >>> check_functions(game, Claim("exists", 1, rule="functions", data=won), Limits()).how
    'by trying all 4 plays'
    >>> lost = {"aag": "aag 2 2 0 3 0\\n2\\n4\\n0\\n3\\n5\\ni0 a\\ni1 c\\no0 start\\no1 b\\no2 d\\n"}
    >>> verdict = check_functions(game, Claim("exists", 1, rule="functions", data=lost), Limits())
    >>> verdict.status, " ".join(game.move_text(move) for move in verdict.line)
    ('refuted', 'start=0 a=0 b=1 c=0 d=1')
    """
    # A wrapper may have changed the rules: what it wraps says nothing of it.
    formula = instance_of(game) if game is rules_of(game) else None
    if not isinstance(formula, QuantifiedFormula):
        return Verdict("refuted", f"the rule 'functions' is for formulas, not {type(game).__name__}")
    if claim.role not in QUANTIFIERS:
        return Verdict("refuted", f"{claim.role!r} is not a role of the game: {', '.join(QUANTIFIERS)}")
    if claim.at_least > 1:
        return Verdict("refuted", f"functions promise 1, the claim is at least {score_text(claim.at_least)}")
    if set(claim.data) != {"aag"} or not isinstance(claim.data["aag"], str):
        return Verdict("refuted", "the data of the rule 'functions' is not {\"aag\": a text}")
    try:
        graph = read_and_graph(claim.data["aag"])
        _test_names(formula, claim.role, graph)
        _test_order(formula, claim.role, graph)
        question = _Question(formula, claim.role, graph, _left_open(formula, claim.role, graph), limits)
        found = question.answer()
    except (_Fault, GraphError) as fault:
        return Verdict("refuted", str(fault))
    except TimeoutError:
        return Verdict("limit", "the limit was reached before there was an answer")
    if isinstance(found, Verdict):
        return found
    word = "false" if claim.role == "exists" else "true"
    reason = f"the formula comes out {word} against the functions of {claim.role}"
    return Verdict("refuted", reason, _line(game, formula, found))


def _line(game: Game, formula: QuantifiedFormula, chosen: Mapping[int, bool]) -> tuple[object, ...]:
    """The values as moves of the game that was asked about."""
    position, line = game.start(), []
    try:
        for variable in formula.order[len(formula.given) :]:
            line.append(game.parse_move(position, f"{formula.names[variable]}={int(chosen[variable])}"))
            position = game.play(position, line[-1])
    except IllegalMoveError:  # it was read as another game
        return ()
    return tuple(line)


def _places(formula: QuantifiedFormula) -> dict[str, tuple[int, str, int]]:
    """Of each variable that is still open, by its name: its number, its role, its block."""
    open_variables = set(formula.order[len(formula.given) :])
    return {
        formula.names[variable]: (variable, block.quantifier, number)
        for number, block in enumerate(formula.blocks)
        for variable in block.variables
        if variable in open_variables
    }


def _test_names(formula: QuantifiedFormula, role: str, graph: AndGraph) -> None:
    places = _places(formula)
    outputs = [name for name, _ in graph.outputs]
    for names, wanted in ((graph.inputs, OTHER[role]), (outputs, role)):
        for name in names:
            if name not in places or places[name][1] != wanted:
                raise _Fault(f"{name} is not a variable that {wanted} still has to choose")
        if len(set(names)) != len(names):
            raise _Fault("a variable is named twice")


def _left_open(formula: QuantifiedFormula, role: str, graph: AndGraph) -> list[int]:
    """The claimer's variables without a function: few, of one block, and no choice of his matters after it."""
    places = _places(formula)
    stated = {name for name, _ in graph.outputs}
    left = [name for name, (_, owner, _) in places.items() if owner == role and name not in stated]
    if not left:
        return []
    below = set(formula.nodes)
    first = places[left[0]][2]
    for variable, owner, block in places.values():
        if owner == role and block > first and variable in below:
            raise _Fault(f"there is no function for {left[0]}, and {role} has to choose again later")
    if len(left) > MOST_OPEN:
        raise _Fault(f"there is no function for {left[0]} and {len(left) - 1} others")
    return [places[name][0] for name in left]


def _test_order(formula: QuantifiedFormula, role: str, graph: AndGraph) -> None:
    """Each function may depend on earlier blocks only: the latest block below each node tells."""
    places = _places(formula)
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
        self, formula: QuantifiedFormula, role: str, graph: AndGraph, left_open: list[int], limits: Limits
    ) -> None:
        self.formula, self.role, self.graph, self.limits = formula, role, graph, limits
        self.over_memory = memory_watch(limits.memory)
        named = {formula.names[variable]: variable for variable in formula.order}
        self.leaves = [named[name] for name in graph.inputs]
        self.own = [(named[name], output) for name, output in graph.outputs]
        self.given = {v: value == 1 for v, value in zip(formula.order, formula.given, strict=False)}
        self.left_open = left_open
        self.later: list[int] = []  # copies of the other role's variables that come after what is open
        self.gates, self.output = self.put_in()

    def answer(self) -> Verdict | Mapping[int, bool]:
        """Values of all variables with which the claimer loses, or the verdict if there are none."""
        used = {literal >> 1 for gate in self.gates for literal in gate.inputs} | {self.output >> 1}
        variables = [v for v in (*self.formula.order, *self.later) if v in used]
        plays = Plays(variables, self.gates)
        self.look_at_limits()
        if not plays.affordable():
            return self.proved()
        chosen = plays.first(self.output, self.look_at_limits)
        if chosen is not None:
            return self.played(chosen)
        count = 1 << len(variables)
        return Verdict("accepted", how=f"by trying all {count:,} plays" if count > 1 else "by the only play")

    def put_in(self) -> tuple[list[Gate], int]:
        """All gates below the output, each after its inputs; and the output, true where the claimer loses.

        Variables and gates of the formula keep their numbers, gates of the functions and copies come after them; in the
        place of variables that have a value or a function, their literal stands.

        Where variables are open the claimer loses if all their values lose: there is a copy of what depends on them for
        each value, in which the other role's later choices are its own.
        """
        circuit, role, formula = self.formula.circuit, self.role, self.formula
        image = {variable: int(value) for variable, value in self.given.items()}
        folded = _Folded(len(circuit.kinds))
        number = [0, *self.leaves, *folded.numbers(len(self.graph.gates))]
        for node, literals in conjunctions(self.graph):
            folded.gates.append(Gate(number[node], "and", [2 * number[one >> 1] + (one & 1) for one in literals]))
        for variable, output in self.own:
            image[variable] = 2 * number[output >> 1] + (output & 1)
        nodes = [node for node in formula.nodes if circuit.inputs[node]]
        later = self.after_open()
        differ = set(self.left_open) | set(later)
        for node in nodes:
            if any(literal >> 1 in differ for literal in circuit.inputs[node]):
                differ.add(node)
        if len(differ) << len(self.left_open) > MOST_COPIES:
            raise _Fault(
                f"there is no function for {formula.names[self.left_open[0]]}, and to try all values takes long"
            )
        self.copy(folded, [node for node in nodes if node not in differ], image)
        outputs = []
        for value in range(1 << len(self.left_open)):
            self.look_at_limits()
            here = image | {variable: value >> k & 1 for k, variable in enumerate(self.left_open)}
            if value:
                copies = folded.numbers(len(later))
                self.later += copies
                here |= {variable: 2 * copy for variable, copy in zip(later, copies, strict=True)}
            self.copy(folded, [node for node in nodes if node in differ], here)
            outputs.append(_signed(here, formula.output) ^ (role == "exists"))
        output = folded.gate("and", outputs)
        return _below(folded.gates, output), output

    def after_open(self) -> list[int]:
        """The other role's variables in blocks after that of what is open."""
        found = list[int]()
        for block in self.formula.blocks if self.left_open else ():
            if self.left_open[0] in block.variables:
                found = []
            elif block.quantifier != self.role:
                found.extend(block.variables)
        return found

    def copy(self, folded: _Folded, nodes: list[int], image: dict[int, int]) -> None:
        """Puts gates of the formula in, with the images of what is below them; their own are added."""
        kinds, inputs, put_in = self.formula.circuit.kinds, self.formula.circuit.inputs, image.get
        for node in nodes:
            image[node] = folded.gate(kinds[node], [put_in(one >> 1, one & ~1) ^ (one & 1) for one in inputs[node]])

    def proved(self) -> Verdict | Mapping[int, bool]:
        """Asks the prover, and follows its proof or plays its values."""
        clauses = list(Clauses(self.gates, self.output).all())
        try:
            kind, found = import_module(PROVER).answer_of(clauses, self.look_at_limits)
        except ImportError as error:
            return Verdict("limit", f"there are too many plays to try, and no SAT solver to find a proof: {error}")
        if kind == "values":
            return self.played({abs(literal): literal > 0 for literal in found})
        fault = fault_of(clauses, found, self.look_at_limits)
        if fault is not None:
            return Verdict("limit", f"what the SAT solver takes for a proof is none: {fault}")
        return Verdict("accepted", how=f"by a proof of {len(found):,} steps from {len(clauses):,} clauses")

    def look_at_limits(self) -> None:
        if self.limits.expired() or self.over_memory():
            raise TimeoutError

    def played(self, found: Mapping[int, bool]) -> Verdict | Mapping[int, bool]:
        """The values of all variables, where the other role chooses what was found and the claimer by his functions."""
        chosen = dict(self.given)
        for variable in self.formula.order[len(self.given) :]:
            if self.formula.owner[variable] != self.role:
                chosen[variable] = found.get(variable, False)
        value = [False, *(chosen[variable] for variable in self.leaves)]
        for one, other in self.graph.gates:
            value.append((value[one >> 1] != bool(one & 1)) and (value[other >> 1] != bool(other & 1)))
        chosen |= dict.fromkeys(self.left_open, False)  # whatever is chosen loses, this too
        for variable, output in self.own:
            chosen[variable] = value[output >> 1] != bool(output & 1)
        if self.formula.holds(chosen) == (self.role == "exists"):
            return Verdict("limit", "what the SAT solver takes for a counterexample is none")
        return chosen


class _Folded:
    """Gates as they are made: equal ones once, and none where a constant says what comes out."""

    def __init__(self, next_number: int) -> None:
        self.next_number = next_number
        self.gates: list[Gate] = []
        self.known: dict[tuple[str | int, ...], int] = {}

    def numbers(self, count: int) -> range:
        """Numbers that nothing has yet."""
        self.next_number += count
        return range(self.next_number - count, self.next_number)

    def gate(self, kind: str, inputs: list[int]) -> int:
        """The literal of a gate with these inputs."""
        flip = 0
        if kind == "or":
            kind, flip, inputs = "and", 1, [literal ^ 1 for literal in inputs]
        if kind == "and":
            left = set(inputs)
            left.discard(1)
            if 0 in left:
                return flip
            if len(left) <= 1:
                return (left.pop() if left else 1) ^ flip
            inputs = sorted(left)
        key: tuple[str | int, ...] = (kind, *inputs)
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


def _signed(literal_of: Mapping[int, int], literal: int) -> int:
    """A literal, or what stands in the place of its variable."""
    return literal_of.get(literal >> 1, literal & ~1) ^ (literal & 1)
