//@ verdict: holds
//@ errors: 0
//@ states: 4
//@ transitions: 4
// Nondeterminism in a d_step is resolved in a fixed way: the first executable option
// in the text is taken, here x = 1, and the second is never explored.
byte x;

active proctype p() {
  d_step {
    if
    :: x = 1
    :: x = 2
    fi
  }
  assert(x == 1)
}
