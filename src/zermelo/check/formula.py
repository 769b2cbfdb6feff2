"""Checks functions that are claimed to win a formula: Skolem functions of ``exists``, Herbrand functions of ``forall``.

The claim holds exactly if three things do:

* *who*: there is one function for each of the claimer's variables, over the other role's variables only; but in the
  last block that matters to him variables may be left open, and all their values are tried;
* *when*: each function looks only at variables of blocks before its own, tested on the gates it is made of;
* *what*: with the functions in the place of the claimer's variables, no values of the other role's variables make the
  circuit come out wrong. Where the other role has few variables all its plays are tried (:mod:`zermelo.check.plays`);
  else there is a proof, step by step, that clauses contradict each other (:mod:`zermelo.check.satproof`).

The formula is the checker's own reading of it. The gates of the functions are given in an order in which each uses
earlier ones only, so nothing goes round in circles. Nothing of the text is believed; it is read here, by a reader that
shares nothing with the one that engines use. Values with which the claimer loses are played against his functions, and
are the line that refutes the claim.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from zermelo.certificate import Claim, score_text
from zermelo.check.andgraph import AndGraph, read_and_graph
from zermelo.check.boolean import QuantifiedFormula
from zermelo.check.circuit import OTHER, QUANTIFIERS, Circuit
from zermelo.check.instance import instance_of
from zermelo.check.plays import Plays
from zermelo.check.verdict import Fault, Undecided, Verdict, judged, watch
from zermelo.errors import IllegalMoveError
from zermelo.game import Game
from zermelo.limits import Limits
from zermelo.wrapper import GameWrapper

MOST_OPEN = 16
"""So many variables may be left without a function at most."""
MOST_COPIES = 1 << 22
"""For each value of them there is a copy of what depends on them; so many gates at most."""


def check_functions(game: Game, claim: Claim, limits: Limits) -> Verdict:
    """Checks a claim by the rule ``functions``, whose data is ``{"aag": AIGER text}``.

    >>> from zermelo import game_of
    >>> game = game_of("examples/answers.qcir")
    >>> won = {"aag": "aag 2 2 0 3 0\\n2\\n4\\n1\\n3\\n5\\ni0 a\\ni1 c\\no0 start\\no1 b\\no2 d\\n"}
    >>> check_functions(game, Claim("exists", 1, rule="functions", data=won), Limits()).how
    'by putting the functions in'
    >>> lost = {"aag": "aag 2 2 0 3 0\\n2\\n4\\n0\\n3\\n5\\ni0 a\\ni1 c\\no0 start\\no1 b\\no2 d\\n"}
    >>> verdict = check_functions(game, Claim("exists", 1, rule="functions", data=lost), Limits())
    >>> verdict.status, " ".join(game.move_text(move) for move in verdict.line)
    ('refuted', 'start=0 a=0 b=1 c=0 d=1')
    """
    return judged(lambda: _checked(game, claim, watch(limits)))


def _checked(game: Game, claim: Claim, look: Callable[[], None]) -> Verdict:
    # A wrapper may have changed the rules: what it wraps says nothing of it.
    formula = None if isinstance(game, GameWrapper) else instance_of(game)
    if not isinstance(formula, QuantifiedFormula):
        raise Fault(f"the rule 'functions' is for formulas, not {type(game).__name__}")
    if claim.role not in QUANTIFIERS:
        raise Fault(f"{claim.role!r} is not a role of the game: {', '.join(QUANTIFIERS)}")
    if claim.at_least > 1:
        raise Fault(f"functions promise 1, the claim is at least {score_text(claim.at_least)}")
    if set(claim.data) != {"aag"} or not isinstance(claim.data["aag"], str):
        raise Fault("the data of the rule 'functions' is not {\"aag\": a text}")
    graph = read_and_graph(claim.data["aag"])
    _test_names(formula, claim.role, graph)
    _test_order(formula, claim.role, graph)
    question = _Question(formula, claim.role, graph, look)
    how, found = question.answer()
    if found is None:
        return Verdict("accepted", how=how)
    word = "false" if claim.role == "exists" else "true"
    reason = f"the formula comes out {word} against the functions of {claim.role}"
    return Verdict("refuted", reason, _line(game, formula, question.played(found)))


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
                raise Fault(f"{name} is not a variable that {wanted} still has to choose")
        if len(set(names)) != len(names):
            raise Fault("a variable is named twice")


def _test_order(formula: QuantifiedFormula, role: str, graph: AndGraph) -> None:
    """Each function may depend on earlier blocks only: the latest input below each node tells."""
    places = _places(formula)
    latest = [(-1, ""), *((places[name][2], name) for name in graph.inputs)]
    for one, other in graph.gates:
        latest.append(max(latest[one >> 1], latest[other >> 1]))
    for name, output in graph.outputs:
        block, late = latest[output >> 1]
        if block >= places[name][2]:
            raise Fault(f"the function of {name} looks at {late}, which {OTHER[role]} chooses later")


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
            raise Fault(f"there is no function for {left[0]}, and {role} has to choose again later")
    if len(left) > MOST_OPEN:
        raise Fault(f"there is no function for {left[0]} and {len(left) - 1} others")
    return [places[name][0] for name in left]


class _Question:
    """The formula with the functions put in, out of conjunctions and negations: can it come out wrong?"""

    def __init__(self, formula: QuantifiedFormula, role: str, graph: AndGraph, look: Callable[[], None]) -> None:
        self.formula, self.role, self.graph, self.look = formula, role, graph, look
        self.left_open = _left_open(formula, role, graph)
        self.made = Circuit()
        self.image = {v: int(value) for v, value in zip(formula.order, formula.given, strict=False)}
        """What stands for the nodes of the formula."""
        for variable in formula.order[len(formula.given) :]:
            if formula.owner[variable] != role:
                self.image[variable] = self.made.variable()
        named = {formula.names[variable]: variable for variable in formula.order}
        self.leaves = [named[name] for name in graph.inputs]
        self.own = [(named[name], output) for name, output in graph.outputs]
        literals = [0, *(self.image[variable] for variable in self.leaves)]
        for one, other in graph.gates:
            literals.append(self.made.gate("and", [_literal(literals, one), _literal(literals, other)]))
        for variable, output in self.own:
            self.image[variable] = _literal(literals, output)
        self.output = self.put_in()

    def put_in(self) -> int:
        """A literal that is true where the claimer loses.

        Where variables are open he loses if all their values lose: there is a copy of what depends on them for each
        value, in which the other role's later choices are its own.
        """
        circuit, later = self.formula.circuit, self.after_open()
        differ = {*self.left_open, *later}
        for node in self.formula.nodes:
            if any(literal >> 1 in differ for literal in circuit.inputs[node]):
                differ.add(node)
        if len(differ) << len(self.left_open) > MOST_COPIES:
            name = self.formula.names[self.left_open[0]]
            raise Fault(f"there is no function for {name}, and to try all values takes long")
        self.copy([node for node in self.formula.nodes if node not in differ], self.image)
        losing = []
        for value in range(1 << len(self.left_open)):
            self.look()
            here = self.image | {variable: value >> k & 1 for k, variable in enumerate(self.left_open)}
            if value:
                here |= {variable: self.made.variable() for variable in later}
            self.copy([node for node in self.formula.nodes if node in differ], here)
            losing.append(_literal(here, self.formula.output) ^ (self.role == "exists"))
        return self.made.gate("and", losing)

    def after_open(self) -> list[int]:
        """The other role's variables in blocks after that of what is open."""
        found = list[int]()
        for block in self.formula.blocks if self.left_open else ():
            if self.left_open[0] in block.variables:
                found = []
            elif block.quantifier != self.role:
                found.extend(block.variables)
        return found

    def copy(self, nodes: Sequence[int], image: dict[int, int]) -> None:
        """Puts gates of the formula in, with the images of what is below them; their own are added."""
        kinds, inputs = self.formula.circuit.kinds, self.formula.circuit.inputs
        for node in nodes:
            if kinds[node] == "false":
                image[node] = 0
            elif kinds[node] != "variable":
                image[node] = _as_conjunctions(self.made, kinds[node], [_literal(image, one) for one in inputs[node]])

    def answer(self) -> tuple[str, Mapping[int, bool] | None]:
        """How it was looked for: values of variables of the question with which the claimer loses, if there are any."""
        if self.output < 2:
            return "by putting the functions in", {} if self.output else None
        plays = Plays(self.made, self.output)
        if plays.affordable():
            return f"by trying all {1 << len(plays.variables):,} plays", plays.first(self.look)
        from zermelo.check.satproof import values_or_proof  # where all plays are tried nobody need trust it

        return values_or_proof(self.made, self.output, self.look)

    def played(self, found: Mapping[int, bool]) -> Mapping[int, bool]:
        """The values of all variables, where the other role chooses what was found and the claimer by his functions."""
        chosen = {v: value == 1 for v, value in zip(self.formula.order, self.formula.given, strict=False)}
        for variable in self.formula.order[len(self.formula.given) :]:
            if self.formula.owner[variable] != self.role:
                chosen[variable] = found.get(self.image[variable] >> 1, False)
        value = [0, *(int(chosen[variable]) for variable in self.leaves)]
        for one, other in self.graph.gates:
            value.append(_literal(value, one) & _literal(value, other))
        chosen |= dict.fromkeys(self.left_open, False)  # whatever is chosen loses, this too
        chosen |= {variable: _literal(value, output) == 1 for variable, output in self.own}
        if self.formula.holds(chosen) == (self.role == "exists"):
            raise Undecided("what the SAT solver takes for a counterexample is none")
        return chosen


def _literal(images: Mapping[int, int] | Sequence[int], literal: int) -> int:
    """What stands for a literal, or its value, where that of each node is known."""
    return images[literal >> 1] ^ (literal & 1)


def _as_conjunctions(made: Circuit, kind: str, inputs: Sequence[int]) -> int:
    """A gate of a formula out of conjunctions and negations."""
    if kind in ("and", "or"):
        flip = int(kind == "or")
        return made.gate("and", [literal ^ flip for literal in inputs]) ^ flip
    if kind == "xor":
        condition, otherwise = inputs
        then = otherwise ^ 1
    else:
        condition, then, otherwise = inputs
    wrong = made.gate("and", [condition, then ^ 1]), made.gate("and", [condition ^ 1, otherwise ^ 1])
    return made.gate("and", [literal ^ 1 for literal in wrong])
