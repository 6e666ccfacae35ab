//@ verdict: holds
//@ errors: 0
//@ states: 2
//@ transitions: 3
//@ check: --ltl no_gap => holds
//@ check: --ltl received => holds
//@ check: --ltl order => holds
// A rendezvous inside an atomic sequence hands control to the receiver's atomic sequence.
chan c = [0] of { byte };
byte x, y;

ltl no_gap { [] !(x == 1 && y == 0) }
ltl received { []<> (y == 0) && []<> (x == 0) }
ltl order { [] (x == y) }

active proctype giver() {
  do
  :: atomic { x = 1 - x; c!x }
  od
}

active proctype taker() {
  do
  :: atomic { c?y; skip }
  od
}
