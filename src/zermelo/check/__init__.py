"""The independent checkers: plain Python over the rules of the game; no engine, no native code.

This is the part for a sceptic to read. :mod:`zermelo.check.claims` sees that a certificate speaks of the game;
:mod:`zermelo.check.walk` plays a written strategy against every reply; :mod:`zermelo.check.rules` names the checkers
of claims that rest on a rule.
"""

from zermelo.check.claims import check_certificate
from zermelo.check.verdict import Verdict

__all__ = ["Verdict", "check_certificate"]
