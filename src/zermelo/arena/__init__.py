"""Matches between players: the referee that knows the rules, and players near and far."""
