"""From a network to a checked solution: what a policy can get, or whether it reaches the thresholds of all players."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from time import monotonic
from typing import Any

from zermelo.certificate import Certificate, Claim, score_text
from zermelo.checked import checked, summary_of
from zermelo.errors import DisagreementError, InputError, LimitReachedError, NotApplicableError
from zermelo.game import CHANCE, NOBODY, plain_score
from zermelo.limits import Limits
from zermelo.options import Options
from zermelo.run import Watch, no_watch
from zermelo.scsp.game import DECIDER, NETWORK_ENGINE, NetworkGame, Position, Setting
from zermelo.scsp.policy import Policy
from zermelo.scsp.stages import Resolution, best_policy, solve_stages
from zermelo.search import solving as search
from zermelo.solution import Solution


def solve_network(
    game: NetworkGame,
    engine: str = "auto",
    limits: Limits | None = None,
    options: Options | None = None,
    target: str = "",
    watch: Watch = no_watch,
) -> Solution:
    """Solves a network: the best policy of one player, or a policy that reaches the thresholds of several.

    >>> from zermelo.scsp.examples import example_two
    >>> solution = solve_network(NetworkGame(example_two()))
    >>> str(solution.value), solution.room["satisfiable"], solution.verified
    ('1/2', True, True)
    """
    limits, options = limits or Limits(), options or Options()
    if engine not in ("auto", "all", NETWORK_ENGINE):
        if game.network.players > 1:
            raise NotApplicableError(f"{engine} takes networks of one player, expected --engine {NETWORK_ENGINE}")
        return _with_room(game, search.solve_game(game, engine, limits, options, target, watch))
    if options.depth is not None:
        raise InputError(f"{engine} takes no depth: a network is solved to its end")
    states = 0

    def visit(count: int) -> None:
        nonlocal states
        states = count

    try:
        solution = checked(_solved(game, target, limits, options, visit), options, limits)
    except LimitReachedError as error:
        return _unanswered(game, target, str(error), "limit", limits, states)
    except MemoryError:
        return _unanswered(game, target, "out of memory", "memory", limits, states)
    except KeyboardInterrupt:
        return _unanswered(game, target, "interrupted", "interrupt", limits, states)
    if engine != "all" or game.network.players > 1:
        return solution
    other = _with_room(game, search.solve_game(game, "dp", limits, options, target, watch))
    if other.status == "solved" and other.room != solution.room:
        raise DisagreementError(f"{solution.engine} and dp disagree on {target}: {solution.room} against {other.room}")
    summaries = {each.engine: summary_of(each) for each in (solution, other)}
    return replace(solution, engine="all", stats={**solution.stats, "engines": summaries})


def _solved(game: NetworkGame, target: str, limits: Limits, options: Options, visit: Callable[[int], None]) -> Solution:
    network, began = game.network, monotonic()
    alone = network.players == 1
    found = best_policy(network, 0, limits, visit) if alone else solve_stages(network, limits, visit)
    nodes = 0 if found is None else found.nodes
    stats: dict[str, Any] = {"seconds": round(monotonic() - began, 6), "nodes": nodes, "expected": True}
    value = _value(game, found)
    certificate = None
    if options.certify:
        claims = _claims_of_one(game, found, value) if alone else (_claim_of_several(found),)
        certificate = Certificate(target, claims)
        stats["policy_positions"] = sum(len(claim.table) or len(claim.data.get("nodes", ())) for claim in claims)
    line = () if found is None else _first_decisions(game, found.policy)
    return _with_room(
        game,
        Solution(
            target=target,
            game=game,
            engine=NETWORK_ENGINE,
            status="solved",
            value=plain_score(value),
            bounds=(plain_score(value), plain_score(value)),
            winner=DECIDER if found is not None and (not alone or value > 0) else None,
            move=line[0] if line else None,
            line=line,
            certificate=certificate,
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


def _with_room(game: NetworkGame, solution: Solution, found: Resolution | None = None) -> Solution:
    """The solution with what only a network has: thresholds, and whether they are reached."""
    network, value = game.network, solution.value
    utility = None if found is None else [score_text(part) for part in found.utility]
    feasible: bool | None = found is not None or None
    satisfiable = None if value is None else value > 0
    if value is not None and network.players == 1:
        feasible, satisfiable = value >= game.least, value >= max(game.least, network.threshold[0])
        utility = [score_text(value)] if feasible else None
        if not feasible:  # what it costs to break a table says nothing to anybody
            solution = replace(
                solution, value=None, bounds=(None, None), winner=None, move=None, line=(), move_values={}
            )
    room = {
        "satisfiable": satisfiable,
        "feasible": feasible,
        "utility": utility,
        "threshold": [score_text(least) for least in network.threshold],
    }
    return replace(solution, room=room)


def _unanswered(game: NetworkGame, target: str, note: str, cause: str, limits: Limits, states: int) -> Solution:
    stats = {"seconds": round(monotonic() - limits.started, 6), "nodes": states}
    solution = Solution(target, game, NETWORK_ENGINE, "unknown", note=note, stopped_by=cause, stats=stats)
    return _with_room(game, replace(solution, reached=f"{states:,} states worked out"))
