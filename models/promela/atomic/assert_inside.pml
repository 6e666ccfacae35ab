//@ verdict: violated
//@ errors: 2
//@ states: 3
//@ transitions: 4
//@ violation: assertion
// A failing assertion inside an atomic sequence, reached by two branches.
byte x;

active proctype p() {
  atomic {
    if
    :: x = 1
    :: x = 2
    fi;
    assert(x == 0);
    x = 0
  }
}
