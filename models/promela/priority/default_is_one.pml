//@ verdict: holds
//@ errors: 0
//@ states: 6
//@ transitions: 6
// A process without a priority clause has priority 1.
byte x;

active proctype plain() {
  assert(get_priority(_pid) == 1);
  assert(x == 1)
}

active proctype two() priority 2 {
  x = 1
}
