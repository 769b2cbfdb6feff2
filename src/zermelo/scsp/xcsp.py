"""The hard constraints of a network as XCSP3, for other solvers (Boussemart, Lecoutre, Audemard and Piette 2016).

Only what the core of the format has: integer variables and positive tables, where ``*`` is any value. Values are the
places in the domain, their names stand in comments. Stochastic variables are variables like the others, utilities,
probabilities and thresholds are left out: what another solver counts are consistent instantiations. Of a table without
tuples the format has no form that all solvers take; that all values of a variable are in conflict says the same.

>>> from zermelo.scsp.network import Table, Variable
>>> print(write_xcsp(Network(1, (Variable("a b", ("no", "yes")),), (Table((0,), frozenset({(1,)})),))))
<instance format="XCSP3" type="CSP">
  <variables>
    <var id="v0_a_b"> 0..1 </var> <!-- a b: no yes -->
  </variables>
  <constraints>
    <extension>
      <list> v0_a_b </list>
      <supports> 1 </supports>
    </extension>
  </constraints>
</instance>
<BLANKLINE>
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from zermelo.scsp.network import ANY, Network, Values, Variable


def write_xcsp(network: Network) -> str:
    """The hard constraints as an XCSP3 instance that has one solution for each consistent instantiation."""
    return "\n".join(_lines(network)) + "\n"


def identifiers(network: Network) -> list[str]:
    """What the variables are called in the instance: unique, and made of letters, digits and underscores.

    >>> from zermelo.scsp import read_network
    >>> identifiers(read_network("examples/onestage.json"))
    ['v0_x1', 'v1_x2', 'v2_y']
    """
    plain = (re.sub(r"[^A-Za-z0-9_]+", "_", variable.name).strip("_") for variable in network.variables)
    return [f"v{number}_{name}" for number, name in enumerate(plain)]


def _lines(network: Network) -> Iterator[str]:
    names = identifiers(network)
    yield '<instance format="XCSP3" type="CSP">'
    yield "  <variables>"
    for name, variable in zip(names, network.variables, strict=True):
        yield f'    <var id="{name}"> {_domain(variable.size)} </var> <!-- {_comment(variable)} -->'
    if not names:  # the format wants a variable
        yield '    <var id="none"> 0 </var>'
    yield "  </variables>"
    yield "  <constraints>"
    for table in network.tables:
        if not table.tuples:
            yield from _extension(
                names[:1] or ["none"], "conflicts", _domain(network.variables[0].size if names else 1)
            )
        elif not any(all(entry == ANY for entry in row) for row in table.tuples):
            rows = ("" if len(table.scope) > 1 else " ").join(_tuple(row) for row in sorted(table.tuples))
            yield from _extension([names[v] for v in table.scope], "supports", rows)
    yield "  </constraints>"
    yield "</instance>"


def _extension(scope: list[str], kind: str, rows: str) -> Iterator[str]:
    yield "    <extension>"
    yield f"      <list> {' '.join(scope)} </list>"
    yield f"      <{kind}> {rows} </{kind}>"
    yield "    </extension>"


def _domain(size: int) -> str:
    return "0" if size == 1 else f"0..{size - 1}"


def _comment(variable: Variable) -> str:
    kind = " (stochastic)" if variable.stochastic else ""
    # Two hyphens would end the comment.
    return re.sub(r"[^\x20-\x7e]", "?", f"{variable.name}{kind}: {' '.join(variable.domain)}").replace("--", "- -")


def _tuple(row: Values) -> str:
    entries = ["*" if entry == ANY else str(entry) for entry in row]
    return entries[0] if len(entries) == 1 else f"({','.join(entries)})"
