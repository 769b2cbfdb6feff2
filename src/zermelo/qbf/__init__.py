"""Quantified Boolean formulas: circuits, QCIR and QDIMACS, the solvers, Skolem and Herbrand functions."""
