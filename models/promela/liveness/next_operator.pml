//@ verdict: holds
//@ errors: 0
//@ states: 4
//@ transitions: 6
//@ check: --formula 'X (x == 1)' => holds (spin: it does not accept the operator X)
//@ check: --formula 'X X (x == 2)' => holds (spin: it does not accept the operator X)
//@ check: --formula 'X X (x == 1)' => violated (spin: it does not accept the operator X)
//@ check: --formula '[] ((x == 1) -> X (x == 2))' => holds (spin: it does not accept the operator X)
//@ check: --formula '[] ((x == 2) -> X (x == 0))' => violated (spin: it does not accept the operator X)
//@ check: --formula '[] ((x == 2) -> X ((x == 0) || X (x == 0)))' => holds (spin: it does not accept the operator X)
// The next state: a counter that may rest for one step in its last value.
byte x;

active proctype counter() {
  do
  :: x = 1;
     x = 2;
     if
     :: x = 0
     :: skip; x = 0
     fi
  od
}
