"""What boards are worth: what a ruleset says of them, the parts that they fall into, their values and the proof.

The rulesets themselves are in :mod:`zermelo.cgt.rulesets`.
"""
