//@ verdict: holds
//@ errors: 0
//@ states: 7
//@ transitions: 13
//@ check: --never => violated
// Channels in a claim: full with the wrong message in front.
chan q = [2] of { byte };

never {
  do
  :: empty(q)
  :: nempty(q) && nfull(q)
  :: full(q) && q?[2] -> break
  :: full(q) && !q?[2]
  od
}

active proctype P() {
  do
  :: q!1
  :: q!2
  od
}

active proctype Q() {
  do
  :: q?_
  od
}
