//@ verdict: holds
//@ errors: 0
//@ states: 12
//@ transitions: 15
//@ check: --ltl both => violated
//@ check: --ltl both --fair weak => violated
// While one of them goes on the other has no timeout, so it may have to wait for ever.
bit done;

active proctype first() {
  bit a;
  do
  :: timeout -> a = 1 - a
  od
}

active proctype second() {
  timeout;
  done = 1
}

ltl both { <> (done == 1) }
