"""Checks that clauses contradict each other, by a proof whose steps are clauses (LRAT, its plain part).

A step states a clause and *hints*, numbers of earlier clauses: those given count from 1, steps go on from there. Assume
that all literals of the step's clause are false. Each hint in its turn must have at most one literal that is not false
by then: one that is left must be true, so its negation is false; where none is left, the assumption was wrong, and the
clause follows from those before it. The last step is the empty clause. (Cruz-Filipe, Heule, Hunt, Kaufmann and
Schneider-Kamp, "Efficient certified RAT verification", 2017; the hints are why nothing has to be searched for here.)

Where proofs come from is of no matter: whatever makes them is believed in nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

Step = tuple[Sequence[int], Sequence[int]]
"""A clause (variables from 1 on, negative where negated) and its hints."""


def fault_of(
    clauses: Iterable[Sequence[int]], steps: Iterable[Step], look: Callable[[], None] = lambda: None
) -> str | None:
    """What is wrong with a proof that clauses contradict each other; ``None`` if it is one.

    ``look`` is called now and then.

    >>> square = [(1, 2), (1, -2), (-1, 2), (-1, -2)]
    >>> fault_of(square, [((1,), (1, 2)), ((), (5, 3, 4))]) is None
    True
    >>> fault_of(square, [((1,), (1,)), ((), (5, 3, 4))])
    'step 1: the clause does not follow from its hints'
    """
    known = {number: set(clause) for number, clause in enumerate(clauses, 1)}
    for number, (clause, hints) in enumerate(steps, 1):
        if number % 256 == 0:
            look()
        false, follows = set(clause), False
        for hint in hints:
            if hint not in known:
                return f"step {number}: there is no clause {hint} before it"
            left = known[hint] - false
            if len(left) != 1:
                follows = not left
                break
            false.add(-left.pop())
        if not follows:
            return f"step {number}: the clause does not follow from its hints"
        if not clause:
            return None
        known[len(known) + 1] = set(clause)
    return "the proof ends without the empty clause"
