//@ verdict: violated
//@ violation: assertion, runtime error
//@ spin: no - its verifier crashes at the division
// A local step goes wrong; what others can do before it is not to be missed.
byte g;

active proctype main() {
  byte a, b;
  g = 1;
  b = 6 / a;
  g = 2
}

active proctype other() {
end:
  (g == 1);
  assert(false)
}
