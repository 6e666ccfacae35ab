//@ verdict: holds
//@ errors: 0
//@ states: 23
//@ transitions: 30
// An atomic sequence that is local from end to end may be passed.
byte g;

active proctype main() {
  byte a, b;
  g = 1;
  atomic { a = 1; b = a };
  g = 2;
  assert(b == 1)
}

active proctype other() {
end:
  (g == 1);
  g = 3
}
