"""Networks whose edges may fail, as text files (``.dgr``), read and written.

One statement a line, in any order; ``#`` begins a comment. Names are letters, digits and underscores. ::

    travel s t               # from s to t
    edge   e1 s v2           # its name, where it begins, where it ends
    edge   e2 s t
    erase  v2 e1 e2          # on arrival at v2 these may be erased
    exclude e1 e2            # at most one of these ever fails

Nodes are numbered in the order in which ``travel`` and ``edge`` lines mention them. Two edges may join the same nodes.

>>> network = parse_network("travel s t\\nedge a s t\\nedge b s t\\nerase s a b\\nexclude a b\\n")
>>> network.nodes, network.erasable, network.exclusive
(('s', 't'), ((0, 1), ()), ((0, 1),))
>>> print(write_network(network), end="")
travel s t
edge a s t
edge b s t
erase s a b
exclude a b
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from zermelo.errors import InputError
from zermelo.games.dgr import Edge, Network
from zermelo.games.graphfile import need_plain, text_of_file

_WORD = re.compile(r"\S+")
_NAME = re.compile(r"[A-Za-z0-9_]+", re.ASCII)
_SHAPES = {
    "travel": "travel START TARGET",
    "edge": "edge NAME FROM TO",
    "erase": "erase NODE EDGE ...",
    "exclude": "exclude EDGE EDGE ...",
}


@dataclass(frozen=True)
class _Word:
    """A word and its place, counted from 1."""

    text: str
    line: int
    column: int


def read_network(path: Path) -> Network:
    """The network of a file; ``InputError`` with the place if it holds none.

    >>> read_network(Path("no/such.dgr"))
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: no/such.dgr: no such file
    """
    return parse_network(text_of_file(path, "network"), str(path))


def parse_network(text: str, name: str = "network") -> Network:
    """The network that a text states.

    >>> parse_network("travel s t\\nedge e1 s t\\nerase s e2")
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: network:3:9: unknown edge 'e2', expected one that has a line of its own
    """
    need_plain(text, name)
    return _Reading(name).network(text)


class _Reading:
    """One file on its way to a network."""

    def __init__(self, file: str) -> None:
        self.file = file

    def error(self, message: str, word: _Word) -> InputError:
        return InputError(message, file=self.file, line=word.line, column=word.column)

    def network(self, text: str) -> Network:
        statements = self.statements(text)
        nodes: dict[str, int] = {}
        start, target = self.travel(statements["travel"], nodes)
        edges: dict[str, Edge] = {}
        for _, label, tail, head in statements["edge"]:
            if label.text in edges:
                raise self.error(f"edge {label.text!r} has a line already, expected each edge once", label)
            ends = [nodes.setdefault(end.text, len(nodes)) for end in (tail, head)]
            edges[label.text] = Edge(label.text, *ends)
        number = {label: place for place, label in enumerate(edges)}
        network = Network(
            tuple(nodes),
            tuple(edges.values()),
            start,
            target,
            self.erasable(statements["erase"], nodes, number),
            self.exclusive(statements["exclude"], number),
        )
        self.need_order(network, statements["edge"])
        return network

    def statements(self, text: str) -> dict[str, list[list[_Word]]]:
        """The lines by their first word."""
        found: dict[str, list[list[_Word]]] = {kind: [] for kind in _SHAPES}
        for number, line in enumerate(text.split("\n"), 1):
            data = line.partition("#")[0]
            words = [_Word(match.group(), number, match.start() + 1) for match in _WORD.finditer(data)]
            if not words:
                continue
            kind = words[0].text
            if kind not in _SHAPES:
                raise self.error(f"{kind!r} begins no line, expected travel, edge, erase or exclude", words[0])
            self.need_shape(kind, words)
            found[kind].append(words)
        if not found["travel"]:
            raise InputError("nothing says where to go, expected a line: travel START TARGET", file=self.file, line=1)
        return found

    def need_shape(self, kind: str, words: list[_Word]) -> None:
        shape = _SHAPES[kind]
        least, most = {"travel": (3, 3), "edge": (4, 4), "erase": (3, None), "exclude": (3, None)}[kind]
        if len(words) < least:
            raise self.error(f"the line ends too early, expected {shape}", words[-1])
        if most is not None and len(words) > most:
            raise self.error(f"{words[most].text!r} is too much, expected {shape}", words[most])
        for word in words[1:]:
            if not _NAME.fullmatch(word.text):
                raise self.error(f"{word.text!r} is no name, expected letters, digits and underscores", word)

    def travel(self, lines: list[list[_Word]], nodes: dict[str, int]) -> tuple[int, int]:
        _, start, target = lines[0]
        if len(lines) > 1:
            raise self.error("there is such a line already, expected travel once", lines[1][0])
        if start.text == target.text:
            raise self.error("the target is the start, expected two nodes", target)
        nodes[start.text], nodes[target.text] = 0, 1
        return 0, 1

    def erasable(
        self, lines: list[list[_Word]], nodes: dict[str, int], number: dict[str, int]
    ) -> tuple[tuple[int, ...], ...]:
        made: list[dict[int, None]] = [{} for _ in nodes]
        for _, node, *edges in lines:
            if node.text not in nodes:
                raise self.error(f"unknown node {node.text!r}, expected one that an edge or travel names", node)
            here = made[nodes[node.text]]
            for edge in edges:
                if self.known(edge, number) in here:
                    raise self.error(f"{edge.text!r} may be erased there already, expected each edge once", edge)
                here[number[edge.text]] = None
        return tuple(tuple(sorted(edges)) for edges in made)

    def exclusive(self, lines: list[list[_Word]], number: dict[str, int]) -> tuple[tuple[int, int], ...]:
        pairs: set[tuple[int, int]] = set()
        for _, *edges in lines:
            seen: set[int] = set()
            for edge in edges:
                if self.known(edge, number) in seen:
                    raise self.error(f"{edge.text!r} is in the line already, expected each edge once", edge)
                seen.add(number[edge.text])
            pairs.update(combinations(sorted(seen), 2))
        return tuple(sorted(pairs))

    def known(self, edge: _Word, number: dict[str, int]) -> int:
        if edge.text not in number:
            raise self.error(f"unknown edge {edge.text!r}, expected one that has a line of its own", edge)
        return number[edge.text]

    def need_order(self, network: Network, lines: list[list[_Word]]) -> None:
        """Refuses circles; the place is that of an edge on one."""
        if len(network.order) == len(network.nodes):
            return
        # Going back from a node that has no place in the order, along edges from such nodes, ends in a circle.
        ordered = set(network.order)
        node = next(node for node in range(len(network.nodes)) if node not in ordered)
        seen: set[int] = set()
        while node not in seen:
            seen.add(node)
            edge = next(e for e in network.entering[node] if network.edges[e].tail not in ordered)
            node = network.edges[edge].tail
        word = lines[edge][1]
        raise self.error(f"edge {word.text!r} lies on a circle, expected a graph without circles", word)


def write_network(network: Network) -> str:
    """The text of a network; reading is the inverse where its nodes are numbered as a file numbers them."""
    names = [edge.name for edge in network.edges]
    lines = [f"travel {network.nodes[network.start]} {network.nodes[network.target]}"]
    lines += [f"edge {edge.name} {network.nodes[edge.tail]} {network.nodes[edge.head]}" for edge in network.edges]
    for node, edges in zip(network.nodes, network.erasable, strict=True):
        if edges:
            lines.append(" ".join(["erase", node, *(names[edge] for edge in edges)]))
    lines += [f"exclude {names[one]} {names[other]}" for one, other in network.exclusive]
    return "".join(f"{line}\n" for line in lines)
