//@ verdict: holds
//@ errors: 0
//@ states: 4
//@ transitions: 4
//@ check: --formula 'X (x == 2)' => holds (spin: it does not accept the operator X)
//@ check: --formula 'X (x == 1)' => violated (spin: it does not accept the operator X)
//@ check: --formula 'X X (x == 3)' => holds (spin: it does not accept the operator X)
//@ check: --formula '[] ((x == 2) <-> X (x == 3))' => violated (spin: it does not accept the operator X)
// An atomic sequence is one step for the next operator.
byte x;

active proctype P() {
  atomic {
    x = 1;
    x = 2
  };
  x = 3
}
