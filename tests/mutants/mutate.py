"""The mutants of a module: each changes one condition, bound, return or refusal."""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256

COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
COMPUTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult, ast.Div: ast.Mult,
    ast.LShift: ast.RShift, ast.RShift: ast.LShift, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.BitXor: ast.BitOr,
    ast.Pow: ast.Mult, ast.Mod: ast.FloorDiv,
}  # fmt: skip
REFUSES = re.compile(r"_?(fault|error|wrong|refused|Wrong|[A-Za-z]*Fault|[A-Za-z]*Error)")
"""Names of what makes a refusal, or raises one; what people are told comes first among its arguments."""
SWAPPED = {"min": "max", "max": "min", "all": "any", "any": "all"}


@dataclass(frozen=True)
class Mutant:
    """A module with one change."""

    path: str
    within: str
    """The function or class that is changed, by its qualified name."""
    first: int
    last: int
    """The lines of what is changed."""
    change: str
    """What stood there, and what stands there now."""
    nth: int
    """Which of the changes of this description in that function it is, from 0 on."""
    code: str
    """The changed module."""
    piece: str
    """The changed top-level function or class; what else the module says does not matter for the result."""

    @property
    def identity(self) -> str:
        """The same as long as the change and the function around it are the same."""
        return sha256("\n".join((self.path, self.within, self.change, str(self.nth), self.piece)).encode()).hexdigest()

    @property
    def names(self) -> tuple[str, str]:
        """How the list of survivors calls it: by its change, or if others of its function share that, by number."""
        return self.change, f"{self.change} #{self.nth}"

    def __str__(self) -> str:
        return f"{self.path}:{self.first}: {self.within}: {self.change} #{self.nth}"


Change = tuple[ast.AST, ast.AST]
"""A node, and what replaces it."""


def mutants_of(path: str, text: str, *, written: bool = True) -> Iterator[Mutant]:
    """All mutants of a module, in the order of its lines; without their code, which takes time, if nobody runs them.

    >>> [mutant.change for mutant in mutants_of("m.py", "def f(x: int) -> bool:\\n    return x < 3")]
    ['return x < 3 -> return None', 'x < 3 -> x <= 3', '3 -> 4', '3 -> 2']
    """
    tree = ast.parse(text)
    seen: dict[tuple[str, str], int] = {}
    texts = [ast.unparse(statement) for statement in tree.body] if written else []
    for place, top in enumerate(tree.body):
        if not isinstance(top, ast.FunctionDef | ast.ClassDef):
            continue  # constants at the top are sizes, not conditions
        for within, node in _inside(top, top.name):
            for replacement in _changes(node):
                change = f"{_short(node)} -> {_short(replacement)}"
                number = seen[within, change] = seen.get((within, change), -1) + 1
                piece = _with(top, node, replacement) if written else ""
                code = "\n".join([*texts[:place], piece, *texts[place + 1 :]])
                first, last = _lines(node)
                yield Mutant(path, within, first, last, change, number, code, piece)


def _lines(node: ast.AST) -> tuple[int, int]:
    if isinstance(node, ast.comprehension):
        return _lines(node.target)[0], _lines(node.ifs[-1])[1]
    if isinstance(node, ast.If | ast.While):
        return _lines(node.test)
    first: int = node.lineno  # type: ignore[attr-defined]
    last: int = node.end_lineno  # type: ignore[attr-defined]
    return first, last


def _short(node: ast.AST) -> str:
    if isinstance(node, ast.If | ast.While):
        return f"{'if' if isinstance(node, ast.If) else 'while'} {_short(node.test)}"
    return " ".join(ast.unparse(node).split())


def _inside(top: ast.stmt, name: str) -> Iterator[tuple[str, ast.AST]]:
    """The nodes that say what is done: no annotations, no texts for people, nothing that only mypy reads."""
    waiting: list[tuple[str, ast.AST]] = [(name, top)]
    while waiting:
        within, node = waiting.pop()
        yield within, node
        following = list[tuple[str, ast.AST]]()
        for field, value in ast.iter_fields(node):
            if field in ("annotation", "returns", "decorator_list", "bases", "type_params"):
                continue
            for child in value if isinstance(value, list) else [value]:
                if not isinstance(child, ast.AST) or isinstance(child, ast.JoinedStr | ast.Assert):
                    continue
                if isinstance(child, ast.keyword) and child.arg == "strict":
                    continue
                if child is _message(node) or (isinstance(node, ast.BoolOp) and _only_how_often(child, node)):
                    continue
                named = isinstance(child, ast.FunctionDef | ast.ClassDef)
                following.append((f"{within}.{child.name}" if named else within, child))  # type: ignore[attr-defined]
        waiting += reversed(following)


def _message(node: ast.AST) -> ast.AST | None:
    """Where a call makes or passes on a refusal, what people are told: no verdict depends on how it is worded."""
    match node:
        case ast.Call(ast.Name(name) | ast.Attribute(_, name), arguments):
            place = 1 if name == "Verdict" else 0 if REFUSES.fullmatch(name) else len(arguments)
            return arguments[place] if place < len(arguments) else None
    return None


def _only_how_often(part: ast.AST, condition: ast.BoolOp) -> bool:
    """Whether a part of a condition says only that limits are looked at every so many steps."""
    looks = any(isinstance(node, ast.Attribute) and node.attr == "expired" for node in ast.walk(condition))
    counts = isinstance(part, ast.Compare) and isinstance(part.left, ast.BinOp) and isinstance(part.left.op, ast.Mod)
    return looks and counts and isinstance(condition.op, ast.And)


def _looks_at_limits(call: ast.Call) -> bool:
    """Whether all that a call does is to look at the limits now and then."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    return name in ("tick", "step") and not call.args


def _changes(node: ast.AST) -> Iterator[ast.AST]:
    """What may stand in the place of a node."""
    yield from _compared(node)
    yield from _computed(node)
    yield from _forced(node)
    yield from _left_out(node)


def _compared(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.Compare(left, operators, rights):  # a <= b < c: one of them
            for place, operator in enumerate(operators):
                other = COMPARED[type(operator)]()
                yield ast.Compare(left, [*operators[:place], other, *operators[place + 1 :]], rights)
        case ast.BoolOp(operator, values):
            assert isinstance(node, ast.BoolOp)
            yield ast.BoolOp(ast.Or() if isinstance(operator, ast.And) else ast.And(), values)
            for place, value in enumerate(values):
                if _only_how_often(value, node):
                    continue
                rest = [*values[:place], *values[place + 1 :]]
                yield ast.BoolOp(operator, rest) if len(rest) > 1 else rest[0]
        case ast.UnaryOp(ast.Not() | ast.USub() | ast.Invert(), operand):
            yield operand


def _computed(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.BinOp(left, operator, right) if type(operator) in COMPUTED and not (_is_text(left) or _is_text(right)):
            yield ast.BinOp(left, COMPUTED[type(operator)](), right)
        case ast.AugAssign(target, operator, value) if type(operator) in COMPUTED and not isinstance(value, ast.List):
            yield ast.AugAssign(target, COMPUTED[type(operator)](), value)
        case ast.Constant(bool() as value):
            yield ast.Constant(not value)
        case ast.Constant(int() as value):
            yield ast.Constant(value + 1)
            yield ast.Constant(value - 1)
        case ast.Call(ast.Name(name), arguments, keywords) if name in SWAPPED:
            yield ast.Call(ast.Name(SWAPPED[name], ast.Load()), arguments, keywords)


def _forced(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.If(_, body, orelse):
            yield from (ast.If(ast.Constant(forced), body, orelse) for forced in (True, False))
        case ast.IfExp(_, body, orelse):
            yield from (ast.IfExp(ast.Constant(forced), body, orelse) for forced in (True, False))
        case ast.While(test, body, orelse) if not isinstance(test, ast.Constant):
            yield ast.While(ast.Constant(False), body, orelse)


def _left_out(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.comprehension(target, iterated, conditions, is_async):
            for place in range(len(conditions)):
                yield ast.comprehension(target, iterated, conditions[:place] + conditions[place + 1 :], is_async)
        case ast.Return(ast.Constant(None | False)):
            return  # nothing else is returned, or nothing that a condition could tell from it
        case ast.Return(value) if value is not None:
            yield ast.Return(ast.Constant(None))
        case ast.Expr(ast.Call() as call) if _looks_at_limits(call):
            return
        case ast.Raise() | ast.Expr(ast.Call()):
            yield ast.Pass()
        case ast.Break():
            yield ast.Continue()
        case ast.Continue():
            yield ast.Break()


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


class _Swap(ast.NodeTransformer):
    def __init__(self, change: Change) -> None:
        self.old, self.new = change

    def visit(self, node: ast.AST) -> ast.AST:
        if node is self.old:
            return ast.copy_location(self.new, node)
        return super().generic_visit(node)


def _with(top: ast.stmt, old: ast.AST, new: ast.AST) -> str:
    """A statement as a text, with the change made."""
    memo: dict[int, object] = {}
    changed = copy.deepcopy(top, memo)
    twin = memo[id(old)]
    assert isinstance(twin, ast.AST)
    return ast.unparse(ast.fix_missing_locations(_Swap((twin, copy.deepcopy(new))).visit(changed)))
