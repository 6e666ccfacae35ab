//@ verdict: holds
//@ errors: 0
//@ states: 4
//@ transitions: 5
//@ check: --ltl safe => holds
//@ check: --ltl live => holds
//@ check: --ltl safe_wrong => violated
//@ check: --ltl live_wrong => violated
//@ check: --formula '[]<> (x == 2)' => holds
//@ check: --formula '<> (x == 4)' => violated
//@ check: --formula '(x < 2) U (x == 2)' => holds
// Each formula of a file is checked by its name, and formulas from outside use the file's variables.
byte x;

ltl safe { [] (x < 4) }
ltl live { []<> (x == 3) }
ltl safe_wrong { [] (x < 3) }
ltl live_wrong { <>[] (x == 3) }

active proctype round() {
  do
  :: x = (x + 1) % 4
  od
}
