"""A ground game as stochastic constraint networks (Koriche, Lagrue, Piette and Tabary 2016, sections 3.2 and 3.3).

:func:`micro_network` is the network of one round from any state, which players and benchmarks use;
:func:`staged_network` the network of a game up to a number of rounds, and its sequence of networks of one stage.
"""

from zermelo.encode.scsp.micro import MicroNetwork, micro_network
from zermelo.encode.scsp.staged import StagedNetwork, staged_network

__all__ = ["MicroNetwork", "StagedNetwork", "micro_network", "staged_network"]
