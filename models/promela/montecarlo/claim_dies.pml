//@ verdict: holds
//@ errors: 0
//@ states: 6
//@ transitions: 14
//@ noclaim: the facts are those of the program alone
//@ check: --never => holds, states 11
// A claim that stands in an accepting state when it can go on no more. It accepts nothing, because it
// does not go on for ever; a walk that took its end for a cycle would report a violation. One of the
// dead ends is in the last state of the model, which does go on for ever.
byte x;

active proctype dice() {
  do
  :: x = 0
  :: x = 1
  :: d_step { x < 3 -> x++ }
  :: d_step { x == 3 -> x = 4 } -> break
  od
}

never {
  do
  :: x < 3
  :: x == 2 -> break
  od;
accept_three:
  x == 3;
accept_four:
  x == 4;
accept_dead:
  if
  :: x == 1 -> goto accept_dead
  :: x == 0 -> goto accept_dead
  fi
}
