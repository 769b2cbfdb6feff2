"""Small rulesheets for the players of the GGP protocol, each with one thing that play may stumble over."""

from __future__ import annotations

ALONE = """
; One role counts to three; only the move `up` counts.
(role you) (init (count 0)) (succ 0 1) (succ 1 2) (succ 2 3)
(legal you up) (legal you down)
(<= (next (count ?m)) (does you up) (true (count ?n)) (succ ?n ?m))
(<= (next (count ?n)) (does you down) (true (count ?n)))
(<= (next (late ?n)) (true (count ?n)))
(<= terminal (true (count 3)))
(<= terminal (true (late 2)))
(<= (goal you 100) (true (count 3)))
(<= (goal you 0) (not (true (count 3))))
"""

PENNIES = """
; Both show a side at once; the first wants them equal.
(role even) (role odd) (init fresh)
(side heads) (side tails)
(<= (legal ?r (show ?s)) (role ?r) (side ?s))
(<= (next (shown ?r ?s)) (does ?r (show ?s)))
(<= same (true (shown even ?s)) (true (shown odd ?s)))
(<= terminal (not (true fresh)))
(<= (goal even 100) same) (<= (goal even 0) (not same))
(<= (goal odd 0) same) (<= (goal odd 100) (not same))
"""

THREE = """
; Three roles in turn name a number; who names the largest first wins.
(role a) (role b) (role c) (init (turn a))
(after a b) (after b c) (after c done) (number 1) (number 2)
(<= (legal ?r (say ?n)) (true (turn ?r)) (number ?n))
(<= (legal ?r wait) (role ?r) (not (true (turn ?r))))
(<= (next (turn ?q)) (true (turn ?p)) (after ?p ?q))
(<= (next (said ?r ?n)) (does ?r (say ?n)))
(<= (next (said ?r ?n)) (true (said ?r ?n)))
(<= terminal (true (turn done)))
(<= (goal ?r 100) (true (said ?r 2)))
(<= (goal ?r 0) (role ?r) (not (true (said ?r 2))))
"""

CIRCLE = """
; Two tokens walk a circle of three places, so that positions repeat; after nine steps it is over.
(role left) (role right) (init (at left 0)) (init (at right 0)) (init (turn left)) (init (step 0))
(round 0 1) (round 1 2) (round 2 0) (other left right) (other right left)
(tick 0 1) (tick 1 2) (tick 2 3) (tick 3 4) (tick 4 0)
(<= (legal ?r (go ?x)) (true (turn ?r)) (true (at ?r ?y)) (round ?y ?x))
(<= (legal ?r stay) (true (turn ?r)))
(<= (legal ?r noop) (role ?r) (not (true (turn ?r))))
(<= (next (at ?r ?x)) (does ?r (go ?x)))
(<= (next (at ?r ?x)) (true (at ?r ?x)) (not (moves ?r)))
(<= (moves ?r) (does ?r (go ?x)))
(<= (next (turn ?q)) (true (turn ?p)) (other ?p ?q))
(<= (next (step ?m)) (true (step ?n)) (tick ?n ?m))
(<= terminal (true (at left ?x)) (true (at right ?x)) (true (step 4)))
(<= (goal left 100) (true (at left ?x)) (true (at right ?x)))
(<= (goal left 0) (true (at left ?x)) (true (at right ?y)) (distinct ?x ?y))
(<= (goal right 0) (true (at left ?x)) (true (at right ?x)))
(<= (goal right 100) (true (at left ?x)) (true (at right ?y)) (distinct ?x ?y))
"""

DOORS = """
; Chance hides a prize behind one of three doors. The guest chooses a door, chance opens another one without the prize,
; and the guest, who sees only that, may stay or switch: switching wins two times in three.
(role random) (role guest) (init (phase 1))
(door 1) (door 2) (door 3) (follows 1 2) (follows 2 3) (follows 3 4)
(<= (legal random (hide ?d)) (true (phase 1)) (door ?d))
(<= (legal random (open ?d)) (true (phase 2)) (door ?d) (not (true (prize ?d))) (not (true (chosen ?d))))
(<= (legal random wait) (true (phase 3)))
(<= (legal guest (choose ?d)) (true (phase 1)) (door ?d))
(<= (legal guest wait) (true (phase 2)))
(<= (legal guest stay) (true (phase 3)))
(<= (legal guest switch) (true (phase 3)))
(<= (sees guest (opened ?d)) (does random (open ?d)))
(<= (next (phase ?m)) (true (phase ?n)) (follows ?n ?m))
(<= (next (prize ?d)) (does random (hide ?d)))
(<= (next (prize ?d)) (true (prize ?d)))
(<= (next (chosen ?d)) (does guest (choose ?d)))
(<= (next (chosen ?d)) (true (chosen ?d)) (not (does guest switch)))
(<= (next (opened ?d)) (does random (open ?d)))
(<= (next (opened ?d)) (true (opened ?d)))
(<= (next (chosen ?d)) (does guest switch) (door ?d) (not (true (chosen ?d))) (not (true (opened ?d))))
(<= terminal (true (phase 4)))
(<= won (true (prize ?d)) (true (chosen ?d)))
(<= (goal guest 100) won)
(<= (goal guest 0) (not won))
"""

OPEN_BOOK = """
; Chance names four digits and the guest sees all of it, who then has to repeat the last: ten thousand joint
; moves, only one of which fits what was seen.
(role random) (role guest) (init (phase 1))
(digit 0) (digit 1) (digit 2) (digit 3) (digit 4) (digit 5) (digit 6) (digit 7) (digit 8) (digit 9)
(<= (legal random (name ?a ?b ?c ?d)) (true (phase 1)) (digit ?a) (digit ?b) (digit ?c) (digit ?d))
(<= (legal random wait) (true (phase 2)))
(<= (legal guest wait) (true (phase 1)))
(<= (legal guest (name ?a)) (true (phase 2)) (digit ?a))
(<= (sees ?r (did ?p ?m)) (role ?r) (does ?p ?m))
(<= (next (named ?d)) (does random (name ?a ?b ?c ?d)))
(<= (next (phase 2)) (true (phase 1)))
(<= (next right) (does guest (name ?d)) (true (named ?d)))
(<= terminal (not (true (phase 1))) (not (true (phase 2))))
(<= (goal guest 100) (true right))
(<= (goal guest 0) (not (true right)))
"""
