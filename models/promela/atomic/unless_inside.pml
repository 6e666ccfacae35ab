//@ verdict: holds
//@ errors: 0
//@ states: 7
//@ transitions: 9
// An unless statement inside an atomic sequence.
byte x;

active proctype p() {
  atomic {
    { x = 1; x = 2; x = 3 } unless { x == 2 -> x = 9 };
    assert(x == 9);
    x = 0
  }
}

active proctype q() {
  assert(x == 0)
}
