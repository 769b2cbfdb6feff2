"""The engine ``qlp``: programs whose existential variables are all continuous, solved stage by stage.

:mod:`~zermelo.qip.decomposition.linear_engine` chooses between the deterministic equivalent and nested decomposition
(:mod:`~zermelo.qip.decomposition.benders`), which is made of stages, their linear programs, cuts and policies.
"""
