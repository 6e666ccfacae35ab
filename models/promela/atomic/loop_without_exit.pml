//@ verdict: violated
//@ errors: 6
//@ violation: runtime error
//@ spin: no - SPIN follows the loop until its depth limit
// An atomic sequence that can never be left is an error, with each of its two first steps in each of
// three states.
bit a;

active proctype p() {
  atomic {
    do
    :: a = 0
    :: a = 1
    od
  }
}

active proctype q() {
  skip
}
