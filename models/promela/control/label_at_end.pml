//@ verdict: holds
//@ errors: 0
//@ states: 8
//@ transitions: 8
// A label needs a statement behind it; skip serves at the end of a body.
byte x;

active proctype main() {
  do
  :: x < 2 -> x++
  :: x == 2 -> goto out
  od;
out:
  skip
}
