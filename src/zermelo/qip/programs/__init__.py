"""What a program is.

:mod:`~zermelo.qip.programs.program` has variables, rows and the objective, and the normal form that engines and the
checker work on; :mod:`~zermelo.qip.programs.wellformed` and :mod:`~zermelo.qip.programs.legal` say which programs are
refused. The others are forms of the same program: arrays for the kernels, the choices of ``forall`` that matter, and
the ordinary program that it becomes when all of these are written out.
"""
