//@ verdict: holds
//@ errors: 0
//@ states: 20
//@ transitions: 60
//@ check: --ltl bottom_is_served => violated
//@ check: --ltl top_is_served => violated
//@ check: --ltl bottom_is_served --fair weak => holds
//@ check: --ltl top_is_served --fair weak => violated
//@ check: --ltl top_is_served_if_calls_end --fair weak => holds
// An elevator that always serves the lowest call first forgets the top floor.
bool low, high;
byte at;                 /* 1: serves low, 2: serves high */

ltl bottom_is_served { [] (low -> <> (at == 1)) }
ltl top_is_served { [] (high -> <> (at == 2)) }
ltl top_is_served_if_calls_end { (<>[] !low) -> [] (high -> <> (at == 2)) }

active proctype elevator() {
  do
  :: low -> at = 1; low = false; at = 0
  :: !low && high -> at = 2; high = false; at = 0
  od
}

active proctype people() {
  do
  :: low = true
  :: high = true
  od
}
