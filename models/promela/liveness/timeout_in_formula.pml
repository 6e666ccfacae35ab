//@ verdict: holds
//@ errors: 0
//@ states: 8
//@ transitions: 9
//@ check: --ltl never_stuck => violated
//@ check: --ltl saved => holds
// timeout in a formula: the moment when only the process that waits for it can move.
bool hang, saved_;

ltl never_stuck { [] !timeout }
ltl saved { [] (hang -> <> saved_) }

active proctype P() {
  hang = true;
  saved_
}

active proctype Q() {
  timeout -> saved_ = true
}
