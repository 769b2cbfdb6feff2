"""Networks of one stage, resolved as section 4.2 of Koriche, Lagrue, Piette and Tabary (2016) says.

Decisions come first, then chance, then what follows from both (the fluents of the next round). The constraints are
split in two: N' has those among decisions, N'' every one that mentions a stochastic variable (erratum 8) or a
variable that such a one determines. Forward checking on N'' finds the decisions that keep its constraints whatever
chance draws with positive probability: they are the feasibility constraint c_s. MAC on N' and c_s then enumerates the
decisions of all feasible policies. For each of them and each outcome of chance, the variables that come after take all
values that complete the outcome: as a rule there is one completion, since they follow.

A threshold prunes this search. A utility is worth something on average to each value of the decisions that it depends
on; where that, with the most that all other utilities promise, is below the threshold, the values are no part of a
solution, which is one more table for MAC.

>>> from zermelo.scsp import read_network
>>> network = read_network("examples/onestage.json")
>>> feasibility = feasibility_constraint(network)
>>> [[network.variables[v].domain[value] for v, value in zip(feasibility.scope, row)]
...  for row in sorted(feasibility.tuples)]
[['2', '1'], ['2', '2']]
>>> [list(policy.branches) for policy in feasible(network)], satisfiable(network)
([[1]], True)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import reduce
from itertools import product
from math import prod

from zermelo.errors import LimitReachedError, NotApplicableError
from zermelo.limits import Limits
from zermelo.scsp.mac import Solver
from zermelo.scsp.network import ANY, EvenChance, Network, Table, Utility, Values, Variable
from zermelo.scsp.policy import LEAF, Policy
from zermelo.scsp.stages import Reached, Resolution, Vector, at_least, plus, undominated

MOST_SCENARIOS = 4096
"""N'' is solved for each outcome of chance; where there are more, policies are looked at one by one instead."""
MOST_ROWS = 1 << 18
"""The feasibility constraint has no more tuples."""
EFFORT = 1 << 18
"""Nodes of forward checking that are spent on it; where that is not enough, MAC looks at N' alone first."""


@dataclass(frozen=True)
class Split:
    """A network of one stage in its parts: variables before, by and after chance, and constraints N' and N''.

    ``outcome`` are the variables after chance that N'' ties to it.
    """

    before: Values
    stochastic: Values
    after: Values
    outcome: Values
    decided: tuple[Table, ...]
    drawn: tuple[Table, ...]


def split(network: Network) -> Split:
    """The parts of a network of one stage; :class:`NotApplicableError` where decisions stand between chances.

    >>> from zermelo.scsp import read_network
    >>> parts = split(read_network("examples/onestage.json"))
    >>> parts.before, parts.stochastic, len(parts.decided), len(parts.drawn)
    ((0, 1), (2,), 1, 2)
    """
    stochastic = network.stochastic
    first = stochastic[0] if stochastic else len(network.variables)
    if stochastic != tuple(range(first, first + len(stochastic))):
        raise NotApplicableError("decisions stand between stochastic variables, so this is not a network of one stage")
    after = tuple(range(first + len(stochastic), len(network.variables)))
    tied, more = set(stochastic), True
    while more:
        touched = {v for table in network.tables if tied & set(table.scope) for v in table.scope if v > first}
        more = not touched <= tied
        tied |= touched
    drawn = tuple(table for table in network.tables if tied & set(table.scope))
    decided = tuple(table for table in network.tables if not tied & set(table.scope))
    return Split(tuple(range(first)), stochastic, after, tuple(sorted(tied - set(stochastic))), decided, drawn)


def feasibility_constraint(network: Network, limits: Limits | None = None) -> Table:
    """The constraint c_s: decisions that keep N'' for every outcome that has positive probability then.

    Its scope are the decisions before chance that N'' or the probabilities mention. Raises
    :class:`LimitReachedError` where it would be too large.
    """
    parts = split(network)
    if prod(network.variables[v].size for v in parts.stochastic) > MOST_SCENARIOS:
        raise LimitReachedError(f"chance has more than {MOST_SCENARIOS} outcomes")
    scenarios, scope = _scenario_network(network, parts)
    solver = Solver(scenarios, "fc", limits)
    rows = set()
    for row in solver.solutions(onto=range(len(scope))):
        rows.add(row)
        if len(rows) > MOST_ROWS:
            raise LimitReachedError(f"the feasibility constraint has more than {MOST_ROWS} tuples")
    return Table(scope, frozenset(rows))


def _scenario_network(network: Network, parts: Split) -> tuple[Network, Values]:
    """N'' for all outcomes at once, and the decisions that its first variables are.

    Every outcome has its own copy of the variables that depend on it (scenarios: Tarim, Manandhar and Walsh 2006). Its
    constraints hold, or the decisions are such that it cannot happen.
    """
    before = set(parts.before)
    mentioned = {v for table in parts.drawn for v in table.scope}
    mentioned |= {v for chance in network.chances for v in chance.scope}
    scope = tuple(sorted(before & mentioned))
    place = {v: number for number, v in enumerate(scope)}
    variables = [Variable(f"{number}", network.variables[v].domain) for number, v in enumerate(scope)]
    tables: list[Table] = []
    for drawn in product(*(range(network.variables[v].size) for v in parts.stochastic)):
        outcome = dict(zip(parts.stochastic, drawn, strict=True))
        never = _impossible(network, outcome)
        if {} in never:
            continue
        where = dict(place)
        for v in parts.outcome:
            where[v] = len(variables)
            variables.append(Variable(f"{len(variables)}", network.variables[v].domain))
        tables += [_in_scenario(table, outcome, never, where) for table in parts.drawn]
    return Network(1, tuple(variables), tuple(tables)), scope


def _impossible(network: Network, outcome: Mapping[int, int]) -> list[dict[int, int]]:
    """The values of decisions, as partial assignments, for which the outcome has probability 0."""
    found: list[dict[int, int]] = []
    for chance in network.chances:
        value = outcome[chance.variable]
        if isinstance(chance, EvenChance):
            others = [v for number, v in enumerate(chance.scope) if number != value]
            rows = [{chance.scope[value]: 0, other: 1} for other in others]
        else:
            rows = [
                dict(zip(chance.scope, row, strict=True)) for row, given in chance.table.items() if not given[value]
            ]
        found += [
            {v: entry for v, entry in row.items() if v not in outcome}
            for row in rows
            if all(outcome.get(v, entry) == entry for v, entry in row.items())
        ]
    return found


def _in_scenario(
    table: Table, outcome: Mapping[int, int], never: Sequence[Mapping[int, int]], where: Mapping[int, int]
) -> Table:
    places = [number for number, v in enumerate(table.scope) if v not in outcome]
    scope = [table.scope[number] for number in places]
    wider = scope + sorted({v for row in never for v in row} - set(scope))
    rows = {
        (*(row[number] for number in places), *(ANY,) * (len(wider) - len(scope)))
        for row in table.tuples
        if all(row[number] in (ANY, outcome.get(v, row[number])) for number, v in enumerate(table.scope))
    }
    rows |= {tuple(row.get(v, ANY) for v in wider) for row in never}
    return Table(tuple(where[v] for v in wider), frozenset(rows))


def feasible(network: Network, limits: Limits | None = None) -> Iterator[Policy]:
    """All feasible policies.

    >>> from zermelo.scsp import read_network
    >>> len(list(feasible(read_network("examples/onestage.json"))))
    1
    """
    for decided, outcomes in _profiles(network, (), limits):
        for completions in product(*(outcome.completions for outcome in outcomes)):
            chosen = {outcome.drawn: row for outcome, row in zip(outcomes, completions, strict=True)}
            yield _policy(decided, len(network.stochastic), chosen)


def solve(network: Network, limits: Limits | None = None) -> Resolution | None:
    """A feasible policy that reaches the threshold; ``None`` where there is none.

    >>> from zermelo.scsp import read_network
    >>> solve(read_network("examples/onestage.json")).utility
    (Fraction(1, 1),)
    """
    return next(solutions(network, limits), None)


def satisfiable(network: Network, limits: Limits | None = None) -> bool:
    """Whether a policy reaches the threshold.

    >>> from zermelo.scsp import read_network
    >>> satisfiable(read_network("examples/onestage.json"))
    True
    """
    return solve(network, limits) is not None


def solutions(network: Network, limits: Limits | None = None) -> Iterator[Resolution]:
    """For all decisions before chance from which the threshold can be reached, the policies that are best.

    Of the policies with the same decisions before chance those are given which no other is at least as good as for
    everybody; where what comes after chance follows from it, these are all solutions.

    >>> from zermelo.scsp import read_network
    >>> [found.utility for found in solutions(read_network("examples/onestage.json"))]
    [(Fraction(1, 1),)]
    """
    for decided, outcomes in _profiles(network, threshold_tables(network), limits):
        for reached in _fronts(network, decided, outcomes):
            yield Resolution(reached.policy, reached.value)


@dataclass(frozen=True)
class _Outcome:
    drawn: Values
    probability: Fraction
    completions: list[Values]


def _profiles(
    network: Network, more: tuple[Table, ...], limits: Limits | None
) -> Iterator[tuple[Values, list[_Outcome]]]:
    """The decisions before chance from which every outcome can be completed, with the outcomes."""
    parts = split(network)
    tables = [*parts.decided, *more]
    limits = limits or Limits()
    try:
        effort = EFFORT if limits.nodes is None else min(limits.nodes, EFFORT)
        tables.append(feasibility_constraint(network, replace(limits, nodes=effort)))
    except LimitReachedError:
        if limits.expired():
            raise
    # The variables by chance take no part; those after it only where decisions alone determine them.
    search = Solver(Network(1, network.variables, tuple(tables), chances=network.chances), limits=limits)
    below = Solver(network, limits=limits)
    if not below.consistent:
        return
    for decided in search.solutions(onto=parts.before):
        outcomes = []
        below.assume(dict(enumerate(decided)))
        for drawn, probability in _draws(network, decided):
            below.assume(dict(zip(parts.stochastic, drawn, strict=True)))
            completions = list(below.solutions(onto=parts.after))
            below.retract()
            if not completions:
                break
            outcomes.append(_Outcome(drawn, probability, completions))
        else:
            yield decided, outcomes
        below.retract()


def _draws(network: Network, decided: Values) -> list[tuple[Values, Fraction]]:
    """The outcomes of positive probability."""
    draws: list[tuple[Values, Fraction]] = [((), Fraction(1))]
    for variable in network.stochastic:
        chance = network.chance_of(variable)
        longer = []
        for drawn, probability in draws:
            values = (*decided, *drawn)
            given = chance.given(tuple(values[v] for v in chance.scope))
            longer += [((*drawn, value), probability * part) for value, part in enumerate(given) if part]
        draws = longer
    return draws


def _fronts(network: Network, decided: Values, outcomes: Sequence[_Outcome]) -> list[Reached]:
    """The best policies with these decisions, as far as they reach the threshold."""
    zero: Vector = (Fraction(0),) * network.players
    options = []
    for outcome in outcomes:
        completed = [(network.utility((*decided, *outcome.drawn, *row)), row) for row in sorted(outcome.completions)]
        options.append(undominated(completed))
    most = [tuple(map(max, zip(*(value for value, _ in option), strict=True))) for option in options]
    rest = zero  # what the outcomes not yet looked at give at the most
    for outcome, value in zip(outcomes, most, strict=True):
        rest = plus(rest, value, outcome.probability)
    making: list[tuple[Vector, dict[Values, Values]]] = [(zero, {})]
    for outcome, option, value in zip(outcomes, options, most, strict=True):
        rest = plus(rest, value, -outcome.probability)
        longer = [
            (plus(total, gain, outcome.probability), {**chosen, outcome.drawn: row})
            for total, chosen in making
            for gain, row in option
        ]
        making = undominated([one for one in longer if at_least(plus(one[0], rest), network.threshold)])
    return [Reached(total, _policy(decided, len(network.stochastic), chosen)) for total, chosen in making]


def _chain(values: Values, end: Policy = LEAF) -> Policy:
    return reduce(lambda below, value: Policy({value: below}), reversed(values), end)


def _policy(decided: Values, count: int, chosen: Mapping[Values, Values]) -> Policy:
    """The tree of decisions, then ``count`` draws, each with the values chosen for it."""
    level = {drawn: _chain(row) for drawn, row in chosen.items()}
    for _ in range(count):
        shorter: dict[Values, dict[int, Policy]] = {}
        for drawn, below in level.items():
            shorter.setdefault(drawn[:-1], {})[drawn[-1]] = below
        level = {drawn: Policy(branches) for drawn, branches in shorter.items()}
    return _chain(decided, level[()])


def threshold_tables(network: Network) -> tuple[Table, ...]:
    """Hard constraints on decisions that every policy keeps which reaches the threshold.

    One utility alone gives exactly the decisions for which it is enough; several are each held against the most of the
    others.

    >>> from zermelo.scsp import read_network
    >>> threshold_tables(read_network("examples/onestage.json"))
    ()
    """
    parts = split(network)
    averages = [_average(network, parts, soft) for soft in network.utilities]
    zero: Vector = (Fraction(0),) * network.players
    most = [tuple(map(max, zip(*rows.values(), strict=True))) for _, rows in averages]
    total = reduce(plus, most, zero)
    tables = []
    for (scope, rows), own in zip(averages, most, strict=True):
        need = plus(network.threshold, plus(total, own, -1), -1)
        enough = frozenset(row for row, value in rows.items() if at_least(value, need))
        if len(enough) < len(rows):
            tables.append(Table(scope, enough))
    if not at_least(total, network.threshold):
        tables.append(Table((), frozenset()))
    return tuple(tables)


def _average(network: Network, parts: Split, soft: Utility) -> tuple[Values, dict[Values, Vector]]:
    """What a utility gives at the most on average, by the decisions that this depends on.

    By no decision at all where there would be too many cases.
    """
    chances = []
    scope = set(soft.scope)
    for variable in reversed(parts.stochastic):
        if variable in scope:
            chances.append(network.chance_of(variable))
            scope |= set(chances[-1].scope)
    before = tuple(sorted(scope & set(parts.before)))
    drawn = sorted(scope & set(parts.stochastic))
    sizes = [network.variables[v].size for v in (*before, *drawn)]
    zero: Vector = (Fraction(0),) * network.players
    best: dict[Values, Vector] = {}  # by the part of the scope that does not come after chance
    earlier = [number for number, v in enumerate(soft.scope) if v not in parts.after]
    complete = prod(network.variables[v].size for v in soft.scope if v in parts.after)
    listed: dict[Values, int] = {}
    for row, value in soft.table.items():
        key = tuple(row[number] for number in earlier)
        best[key] = tuple(map(max, zip(best.get(key, value), value, strict=True)))
        listed[key] = listed.get(key, 0) + 1
    for key, count in listed.items():
        if count < complete:  # what is not listed gives nothing, which may be more
            best[key] = tuple(max(part, Fraction(0)) for part in best[key])
    if prod(sizes) > MOST_SCENARIOS:
        return (), {(): tuple(map(max, zip(zero, *best.values(), strict=True)))}
    rows: dict[Values, Vector] = {}
    for values in product(*(range(network.variables[v].size) for v in before)):
        rows[values] = zero
        for outcome in product(*(range(network.variables[v].size) for v in drawn)):
            at = {**dict(zip(before, values, strict=True)), **dict(zip(drawn, outcome, strict=True))}
            probability = Fraction(1)
            for chance in chances:
                probability *= chance.given(tuple(at[v] for v in chance.scope))[at[chance.variable]]
            key = tuple(at[soft.scope[number]] for number in earlier)
            rows[values] = plus(rows[values], best.get(key, zero), probability)
    return before, rows
