//@ verdict: holds
//@ errors: 0
//@ states: 16
//@ transitions: 19
// select inside a loop in an atomic sequence: the intermediate counting is hidden.
byte n;

active proctype main() {
  byte i;
  do
  :: n < 4 -> atomic { select (i : 1 .. 2); n = n + i; i = 0 }
  :: else -> break
  od;
  assert(n == 4 || n == 5)
}
