"""Boards under normal play, a file for each: what a position is, what each side may move to, where it falls apart."""
