"""Games as quantified programs, written by hand as a paper states them.

Ederer, Lorenz, Opfer and Wolf (Modelling games with the help of quantified integer linear programs) give two models:
:mod:`~zermelo.qip.models.dgr` and :mod:`~zermelo.qip.models.gomoku`, which is a target of the library
(:mod:`~zermelo.qip.models.library`). Any other game becomes a program by :mod:`zermelo.encode.qip`.
"""
