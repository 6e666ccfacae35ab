//@ verdict: holds
//@ errors: 0
//@ states: 8
//@ transitions: 13
//@ check: --ltl each_request => holds
//@ check: --ltl third => violated
//@ check: --ltl total => holds
// Requests that are counted up and down, at most three open at a time.
byte open_;
byte served;

ltl each_request { [] (open_ == 3 -> <> (open_ < 3)) }
ltl third { <> (open_ == 3) }
ltl total { []<> (served == 0) && []<> (served == 1) }

active proctype clients() {
  do
  :: atomic { open_ < 3 -> open_++ }
  od
}

active proctype server() {
  do
  :: atomic { open_ > 0 -> open_--; served = 1 - served }
  od
}
