"""Checks whether all players of a network reach their thresholds: plain Python over its tables, no engine.

That they do is shown by a policy, written as a list of nodes: each says which values its variable takes and which node
follows each. Every outcome of chance has to be there, no table may be broken on the way, and the exact averages of all
players have to be what the thresholds ask. That they cannot is checked by working out, from the last variable to the
first, all that can be got: for each set of values that still matter the averages of which no other policy's are better
for everybody. With one player there is nothing special to check: a table of moves is played out as in any game of
chance (:mod:`zermelo.check.walk`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any

from zermelo.certificate import Claim, score_text
from zermelo.check.instance import instance_of
from zermelo.check.read.network import Network, Vector
from zermelo.check.read.networkgame import BROKEN, DECIDER, DrawnGame, Position, Setting
from zermelo.check.verdict import Fault, Verdict
from zermelo.errors import LimitReachedError
from zermelo.game import NOBODY, Game
from zermelo.limits import Limits, step_watch

Node = dict[int, int]
"""The node that follows each value."""
Values = tuple[int, ...]
CERTAIN = Fraction(1)
"""The probability of what is decided."""
REACHED = 1
"""What a claim by this rule is worth: all thresholds are reached, or they cannot be."""


def check_policy_claim(game: Game, claim: Claim, limits: Limits) -> Verdict:
    """Checks a claim that all thresholds of a network are reached by a policy, or by none.

    >>> from zermelo.scsp.game import NetworkGame
    >>> from zermelo.scsp.network import Network, Utility, Variable
    >>> both = {(0,): (Fraction(1), Fraction(0)), (1,): (Fraction(0), Fraction(1))}
    >>> thresholds = (Fraction(1), Fraction(0))
    >>> network = Network(2, (Variable("x", ("a", "b")),), (), (Utility((0,), both),), (), thresholds)
    >>> data = {"nodes": [[], [[0, 0]]]}
    >>> check_policy_claim(NetworkGame(network), Claim("decider", 1, rule="policy", data=data), Limits()).status
    'accepted'
    >>> check_policy_claim(NetworkGame(network), Claim("nobody", 1, rule="policy"), Limits()).reason
    'a policy gets 1, 0, which is what the thresholds ask'
    """
    network = instance_of(game)
    if not isinstance(network, Network) or network.players == 1:
        return Verdict("refuted", "the rule 'policy' is for networks of several players")
    if game.line:
        return Verdict("refuted", "the rule 'policy' is for a whole network, from its first variable on")
    if claim.role not in (DECIDER, NOBODY):
        return Verdict("refuted", f"{claim.role!r} is not a role of the game: {DECIDER}, {NOBODY}")
    if claim.at_least > REACHED:
        return Verdict("refuted", f"the rule 'policy' promises 1, the claim is at least {score_text(claim.at_least)}")
    step = step_watch(limits)
    try:
        if claim.role == DECIDER:
            nodes = _nodes(claim.data)
            _need_reached(network, _average(network.drawn_game, nodes, step))
            return Verdict("accepted", how=f"a policy of {len(nodes):,} nodes")
        if claim.data:
            raise Fault("the data of the rule 'policy' is not as it should be: there should be none")
        _need_unreachable(network.drawn_game, step)
        return Verdict("accepted", how="all that can be got")
    except Fault as fault:
        return Verdict("refuted", str(fault))
    except LimitReachedError:
        return Verdict("limit", "the limit was reached before the claim was checked")


def _nodes(data: Any) -> list[Node]:
    """The nodes of a policy, their shape tested: the last one is where it begins, each leads to earlier ones."""
    given = data.get("nodes") if set(data) == {"nodes"} else None
    if type(given) is not list or not given:
        raise Fault("the data of the rule 'policy' is not as it should be: expected {\"nodes\": a list}")
    nodes: list[Node] = []
    for number, branches in enumerate(given):
        fits = type(branches) is list and all(
            type(branch) is list and len(branch) == 2 and all(type(part) is int for part in branch)
            for branch in branches
        )
        if not fits or any(not 0 <= child < number for _, child in branches):
            raise Fault(f"node {number} of the policy is no list of values, each with an earlier node")
        nodes.append(dict(branches))
    return nodes


def _average(game: DrawnGame, nodes: Sequence[Node], step: Callable[[], None]) -> Vector:
    """What each player gets from the policy on average; a fault where it is not feasible."""
    zero = (Fraction(0),) * game.network.players
    found: dict[tuple[int, Position], Vector] = {}
    first = (len(nodes) - 1, game.start())
    stack = [first]
    while stack:
        here = node, position = stack[-1]
        step()
        if here in found:
            stack.pop()
        elif game.is_broken(position):
            raise Fault("the policy breaks a table")
        elif position[0] == len(game.network.variables):
            found[here] = position[2]
        else:
            below = [
                ((nodes[node][move[1]], game.play(position, move)), share) for move, share in _taken(game, nodes, here)
            ]
            waiting = [child for child, _ in below if child not in found]
            if waiting:
                stack += waiting
            else:
                total = zero
                for child, share in below:
                    total = _plus(total, found[child], share)
                found[here] = total
    return found[first]


def _taken(game: DrawnGame, nodes: Sequence[Node], here: tuple[int, Position]) -> Iterable[tuple[Setting, Fraction]]:
    """What may happen at a node of a policy, with its probability."""
    node, position = here
    number = position[0]
    variable = game.network.variables[number]
    if variable.stochastic:
        outcomes = game.chances(position)
        for (_, value), _ in outcomes:
            if value not in nodes[node]:
                raise Fault(f"the policy has no answer to {variable.name}={variable.domain[value]}")
        return outcomes
    if len(nodes[node]) != 1:
        raise Fault(f"the policy decides {len(nodes[node])} values of {variable.name}, expected one")
    (value,) = nodes[node]
    if not 0 <= value < len(variable.domain):
        raise Fault(f"the policy decides value {value} of {variable.name}, which has {len(variable.domain)}")
    return [((number, value), CERTAIN)]


def _need_reached(network: Network, average: Vector) -> None:
    for player, (got, least) in enumerate(zip(average, network.threshold, strict=True), 1):
        if got < least:
            raise Fault(f"player {player} gets {score_text(got)}, the threshold is {score_text(least)}")


def _need_unreachable(game: DrawnGame, step: Callable[[], None]) -> None:
    """A fault where some policy reaches all thresholds."""
    start = game.start()
    if game.is_broken(start):
        return
    for front in _fronts(game, step):
        got = _plus(start[2], front)
        if all(a >= b for a, b in zip(got, game.network.threshold, strict=True)):
            raise Fault(f"a policy gets {', '.join(map(score_text, got))}, which is what the thresholds ask")


def _fronts(game: DrawnGame, step: Callable[[], None]) -> list[Vector]:
    """What can be got from the start on: all averages of feasible policies that no other's exceed for everybody."""
    zero = (Fraction(0),) * game.network.players
    levels: list[dict[Values, None]] = [{(): None}]
    for number in range(len(game.network.variables)):
        following: dict[Values, None] = {}
        for values in levels[-1]:
            for move, _ in _ways(game, (number, values, zero)):
                step()
                after = game.play((number, values, zero), move)
                if after[0] != BROKEN:
                    following[after[1]] = None
        levels.append(following)
    known: dict[Values, list[Vector]] = {(): [zero]}  # no value matters after the last variable
    for number in reversed(range(len(game.network.variables))):
        stochastic = game.network.variables[number].stochastic
        before: dict[Values, list[Vector]] = {}
        for values in levels[number]:
            sums, best = [zero], list[Vector]()
            for move, share in _ways(game, (number, values, zero)):
                step()
                after = game.play((number, values, zero), move)
                below = [_plus(after[2], own) for own in known[after[1]]] if after[0] != BROKEN else []
                if stochastic:
                    sums = _undominated([_plus(total, own, share) for total in sums for own in below], step)
                else:
                    best = _undominated([*best, *below], step)
            before[values] = sums if stochastic else best
        known = before
    return known[()]


def _ways(game: DrawnGame, position: Position) -> Iterable[tuple[Setting, Fraction]]:
    if game.network.variables[position[0]].stochastic:
        return game.chances(position)
    return [(move, CERTAIN) for move in game.moves(position)]


def _plus(one: Vector, other: Vector, times: Fraction | int = 1) -> Vector:
    return tuple(a + times * b for a, b in zip(one, other, strict=True))


def _undominated(vectors: Iterable[Vector], step: Callable[[], None]) -> list[Vector]:
    kept: list[Vector] = []
    for one in vectors:
        step()
        if not any(all(a >= b for a, b in zip(other, one, strict=True)) for other in kept):
            kept = [other for other in kept if not all(a >= b for a, b in zip(one, other, strict=True))]
            kept.append(one)
    return kept
