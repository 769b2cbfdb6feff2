"""The engine of networks: what a policy can get, or whether it reaches the thresholds of all players."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from time import monotonic
from typing import Any

from zermelo.answer import Answer
from zermelo.certificate import Claim, score_text
from zermelo.engine import Engine, Task, or_stopped, to_its_end
from zermelo.errors import LimitReachedError, NotApplicableError
from zermelo.game import CHANCE, NOBODY, Game, Score, plain_score, taken_as
from zermelo.limits import Limits
from zermelo.scsp.game import DECIDER, NETWORK_ENGINE, NetworkGame, Position, Setting
from zermelo.scsp.network import Network
from zermelo.scsp.policy import Policy
from zermelo.scsp.preprocess import in_terms_of, preprocessed
from zermelo.scsp.resolve import solutions, solve, split
from zermelo.scsp.stages import Resolution, best_policy, solve_stages

SMALLER_SECONDS = 5.0
"""So long a network is made smaller where no limit of time is set; then it is taken as it is."""


@dataclass(frozen=True)
class NetworkDetails:
    """What only a network has: what each player gets and has to get, and whether there is such a policy.

    ``feasible`` says whether any policy breaks no table, ``satisfiable`` whether one reaches all thresholds as well.
    """

    satisfiable: bool | None
    feasible: bool | None
    utility: tuple[Score, ...] | None
    threshold: tuple[Score, ...]

    def to_json(self) -> Mapping[str, Any]:
        """The fields that it adds."""
        return {
            "satisfiable": self.satisfiable,
            "feasible": self.feasible,
            "utility": None if self.utility is None else [score_text(part) for part in self.utility],
            "threshold": [score_text(least) for least in self.threshold],
        }


Finder = Callable[[Network, Limits, Callable[[int], None]], Resolution | None]
"""Finds the best policy of one player, or one that reaches the thresholds of several; none where there is none."""


def by_stages(network: Network, limits: Limits, visit: Callable[[int], None]) -> Resolution | None:
    """By search over the variables in their order, in a smaller network with the same policies."""
    small = network
    left = limits.seconds_left()
    with suppress(LimitReachedError):
        small = preprocessed(network, limits.part(SMALLER_SECONDS if left is None else left / 4))
    alone = network.players == 1
    found = best_policy(small, 0, limits, visit) if alone else solve_stages(small, limits, visit)
    return None if found is None else replace(found, policy=in_terms_of(network, small, found.policy))


def by_decisions(network: Network, limits: Limits, visit: Callable[[int], None]) -> Resolution | None:
    """By enumerating the decisions before chance that are feasible, and enough for the thresholds."""
    if network.players > 1:
        return solve(network, limits)
    best: Resolution | None = None
    least = replace(network, threshold=(NetworkGame(network).least,))
    for count, found in enumerate(solutions(least, limits)):
        visit(count)
        best = found if best is None or found.utility > best.utility else best
    return best


def why_not_decisions(game: Game) -> str | None:
    """Why decisions before chance do not settle a network; ``None`` where they do.

    >>> from zermelo.scsp import read_network
    >>> why_not_decisions(NetworkGame(read_network("examples/onestage.json")))
    >>> why_not_decisions(NetworkGame(read_network("examples/pennies.json")))
    'decisions stand between stochastic variables, so this is not a network of one stage'
    """
    try:
        split(taken_as(NetworkGame, game).network)
    except NotApplicableError as error:
        return str(error)
    return None


FINDERS: Mapping[str, Finder] = {NETWORK_ENGINE: by_stages, "scsp-mac": by_decisions}
"""What each engine finds policies by."""


def solve_network(game: NetworkGame, engine: str = NETWORK_ENGINE, task: Task | None = None) -> Answer:
    """What is to be said of a network: the best policy of one player, or one that reaches the thresholds of several.

    >>> from zermelo.scsp import read_network
    >>> answer = solve_network(NetworkGame(read_network("examples/pennies.json")))
    >>> str(answer.value), answer.details.satisfiable
    ('1/2', True)
    """
    task = task or Task()
    states = 0

    def visit(count: int) -> None:
        nonlocal states
        states = count

    return or_stopped(
        lambda: _solved(game, engine, task, visit),
        lambda note, cause: _unanswered(game, engine, note, cause, task, states),
    )


def _solved(game: NetworkGame, engine: str, task: Task, visit: Callable[[int], None]) -> Answer:
    network, began = game.network, monotonic()
    alone = network.players == 1
    found = FINDERS[engine](network, task.limits, visit)
    nodes = 0 if found is None else found.nodes
    stats: dict[str, Any] = {"seconds": round(monotonic() - began, 6), "nodes": nodes, "expected": True}
    value = _value(game, found)
    claims: tuple[Claim, ...] = ()
    if task.options.certify:
        claims = _claims_of_one(game, found, value) if alone else (_claim_of_several(found),)
        stats["policy_positions"] = sum(len(claim.table) or len(claim.data.get("nodes", ())) for claim in claims)
    line = () if found is None else _first_decisions(game, found.policy)
    return in_own_terms(
        game,
        Answer(
            engine=engine,
            status="solved",
            value=plain_score(value),
            bounds=(plain_score(value), plain_score(value)),
            winner=DECIDER if found is not None and (not alone or value > 0) else None,
            move=line[0] if line else None,
            line=line,
            claims=claims,
            stats=stats,
        ),
        found,
    )


def _value(game: NetworkGame, found: Resolution | None) -> Fraction:
    """What the decider gets: with one player the utility, with several 1 if all thresholds are reached, else -1."""
    if game.network.players > 1:
        return Fraction(-1 if found is None else 1)
    return _below_feasible(game) if found is None else found.utility[0]


def _below_feasible(game: NetworkGame) -> Fraction:
    """What no policy that breaks a table exceeds."""
    return game.most + game.rarest * (game.worst - game.most)


def _claims_of_one(game: NetworkGame, found: Resolution | None, value: Fraction) -> tuple[Claim, ...]:
    above = Claim(NOBODY, plain_score(-value))
    return (above,) if found is None else (Claim(DECIDER, plain_score(value), _table(game, found.policy)), above)


def _claim_of_several(found: Resolution | None) -> Claim:
    if found is None:
        return Claim(NOBODY, 1, rule="policy")
    return Claim(DECIDER, 1, rule="policy", data={"nodes": _nodes(found.policy)})


def _table(game: NetworkGame, policy: Policy) -> Mapping[str, tuple[str, int | None]]:
    """The policy as a table of moves; positions met again have the same best continuation, so the first one does."""
    table: dict[str, tuple[str, int | None]] = {}
    met: set[Position] = set()
    stack = [(game.start(), policy)]
    while stack:
        position, node = stack.pop()
        number = position[0]
        if position in met or number == len(game.network.variables):
            continue
        met.add(position)
        if game.turn(position) != CHANCE:
            (value,) = node.branches
            table[game.key(position)] = (game.move_text((number, value)), len(game.network.variables) - number)
        stack += [(game.play(position, (number, value)), below) for value, below in node.branches.items()]
    return table


def _nodes(policy: Policy) -> list[list[list[int]]]:
    """The policy as a list of nodes, each after those that it leads to; what is shared is written once."""
    place: dict[int, int] = {}
    nodes: list[list[list[int]]] = []
    stack = [policy]
    while stack:
        node = stack[-1]
        waiting = [below for below in node.branches.values() if id(below) not in place]
        if id(node) in place:
            stack.pop()
        elif waiting:
            stack += waiting
        else:
            place[id(node)] = len(nodes)
            nodes.append([[value, place[id(below)]] for value, below in sorted(node.branches.items())])
    return nodes


def _first_decisions(game: NetworkGame, policy: Policy) -> tuple[Setting, ...]:
    """What is decided before chance draws for the first time."""
    made: list[Setting] = []
    node = policy
    for number, variable in enumerate(game.network.variables):
        if variable.stochastic:
            break
        ((value, node),) = node.branches.items()
        made.append((number, value))
    return tuple(made)


def in_own_terms(game: NetworkGame, answer: Answer, found: Resolution | None = None) -> Answer:
    """The answer with what only a network has: thresholds, and whether they are reached.

    What engines for games say of a network of one player is put into its terms so, too.
    """
    network, value = game.network, answer.value
    utility: tuple[Score, ...] | None = None if found is None else tuple(found.utility)
    feasible: bool | None = found is not None or None
    satisfiable = None if value is None else value > 0
    if value is not None and network.players == 1:
        feasible, satisfiable = value >= game.least, value >= max(game.least, network.threshold[0])
        utility = (value,) if feasible else None
        if not feasible:  # what it costs to break a table says nothing to anybody
            answer = replace(answer, value=None, bounds=(None, None), winner=None, move=None, line=(), move_values={})
    return replace(answer, details=NetworkDetails(satisfiable, feasible, utility, tuple(network.threshold)))


def _unanswered(game: NetworkGame, engine: str, note: str, cause: str, task: Task, states: int) -> Answer:
    stats = {"seconds": round(monotonic() - task.limits.started, 6), "nodes": states}
    answer = Answer(engine, "unknown", note=note, stopped_by=cause, stats=stats)
    return in_own_terms(game, replace(answer, reached=f"{states:,} states worked out"))


_run = to_its_end(NetworkGame, "a network", lambda game, names, task: solve_network(game, names[0], task))
ENGINES = (
    Engine(
        NETWORK_ENGINE,
        "policies stage by stage, with bounds on what can still be had, in a network made smaller first",
        NETWORK_ENGINE,
        _run,
        ("network",),
    ),
    Engine(
        "scsp-mac",
        "the decisions of a network of one stage, enumerated by constraint propagation",
        "scsp-mac",  # a room of its own: the two do not run side by side
        _run,
        ("network",),
        why_not=why_not_decisions,
    ),
)
