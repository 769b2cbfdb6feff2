"""Misere play of impartial games: who cannot move wins. Canonical forms, genus symbols, quotients of heap games."""
