//@ verdict: holds
//@ errors: 0
//@ states: 1056
//@ transitions: 2927
//@ check: --ltl delivers => violated
//@ check: --ltl delivers --fair weak => violated
//@ check: --ltl delivers_if_not_all_lost --fair weak => holds
//@ check: --non-progress => violated
//@ check: --non-progress --fair weak => violated
// The alternating bit protocol over channels that lose messages: it delivers unless all are lost.
chan data = [1] of { bit };
chan confirm = [1] of { bit };
bit expected;
bool got, losing;

ltl delivers { []<> got }
ltl delivers_if_not_all_lost { !([]<> losing) -> []<> got }

active proctype sender() {
  bit b, answer;

  do
  :: data!b
  :: confirm?answer ->
     if
     :: answer == b -> b = 1 - b; answer = 0
     :: else -> answer = 0
     fi
  od
}

active proctype receiver() {
  bit b;

  do
  :: data?b ->
     if
     :: b == expected ->
progress:
        got = true; got = false; expected = 1 - expected
     :: else
     fi;
     confirm!b;
     b = 0
  od
}

active proctype loss() {
  do
  :: atomic { data?_ -> losing = true }; losing = false
  :: atomic { confirm?_ -> losing = true }; losing = false
  od
}
