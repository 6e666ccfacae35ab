//@ verdict: holds
//@ errors: 0
//@ states: 5
//@ transitions: 9
//@ check: --never => violated
//@ check: --never --fair weak => holds
// A claim for: a request without an answer for ever.
bool request, answer;

never {
T0_init:
  do
  :: request && !answer -> goto accept_S1
  :: true
  od;
accept_S1:
  do
  :: !answer
  od
}

active proctype client() {
  do
  :: request = true
  od
}

active proctype server() {
  request -> answer = true
}
