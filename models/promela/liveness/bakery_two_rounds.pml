//@ verdict: holds
//@ errors: 0
//@ states: 743
//@ transitions: 1285
//@ check: --ltl exclusion => holds
//@ check: --ltl all_done => holds
//@ check: --ltl each_enters => holds
//@ check: --ltl first_before_second => violated
//@ check: --ltl terminates => holds
// Lamport's bakery for two, each twice: a finite model, so that every process finishes without fairness.
bool choosing[2], inside[2];
byte number[2], entries[2];

ltl exclusion { [] !(inside[0] && inside[1]) }
ltl all_done { <> (entries[0] == 2 && entries[1] == 2) }
ltl each_enters { <> inside[0] && <> inside[1] }
ltl first_before_second { !inside[1] U inside[0] }
ltl terminates { <>[] (number[0] == 0 && number[1] == 0) }

active [2] proctype customer() {
  byte other = 1 - _pid;

  do
  :: entries[_pid] < 2 ->
     choosing[_pid] = true;
     number[_pid] = number[other] + 1;
     choosing[_pid] = false;
     !choosing[other];
     (number[other] == 0 || number[_pid] < number[other]
       || (number[_pid] == number[other] && _pid < other));
     inside[_pid] = true;
     atomic { inside[_pid] = false; entries[_pid]++ };
     number[_pid] = 0
  :: else -> break
  od
}
