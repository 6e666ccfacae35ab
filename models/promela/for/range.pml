//@ verdict: holds
//@ errors: 0
//@ states: 17
//@ transitions: 17
// for (i : a .. b) runs i from a to b, both included.
byte sum;

active proctype main() {
  byte i;
  for (i : 1 .. 4) {
    sum = sum + i
  }
  assert(sum == 10)
}
