"""Quantified integer and linear programs: two roles set variables in turn, under linear constraints.

``exists`` wants all rows to hold and a good objective, ``forall`` wants the opposite; the variables are set in the
order of the prefix (Subramani, Analyzing selected quantified integer programs, 2004; Ederer, Lorenz, Opfer and Wolf,
Modelling games with the help of quantified integer linear programs, 2011).
"""
