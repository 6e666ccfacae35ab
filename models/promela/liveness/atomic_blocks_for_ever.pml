//@ verdict: holds
//@ errors: 0
//@ states: 4
//@ transitions: 7
//@ check: --ltl stays => holds
//@ check: --ltl ends => violated
//@ check: --ltl second => holds
// An atomic sequence that waits for ever lets the others go on.
byte x;
bool go, other;

ltl stays { <>[] (x == 1) || [] (x == 0) }
ltl ends { <> (x == 2) }
ltl second { []<> other }

active proctype P() {
  atomic {
    x = 1;
    go;
    x = 2
  }
}

active proctype Q() {
  do
  :: other = !other
  od
}
