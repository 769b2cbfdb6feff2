"""Programs stated in Python: variables, linear expressions, rules of ``forall``, and formulas as programs.

Begin with :class:`zermelo.qip.Model`.
"""
