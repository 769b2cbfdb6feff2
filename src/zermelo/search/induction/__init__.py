"""Backward induction: what every role gets when each plays for its own score, whatever the number of roles.

A position is worth a *vector*, one score a role. Where the game is over, the rules say it. Where chance moves, it is
the mean. Where a role moves, it is the vector of the move that is best for that role (Zermelo 1913, Kuhn 1953; max^n,
Luckhardt and Irani 1986). If two moves are best, the others may still care which one it is: a rule for *ties* says
which one is taken, and :mod:`~zermelo.search.induction.ties` which vectors other choices would lead to. Where two roles
whose scores add up move at once, it is the value of a matrix game, and both mix their moves (von Neumann 1928).

Where positions repeat, two opposed roles (or one alone) still have values, found by strategy iteration
(:mod:`~zermelo.search.induction.repeating`); roles with interests of their own need not, and are refused.

:mod:`~zermelo.search.induction.engine` is the engine. What it claims is written by
:mod:`~zermelo.search.induction.claims` and read by ``zermelo.check.expected`` and ``zermelo.check.equilibrium``.
"""
