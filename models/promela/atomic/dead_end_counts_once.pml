//@ verdict: violated
//@ errors: 1
//@ states: 2
//@ transitions: 3
//@ violation: invalid end state
// Two branches of an atomic sequence block at the same place with the same values: one stuck state.
byte x;

active proctype p() {
  atomic {
    if
    :: x = 1
    :: x = 1
    fi;
    x == 2
  }
}
