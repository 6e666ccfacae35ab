//@ verdict: holds
//@ errors: 0
//@ states: 8
//@ transitions: 10
//@ check: --never => holds, states 8
// A rendezvous is one step of both for the claim, too.
chan c = [0] of { bit };
byte a, b;

active proctype giver() {
start:
  c!1;
gone:
  a = 1
}

active proctype taker() {
waits:
  c?1;
met:
  b = 1
}

never {
  do
  :: true
  :: giver@gone && taker@waits -> break
  od
}
