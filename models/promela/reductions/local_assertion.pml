//@ verdict: violated
//@ errors: 4
//@ states: 29
//@ transitions: 42
// An assertion about local variables, between global steps.
byte g;

active proctype main() {
  byte a;
  g = 1;
  a = 1;
  assert(a == 0);
  a = 2;
  assert(a == 2);
  g = 2
}

active proctype other() {
end:
  (g == 1);
  g = 3
}
