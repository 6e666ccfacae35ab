//@ verdict: holds
//@ errors: 0
//@ states: 6
//@ transitions: 9
//@ check: --never => holds, states 6
// Channels in a claim: what is never sent is never in front.
chan q = [2] of { byte };

never {
  do
  :: len(q) < 2
  :: full(q) && q?[3] -> break
  :: full(q) && q?[1]
  :: full(q) && q?[2]
  od
}

active proctype P() {
  do
  :: q!1; q!2
  od
}

active proctype Q() {
  do
  :: q?1; q?2
  od
}
