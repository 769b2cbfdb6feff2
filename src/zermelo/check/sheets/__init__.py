"""Rulesheets as the checker plays them: terms, what makes a sheet valid, a reasoner, and the game.

None of it is shared with :mod:`zermelo.gdl`. There a rule becomes loops over one row at a time, after disjunctions have
been spread over several rules; here a rule is applied to sets of rows, literal by literal as in relational algebra, and
disjunctions stay what they are.
"""
