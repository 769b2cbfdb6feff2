"""A game has roles; each role has legal moves and goals; play ends."""

from __future__ import annotations

from collections.abc import Iterator

from zermelo.gdl.finding import ERROR, WARNING, Finding, Severity
from zermelo.gdl.syntax import RANDOM, Function, Rulesheet, Span, variables_of

_NEEDED: tuple[tuple[str, Severity, str], ...] = (
    ("role", ERROR, "nobody plays"),
    ("legal", ERROR, "nobody could ever move"),
    ("terminal", ERROR, "play would never end"),
    ("goal", ERROR, "nobody could win or lose"),
    ("init", WARNING, "nothing holds at the start"),
    ("next", WARNING, "every position after the first is empty"),
)


def check_completeness(sheet: Rulesheet) -> Iterator[Finding]:
    """Missing relations; roles that are stated twice, unknown, or without moves or goals."""
    defined = {rule.head.name for rule in sheet.rules}
    for name, severity, consequence in _NEEDED:
        if name not in defined:
            yield Finding(severity, f"no-{name}", f"no {name}: {consequence}", sheet.file)
    roles = static_roles(sheet)
    yield from _twice(sheet)
    if roles is None:
        return
    for name in ("legal", "goal", "sees", "input"):
        yield from _unknown_roles(sheet, roles, name)
    yield from _roles_without(sheet, roles, "legal", "can never move")
    yield from _roles_without(
        sheet, {role: span for role, span in roles.items() if role != RANDOM}, "goal", "has no goal"
    )


def static_roles(sheet: Rulesheet) -> dict[str, Span] | None:
    """The roles with their places where all are stated as facts, else None.

    >>> from zermelo.gdl.kif import read_kif
    >>> list(static_roles(read_kif("(role white) (role black)")) or ())
    ['white', 'black']
    """
    roles: dict[str, Span] = {}
    for rule in sheet.rules:
        if rule.head.name == "role" and len(rule.head.args) == 1:
            if rule.body or variables_of(rule.head):
                return None
            roles.setdefault(str(rule.head.args[0]), rule.head.span)
    return roles or None


def _twice(sheet: Rulesheet) -> Iterator[Finding]:
    seen: set[Function] = set()
    for rule in sheet.rules:
        if rule.head.name == "role" and not rule.body:
            if rule.head in seen:
                message = f"{rule.head} is stated twice: the role counts once"
                yield Finding(WARNING, "duplicate-role", message, sheet.file, rule.head.span)
            seen.add(rule.head)


def _unknown_roles(sheet: Rulesheet, roles: dict[str, Span], name: str) -> Iterator[Finding]:
    for rule in sheet.rules:
        if rule.head.name == name and len(rule.head.args) == 2 and not variables_of(rule.head.args[0]):
            role = str(rule.head.args[0])
            if role not in roles:
                message = f"{role} is not a role, expected one of {', '.join(list(roles)[:20])}"
                yield Finding(WARNING, "unknown-role", message, sheet.file, rule.head.args[0].span)


def _roles_without(sheet: Rulesheet, roles: dict[str, Span], name: str, fault: str) -> Iterator[Finding]:
    """Roles that no rule for a relation can mean; a variable may mean any of them."""
    heads = [rule.head for rule in sheet.rules if rule.head.name == name and rule.head.args]
    if not heads or any(variables_of(head.args[0]) for head in heads):
        return
    served = {str(head.args[0]) for head in heads}
    for role, span in roles.items():
        if role not in served:
            yield Finding(WARNING, f"role-without-{name}", f"{role} {fault}: no {name} for it", sheet.file, span)
