"""GDL and GDL-II: rulesheets of general game playing, read, validated, ground and played.

A rulesheet is a logic program. Its relations with a fixed meaning:

``role``, ``init``, ``base``, ``input``
    who plays; the facts of the start position; all facts and moves that may occur (hints, never needed).
``true``, ``does``
    in bodies: a fact of the position, a move of a role.
``legal``, ``next``, ``terminal``, ``goal``
    what may be done, the facts of the next position, whether play is over, the score of a role.
``random``, ``sees``
    GDL-II: the role that is chance; what a role perceives of a step.

The corridor of this room: :mod:`~zermelo.gdl.kif` and :mod:`~zermelo.gdl.infix` read text into the one syntax tree
of :mod:`~zermelo.gdl.syntax`; :mod:`~zermelo.gdl.validate` says what is wrong with it; :mod:`~zermelo.gdl.reasoner`
plays it in plain Python, one state at a time (the checker and the tests use it); :mod:`~zermelo.gdl.ground` turns
it into the ground game that the native kernels play; :mod:`~zermelo.gdl.game` makes it a :class:`zermelo.Game`.
"""
