"""Differential fuzzing: random routes are asked about random small games of every kind, and must say the truth.

:mod:`~zermelo.fuzzing.drawing` makes games as texts; :mod:`~zermelo.fuzzing.truth` works out their values by trying
everything, from the rules alone; :mod:`~zermelo.fuzzing.cases` asks routes and compares;
:mod:`~zermelo.fuzzing.running` goes through seeds, makes a failing case smaller and keeps it as a file.
"""
