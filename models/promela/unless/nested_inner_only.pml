//@ verdict: holds
//@ errors: 0
//@ states: 9
//@ transitions: 9
// Only the inner escape becomes executable at first.  Its body is itself guarded by the
// outer escape, which cuts in after a = 1 and keeps a = 2 from being executed.
byte x, a, b;

active proctype main() {
  {
    { x = 1; x = 2; assert(false) } unless { x == 2 -> a = 1; a = 2 };
    assert(false)
  } unless {
    a == 1 -> b = 1
  }
  assert(a == 1 && b == 1)
}
