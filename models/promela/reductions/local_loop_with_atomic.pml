//@ verdict: holds
//@ errors: 0
//@ states: 24
//@ transitions: 43
//@ check: --ltl one => violated
//@ check: --ltl one --fair weak => holds
// A loop of local steps, parts of which are atomic: it must come to rest between the parts.
byte g;

active proctype spins() {
  bit a, b, c;
  do
  :: atomic { a = 1 - a; b = 1 - b };
     c = 1 - c;
     atomic { b = 0; a = 0 }
  od
}

active proctype other() {
  g = 1;
  assert(g == 1)
}

ltl one { <> (g == 1) }
