"""A ground game as stochastic constraint networks (Koriche, Lagrue, Piette and Tabary 2016, sections 3.2 and 3.3)."""
