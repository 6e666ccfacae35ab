//@ verdict: holds
//@ errors: 0
//@ states: 5
//@ spin: no - SPIN follows the loop until its depth limit
// An atomic sequence may loop through states in which it has a choice: it can be left in each of
// them, with a = 0 or a = 1.
bit a;

active proctype p() {
  atomic {
    do
    :: a = 0
    :: a = 1
    :: break
    od
  }
}
