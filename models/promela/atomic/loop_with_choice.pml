//@ verdict: holds
//@ errors: 0
//@ states: 19
//@ transitions: 27
// The loop may stop at any value; only the final values are seen by q.
byte x;

active proctype p() {
  atomic {
    do
    :: x < 3 -> x++
    :: break
    od;
    x = x + 10
  }
}

active proctype q() {
  assert(x == 0 || x >= 10)
}
