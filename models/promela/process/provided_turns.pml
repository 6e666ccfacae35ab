//@ verdict: holds
//@ errors: 0
//@ states: 26
//@ transitions: 26
// A process can move only while its provided clause holds; here the two processes
// take strict turns, so the difference stays within one.
byte turn, x, y;

active proctype p() provided (turn == 0) {
  do
  :: x < 3 -> x++; turn = 1
  :: else -> break
  od;
  turn = 1
}

active proctype q() provided (turn == 1) {
  do
  :: y < 3 -> y++; assert(x == y); turn = 0
  :: else -> break
  od
}
