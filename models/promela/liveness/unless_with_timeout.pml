//@ verdict: holds
//@ errors: 0
//@ states: 6
//@ transitions: 7
//@ check: --ltl recovers => holds
//@ check: --ltl recovered_again => holds
// A process that waits for ever is freed by an escape on timeout.
chan c = [1] of { bit };
bool waiting, recovered;

ltl recovers { [] (waiting -> <> recovered) }
ltl recovered_again { []<> recovered }

active proctype P() {
  do
  :: recovered = false;
     waiting = true;
     { c?1 } unless { timeout -> recovered = true };
     waiting = false
  od
}
