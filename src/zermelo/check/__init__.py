"""The independent checkers: plain Python over the rules of the game; no engine, no native code.

This is the part for a sceptic to read. :mod:`zermelo.check.strategy` plays a written strategy against every
reply; :mod:`zermelo.check.named` does the same for strategies stated as a rule.
"""

from zermelo.check.strategy import Verdict, check_certificate

__all__ = ["Verdict", "check_certificate"]
