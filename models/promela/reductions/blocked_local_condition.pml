//@ verdict: violated
//@ errors: 1
//@ states: 5
//@ transitions: 5
// A local condition that never becomes true: the process rests there.
byte g;

active proctype main() {
  byte a;
  g = 1;
  (a == 1);
  g = 2
}

active proctype other() {
  (g == 1);
  g = 3
}
