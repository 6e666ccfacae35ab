//@ verdict: holds
//@ errors: 0
//@ states: 52
//@ transitions: 121
//@ check: --ltl young => violated
//@ check: --ltl young --fair weak => holds
//@ check: --ltl generations => holds
// Two generations at most: a child is started when the one before has said that it is done.
byte born, done;

ltl young { <> (done == 3) }
ltl generations { [] (born <= done + 1) }

proctype child() {
  done++
}

active proctype parent() {
  do
  :: born < 3 && born == done -> atomic { born++; run child() }
  :: born == 3 && done == 3 -> break
  od
}

active proctype other() {
  bit x;

  do
  :: x = 1 - x
  od
}
