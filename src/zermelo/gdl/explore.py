"""Plays a rulesheet at random and reports what should not happen: nobody may be stuck, play ends, goals are there.

These are the conditions of a well-formed game (Love, Hinrichs, Haley, Schkufza and Genesereth, "General Game Playing:
Game Description Language Specification", 2008, section 4.4) that no look at the text can decide. A walk can only show
that one is broken, never that all hold.

>>> from zermelo.gdl.kif import read_kif
>>> sheet = read_kif('''(role a) (init on) (legal a push) (<= (next on) (does a pull))
... (<= terminal (not (true on)))
... (<= (goal a 100) (true on))''', "g.kif")
>>> for finding in explore_rules(sheet):
...     print(finding)
g.kif:3:1: warning: goal values of a can fall: 100 after 0 steps, none after 1 step [goal-falls]
g.kif:3:1: warning: a has no goal value in a terminal state (after 1 step: no facts) [goal-missing]
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from random import Random
from typing import Final

from zermelo.errors import InputError
from zermelo.gdl.finding import ERROR, WARNING, Finding, in_order
from zermelo.gdl.reasoner import Reasoner, State
from zermelo.gdl.syntax import NOWHERE, RANDOM, Rulesheet, Span
from zermelo.limits import Limits

WALKS: Final = 20
"""Walks from the start."""
STEPS: Final = 1000
"""A walk longer than this is taken for one without an end."""
SECONDS: Final = 5.0
"""The time for all walks, where no limit is set."""


def explore_rules(sheet: Rulesheet, limits: Limits | None = None, seed: int = 0) -> list[Finding]:
    """What random walks within the limits bring to light: each kind of finding once, with the first state to show it.

    All are warnings, for the sheet can be played as it stands up to there. The time limit ends the walks (without
    one, a few seconds do), the node limit counts states.
    """
    limits = limits or Limits(SECONDS)
    try:
        return _Explorer(sheet, Reasoner(sheet), limits, Random(seed)).findings()
    except InputError as error:
        span = Span(error.line or 0, error.column or 0)
        return [Finding(ERROR, "cannot-be-played", error.message, sheet.file, span)]


def findings_of(sheet: Rulesheet, limits: Limits) -> list[Finding]:
    """What the rules say and, where they have a meaning, what playing them shows within the limits.

    >>> from zermelo.gdl.kif import read_kif
    >>> {finding.code for finding in findings_of(read_kif("(role a) (legal a ?x)"), Limits(1))} >= {"unsafe-variable"}
    True
    """
    from zermelo.gdl.validate import check_rules

    findings = check_rules(sheet)
    if any(finding.severity == ERROR for finding in findings):
        return findings
    return findings + explore_rules(sheet, replace(limits, seconds=limits.seconds or SECONDS))


@dataclass
class _Explorer:
    sheet: Rulesheet
    rules: Reasoner
    limits: Limits
    random: Random
    found: dict[tuple[str, str], Finding] = field(default_factory=dict)
    states: int = 0
    base: set[str] = field(default_factory=set)
    input: set[str] = field(default_factory=set)

    def findings(self) -> list[Finding]:
        self.base = set(self.rules.holds("base", ()))
        self.input = set(self.rules.holds("input", ()))
        for _ in range(WALKS):
            if self.over_limit():
                break
            self.walk()
        return in_order(self.found.values())

    def over_limit(self) -> bool:
        return self.limits.expired() or (self.limits.nodes is not None and self.states >= self.limits.nodes)

    def walk(self) -> None:
        """One walk, to its end or to a limit."""
        state = self.rules.start()
        seen = {state: 0}
        best: dict[str, tuple[int, int]] = {}
        for step in range(STEPS):
            self.states += 1
            terminal = self.rules.terminal(state)
            self.check_state(state, step, terminal, best)
            joint = None if terminal else self.joint(state, step)
            if joint is None or self.over_limit():
                return
            state = self.rules.next(state, joint)
            if seen.setdefault(state, step + 1) <= step:
                message = f"play need not end: the state after {_steps(seen[state])} can come again"
                self.say("position-repeats", "", "terminal", message, state, step + 1)
                seen[state] = step + 1
        self.say("endless", "", "terminal", f"a random walk has not ended after {STEPS} steps", state, STEPS)

    def joint(self, state: State, step: int) -> list[str] | None:
        """A random joint move; None where a role has no move."""
        joint: list[str] = []
        for role in self.rules.roles:
            moves = self.rules.legal(state, role)
            if not moves:
                message = f"{role} has no legal move in a state that is not terminal"
                self.say("stuck", role, "legal", message, state, step)
                return None
            for move in moves if self.input else ():
                if f"(input {role} {move})" not in self.input:
                    self.say("not-in-input", "", "input", f"input lacks the legal move {move} of {role}")
            joint.append(self.random.choice(moves))
        return joint

    def check_state(self, state: State, step: int, terminal: bool, best: dict[str, tuple[int, int]]) -> None:
        for fact in state if self.base else ():
            if f"(base {fact})" not in self.base:
                self.say("not-in-base", "", "base", f"base lacks the fact {fact}", state, step)
        for role in self.rules.roles:
            if role == RANDOM:
                continue
            values = self.rules.goals(state, role)
            numbers = list(_numbers(values))
            if terminal and len(values) != 1:
                found = f"the goal values {' and '.join(values)}" if values else "no goal value"
                code = "goal-several" if values else "goal-missing"
                self.say(code, role, "goal", f"{role} has {found} in a terminal state", state, step)
            if len(numbers) < len(values):
                odd = next(value for value in values if not list(_numbers([value])))
                message = f"the goal value {odd} of {role} is not a whole number from 0 to 100"
                self.say("goal-value", role, "goal", message, state, step)
            self.check_monotone(state, step, role, numbers, best)

    def check_monotone(
        self, state: State, step: int, role: str, numbers: list[int], best: dict[str, tuple[int, int]]
    ) -> None:
        """Goal values are said to grow along a game; most rulesheets let them fall all the same."""
        highest, when = best.get(role, (-1, 0))
        value = max(numbers, default=-1)
        if value < highest:
            now = str(value) if numbers else "none"
            message = f"goal values of {role} can fall: {highest} after {_steps(when)}, {now} after {_steps(step)}"
            self.say("goal-falls", "", "goal", message)
        else:
            best[role] = (value, step)

    def say(self, code: str, role: str, relation: str, message: str, state: State | None = None, step: int = 0) -> None:
        if (code, role) in self.found:
            return
        if state is not None:
            facts = " ".join(state) or "no facts"
            facts = facts if len(facts) <= 200 else facts[:197] + "..."
            message = f"{message} (after {_steps(step)}: {facts})"
        self.found[code, role] = Finding(WARNING, code, message, self.sheet.file, self.place(relation))

    def place(self, relation: str) -> Span:
        """The first rule of a relation; nowhere where it has none."""
        return next((rule.span for rule in self.sheet.rules if rule.head.name == relation), NOWHERE)


def _numbers(values: list[str]) -> Iterator[int]:
    return (int(value) for value in values if value.isascii() and value.isdigit() and int(value) <= 100)


def _steps(count: int) -> str:
    return f"{count} step{'' if count == 1 else 's'}"
