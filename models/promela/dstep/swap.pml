//@ verdict: holds
//@ errors: 0
//@ states: 6
//@ transitions: 17
// Two processes swap two variables in d_steps with a helper that is set back:
// only the two orders of a and b remain as data states.
byte a = 1, b = 2, t;

active [2] proctype p() {
  do
  :: d_step { t = a; a = b; b = t; t = 0 }
  od
}

active proctype watch() {
  assert(a + b == 3 && t == 0)
}
