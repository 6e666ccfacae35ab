//@ verdict: violated
//@ errors: 1
//@ states: 14
//@ transitions: 19
// An expression asks whether the process stands at a local statement.
byte g;

active proctype main() {
  byte a;
  g = 1;
here:
  a = 1;
  g = 2
}

active proctype other() {
end:
  (g == 1);
  assert(!main@here)
}
