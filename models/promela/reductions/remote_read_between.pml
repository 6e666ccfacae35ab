//@ verdict: violated
//@ errors: 1
//@ states: 14
//@ transitions: 19
// A local variable is read by another process between two steps.
byte g;

active proctype main() {
  byte a;
  g = 1;
  a = 1;
  g = 2
}

active proctype other() {
end:
  (g == 1);
  assert(main:a == 1)
}
