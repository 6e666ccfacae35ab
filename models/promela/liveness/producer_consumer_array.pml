//@ verdict: holds
//@ errors: 0
//@ states: 12
//@ transitions: 29
//@ check: --ltl in_range => holds
//@ check: --ltl passes => violated
//@ check: --ltl passes --fair weak => holds
//@ check: --ltl passes --fair strong => holds (spin: it has no strong fairness)
//@ check: --ltl refills => holds
// A ring buffer in an array; a third process runs on its own and may take all the time.
byte slots[2], put, take, count;
bool idle_;

ltl in_range { [] (count <= 2) }
ltl passes { []<> (count > 0) && []<> (count < 2) }
ltl refills { ([]<> (take == 1) && []<> (take == 0)) -> []<> (put == 1) }

active proctype producer() {
  do
  :: atomic { count < 2 -> slots[put] = 1; put = 1 - put; count++ }
  od
}

active proctype consumer() {
  do
  :: atomic { count > 0 -> slots[take] = 0; take = 1 - take; count-- }
  od
}

active proctype background() {
  do
  :: idle_ = !idle_
  od
}
