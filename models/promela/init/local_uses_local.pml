//@ verdict: holds
//@ errors: 0
//@ states: 3
//@ transitions: 3
// Locals at the head of a proctype are initialised in order when the process is
// created, without any step of their own: only the assertion and the end remain.
active proctype main() {
  byte x = 2;
  byte y = x + 3;
  byte z = x * y;
  assert(z == 10)
}
