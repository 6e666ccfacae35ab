//@ verdict: holds
//@ errors: 0
//@ states: 5
//@ transitions: 5
// When the main part ends without the escape ever becoming executable, the escape
// is skipped.
byte x;

active proctype main() {
  { x = 1; x = 2 } unless { x == 9 -> assert(false) };
  assert(x == 2)
}
