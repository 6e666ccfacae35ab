//@ verdict: violated
//@ errors: 2
//@ states: 10
//@ transitions: 12
// A local statement that begins an atomic sequence takes what follows with it.
byte g;

active proctype main() {
  byte a;
  g = 1;
  atomic { a = 1; g = 2 }
}

active proctype other() {
end:
  (g == 1);
  assert(false)
}
