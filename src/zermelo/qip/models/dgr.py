"""Worst-case dynamic graph reliability as a quantified program.

For each edge e a variable x_e says that the traveller takes it; for each node v and each edge e that may fail there
y_{v,e} says that the opponent erases e on arrival at v. The prefix follows the nodes in an order that all edges
follow: first the opponent's choices at a node, then the traveller's edges out of it. The rows are

1. the flow of one traveller: one more edge out of the start than into it, one more into the target than out of it,
   elsewhere as many in as out;
2. for each y_{v,e}: x_e <= (1 - y_{v,e}) + (1 - x_a) + x_D, where a is the one edge by which v is entered. What was
   erased on arrival cannot be taken, if the traveller has arrived there;
3. 2 x_D <= the sum of all y of two edges that may not both fail. The opponent's rule is that this sum is at most 1. If
   he breaks it, the traveller may set x_D to 1, and the rows of the second kind say no more.

Row 2 needs nodes with one edge of entry: :func:`single_entry` adds a node before each of the others. With several
pairs of edges, each has a device d of its own by row 3, and x_D is at most their sum. An edge erased in two places
counts twice: that is no use, and of two edges of a pair it would break the rule.

The paper's figure of the example is lost; the reading above follows its text (erratum 1.1).
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from zermelo.games.dgr import Edge, Network
from zermelo.qip.program import Program, Relation, Row, Variable, terms


def single_entry(network: Network) -> Network:
    """The network with one edge into every node in which something may be erased, other than the start.

    Where there are more, they lead to a new node before it, and a new edge leads from there to the node. What may fail
    stays as it was, so the traveller reaches the target of the one exactly if he reaches that of the other.

    >>> edges = (Edge("a", 0, 1), Edge("b", 0, 1), Edge("c", 1, 2))
    >>> before = Network(("s", "v", "t"), edges, 0, 2, ((), (2,), ()))
    >>> after = single_entry(before)
    >>> [(edge.name, after.nodes[edge.tail], after.nodes[edge.head]) for edge in after.edges]
    [('a', 's', 'v_in'), ('b', 's', 'v_in'), ('c', 'v', 't'), ('v_entry', 'v_in', 'v')]
    """
    nodes, edges = list(network.nodes), list(network.edges)
    for node, failing in enumerate(network.erasable):
        ways = network.entering[node]
        if not failing or len(ways) < 2 or node == network.start:
            continue
        before = len(nodes)
        nodes.append(_unused(f"{network.nodes[node]}_in", nodes))
        for way in ways:
            edges[way] = Edge(edges[way].name, edges[way].tail, before)
        name = _unused(f"{network.nodes[node]}_entry", (edge.name for edge in edges))
        edges.append(Edge(name, before, node))
    erasable = (*network.erasable, *((),) * (len(nodes) - len(network.nodes)))
    return Network(tuple(nodes), tuple(edges), network.start, network.target, erasable, network.exclusive)


def reliability(network: Network, name: str = "dgr") -> Program:
    """The program that is feasible exactly if the traveller reaches the target against every opponent.

    >>> edges = (Edge("a", 0, 1), Edge("b", 0, 1))
    >>> program = reliability(Network(("s", "t"), edges, 0, 1, ((0, 1), ()), ((0, 1),)))
    >>> [(variable.name, variable.quantifier) for variable in program.variables]
    [('y_s_a', 'forall'), ('y_s_b', 'forall'), ('x_a', 'exists'), ('x_b', 'exists'), ('x_D', 'exists')]
    >>> [row.name for row in program.rows]
    ['flow_s', 'flow_t', 'fail_s_a', 'fail_s_b', 'rule']
    """
    return _Model(single_entry(network)).program(name)


class _Model:
    """The variables of a network with single entries."""

    def __init__(self, network: Network) -> None:
        self.network = network
        self.variables: list[Variable] = []
        self.rows: list[Row] = []
        self.number: dict[str, int] = {}
        self.taken: dict[int, int] = {}
        self.erased: dict[tuple[int, int], int] = {}
        for node in network.order:
            for edge in network.erasable[node]:
                label = f"y_{network.nodes[node]}_{network.edges[edge].name}"
                self.erased[node, edge] = self.variable(label, universal=True)
            for edge in network.leaving[node]:
                self.taken[edge] = self.variable(f"x_{network.edges[edge].name}")

    def variable(self, name: str, *, universal: bool = False) -> int:
        name = _unused(name, self.number)
        self.number[name] = len(self.variables)
        self.variables.append(Variable(name, "forall" if universal else "exists"))
        return self.number[name]

    def row(self, name: str, form: Iterable[tuple[int, int]], relation: Relation, right: int) -> None:
        self.rows.append(Row(terms(form), relation, Fraction(right), name))

    def program(self, name: str) -> Program:
        network = self.network
        pairs = [pair for pair in network.exclusive if all(self.failures(edge) for edge in pair)]
        devices = [self.variable(f"d_{place}") for place in range(1, len(pairs) + 1)] if len(pairs) > 1 else []
        broken = self.variable("x_D") if pairs else None
        self.flow()
        for (node, edge), erased in self.erased.items():
            # x_e + y + x_a - x_D <= 2; at the start the traveller has arrived.
            form = [(self.taken[edge], 1), (erased, 1)]
            if node != network.start:
                # Without a way in nobody arrives.
                form.append((self.taken[network.entering[node][0]], 1) if network.entering[node] else (erased, -1))
            if broken is not None:
                form.append((broken, -1))
            right = 1 if node == network.start or not network.entering[node] else 2
            self.row(f"fail_{network.nodes[node]}_{network.edges[edge].name}", form, "<=", right)
        for place, pair in enumerate(pairs):
            device = devices[place] if devices else broken
            assert device is not None
            form = [(device, 2), *((y, -1) for edge in pair for y in self.failures(edge))]
            self.row(f"rule_{place + 1}" if devices else "rule", form, "<=", 0)
        if devices and broken is not None:
            self.row("rule", [(broken, 1), *((device, -1) for device in devices)], "<=", 0)
        return Program(tuple(self.variables), tuple(self.rows), name=name)

    def flow(self) -> None:
        network = self.network
        for node, label in enumerate(network.nodes):
            form = [
                *((self.taken[edge], 1) for edge in network.leaving[node]),
                *((self.taken[edge], -1) for edge in network.entering[node]),
            ]
            self.row(f"flow_{label}", form, "=", (node == network.start) - (node == network.target))

    def failures(self, edge: int) -> list[int]:
        """The variables by which the opponent erases an edge."""
        return [y for (_, erased), y in self.erased.items() if erased == edge]


def _unused(name: str, taken: Iterable[str]) -> str:
    names = set(taken)
    while name in names:
        name += "_"
    return name
