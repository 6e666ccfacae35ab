//@ verdict: holds
//@ errors: 0
//@ states: 3
//@ transitions: 5
//@ check: --ltl leaves => holds
//@ check: --ltl comes_back => holds
//@ check: --ltl exclusive => holds
//@ check: --ltl stays => violated
//@ check: --ltl second => violated
// Labels of processes in formulas.
bit lock;

ltl leaves { [] (user[0]@critical -> <> !user[0]@critical) }
ltl comes_back { []<> (user[0]@critical || user[1]@critical) }
ltl exclusive { [] !(user[0]@critical && user[1]@critical) }
ltl stays { <>[] user[0]@critical }
ltl second { []<> user[1]@critical }

active [2] proctype user() {
  do
  :: atomic { lock == 0 -> lock = 1 };
critical:
     lock = 0
  od
}
