"""What is written as XCSP3 has the same solutions, counted by a reader of our own that tries everything."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from itertools import product

from tests.scsp.brute import consistent_instantiations
from tests.scsp.networks import random_csp, random_network
from zermelo.scsp.network import Network, Table, Values, Variable
from zermelo.scsp.xcsp import identifiers, write_xcsp


def values_of(text: str) -> list[int]:
    """A domain, or the tuples of a table with one column: numbers and intervals."""
    values: list[int] = []
    for part in text.split():
        low, _, high = part.partition("..")
        values += range(int(low), int(high or low) + 1)
    return values


def rows_of(text: str) -> list[tuple[str, ...]]:
    """Tuples: in parentheses, or plain where there is one column."""
    if "(" not in text:
        return [(str(value),) for value in values_of(text)]
    return [tuple(row.split(",")) for row in text.strip().strip("()").replace(") (", ")(").split(")(")]


def solutions(text: str) -> set[Values]:
    """The solutions of an instance with tables only."""
    instance = ET.fromstring(text)
    assert (instance.tag, instance.attrib) == ("instance", {"format": "XCSP3", "type": "CSP"})
    variables = {var.attrib["id"]: values_of(var.text or "") for var in instance.findall("variables/var")}
    tables = []
    for extension in instance.findall("constraints/extension"):
        scope = (extension.findtext("list") or "").split()
        kind = "supports" if extension.find("supports") is not None else "conflicts"
        tables.append((scope, kind, rows_of(extension.findtext(kind) or "")))
    found = set()
    for values in product(*variables.values()):
        given = dict(zip(variables, values, strict=True))
        if all(
            (kind == "supports")
            == any(all(e in ("*", str(given[v])) for v, e in zip(scope, row, strict=True)) for row in rows)
            for scope, kind, rows in tables
        ):
            found.add(values)
    return found


def test_random_networks_keep_their_solutions() -> None:
    for seed in range(250):
        for network in (random_csp(seed, most_variables=4, most_values=3), random_network(seed, most_variables=4)):
            assert solutions(write_xcsp(network)) == set(consistent_instantiations(network)), seed


def test_a_network_without_variables_has_one_solution() -> None:
    assert len(solutions(write_xcsp(Network(1, ())))) == 1
    assert len(solutions(write_xcsp(Network(1, (), (Table((), frozenset()),))))) == 0


def test_any_name_becomes_an_identifier() -> None:
    network = Network(1, (Variable("cell(a, 1) -- <x>", ("--", "ü")), Variable("cell a 1 x", ("0",))))
    assert len(set(identifiers(network))) == 2
    assert len(solutions(write_xcsp(network))) == 2
