"""Games as quantified programs, written by hand as a paper states them.

Ederer, Lorenz, Opfer and Wolf (Modelling games with the help of quantified integer linear programs) give two models and
an example of three variables: :mod:`~zermelo.qip.models.dgr`, :mod:`~zermelo.qip.models.gomoku` and
:mod:`~zermelo.qip.models.examples`. Any other game becomes a program by :mod:`zermelo.encode.qip`.
"""
