"""Values learnt from the rules alone: what a state is worth to each role, found by self-play.

* :mod:`~zermelo.learn.cells`: groups of facts of which one holds at a time;
* :mod:`~zermelo.learn.tuples`: which cells are looked at together;
* :mod:`~zermelo.learn.features`: all that a value is a function of;
* :mod:`~zermelo.learn.values`: features with weights, and the file that keeps them;
* :mod:`~zermelo.learn.self_play`: learning.
"""
