//@ verdict: holds
//@ errors: 0
//@ states: 27
//@ transitions: 49
//@ check: --ltl consumed => holds
//@ check: --ltl produced => holds
//@ check: --ltl filled => violated
//@ check: --ltl filled --fair weak => violated
//@ check: --ltl emptied => violated
//@ check: --ltl emptied --fair weak => violated
//@ check: --ltl both => holds
// A producer and a consumer with a buffer of two places. Each waits for the other sooner or later, so
// both work for ever, with no fairness. That the buffer gets full at times, or empty, is not promised.

chan buffer = [2] of { bit };
bool made, used;

ltl consumed { [] (made -> <> used) }
ltl produced { []<> made }
ltl filled { []<> (len(buffer) == 2) }
ltl emptied { []<> (len(buffer) == 0) }
ltl both { []<> used -> []<> made }

active proctype producer() {
  do
  :: buffer!1; made = true; made = false
  od
}

active proctype consumer() {
  do
  :: buffer?1; used = true; used = false
  od
}
