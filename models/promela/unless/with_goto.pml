//@ verdict: holds
//@ errors: 0
//@ states: 6
//@ transitions: 6
// A goto in the main part leaves the scope of the escape; after it, the escape
// guard holds but has no effect any more.
byte x;

active proctype main() {
  { x = 1; goto out; assert(false) } unless { x == 2 -> assert(false) };
out:
  x = 2;
  x = 3;
  assert(x == 3)
}
