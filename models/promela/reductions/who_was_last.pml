//@ verdict: holds
//@ errors: 0
//@ states: 6
//@ transitions: 6
//@ check: --ltl other_is_last => violated
//@ check: --ltl other_is_last --fair weak => violated (spin: its weak fairness misses runs that end in stuttering)
// The local step is seen in _last.
byte g;

active proctype main() {
  byte a;
  g = 1;
  a = 1;
end:
  false
}

active proctype other() {
  (g == 1);
end:
  false
}

ltl other_is_last { <>[] (_last == 1) }
