//@ verdict: holds
//@ errors: 0
//@ states: 4
//@ transitions: 4
// Among several options the first executable one in the order of the text counts.
byte x = 5, r;

active proctype p() {
  d_step {
    if
    :: x < 3 -> r = 1
    :: x > 3 -> r = 2
    :: x > 4 -> r = 3
    fi
  }
  assert(r == 2)
}
