% Stop and take forty, or toss a coin for everything; you see how it falls.
role(you).
role(random).
init(step(choose)).
legal(you, stop) :- true(step(choose)).
legal(you, toss) :- true(step(choose)).
legal(you, wait) :- ~true(step(choose)).
legal(random, heads) :- true(step(tossed)).
legal(random, tails) :- true(step(tossed)).
legal(random, wait) :- ~true(step(tossed)).
next(step(stopped)) :- does(you, stop).
next(step(tossed)) :- does(you, toss).
next(step(won)) :- does(random, heads).
next(step(lost)) :- does(random, tails).
sees(R, did(P, M)) :- role(R) & does(P, M).
terminal :- true(step(stopped)) ; true(step(won)) ; true(step(lost)).
goal(you, 40) :- true(step(stopped)).
goal(you, 100) :- true(step(won)).
goal(you, 0) :- true(step(lost)).
