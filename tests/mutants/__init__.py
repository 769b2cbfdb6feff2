"""Mutants of the checker: ``python -m tests.mutants [--workers N] [file ...]``.

What decides whether a proof is one must not be changeable without a test that notices. So the conditions, bounds,
returns and refusals of ``check/`` are changed one by one (``mutate``), and for each such *mutant* the tests that come
to the changed line are run, the fastest first (``running``). A mutant is *killed* if a test fails or does not end. A
survivor is killed by a new test, or stands with the reason why it cannot be told from the original in
``survivors.toml``; any other is a failure.

Three things are not changed, since no verdict depends on them: the words of a refusal (the first argument of what
makes or raises one, the second of a ``Verdict``), how often limits are looked at (``steps % 1024 == 0`` beside
``limits.expired()``, calls of ``tick()`` and ``step()``), and assertions (``strict=True`` of ``zip`` is one),
annotations and docstrings. ``return False`` becomes ``return True`` and not ``return None``, which is as false.

``killers.txt`` lists which test killed each mutant, so that a run begins with that one test (``killers``); the others
are traced and run only for mutants that it lets live, as after a change of the module. ``--record`` writes the list
anew from what has been found, and ``--anew`` does without it.

What is known is kept in ``build/mutants``: the next run goes on from there, and tries again only what a change of the
mutant or of its tests makes doubtful.
"""
