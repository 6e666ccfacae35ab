//@ verdict: holds
//@ errors: 0
//@ states: 4
//@ transitions: 5
// d_steps as the options of a loop: one state per value, no states in between.
byte x;

active proctype main() {
  do
  :: d_step { x < 3 -> x = x + 5; x = x - 4 }
  :: d_step { x == 3 -> x = 0 }
  od
}
