//@ verdict: holds
//@ errors: 0
//@ states: 5
//@ transitions: 5
// A d_step in the main part is one indivisible step: the escape cannot cut in
// although x passes through 1 inside it.
byte x;

active proctype main() {
  {
    d_step { x = 1; x = 2; x = 3 };
    x = 4
  } unless {
    x == 1 -> assert(false)
  }
  assert(x == 4)
}
