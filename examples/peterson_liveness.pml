//@ verdict: holds
//@ errors: 0
//@ states: 32
//@ transitions: 55
//@ check: --ltl exclusion => holds
//@ check: --ltl who_wants_enters => holds
//@ check: --ltl first_again_and_again => violated
//@ check: --ltl first_again_and_again --fair weak => holds
//@ check: --ltl bounded_overtaking => holds
// Peterson's algorithm once more, with promises about the future. Who has given way enters, under any
// scheduler: the other one cannot go round twice meanwhile. But that a process goes round for ever
// needs a scheduler that lets it move: weak fairness (--fair weak) is enough.

bool wants[2], waiting[2], inside[2];
byte turn;

ltl exclusion { [] !(inside[0] && inside[1]) }
ltl who_wants_enters { [] (waiting[0] -> <> inside[0]) }
ltl first_again_and_again { []<> inside[0] }

/* while 0 waits, 1 may be inside, but after it has left it does not come in again */
ltl bounded_overtaking {
  [] (waiting[0] -> (!inside[1] U (inside[0] || (inside[1] U (!inside[1] U inside[0])))))
}

active [2] proctype user() {
  byte other = 1 - _pid;

  do
  :: wants[_pid] = true;
     atomic { turn = other; waiting[_pid] = true };
     (!wants[other] || turn == _pid) -> atomic { waiting[_pid] = false; inside[_pid] = true };
     inside[_pid] = false;
     wants[_pid] = false
  od
}
