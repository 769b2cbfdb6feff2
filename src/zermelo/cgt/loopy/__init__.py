"""Loopy games: games in which play may come back to a position, and the stoppers among them that have values."""
