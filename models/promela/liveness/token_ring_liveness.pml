//@ verdict: holds
//@ errors: 0
//@ states: 14
//@ transitions: 18
//@ check: --ltl one_token => holds
//@ check: --ltl comes_round => holds
//@ check: --ltl in_order => holds
//@ check: --ltl used_by_all => violated
//@ check: --ltl used_by_all --fair weak => violated
//@ check: --ltl used_by_all --fair strong => violated (spin: it has no strong fairness)
// A token goes round for ever, with no fairness; whether a node uses it is its own choice.
#define N 3
chan ring[N] = [1] of { bit };
byte at, users;

ltl one_token { [] (len(ring[0]) + len(ring[1]) + len(ring[2]) <= 1) }
ltl comes_round { []<> (at == 0) && []<> (at == 1) && []<> (at == 2) }
ltl in_order { [] (at == 0 -> (at == 0 U at == 1)) }
ltl used_by_all { []<> (users == 1) }

proctype node(byte me) {
  do
  :: atomic { ring[me]?1; at = me };
     if
     :: users++; users--
     :: skip
     fi;
     ring[(me + 1) % N]!1
  od
}

init {
  atomic {
    run node(0);
    run node(1);
    run node(2);
    ring[0]!1
  }
}
