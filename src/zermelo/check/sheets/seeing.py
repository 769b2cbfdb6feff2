"""Whether every role of a rulesheet sees every move: only then does a table by positions prove anything.

Without ``random`` and ``sees`` a rulesheet is one of GDL-I, where every move is told to all (Thielscher 2010 for GDL-
II); such a sheet is not asked about here. Otherwise each player must see each move of every other role by a rule that
always applies and says who moved and how: its body is ``(does ?p ?m)`` with nothing but ``role`` and ``distinct``
beside, its percept holds ``?p`` and ``?m``, and no other rule can give that percept. Who knows the start and all moves
knows every state. Rules that reveal everything in another way count as hiding something.
"""

from __future__ import annotations

from collections.abc import Sequence

from zermelo.check.sheets.rules import Literal, Rule, Sheet
from zermelo.check.sheets.terms import RANDOM, Term, is_variable, may_be_equal, relation_of, text_of, variables


def sees_everything(sheet: Sheet, roles: Sequence[str]) -> bool:
    """Whether each role but chance sees every move of all others.

    >>> from zermelo.check.read.kif import rules_of_kif
    >>> def sheet(rest): return Sheet(tuple(rules_of_kif(f"(<= (sees ?r (did ?p ?m)) (does ?p ?m) {rest})", "s.kif")))
    >>> sees_everything(sheet("(role ?r)"), ("a", "random")), sees_everything(sheet("(true light)"), ("a", "random"))
    (True, False)
    """
    rules = [rule for rule in sheet.rules if relation_of(rule.head) == ("sees", 2)]
    return all(
        any(_reveals(rule, rules, player, other) for rule in rules)
        for player in roles
        for other in roles
        if player not in (RANDOM, other)
    )


def _reveals(rule: Rule, rules: Sequence[Rule], player: str, other: str) -> bool:
    """Whether a rule tells a player every move of another role, and nothing else tells the same."""
    watcher, percept = rule.head[1:]
    literals = [part for part in rule.parts if isinstance(part, Literal)]
    moves = [literal for literal in literals if relation_of(literal.atom) == ("does", 2) and literal.holds]
    if len(literals) < len(rule.parts) or len(moves) != 1 or is_variable(percept):
        return False
    mover, move = moves[0].atom[1:]
    said = variables(percept)
    who = {watcher: player, mover: other}
    return (
        is_variable(move)
        and move in said
        and watcher != mover
        and move not in (watcher, mover)
        and (is_variable(watcher) or text_of(watcher) == player)
        and (is_variable(mover) or text_of(mover) == other)
        and (not is_variable(mover) or mover in said)
        and all(_surely_holds(literal, who) for literal in literals if literal is not moves[0])
        and not any(may_be_equal(percept, another.head[2]) for another in rules if another is not rule)
    )


def _surely_holds(literal: Literal, who: dict[Term, str]) -> bool:
    """Whether a condition holds once it is known who watches and who moves."""
    known = [who.get(term) or (None if variables(term) else text_of(term)) for term in literal.atom[1:]]
    if literal.atom[0] == "distinct":
        return literal.holds and None not in known and known[0] != known[1]
    return literal.holds and relation_of(literal.atom) == ("role", 1) and known[0] in who.values()
