"""Sums of games: scored trees and what a sum of them is worth, values of short games, boards that have such values."""
