//@ verdict: holds
//@ errors: 0
//@ states: 93
//@ transitions: 157
//@ check: --ltl delivers => violated
//@ check: --ltl delivers --fair weak => violated
//@ check: --ltl delivers_if_not_lost_for_ever --fair weak => holds
//@ check: --ltl window => holds
// A sliding window of two messages over a line that loses.
#define M 3
chan line = [2] of { byte };
chan back = [2] of { byte };
byte base, next_, expected;
bool got, lost;

ltl delivers { []<> got }
ltl delivers_if_not_lost_for_ever { !([]<> lost) -> []<> got }
ltl window { [] ((next_ + M - base) % M <= 2) }

active proctype sender() {
  byte n;

  do
  :: atomic { (next_ + M - base) % M < 2 && nfull(line) -> line!next_; next_ = (next_ + 1) % M }
  :: atomic { back?n; base = n; n = 0 }
  :: timeout -> next_ = base
  od
}

active proctype receiver() {
  byte n;

  do
  :: atomic {
       line?n;
       if
       :: n == expected -> got = true; expected = (expected + 1) % M
       :: else
       fi;
       n = 0
     };
     got = false;
     back!expected
  od
}

active proctype loss() {
  do
  :: atomic { line?_; lost = true };
     lost = false
  od
}
