//@ verdict: holds
//@ errors: 0
//@ states: 7
//@ transitions: 7
// Two escapes around one another.  Both guards hold once x is 2; the outer escape has
// priority over the inner one, so a stays 0.
byte x, a, b;

active proctype main() {
  {
    { x = 1; x = 2; assert(false) } unless { x == 2 -> a = 1 };
    a = 2
  } unless {
    x == 2 -> b = 1
  }
  assert(a == 0 && b == 1)
}
