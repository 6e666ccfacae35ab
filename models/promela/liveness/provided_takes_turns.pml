//@ verdict: holds
//@ errors: 0
//@ states: 3
//@ transitions: 4
//@ check: --ltl both => holds
//@ check: --ltl first_only => violated
// Provided clauses make two processes alternate, with no fairness.
bit turn;
byte last = 2;

ltl both { []<> (last == 0) && []<> (last == 1) }
ltl first_only { <>[] (last == 0) }

active proctype P() provided (turn == 0) {
  do
  :: atomic { last = 0; turn = 1 }
  od
}

active proctype Q() provided (turn == 1) {
  do
  :: atomic { last = 1; turn = 0 }
  od
}
