"""Games that were made in Python, without a text: the checker's own nouns, copied from what they hold."""

from __future__ import annotations

from typing import Any

from zermelo.check.read.dgr import FailingNetwork
from zermelo.check.read.graph import Graph
from zermelo.check.read.network import Drawn, Network, Stated, Variable
from zermelo.check.read.rulesheet import Rulesheet
from zermelo.check.sheets.rules import Formula, Rule, Sheet
from zermelo.check.sheets.terms import DEEPEST, Term
from zermelo.errors import InputError


def graph(game: Any) -> Graph:
    """The graph that geography is played on."""
    stated = game.graph
    return Graph(tuple(stated.names), tuple(map(tuple, stated.successors)), stated.start, stated.bound)


def reliability(game: Any) -> FailingNetwork:
    """The network whose edges may fail; ``InputError`` where they lead in a circle."""
    stated = game.network
    made = FailingNetwork(
        tuple(stated.nodes),
        tuple((edge.name, edge.tail, edge.head) for edge in stated.edges),
        stated.start,
        stated.target,
        tuple(map(tuple, stated.erasable)),
        frozenset(map(tuple, stated.exclusive)),
    )
    if len(made.order) < len(made.nodes):
        raise InputError("edges of the network lead in a circle, expected a graph without circles")
    return made


def network(game: Any) -> Network:
    """The network, copied part by part; ``InputError`` unless it is well formed."""
    stated = game.network
    drawn = [
        Drawn(chance.variable, Stated(tuple(chance.scope), {}), True)
        if type(chance).__name__ == "EvenChance"
        else Drawn(chance.variable, Stated(tuple(chance.scope), dict(chance.table)))
        for chance in stated.chances
    ]
    return Network(
        stated.players,
        tuple(Variable(v.name, tuple(v.domain), v.stochastic) for v in stated.variables),
        tuple(Stated(tuple(table.scope), dict.fromkeys(table.tuples, ())) for table in stated.tables),
        tuple(Stated(tuple(soft.scope), dict(soft.table)) for soft in stated.utilities),
        tuple(drawn),
        tuple(stated.threshold),
        tuple(stated.stages),
    )


def rulesheet(game: Any) -> Rulesheet:
    """The rulesheet, copied from its syntax tree."""
    rules = [
        Rule(_formula(rule.head, 1), tuple(_formula(part, 1) for part in rule.body), tuple(rule.span[:2]))
        for rule in game.sheet.rules
    ]
    return Rulesheet(Sheet(tuple(rules), game.sheet.file))


def _formula(formula: Any, depth: int) -> Formula:
    kind = type(formula).__name__
    if depth > DEEPEST + 1:
        raise InputError(f"a rule is nested deeper than {DEEPEST} levels")
    if kind == "Not":
        return ("not", _formula(formula.part, depth + 1))
    if kind in ("Or", "And"):
        return (kind.lower(), *(_formula(part, depth + 1) for part in formula.parts))
    return (formula.name, *(_term(part, depth + 1) for part in formula.args))


def _term(term: Any, depth: int) -> Term:
    if type(term).__name__ == "Variable":
        return f"?{term.name}"
    if depth > DEEPEST + 1:
        raise InputError(f"a term is nested deeper than {DEEPEST} levels")
    return (term.name, *(_term(part, depth + 1) for part in term.args)) if term.args else str(term.name)
