"""The solvers of integer programs, one a module, and the portfolio that lets them run by turns.

``table_search``, ``learning``, ``leaves``, ``cegar`` and ``equivalent`` are the engines ``qip-table``, ``qip-learn``,
``qip-leaf``, ``qip-cegar`` and ``qip-dep``; all return a :class:`~zermelo.qip.solvers.solver_answer.Answer`. The other
modules are what they share: rows written out for some scenarios, play by refinement, refutations, known plans.
"""
