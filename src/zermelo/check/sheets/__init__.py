"""Rulesheets as the checker plays them: terms, rules, what makes a sheet valid, plans, a reasoner, and the game.

None of it is shared with :mod:`zermelo.gdl`. There a rule becomes loops over one row at a time, or gates of a circuit;
here it is applied to sets of rows, literal by literal as in relational algebra, and only to what is asked about.
"""
