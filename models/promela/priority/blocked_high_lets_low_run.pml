//@ verdict: holds
//@ errors: 0
//@ states: 8
//@ transitions: 8
// The high process waits for x, so the low one may move; as soon as the guard holds,
// the high process takes over again.
byte x, y;

active proctype low() priority 1 {
  x = 1;
  assert(y == 1);
  x = 2
}

active proctype high() priority 9 {
  (x == 1);
  y = 1
}
