"""All consistent instantiations of a network whose state is fixed, by plain propagation: slow and easy to believe."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from zermelo.scsp.network import ANY, Network, Values


def completions(network: Network, given: Mapping[int, int]) -> Iterator[Values]:
    """The consistent complete instantiations that agree with some given values.

    A value is taken where all rows of a table that still fit agree on it; where nothing follows any more the first
    open variable is tried with all its values.
    """
    tables = [(table.scope, list(table.tuples)) for table in network.tables]
    touching: list[list[int]] = [[] for _ in network.variables]
    for number, (scope, _) in enumerate(tables):
        for variable in scope:
            touching[variable].append(number)
    pending = [(dict(given), set(range(len(tables))))]
    while pending:
        values, stale = pending.pop()
        if not _propagate(tables, touching, values, stale):
            continue
        open_variable = next((v for v in range(len(network.variables)) if v not in values), None)
        if open_variable is None:
            yield tuple(values[v] for v in range(len(network.variables)))
            continue
        pending += [
            ({**values, open_variable: value}, set(touching[open_variable]))
            for value in range(network.variables[open_variable].size)
        ]


def _propagate(
    tables: Sequence[tuple[Values, list[Values]]],
    touching: Sequence[Sequence[int]],
    values: dict[int, int],
    stale: set[int],
) -> bool:
    while stale:
        scope, rows = tables[stale.pop()]
        bound = [(place, values[v]) for place, v in enumerate(scope) if v in values]
        fitting = [row for row in rows if all(row[place] in (ANY, value) for place, value in bound)]
        if not fitting:
            return False
        for place, variable in enumerate(scope):
            if variable not in values:
                said = {row[place] for row in fitting}
                if len(said) == 1 and ANY not in said:
                    values[variable] = said.pop()
                    stale.update(touching[variable])
    return True
