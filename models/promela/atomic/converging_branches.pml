//@ verdict: violated
//@ errors: 2
//@ states: 3
//@ transitions: 4
//@ violation: assertion
// Two branches of an atomic sequence meet in the same values before the assertion.  States inside
// an atomic sequence are not stored, so the assertion is executed once per branch.
byte x;

active proctype p() {
  atomic {
    if
    :: x = 1
    :: x = 1
    fi;
    assert(x == 0)
  }
}
