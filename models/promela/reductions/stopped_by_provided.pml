//@ verdict: violated
//@ errors: 1
//@ states: 9
//@ transitions: 10
// The clause stops the process at its local step, where it may not rest.
byte g;

active proctype main() provided (g != 2) {
  byte a;
  g = 1;
  a = 1;
end:
  false
}

active proctype other() {
  (g == 1);
  g = 2
}
