//@ verdict: holds
//@ errors: 0
//@ states: 16
//@ transitions: 21
//@ check: --ltl ends => violated
//@ check: --ltl ends --fair weak => holds
//@ check: --ltl stops_at_once => holds
// An escape ends a loop when another process asks for it.
bit x;
bool stop, ended;

ltl ends { <> ended }
ltl stops_at_once { [] (stop && x == 0 -> [] (x == 0)) }

active proctype P() {
  {
    do
    :: x = 1 - x
    od
  } unless {
    stop -> ended = true
  }
}

active proctype Q() {
  stop = true
}
