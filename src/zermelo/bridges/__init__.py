"""Bridges: our games as those of other packages, which need not be installed.

``open_spiel`` offers every game as one of OpenSpiel. The other way, games of OpenSpiel are targets
(``open_spiel:tic_tac_toe``), and files of Gambit and graphs of networkx are read.
"""
