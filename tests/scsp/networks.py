"""Random stochastic constraint networks, small enough to try everything."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random

from zermelo.scsp import read_network
from zermelo.scsp.network import ANY, Chance, EvenChance, Network, Table, Utility, Values, Variable

EXAMPLES = Path(__file__).parents[2] / "examples"


def example_two() -> Network:
    """The paper's example 2: matching pennies in two rounds."""
    return read_network(str(EXAMPLES / "pennies.json"))


def example_three() -> Network:
    """The paper's example 3: only x1 = 2, x2 = 2 keeps all constraints whatever chance draws."""
    return read_network(str(EXAMPLES / "onestage.json"))


def random_network(seed: int, most_variables: int = 5, *, chances: int = 2, one_stage: bool = False) -> Network:
    """A network of any shape: empty tables, short tuples, no constraints at all, several players.

    With ``one_stage``: decisions, then the stochastic variables, then decisions again.
    """
    random = Random(seed)
    count = random.randint(1, most_variables)
    stochastic = set(random.sample(range(count), min(count, random.randint(0, chances))))
    if one_stage and stochastic:
        first = random.randint(0, count - len(stochastic))
        stochastic = set(range(first, first + len(stochastic)))
    variables = tuple(
        Variable(f"v{number}", tuple(f"d{value}" for value in range(random.randint(1, 3))), number in stochastic)
        for number in range(count)
    )
    players = random.randint(1, 3)
    tables = tuple(_random_table(random, variables) for _ in range(random.randint(0, 4)))
    utilities = tuple(_random_utility(random, variables, players) for _ in range(random.randint(0, 3)))
    chance = tuple(_random_chance(random, variables, number) for number in sorted(stochastic))
    threshold = tuple(Fraction(random.randint(0, 4), 4) for _ in range(players))
    return Network(players, variables, tables, utilities, chance, threshold)


def small_networks(seeds: range, most_policies: int = 500, *, one_stage: bool = False) -> Iterator[tuple[int, Network]]:
    """Random networks of few variables, with their seeds, whose policies can all be tried."""
    for seed in seeds:
        network = random_network(seed, most_variables=5 if seed % 3 else 4, one_stage=one_stage)
        if policies(network) <= most_policies:
            yield seed, network


def policies(network: Network) -> int:
    """How many policies there would be without hard constraints, up to a large number."""
    count = 1
    for variable in reversed(network.variables):
        count = count**variable.size if variable.stochastic else count * variable.size
        count = min(count, 1 << 40)
    return count


def random_csp(seed: int, most_variables: int = 6, most_values: int = 4, most_rows: int = 30) -> Network:
    """A network without chance and utilities."""
    random = Random(seed)
    variables = tuple(
        Variable(f"v{number}", tuple(str(value) for value in range(random.randint(1, most_values))))
        for number in range(random.randint(1, most_variables))
    )
    tables = tuple(_random_table(random, variables, most_rows) for _ in range(random.randint(0, 6)))
    return Network(1, variables, tables)


def _scope(random: Random, variables: tuple[Variable, ...], most: int) -> Values:
    return tuple(random.sample(range(len(variables)), random.randint(0 if random.random() < 0.02 else 1, most)))


def _random_table(random: Random, variables: tuple[Variable, ...], most_rows: int = 12) -> Table:
    scope = _scope(random, variables, min(4, len(variables)))
    sizes = [variables[v].size for v in scope]
    if random.random() < 0.5:  # nearly everything allowed
        rows = {row for row in product(*map(range, sizes)) if random.random() < 0.85}
    else:
        short = random.choice((0.0, 0.0, 0.2, 0.5))
        rows = {
            tuple(ANY if random.random() < short else random.randrange(size) for size in sizes)
            for _ in range(random.randint(1, most_rows))
        }
    if random.random() < 0.02:
        rows = set()
    return Table(scope, frozenset(rows))


def _random_utility(random: Random, variables: tuple[Variable, ...], players: int) -> Utility:
    scope = _scope(random, variables, min(3, len(variables)))
    rows = [row for row in product(*(range(variables[v].size) for v in scope)) if random.random() < 0.6]
    return Utility(scope, {row: tuple(Fraction(random.randint(0, 6), 6) for _ in range(players)) for row in rows})


def _random_chance(random: Random, variables: tuple[Variable, ...], number: int) -> Chance | EvenChance:
    size = variables[number].size
    binary = [v for v in range(number) if variables[v].size == 2]
    if len(binary) >= size and random.random() < 0.6:
        return EvenChance(number, tuple(random.sample(binary, size)))
    scope = tuple(random.sample(range(number), random.randint(0, min(2, number))))
    table = {}
    for row in product(*(range(variables[v].size) for v in scope)):
        parts = [random.randint(0, 2) for _ in range(size)]
        parts[random.randrange(size)] += 1
        table[row] = tuple(Fraction(part, sum(parts)) for part in parts)
    return Chance(number, scope, table)
