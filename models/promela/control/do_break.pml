//@ verdict: holds
//@ errors: 0
//@ states: 20
//@ transitions: 24
// break leaves the loop; the loop counts nondeterministically up to any number below 5.
active proctype main() {
  byte n;
  do
  :: n < 4 -> n++
  :: break
  od;
  assert(n <= 4)
}
