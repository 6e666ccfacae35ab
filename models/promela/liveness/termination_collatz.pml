//@ verdict: holds
//@ errors: 0
//@ states: 17
//@ transitions: 18
//@ check: --ltl reaches_one => holds
//@ check: --ltl cycles => holds
//@ check: --ltl large => holds
//@ check: --ltl stays_small => violated
// The numbers from 7 on: they come to 1 and then go round.
byte n = 7;

ltl reaches_one { <> (n == 1) }
ltl cycles { []<> (n == 4) && []<> (n == 1) }
ltl large { <> (n == 52) }
ltl stays_small { [] (n < 40) }

active proctype collatz() {
  do
  :: atomic { n % 2 == 0 -> n = n / 2 }
  :: atomic { n % 2 == 1 -> n = 3 * n + 1 }
  od
}
