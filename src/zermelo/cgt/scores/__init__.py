"""Sums that are played for a score: trees with numbers at their leaves, the exact score, bounds, and good play.

Polynomial algorithms for sums of a special form are in :mod:`zermelo.cgt.easy`.
"""
