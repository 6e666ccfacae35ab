//@ verdict: holds
//@ errors: 0
//@ states: 10
//@ transitions: 10
// A goto leaves two nested loops at once.
active proctype main() {
  byte n;
  do
  :: do
     :: n < 3 -> n++
     :: n == 3 -> goto done
     od
  od;
  assert(false);
done:
  assert(n == 3)
}
