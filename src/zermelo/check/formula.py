"""Checks functions that are claimed to win a formula: Skolem functions of ``exists``, Herbrand functions of ``forall``.

The claim holds exactly if three things do:

* *who*: there is one function for each of the claimer's variables, over the other role's variables only; but in the
  last block that matters to him variables may be left open (:mod:`zermelo.check.openchoice`);
* *when*: each function looks only at variables of blocks before its own, tested on the gates it is made of;
* *what*: with the functions in the place of the claimer's variables, no values of the other role's variables make the
  circuit come out wrong. Where the other role has few variables all its plays are tried (:mod:`zermelo.check.plays`);
  else there is a proof, step by step, that clauses contradict each other (:mod:`zermelo.check.satproof`).

The formula is the checker's own reading of it. The gates of the functions are given in an order in which each uses
earlier ones only, so nothing goes round in circles. Nothing of the text is believed; it is read here, by a reader that
shares nothing with the one that engines use. Values with which the claimer loses become the line of play that refutes
the claim (:mod:`zermelo.check.formulaline`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from zermelo.certificate import Claim, score_text
from zermelo.check.andgraph import AndGraph, read_and_graph
from zermelo.check.boolean import QuantifiedFormula
from zermelo.check.circuit import OTHER, QUANTIFIERS, Circuit
from zermelo.check.instance import instance_of
from zermelo.check.plays import Plays
from zermelo.check.verdict import Fault, Verdict, judged, watch
from zermelo.game import Game
from zermelo.limits import Limits
from zermelo.wrapper import GameWrapper


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
    _test_who_and_when(formula, claim.role, graph)
    made, image = _put_in(formula, claim.role, graph)
    how, found = _losing_play(made, _losing(formula, claim.role, made, image, look), look)
    if found is None:
        return Verdict("accepted", how=how)
    word = "false" if claim.role == "exists" else "true"
    reason = f"the formula comes out {word} against the functions of {claim.role}"
    from zermelo.check.formulaline import line_of  # who is told that a claim holds need not trust it

    return Verdict("refuted", reason, line_of(game, formula, claim.role, made, image, found))


def _test_who_and_when(formula: QuantifiedFormula, role: str, graph: AndGraph) -> None:
    """Functions of the claimer's open variables, which depend on those of earlier blocks only."""
    rest = set(formula.order[len(formula.given) :])
    owner = {formula.names[variable]: formula.owner[variable] for variable in rest}
    block = {formula.names[v]: number for number, block in enumerate(formula.blocks) for v in block.variables}
    for names, wanted in ((graph.inputs, OTHER[role]), ([name for name, _ in graph.outputs], role)):
        for name in names:
            if owner.get(name) != wanted:
                raise Fault(f"{name} is not a variable that {wanted} still has to choose")
        if len(set(names)) != len(names):
            raise Fault("a variable is named twice")
    latest = [(-1, ""), *((block[name], name) for name in graph.inputs)]  # the latest input below each node
    for one, other in graph.gates:
        latest.append(max(latest[one >> 1], latest[other >> 1]))
    for name, output in graph.outputs:
        when, late = latest[output >> 1]
        if when >= block[name]:
            raise Fault(f"the function of {name} looks at {late}, which {OTHER[role]} chooses later")


def _put_in(formula: QuantifiedFormula, role: str, graph: AndGraph) -> tuple[Circuit, dict[int, int]]:
    """A circuit of the functions, and what stands in it for the variables of the formula, but for those left open."""
    made = Circuit()
    image = dict(zip(formula.order, formula.given, strict=False))
    for variable in formula.order[len(formula.given) :]:
        if formula.owner[variable] != role:
            image[variable] = made.variable()
    named = {formula.names[variable]: variable for variable in formula.order}
    literals = [0, *(image[named[name]] for name in graph.inputs)]

    def literal(stated: int) -> int:
        return literals[stated >> 1] ^ (stated & 1)

    for one, other in graph.gates:
        literals.append(made.gate("and", [literal(one), literal(other)]))
    return made, image | {named[name]: literal(output) for name, output in graph.outputs}


def _losing(
    formula: QuantifiedFormula, role: str, made: Circuit, image: dict[int, int], look: Callable[[], None]
) -> int:
    """A literal that is true where the claimer loses."""
    look()
    if any(variable not in image for variable in formula.order):
        from zermelo.check.openchoice import losing_whatever_is_chosen  # where all have functions nobody need trust it

        return losing_whatever_is_chosen(formula, role, made, image, look)
    whole = formula.circuit.carried(formula.nodes, image, made.gate)
    return whole[formula.output >> 1] ^ (formula.output & 1) ^ (role == "exists")


def _losing_play(made: Circuit, output: int, look: Callable[[], None]) -> tuple[str, Mapping[int, int] | None]:
    """How it was looked for: values of variables with which the claimer loses, if there are any."""
    if output == 0:
        return "by putting the functions in", None
    plays = Plays(made, output)
    if plays.affordable():
        return f"by trying all {1 << len(plays.variables):,} plays", plays.first(look)
    from zermelo.check.satproof import values_or_proof  # where all plays are tried nobody need trust it

    return values_or_proof(made, output, look)
