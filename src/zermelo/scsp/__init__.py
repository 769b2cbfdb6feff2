"""Stochastic constraint networks: decisions, chance, hard rules and utilities (Walsh 2002; Koriche et al. 2016)."""
