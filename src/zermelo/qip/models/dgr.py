"""Worst-case dynamic graph reliability as a quantified program.

For each edge e a variable x_e says that the traveller takes it; for each node v and each edge e that may fail there
y_{v,e} says that the opponent erases e on arrival at v. The prefix follows the nodes in an order that all edges
follow: first the opponent's choices at a node, then the traveller's edges out of it. The rows are

1. the flow of one traveller: one more edge out of the start than into it, one more into the target than out of it,
   elsewhere as many in as out;
2. for each y_{v,e}: x_e <= (1 - y_{v,e}) + (1 - x_a) + x_D, where a is the one edge by which v is entered. What was
   erased on arrival cannot be taken, if the traveller has arrived there; edges that begin before v in that order have
   no such row, since whoever comes to v has taken them already or never will;
3. 2 x_D <= the sum of all y of two edges that may not both fail. The opponent's rule is that this sum is at most 1. If
   he breaks it, the traveller may set x_D to 1, and the rows of the second kind say no more.

Row 2 needs nodes with one edge of entry: :func:`single_entry` adds a node before each of the others. With several
pairs of edges, each has a device d of its own by row 3, and x_D is at most their sum. An edge erased in two places
counts twice: that is no use, and of two edges of a pair it would break the rule.

The paper's figure of the example is lost; the reading above follows its text (erratum 1.1).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from zermelo.games.dgr import Edge, Network
from zermelo.qip.modelling.linear_expression import Expression, Var, total
from zermelo.qip.modelling.model import Model
from zermelo.qip.programs.program import Program


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


@dataclass(frozen=True)
class NetworkModel:
    """A program, its network of single entries, and the numbers of the variables: x by edge, y by node and edge.

    ``begin`` is for each node the number of the first variable that is set there or later.
    """

    program: Program
    network: Network
    x: Mapping[int, int]
    y: Mapping[tuple[int, int], int]
    begin: tuple[int, ...]


def reliability(network: Network, name: str = "dgr") -> Program:
    """The program that is feasible exactly if the traveller reaches the target against every opponent.

    >>> edges = (Edge("a", 0, 1), Edge("b", 0, 1))
    >>> program = reliability(Network(("s", "t"), edges, 0, 1, ((0, 1), ()), ((0, 1),)))
    >>> [(variable.name, variable.quantifier) for variable in program.variables]
    [('y_s_a', 'forall'), ('y_s_b', 'forall'), ('x_a', 'exists'), ('x_b', 'exists'), ('x_D', 'exists')]
    >>> [row.name for row in program.rows]
    ['flow_s', 'flow_t', 'fail_s_a', 'fail_s_b', 'rule']
    """
    return network_model(network, name).program


def network_model(network: Network, name: str = "dgr") -> NetworkModel:
    """The program of a network, and where its variables are.

    >>> model = network_model(Network(("s", "t"), (Edge("a", 0, 1), Edge("b", 0, 1)), 0, 1, ((0,), ())))
    >>> model.y, model.x, model.begin
    ({(0, 0): 0}, {0: 1, 1: 2}, (0, 3))
    """
    net = single_entry(network)
    m = Model(name)
    used: set[str] = set()

    def named(*words: str) -> str:
        used.add(label := _unused("_".join(words), used))
        return label

    x: dict[int, Var] = {}
    y: dict[tuple[int, int], Var] = {}
    begin = [0] * len(net.nodes)
    for v in net.order:
        begin[v] = len(x) + len(y)
        for e in net.erasable[v]:
            y[v, e] = m.forall.binary(named("y", net.nodes[v], net.edges[e].name))
        for e in net.leaving[v]:
            x[e] = m.exists.binary(named("x", net.edges[e].name))
    failures = [[y[at] for at in y if at[1] == e] for e in range(len(net.edges))]
    pairs = [failures[one] + failures[other] for one, other in net.exclusive if failures[one] and failures[other]]
    devices = m.exists.binaries(named("d"), len(pairs)) if len(pairs) > 1 else {}
    x_delta: Expression = m.exists.binary(named("x", "D")) if pairs else total([])

    for v, label in enumerate(net.nodes):  # (1)
        gone = total(x[e] for e in net.leaving[v]) - total(x[e] for e in net.entering[v])
        m.add(gone == (v == net.start) - (v == net.target), name=f"flow_{label}")
    step = {v: number for number, v in enumerate(net.order)}
    for (v, e), erased in y.items():  # (2)
        if step[net.edges[e].tail] < step[v]:
            continue  # whoever arrives at v has taken e already, or never will
        arrived = total([1] if v == net.start else [x[a] for a in net.entering[v]])
        m.add(x[e] <= (1 - erased) + (1 - arrived) + x_delta, name=f"fail_{erased.name[2:]}")
    for place, pair in enumerate(pairs):  # (3)
        m.add(2 * devices.get(place, x_delta) <= total(pair), name=f"rule_{place + 1}" if devices else "rule")
    if devices:
        m.add(x_delta <= total(devices.values()), name="rule")
    places = {e: var.number for e, var in x.items()}, {at: var.number for at, var in y.items()}
    return NetworkModel(m.program(), net, *places, tuple(begin))


def _unused(name: str, taken: Iterable[str]) -> str:
    names = set(taken)
    while name in names:
        name += "_"
    return name
