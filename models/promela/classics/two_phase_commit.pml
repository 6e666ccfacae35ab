//@ verdict: holds
//@ errors: 0
//@ states: 250
//@ transitions: 430
// Two-phase commit with two participants: all decide the same, and commit needs every vote.
mtype = { yes, no, commit, abort };
chan vote = [2] of { mtype };
chan decision[2] = [1] of { mtype };
mtype outcome[2];

active [2] proctype participant() {
  mtype my, d;
  if
  :: my = yes
  :: my = no
  fi;
  vote!my;
  decision[_pid]?d;
  outcome[_pid] = d;
  assert(d == abort || my == yes)
}

active proctype coordinator() {
  mtype a, b, d = abort;
  vote?a;
  vote?b;
  if
  :: a == yes && b == yes -> d = commit
  :: else
  fi;
  decision[0]!d;
  decision[1]!d;
  (outcome[0] != 0 && outcome[1] != 0);
  assert(outcome[0] == outcome[1])
}
