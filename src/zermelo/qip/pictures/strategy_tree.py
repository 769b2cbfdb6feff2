"""The strategy that a proof holds, to be looked through: as text, as a picture, as DOT, as JSON.

Text and pictures show lines of play as a tree, to a depth. DOT and JSON hold the whole graph of steps, in which equal
situations are shared.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from zermelo.certificate import score_text
from zermelo.draw.svg import clipped
from zermelo.errors import InputError
from zermelo.qip.game import Number, ProgramGame
from zermelo.qip.programs.program import OTHER, Quantifier, Row, minimised
from zermelo.qip.proofs.proof import END, Branch, Case, Choose, Node, Proof, Refute
from zermelo.render.tree import TreeNode, tree_picture

MOST_STEPS = 600
"""More are not drawn."""
MOST_LINES = 2000
MOST_DOT_NODES = 20_000
LONGEST_LABEL = 28
LONGEST_LIST = 6

Path = Mapping[int, tuple[Number, Number]]
"""The least and the largest value of each variable on a line of play."""


@dataclass
class Step:
    """A step in a tree of lines of play: who is next, what led here, and, at the end of a line, what comes of it."""

    label: str = ""
    chosen: bool = False
    """Whether it was the owner of the proof who set the variables of the label."""
    mover: str = "over"
    note: str = ""
    value: Fraction | None = None
    """The objective at the end of a line, at its worst."""
    cut: bool = False
    depth: int = 0
    children: list[Step] = field(default_factory=list)


def lines_of_play(game: ProgramGame, proof: Proof, depth: int, most: int = MOST_STEPS) -> Step:
    """The tree of a proof to a depth: one step for what the owner sets, one for each case of the other role.

    >>> from zermelo.qip.programs.program import Objective, Program, Variable, terms
    >>> game = ProgramGame(Program((Variable("u", "forall"), Variable("y")), (), Objective("min", terms({1: 2}))))
    >>> root = lines_of_play(game, Proof("exists", Fraction(0), (Choose(1, (0,), END),)), 4)
    >>> [(step.label, step.note) for step in root.children]
    [('y=0', 'the objective is 0')]
    """
    reader = _Reader(game, proof)
    root = Step()
    waiting: list[tuple[Step, int, Path]] = [(root, proof.root, {})]
    count = 1
    for step, number, path in waiting:
        node = reader.node(number)
        step.mover = reader.mover(node)
        if node is None or (isinstance(node, Refute) and not reader.own_choices(node)):
            step.note = reader.end_note(node, path)
            step.value = reader.worst_objective(path)[0] if node is None else None
            continue
        if step.depth >= depth:
            step.cut = True
            continue
        for child, then, after in reader.followers(node, path):
            count += 1
            if count > most:
                raise InputError(f"the strategy to depth {depth} has more than {most} steps: give a smaller depth")
            child.depth = step.depth + 1
            step.children.append(child)
            if then is not None:
                waiting.append((child, then, after))
    return root


class _Reader:
    """A proof with the names and bounds of its program."""

    def __init__(self, game: ProgramGame, proof: Proof) -> None:
        self.game, self.proof = game, proof
        self.variables = game.remaining.variables
        self.own = [n for n, v in enumerate(self.variables) if v.quantifier == proof.owner]

    def node(self, number: int) -> Node | None:
        return None if number == END else self.proof.nodes[number]

    def mover(self, node: Node | None) -> str:
        if isinstance(node, Branch):
            return OTHER[self.proof.owner]
        return self.proof.owner if isinstance(node, Choose) or (node and self.own_choices(node)) else "over"

    def own_choices(self, node: Node | None) -> Sequence[Number]:
        """What the owner sets in a refutation by one line of play."""
        return node.scenarios[0].choices if isinstance(node, Refute) and len(node.scenarios) == 1 else ()

    def settings(self, at: int, values: Sequence[Number]) -> list[tuple[int, Number]]:
        first = bisect_left(self.own, at)
        return list(zip(self.own[first : first + len(values)], values, strict=True))

    def followers(self, node: Node, path: Path) -> list[tuple[Step, int | None, Path]]:
        if isinstance(node, Branch):
            return [self.case(node, case, path) for case in node.cases]
        if isinstance(node, Refute):
            chosen = self.settings(node.at, self.own_choices(node))
            return [(Step(self.label(chosen), True, note=self.end_note(node, path)), None, path)]
        chosen = self.settings(node.at, node.values)
        then = node.then
        while isinstance(following := self.node(then), Choose):
            chosen += self.settings(following.at, following.values)
            then = following.then
        after = dict(path) | {variable: (value, value) for variable, value in chosen}
        return [(Step(self.label(chosen), True), then, after)]

    def case(self, node: Branch, case: Case, path: Path) -> tuple[Step, int | None, Path]:
        label = f"{self.variables[node.at].name}={interval_text(case)}"
        after = dict(path) | {node.at: (case.lower, case.upper)}
        if case.breaks is not None:
            return Step(label, note=f"forall breaks {self.own_row_name(case.breaks)} of his own"), None, after
        return Step(label), case.then, after

    def label(self, settings: Sequence[tuple[int, Number]]) -> str:
        return " ".join(f"{self.variables[variable].name}={value}" for variable, value in settings)

    def end_note(self, node: Node | None, path: Path) -> str:
        if isinstance(node, Refute):
            rows = sorted({row for scenario in node.scenarios for row in scenario.multipliers})
            named = [self.row_name(row) for row in rows[:LONGEST_LIST]] + ["..."] * (len(rows) > LONGEST_LIST)
            over = f" in {len(node.scenarios)} lines of play" if len(node.scenarios) > 1 else ""
            if rows == [0]:
                return f"the objective is no better than {self.proof.value}"
            return f"{named[0]} cannot hold" if len(rows) == 1 else f"{', '.join(named)} contradict each other{over}"
        value, exact = self.worst_objective(path)
        if not self.game.program.objective.terms:
            return "all rows hold"
        if value is None:
            return "all rows hold, whatever the objective"
        side = "" if exact else "at most " if minimised(self.game.program) > 0 else "at least "
        return f"the objective is {side}{value}"

    def row_name(self, number: int) -> str:
        """A row of the normal form by the name that the program gives it."""
        return _named(self.game.program.rows, number - 1) if number else "the objective"

    def own_row_name(self, number: int) -> str:
        """The same for a row that ``forall`` must keep."""
        return _named(self.game.program.uncertainty, number)

    def worst_objective(self, path: Path) -> tuple[Fraction | None, bool]:
        """The objective on a line of play at its worst for ``exists``, and whether it is just that."""
        goal, exact = self.game.program.objective, True
        total = goal.constant
        for variable, coefficient in goal.terms:
            bounds = (self.variables[variable].lower, self.variables[variable].upper)
            low, high = path.get(variable, bounds)
            if low is None or high is None:
                return None, False
            exact &= low == high
            total += coefficient * (high if minimised(self.game.program) * coefficient > 0 else low)
        return total, exact


def _named(rows: Sequence[Row], number: int) -> str:
    """The row of the normal form with that number among these rows; an equation is two."""
    places = [count for count, row in enumerate(rows) for _ in range(2 if row.relation == "=" else 1)]
    count = places[number]
    return f"row {rows[count].name or count + 1}"


def interval_text(case: Case) -> str:
    """The values of a case.

    >>> interval_text(Case(0, 3)), interval_text(Case(1, 1))
    ('0..3', '1')
    """
    return str(case.lower) if case.lower == case.upper else f"{case.lower}..{case.upper}"


def promise(game: ProgramGame, role: Quantifier, value: Fraction | None) -> str:
    """In words: a role forces an objective that is no worse for it than a value; ``None``: a broken row.

    >>> from zermelo.qip.programs.program import Objective, Program, Variable, terms
    >>> game = ProgramGame(Program((Variable("x"),), (), Objective("max", terms({0: 1}))))
    >>> promise(game, "exists", Fraction(1)), promise(game, "forall", None)
    ('exists satisfies all rows, with an objective of at least 1', 'forall forces a row to be broken')
    """
    if value is None:
        return f"{role} forces a row to be broken" if role == "forall" else "exists forces nothing"
    if role == "exists" and not game.program.objective.terms:
        return "exists satisfies all rows"
    side = "at most" if (minimised(game.program) > 0) == (role == "exists") else "at least"
    keeps = "satisfies all rows, with" if role == "exists" else "forces"
    return f"{role} {keeps} an objective of {side} {value}"


def strategy_text(game: ProgramGame, proof: Proof, depth: int = 1000) -> str:
    """The tree of a proof, a line for each step.

    >>> from zermelo.qip.programs.program import Objective, Program, Variable, terms
    >>> variables = (Variable("u", "forall"), Variable("y"))
    >>> game = ProgramGame(Program(variables, (), Objective("max", terms({0: 1, 1: 2}))))
    >>> nodes = (Choose(1, (1,), END), Branch(0, (Case(0, 0, 0), Case(1, 1, 0))))
    >>> print(strategy_text(game, Proof("exists", Fraction(2), nodes)), end="")
    exists satisfies all rows, with an objective of at least 2
      forall sets u=0
        exists sets y=1: the objective is 2
      forall sets u=1
        exists sets y=1: the objective is 3
    """
    root = lines_of_play(game, proof, depth, MOST_LINES)
    lines = [promise(game, proof.owner, proof.value) + (f": {root.note}" if root.note else "")]
    other = OTHER[proof.owner]
    stack = list(reversed(root.children))
    while stack:
        step = stack.pop()
        end = f": {step.note}" if step.note else " ..." if step.cut else ""
        lines.append(f"{'  ' * step.depth}{proof.owner if step.chosen else other} sets {step.label}{end}")
        stack.extend(reversed(step.children))
    return "\n".join(lines) + "\n"


def strategy_picture(game: ProgramGame, proof: Proof, depth: int = 6) -> str:
    """The tree of a proof as SVG: its owner's settings drawn thick, the objective at the ends of lines.

    >>> from zermelo.qip.programs.program import Program, Variable
    >>> game = ProgramGame(Program((Variable("x"),)))
    >>> ">x=1</text>" in strategy_picture(game, Proof("exists", Fraction(0), (Choose(0, (1,), END),)))
    True
    """
    movers = {"exists": "first", "forall": "second", "over": "over"}
    colour = movers[proof.owner]
    root = lines_of_play(game, proof, depth)

    def drawn(step: Step) -> TreeNode:
        text = "" if step.value is None or not game.program.objective.terms else score_text(step.value)
        via = clipped(step.label, LONGEST_LABEL)
        return TreeNode(None, via, step.depth, step.chosen, step.cut, [], movers[step.mover], colour, text)

    top = drawn(root)
    waiting = [(root, top)]
    for step, node in waiting:
        node.children = [drawn(child) for child in step.children]
        waiting.extend(zip(step.children, node.children, strict=True))
    return tree_picture(game, top, f"strategy of {proof.owner}")


def strategy_json(game: ProgramGame, proof: Proof) -> dict[str, Any]:
    """The graph of steps: each by its number, with what it sets or the cases it tells apart; -1 is the end of a line.

    >>> from zermelo.qip.programs.program import Program, Variable
    >>> game = ProgramGame(Program((Variable("x"),)))
    >>> strategy_json(game, Proof("exists", Fraction(0), (Choose(0, (1,), END),)))["nodes"]
    [{'set': {'x': '1'}, 'then': -1}]
    """
    reader = _Reader(game, proof)

    def data(node: Node) -> dict[str, Any]:
        if isinstance(node, Choose):
            chosen = reader.settings(node.at, node.values)
            return {"set": {reader.variables[n].name: str(value) for n, value in chosen}, "then": node.then}
        if isinstance(node, Branch):
            cases = [
                {"from": str(case.lower), "to": str(case.upper)}
                | ({"then": case.then} if case.breaks is None else {"breaks": case.breaks})
                for case in node.cases
            ]
            return {"variable": reader.variables[node.at].name, "cases": cases}
        scenarios = [
            {
                "set": {reader.variables[n].name: str(value) for n, value in reader.settings(node.at, s.choices)},
                "multipliers": {reader.row_name(row): str(m) for row, m in s.multipliers.items()},
            }
            for s in node.scenarios
        ]
        return {"contradiction": scenarios}

    return {
        "role": proof.owner,
        "promise": promise(game, proof.owner, proof.value),
        "value": None if proof.value is None else str(proof.value),
        "root": proof.root,
        "nodes": [data(node) for node in proof.nodes],
    }


def strategy_dot(game: ProgramGame, proof: Proof) -> str:
    """The graph of steps for Graphviz.

    >>> from zermelo.qip.programs.program import Program, Variable
    >>> game = ProgramGame(Program((Variable("x"),)))
    >>> print(strategy_dot(game, Proof("exists", Fraction(0), (Choose(0, (1,), END),))), end="")
    digraph strategy {
      node [fontname="sans-serif"];
      0 [shape=circle, label="exists"];
      0 -> 1 [label="x=1", penwidth=2];
      1 [shape=plaintext, label="all rows hold"];
    }
    """
    if len(proof.nodes) > MOST_DOT_NODES:
        raise InputError(f"the strategy has {len(proof.nodes)} steps, too many for a picture: write it as .json")
    reader = _Reader(game, proof)
    end = len(proof.nodes)
    lines = ["digraph strategy {", '  node [fontname="sans-serif"];']
    shapes = {"exists": "circle", "forall": "box", "over": "plaintext"}
    for number, node in enumerate(proof.nodes):
        mover = "over" if isinstance(node, Refute) else reader.mover(node)
        label = reader.end_note(node, {}) if isinstance(node, Refute) else mover
        lines.append(f"  {number} [shape={shapes[mover]}, label={_quoted(label)}];")
        if isinstance(node, Branch):
            for place, case in enumerate(node.cases):
                step, _, _ = reader.case(node, case, {})
                if case.breaks is None:
                    lines.append(
                        f"  {number} -> {end if case.then == END else case.then} [label={_quoted(step.label)}];"
                    )
                else:
                    lines.append(f'  "{number}.{place}" [shape=plaintext, label={_quoted(step.note)}];')
                    lines.append(f'  {number} -> "{number}.{place}" [label={_quoted(step.label)}];')
        elif isinstance(node, Choose):
            label = reader.label(reader.settings(node.at, node.values))
            then = end if node.then == END else node.then
            lines.append(f"  {number} -> {then} [label={_quoted(label)}, penwidth=2];")
    if proof.owner == "exists":
        lines.append(f'  {end} [shape=plaintext, label="all rows hold"];')
    return "\n".join([*lines, "}"]) + "\n"


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
