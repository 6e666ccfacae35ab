//@ verdict: violated
//@ errors: 1
//@ states: 9
//@ transitions: 12
// The process can move before its local step, and not after it.
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
  assert(!enabled(0))
}
