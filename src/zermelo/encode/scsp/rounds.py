"""How many rounds a game can last by its own count.

Facts that change by themselves, whatever is played, go through one sequence of values in every game: a clock. If the
rules end play at some value of the clock no game is longer. That the end is sure then, whatever else holds, is asked
of a SAT solver.
"""

from __future__ import annotations

from collections.abc import Sequence

from zermelo.encode.scsp.invariants import StateVariable, never_goes_on
from zermelo.encode.scsp.rule_circuit import Literal, Rules


def own_rounds(rules: Rules, state: Sequence[StateVariable]) -> int | None:
    """The rounds after which the clock of a game says that it is over; ``None`` if it has no such clock.

    >>> from zermelo.encode.scsp.invariants import state_variables
    >>> from zermelo.encode.scsp.rule_circuit import rules_of
    >>> from zermelo.gdl.ground import ground
    >>> from zermelo.gdl.kif import read_kif
    >>> sheet = read_kif('''(role you) (legal you wait) (init (step 1)) (after 1 2) (after 2 3) (goal you 100)
    ... (<= (next (step ?n)) (true (step ?m)) (after ?m ?n)) (<= terminal (true (step 3)))''')
    >>> game = ground(sheet)
    >>> own_rounds(rules_of(game), state_variables(game, rules_of(game)))
    2
    """
    clock = _clock(rules)
    if not clock:
        return None
    holding = frozenset(fact for fact in clock if rules.holds_at_start(fact))
    seen: set[frozenset[int]] = set()
    times: list[frozenset[int]] = []
    while holding not in seen:
        seen.add(holding)
        times.append(holding)
        holding = _following(rules, clock, holding)
    return never_goes_on(rules, state, clock, times)


def _clock(rules: Rules) -> tuple[int, ...]:
    """The facts whose next values depend on no move and on no other facts: the largest set of such."""
    first_move = 1 + len(rules.fluents)
    depends: dict[int, set[int]] = {}
    for fact, literal in enumerate(rules.next):
        leaves = {inner >> 1 for gate in rules.cone([literal]) for inner in rules.inputs[gate - rules.first_gate]}
        depends[fact] = {node - 1 for node in leaves | {literal >> 1} if 0 < node < rules.first_gate}
    clock = {fact for fact, own in depends.items() if all(other < first_move - 1 for other in own)}
    while True:
        closed = {fact for fact in clock if depends[fact] <= clock}
        if closed == clock:
            return tuple(sorted(clock))
        clock = closed


def _following(rules: Rules, clock: Sequence[int], holding: frozenset[int]) -> frozenset[int]:
    """The facts of the clock after a round."""
    value: dict[int, bool] = {0: False, **{1 + fact: fact in holding for fact in clock}}

    def true(literal: Literal) -> bool:
        return value[literal >> 1] != bool(literal & 1)

    roots = [rules.next[fact] for fact in clock]
    for node in rules.cone(roots):
        gate = node - rules.first_gate
        inputs = map(true, rules.inputs[gate])
        value[node] = any(inputs) if rules.is_or[gate] else all(inputs)
    return frozenset(fact for fact in clock if true(rules.next[fact]))
