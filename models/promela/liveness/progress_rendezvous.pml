//@ verdict: holds
//@ errors: 0
//@ states: 4
//@ transitions: 5
//@ check: --non-progress => holds, states 6
//@ check: --ltl meets => holds
// Two processes that meet for ever; one label is enough for both.
chan c = [0] of { bit };
byte n;

ltl meets { []<> (n == 1) }

active proctype giver() {
  do
  :: c!1
  od
}

active proctype taker() {
  do
  :: c?1 ->
progress:
     n = 1 - n
  od
}
