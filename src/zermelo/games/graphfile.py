"""Directed graphs as text files, read and written.

Two formats, told apart by the first line that holds data (``#`` begins a comment, blank lines do not count):

*Rounds and rows*: one number alone, the maximum number of rounds, then one line for each node: the node, then
its successors. Nodes are whole numbers. Play starts at node 0, or at the first row's node if there is no 0.
A *round* is one move of one player. ::

    3            # at most three rounds
    0 1 2        # from 0 to 1 or to 2
    1
    2 1

*Edge list*: every line is an edge, ``FROM TO``. Nodes are any words; nothing bounds the number of rounds. Play
starts at node ``0`` if there is one, else at the first node mentioned. Nodes are put in the order of their
names, numbers by value before words by spelling.

>>> graph = parse_graph("b a\\na c\\nb c\\n")
>>> graph.names, graph.successors, graph.names[graph.start]
(('a', 'b', 'c'), ((2,), (0, 2), ()), 'b')
>>> print(write_graph(graph), end="")
b a
b c
a c
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from zermelo.errors import InputError

SUFFIXES = (".graph", ".txt", ".edges", ".edgelist")
"""Files that hold a graph, by the ends of their names."""

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_FIELD = re.compile(r"\S+")

Line = tuple[int, list[str]]


@dataclass(frozen=True)
class Graph:
    """A directed graph with a start node. Nodes are numbered from 0; ``bound`` is a maximum number of rounds.

    >>> Graph(("0", "1"), ((1,), ()), bound=1).start
    0
    """

    names: tuple[str, ...]
    successors: tuple[tuple[int, ...], ...]
    start: int = 0
    bound: int | None = None


class _Source:
    """The text of a file, its lines of data, and errors that point into it."""

    def __init__(self, text: str, name: str) -> None:
        self.name = name
        self.lines = text.split("\n")

    def data(self) -> Iterator[Line]:
        for number, line in enumerate(self.lines, 1):
            fields = (line if "#" not in line else line[: line.index("#")]).split()
            if fields:
                yield number, fields

    def error(self, message: str, line: int, field: int = 0) -> InputError:
        starts = [match.start() + 1 for match in _FIELD.finditer(self.lines[line - 1])]
        return InputError(message, file=self.name, line=line, column=starts[field])


def read_graph(path: Path) -> Graph:
    """The graph that a file holds; ``InputError`` with the place if it holds none.

    >>> read_graph(Path("no/such.graph"))
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: no/such.graph: no such file
    """
    name = str(path)
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise InputError("no such file", file=name) from None
    except IsADirectoryError:
        raise InputError("a directory, expected a graph file", file=name) from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise InputError(f"cannot be read: {reason}", file=name) from None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - (data.rfind(b"\n", 0, error.start) + 1) + 1
        message = f"byte 0x{data[error.start]:02x} is not UTF-8, expected a text file"
        raise InputError(message, file=name, line=line, column=column) from None
    return parse_graph(text, name)


def parse_graph(text: str, name: str = "graph") -> Graph:
    """The graph that a text states.

    >>> parse_graph("3\\n0 1\\n1 2")
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: graph:3:3: unknown node 2, expected one that has a line of its own
    """
    if garbage := _CONTROL.search(text):
        place = garbage.start()
        line, column = text.count("\n", 0, place) + 1, place - text.rfind("\n", 0, place)
        message = f"control character {garbage.group()!r}, expected a text file"
        raise InputError(message, file=name, line=line, column=column)
    source = _Source(text, name)
    lines = list(source.data())
    if not lines:
        message = "no data, expected the maximum number of rounds or an edge"
        raise InputError(message, file=name, line=1, column=1)
    return _parse_rows(source, lines) if len(lines[0][1]) == 1 else _parse_edges(source, lines)


def _parse_rows(source: _Source, lines: list[Line]) -> Graph:
    bound = _whole(source, lines[0], 0, "the maximum number of rounds")
    if len(lines) == 1:
        raise source.error("no nodes, expected a line for each node after the number of rounds", lines[0][0])
    rows = [_row(source, line) for line in lines[1:]]
    number: dict[int, int] = {}
    for line, row in zip(lines[1:], rows, strict=True):
        if row[0] in number:
            raise source.error(f"node {row[0]} has a line already, expected one line for each node", line[0])
        number[row[0]] = len(number)
    successors = []
    for line, row in zip(lines[1:], rows, strict=True):
        try:
            successors.append(tuple([number[node] for node in row[1:]]))
        except KeyError as unknown:
            message = f"unknown node {unknown.args[0]}, expected one that has a line of its own"
            raise source.error(message, line[0], row.index(unknown.args[0], 1)) from None
    return Graph(tuple([str(row[0]) for row in rows]), tuple(successors), number.get(0, 0), bound)


def _row(source: _Source, line: Line) -> list[int]:
    fields = line[1]
    if all(field.isdecimal() and field.isascii() and len(field) <= 18 for field in fields):
        row = [int(field) for field in fields]
    else:
        row = [_whole(source, line, place, "a node's number") for place in range(len(fields))]
    if len(row) > 2 and len(set(row[1:])) < len(row) - 1:
        again = next(place for place in range(1, len(row)) if row[place] in row[1:place])
        raise source.error(f"{row[again]} is a successor already, expected each once", line[0], again)
    return row


def _whole(source: _Source, line: Line, place: int, what: str) -> int:
    field = line[1][place]
    if not (field.isdecimal() and field.isascii() and len(field) <= 18):
        raise source.error(f"{_short(field)} is not a whole number, expected {what}", line[0], place)
    return int(field)


def _short(field: str) -> str:
    return repr(field if len(field) <= 40 else field[:40] + "...")


def _parse_edges(source: _Source, lines: list[Line]) -> Graph:
    for number, fields in lines:
        if len(fields) != 2:
            missing_count = number == lines[0][0]
            expected = "an edge FROM TO, as the first line is one"
            if missing_count:
                expected = "the maximum number of rounds alone on the first line, or an edge FROM TO"
            message = f"{len(fields)} word{'s' * (len(fields) != 1)}, expected {expected}"
            raise source.error(message, number, 0 if missing_count or len(fields) == 1 else 2)
    names = sorted({name for _, edge in lines for name in edge}, key=_by_name)
    index = {name: node for node, name in enumerate(names)}
    successors: list[dict[int, None]] = [{} for _ in names]
    for number, (tail, head) in lines:
        row, node = successors[index[tail]], index[head]
        if node in row:
            raise source.error(f"{_short(head)} is a successor already, expected each edge once", number, 1)
        row[node] = None
    start = index["0"] if "0" in index else index[lines[0][1][0]]
    return Graph(tuple(names), tuple([tuple(row) for row in successors]), start)


def _by_name(name: str) -> tuple[bool, int, str]:
    numeric = _is_number(name)
    return (not numeric, int(name) if numeric else 0, name)


def _is_number(name: str) -> bool:
    return name.isdecimal() and name.isascii() and len(name) <= 18 and (name == "0" or name[0] != "0")


def write_graph(graph: Graph) -> str:
    """The text of a graph: rounds and rows if it has a bound, else an edge list. Reading it gives it back.

    >>> print(write_graph(Graph(("0", "1"), ((1,), ()), bound=1)), end="")
    1
    0 1
    1
    """
    text = "".join(f"{line}\n" for line in (_rows(graph) if graph.bound is not None else _edges(graph)))
    if parse_graph(text, "the written graph") != graph:
        raise InputError(
            "the text format cannot hold this graph: with a bound, nodes are whole numbers and play starts at 0 "
            "or the first; without one, nodes are words in order, each on an edge, and the start has a move"
        )
    return text


def _rows(graph: Graph) -> Iterable[str]:
    yield str(graph.bound)
    for name, row in zip(graph.names, graph.successors, strict=True):
        yield " ".join([name, *(graph.names[node] for node in row)])


def _edges(graph: Graph) -> Iterable[str]:
    rest = (node for node in range(len(graph.names)) if node != graph.start)
    for tail in (graph.start, *rest):
        for head in graph.successors[tail]:
            yield f"{graph.names[tail]} {graph.names[head]}"
