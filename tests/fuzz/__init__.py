"""Random comparison of everything with everything: ``python -m tests.fuzz [--seconds S] [--seed N] [part ...]``.

A *part* draws a case from a seed, checks it, and knows smaller cases of the same kind. What fails is shrunk and
printed with its seed; ``--seed N part`` starts with that very case. It is also kept as a
file in ``build/fuzz``, shrunk as it is, and ``replay FILE`` checks it again.

engines
    random explicit games (acyclic, cyclic, many scores, chance, one role) through every engine, against the
    definition; with limits, against the bounds.
library
    small instances of every library game: engines against plain minimax, native rules against Python rules.
roles
    games of any number of roles with scores of their own, ties, chance, moves at once and circles: backward induction
    against plain recursion, value iteration and all equilibria.
certificates
    right certificates with their text changed: what the checker accepts is true.
parsers
    graph files, targets, certificates and moves from random and from damaged text.
rulesheets
    GDL in both syntaxes, right and damaged: an error of one line, or a sheet that is checked, printed and read again
    alike. A million cases take about a quarter of an hour.
formulas
    QCIR and QDIMACS, right and damaged; normal forms, clauses and recovered gates against the definition of truth.
solvers
    random formulas through every solver, and their functions damaged, against trying all values.
programs
    random quantified programs through every solver, and their proofs damaged, against trying all values.
kinds
    random texts of every format (graphs, networks, sums, boards, formulas, programs, reliability), at the start and
    later, through the engines that take them, against trying every line; certificates are checked against the game as
    it is read anew; nothing hidden is solved.
forged
    false certificates by people who know the format, for every rule of the checker: none accepted.
forged-held
    forged lists of held pockets of Go: what is accepted holds in every line of play on the whole board.
layers
    certificates in layers of small boards, right and forged, plain or with images, closed positions and parts: the two
    checkers say the same, and accept only what is true.
two-checkers
    tables and layers of boards, graphs and rulesheets, right, changed, forged and damaged: both checkers agree.
two-checkers-rules
    the same of functions of formulas and of named rules.
two-checkers-values
    the same of sums in brackets and boards, by strategies, values and who wins, and of texts that state them.
two-checkers-files
    the same of programs, graphs, networks and Gambit's games; both read the same texts, damaged ones too.
cli
    random command lines: no traceback, a status that means something, one line for bad input.
"""
