//@ verdict: holds
//@ errors: 0
//@ states: 8
//@ transitions: 14
//@ check: --ltl goes_on --fair weak => violated
//@ check: --ltl goes_on --fair strong => holds (spin: it has no strong fairness)
//@ check: --ltl starts --fair weak => holds
// A process that waits inside its atomic sequence is enabled when it could go on.
bit x;
byte at;

ltl goes_on { <> (at == 2) }
ltl starts { <> (at >= 1) }

active proctype flip() {
  do
  :: x = 1 - x
  od
}

active proctype worker() {
  atomic {
    at = 1;
    x == 1;
    at = 2
  }
}
