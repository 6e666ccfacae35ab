//@ verdict: holds
//@ errors: 0
//@ states: 12
//@ transitions: 16
//@ check: --ltl meets => holds
//@ check: --ltl counts => holds
//@ check: --ltl ahead => violated
//@ check: --non-progress => violated
// Two processes that can only move together meet for ever.
chan c = [0] of { bit };
byte sent, got;

ltl meets { []<> (got == 2) }
ltl counts { [] (sent == got || sent == (got + 1) % 3 || got == (sent + 1) % 3) }
ltl ahead { [] (sent == got || sent == (got + 1) % 3) }

active proctype giver() {
  do
  :: c!1; sent = (sent + 1) % 3
  od
}

active proctype taker() {
  do
  :: c?1; got = (got + 1) % 3
  od
}
