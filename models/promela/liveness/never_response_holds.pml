//@ verdict: holds
//@ errors: 0
//@ states: 5
//@ transitions: 6
//@ check: --never => holds, states 7
// The same claim with a client that waits.
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
  :: request = true; answer; answer = false
  od
}

active proctype server() {
  do
  :: request -> atomic { answer = true; request = false }
  od
}
