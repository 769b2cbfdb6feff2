"""The engine ``qbf-cegar``: abstraction refinement on circuits over incremental SAT.

The blocks are played in the order of the prefix. Each role has an :class:`~zermelo.qbf.cegar_abstraction.Abstraction`:
what any win of it must satisfy. A block asks its owner's for a move that may still win, given what the outer blocks
have spoilt. Where there is none, the failed assumptions are a set of spoilt nodes under which the owner is lost
whatever follows. This set is carried outwards: through a block of the winner its move is the reason why nodes are
spoilt, so the set becomes one of outer nodes, and "where these are spoilt, play this move" is an entry of the winner's
strategy; at the first block of the loser that has a part in it, the set becomes a refinement and the loser has to find
another move there. Blocks in between have no part in the loss and are jumped over. When nothing is left of the set, the
winner wins from the start.

The scheme is clausal abstraction (Rabe and Tentrup 2015) on circuits (Tentrup 2016), close to CQESTO (Janota,
"Circuit-Based Search Space Pruning in QBF", SAT 2018). It differs in that refinements of all blocks of a role are in
one instance together with the whole circuit: a necessary condition for an inner block is one for the outer blocks too,
as long as later variables are free. See :mod:`zermelo.qbf.cegar_functions` for why the entries still make a strategy.
"""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from zermelo.limits import Limits
from zermelo.progress import Progress, Watch, no_watch
from zermelo.qbf.cegar_abstraction import Abstraction, Meter, OutOfLimitError
from zermelo.qbf.cegar_functions import Entry, constant_functions, functions_from_entries
from zermelo.qbf.cegar_layers import Layers, Node, layers_of
from zermelo.qbf.circuit import TRUE
from zermelo.qbf.formula import Formula
from zermelo.qbf.solver_answer import Answer

NAME = "qbf-cegar"
ATTEMPTS = 8
"""SAT calls that may be spent on making one core smaller."""
EFFORT = 50
"""Conflicts that each of them may take."""
_MUCH = 1 << 30


def solve_by_cegar(formula: Formula, limits: Limits | None = None, watch: Watch = no_watch) -> Answer:
    """Decides a formula in normal form; ``nodes`` are SAT calls.

    The functions are those of the winner. Ctrl-C is heard between two calls of CaDiCaL, each of which ends after some
    thousand conflicts; the answer is then ``None`` with the cause ``interrupt``.

    >>> from zermelo.qbf.circuit import Circuit
    >>> from zermelo.qbf.formula import Block
    >>> circuit = Circuit()
    >>> x, y = circuit.variable(), circuit.variable()
    >>> prefix = (Block("forall", (x // 2,)), Block("exists", (y // 2,)))
    >>> answer = solve_by_cegar(Formula(circuit, prefix, circuit.exclusive(x, y)))
    >>> answer.value, answer.functions.replies({x // 2: True})
    (True, {2: False})
    """
    limits = limits or Limits()
    if formula.output >> 1 == 0:
        value = formula.output == TRUE
        return Answer(value, constant_functions(formula, value))
    began = monotonic()

    def show(calls: int) -> None:
        watch(Progress(NAME, monotonic() - began, calls, search.deepest if search else 0))

    search: _Search | None = None
    meter = Meter(limits, show)
    try:
        search = _Search(layers_of(formula, meter.check), meter)
        value = search.run()
        functions = functions_from_entries(formula, search.layers, value, search.entries[value])
        return Answer(value, functions, meter.calls, stats=search.stats())
    except OutOfLimitError as limit:
        return Answer(None, None, meter.calls, str(limit), search.stats() if search else {})
    except MemoryError:
        return Answer(None, None, meter.calls, "memory", search.stats() if search else {})
    except KeyboardInterrupt:
        return Answer(None, None, meter.calls, "interrupt", search.stats() if search else {})
    finally:
        if search:
            search.close()


class _Search:
    """The play under way: values of the nodes of the blocks played, and the abstractions of both roles.

    Roles are ``True`` for ``exists`` and ``False`` for ``forall``, so that a node is *spoilt* for a role where its
    value is not the role.
    """

    def __init__(self, layers: Layers, meter: Meter) -> None:
        self.layers = layers
        self.abstraction = (Abstraction(layers, False, meter), Abstraction(layers, True, meter))
        self.entries: tuple[list[Entry], list[Entry]] = ([], [])
        # Negative numbers count from the end of a list: the place of the negated leaves.
        self.value = [False] * (2 * len(layers.inputs))
        self.spoilt: list[tuple[list[int], list[int]]] = [([], [])]
        """After each block: for both roles, the assumptions about the nodes that later blocks depend on."""
        self.deepest = self.refinements = self.literals = 0

    def run(self) -> bool:
        """Plays until a role has won from the start."""
        level, depth = 1, self.layers.depth
        while level:
            role = self.layers.exists[level]
            abstraction = self.abstraction[role]
            del self.spoilt[level:]
            if not abstraction.solve(self.spoilt[level - 1][role]):
                core = abstraction.minimised(abstraction.core(), ATTEMPTS, EFFORT)
                loser, reason = role, {abstraction.node(literal) for literal in core}
            else:
                self.play(level)
                self.deepest = max(self.deepest, level)
                if level < depth:
                    level += 1
                    continue
                loser, reason = not role, {self.layers.root}
            level = self.lose(loser, reason)
        return not loser

    def play(self, level: int) -> None:
        """Gives the variables of a block the values of the owner's model and works out what follows."""
        layers, value = self.layers, self.value
        model = self.abstraction[layers.exists[level]].model
        assert model is not None
        for variable in layers.block[level]:
            value[variable] = model[variable - 1] > 0
            value[-variable] = not value[variable]
        look, inputs, conjunctive = value.__getitem__, layers.inputs, layers.conjunctive
        for gate in layers.gates[level]:
            value[gate] = (all if conjunctive[gate] else any)(map(look, inputs[gate]))
        reach = layers.reach
        kept = tuple([literal for literal in old if reach[abs(literal)] > level] for old in self.spoilt[-1])
        for node in layers.handed[level]:
            loser = not value[node]
            kept[loser].append(self.abstraction[loser].assumption(node))
        self.spoilt.append((kept[0], kept[1]))

    def lose(self, loser: bool, reason: set[Node]) -> int:
        """Carries a reason why a role is lost outwards, to the block where it must move again: 0 if there is none."""
        level = self.layers.level
        while reason:
            last = max(level[abs(node)] for node in reason)
            if self.layers.exists[last] == loser:
                self.abstraction[loser].refine(reason)
                self.refinements += 1
                self.literals += len(reason)
                return last
            reason = self.before(last, loser, reason)
            move = tuple(variable for variable in self.layers.block[last] if self.value[variable])
            self.entries[not loser].append(Entry(last, tuple(reason), move))
        return 0

    def before(self, last: int, loser: bool, reason: set[Node]) -> set[Node]:
        """Nodes of levels before ``last`` that spoil all nodes of a reason once the winner has moved there.

        A conjunction is false by one input, and so for the dual: the input that asks least of the outer blocks.
        """
        layers, value, level = self.layers, self.value, self.layers.level
        found = {node for node in reason if level[abs(node)] < last}
        pending = {node for node in reason if level[abs(node)] == last and layers.inputs[abs(node)]}
        if not pending:
            return found
        cost = self.costs(last, loser)
        for gate in reversed(layers.gates[last]):
            if gate not in pending:
                continue
            inputs = layers.inputs[gate]
            if bool(layers.conjunctive[gate]) == loser:
                spoilt = [node for node in inputs if value[node] != loser]
                inputs = (min(spoilt, key=lambda node: 0 if node in found or node in pending else cost(node)),)
            for node in inputs:
                if level[abs(node)] < last:
                    found.add(node)
                elif layers.inputs[abs(node)]:
                    pending.add(node)
        return found

    def costs(self, last: int, loser: bool) -> Callable[[Node], int]:
        """How many outer nodes it takes to spoil a node that is spoilt; shared nodes count several times."""
        layers, value, level = self.layers, self.value, self.layers.level
        cost: dict[int, int] = {}

        def of(node: Node) -> int:
            return 1 if level[abs(node)] < last else cost.get(node, 0)

        for gate in layers.gates[last]:
            if value[gate] != loser:
                if bool(layers.conjunctive[gate]) == loser:
                    cost[gate] = min(of(node) for node in layers.inputs[gate] if value[node] != loser)
                else:
                    cost[gate] = min(sum(map(of, layers.inputs[gate])), _MUCH)
        return of

    def stats(self) -> dict[str, int | float | str]:
        """Figures of the run."""
        return {
            "refinements": self.refinements,
            "literals": self.literals,
            "entries": len(self.entries[0]) + len(self.entries[1]),
            "deepest": self.deepest,
        }

    def close(self) -> None:
        """Frees the instances."""
        for abstraction in self.abstraction:
            abstraction.close()
