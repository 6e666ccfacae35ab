//@ verdict: violated
//@ errors: 1
//@ states: 8
//@ transitions: 9
//@ violation: invalid end state
//@ check: --ltl comes_round => violated
//@ check: --ltl comes_round_or_lost => holds
//@ check: --ltl lost_is_silent => holds
// A node may drop the token: the ring is then in a deadlock, where nothing comes round any more.
chan ring[2] = [1] of { bit };
byte at;
bool lost;

ltl comes_round { []<> (at == 1) }
ltl comes_round_or_lost { []<> (at == 1) || <> lost }
ltl lost_is_silent { [] (lost -> [] (len(ring[0]) == 0 && len(ring[1]) == 0)) }

active proctype first() {
  ring[1]!1;
  do
  :: ring[0]?1; at = 0;
     if
     :: ring[1]!1
     :: lost = true
     fi
  od
}

active proctype second() {
  do
  :: ring[1]?1; at = 1; ring[0]!1
  od
}
