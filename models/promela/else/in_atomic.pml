//@ verdict: holds
//@ errors: 0
//@ states: 8
//@ transitions: 9
// else inside an atomic sequence.
byte x, hits;

active [2] proctype p() {
  atomic {
    if
    :: x == 0 -> x = 1
    :: else -> hits++
    fi
  }
}

active proctype watch() {
  atomic { (x == 1 && hits == 1) }
}
