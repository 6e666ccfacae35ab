//@ verdict: holds
//@ errors: 0
//@ states: 4
//@ transitions: 4
//@ check: --formula '<> (x == 2 && X (x == 2))' => holds (spin: it does not accept the operator X)
//@ check: --formula '[] ((x == 1) -> X (x == 2))' => holds (spin: it does not accept the operator X)
//@ check: --formula '[] X (x > 0)' => holds (spin: it does not accept the operator X)
//@ check: --formula 'X X X (x == 2)' => holds (spin: it does not accept the operator X)
//@ check: --formula '<> X (x == 1 && X (x == 1))' => violated (spin: it does not accept the operator X)
// The next state of the last one is the last one again.
byte x;

active proctype P() {
  x = 1;
  x = 2
}
