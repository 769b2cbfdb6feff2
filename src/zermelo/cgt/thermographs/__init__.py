"""Thermographs: what a game is worth when every move costs a tax, with its walls and its pictures."""
