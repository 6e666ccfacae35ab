//@ verdict: holds
//@ errors: 0
//@ states: 2049
//@ spin: no - SPIN follows the loop until its depth limit
// All 1,024 values can be reached inside the atomic sequence, in very many ways.
unsigned x : 10;

active proctype p() {
  atomic {
    do
    :: x = x ^ 1
    :: x = x ^ 2
    :: x = x ^ 4
    :: x = x ^ 8
    :: x = x ^ 16
    :: x = x ^ 32
    :: x = x ^ 64
    :: x = x ^ 128
    :: x = x ^ 256
    :: x = x ^ 512
    :: break
    od
  }
}
