"""Exact values of small rulesheets by going through all states, from the ground game's answers alone."""

from __future__ import annotations

from itertools import product

from zermelo.gdl.ground import GroundReasoner


def exact_values(game: GroundReasoner) -> dict[bytes, float]:
    """The first role's share of 100 in every state that can be reached; two roles move in turn."""
    native = game.native
    after: dict[bytes, list[bytes]] = {}
    values: dict[bytes, float] = {}
    mover: dict[bytes, int] = {}
    order = [native.start()]
    for state in order:
        if native.terminal(state):
            values[state] = native.goals(state, 0)[0] / 100
            continue
        legal = [native.legal(state, role) for role in range(2)]
        mover[state] = 0 if len(legal[0]) > 1 or "noop" not in game.moves[legal[0][0]] else 1
        after[state] = [native.next(state, list(joint)) for joint in product(*legal)]
        for state_after in after[state]:
            if state_after not in after and state_after not in values:
                after[state_after] = []
                order.append(state_after)
    open_states = [state for state in reversed(order) if state not in values]
    while open_states:  # once, where all ways to a state are of one length
        for state in open_states:
            if all(other in values for other in after[state]):
                best = max if mover[state] == 0 else min
                values[state] = best(values[other] for other in after[state])
        open_states = [state for state in open_states if state not in values]
    return values
