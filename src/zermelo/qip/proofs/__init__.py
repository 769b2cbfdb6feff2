"""What a solver proves: graphs of steps, derived clauses, their JSON in certificates, the strategies in them.

A plan (:mod:`~zermelo.qip.proofs.exists_plan`) is a step of ``exists`` in the making, which knows where it works.
"""
