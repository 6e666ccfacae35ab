//@ verdict: holds
//@ errors: 0
//@ states: 13
//@ transitions: 19
//@ spin: no - SPIN 6.5.2 rejects it as a redeclaration; measured with the local renamed
// A local variable hides the global of the same name inside its process only.
byte n = 3;

active proctype a() {
  byte n = 100;
  n++;
  assert(n == 101)
}

active proctype b() {
  n++;
  assert(n == 4)
}
