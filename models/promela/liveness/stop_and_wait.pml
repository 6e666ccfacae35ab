//@ verdict: holds
//@ errors: 0
//@ states: 16
//@ transitions: 17
//@ check: --ltl delivered => holds
//@ check: --ltl alternates => holds
//@ check: --ltl confirmed => holds
//@ check: --ltl reaches_three => holds
//@ check: --ltl stays_low => violated
// Stop and wait over a reliable line: all promises hold without fairness, since no other process can move.
chan line = [1] of { byte };
chan back = [1] of { bit };
byte sent, received;

ltl delivered { [] ((sent == 2) -> <> (received == 2)) }
ltl alternates { [] (sent == received || sent == (received + 1) % 4) }
ltl confirmed { []<> (sent == received) }
ltl reaches_three { []<> (received == 3) }
ltl stays_low { <>[] (received < 3) }

active proctype sender() {
  do
  :: atomic { sent = (sent + 1) % 4; line!sent };
     back?1
  od
}

active proctype receiver() {
  do
  :: line?received;
     back!1
  od
}
