//@ verdict: holds
//@ errors: 0
//@ states: 3
//@ transitions: 7
//@ check: --ltl both => violated
//@ check: --ltl both --fair weak => violated
//@ check: --ltl one => holds
//@ check: --ltl first_forever => violated
//@ check: --ltl implied => holds
// A choice inside one process is never made fair: `[]<>` of one option cannot be promised.
byte last;

ltl both { []<> (last == 1) && []<> (last == 2) }
ltl one { []<> (last == 1) || []<> (last == 2) }
ltl first_forever { <>[] (last == 1) || <>[] (last == 2) }
ltl implied { <>[] (last != 1) -> []<> (last == 2) }

active proctype choice() {
  do
  :: last = 1
  :: last = 2
  od
}
