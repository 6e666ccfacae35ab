//@ verdict: holds
//@ errors: 0
//@ states: 7
//@ transitions: 7
// With priorities only the enabled process of the highest priority moves, so the
// order of the two assignments is fixed.
byte x;

active proctype low() priority 1 {
  assert(x == 2);
  x = 3
}

active proctype high() priority 5 {
  assert(x == 0);
  x = 2
}
