//@ verdict: holds
//@ errors: 0
//@ states: 163
//@ transitions: 291
//@ check: --ltl decided => holds
//@ check: --ltl agreed => holds
//@ check: --ltl commit_needs_yes => holds
//@ check: --ltl always_commit => violated
//@ check: --ltl yes_means_commit => violated
// Two-phase commit with two participants: it always comes to a decision, the same for both.
mtype = { open_, yes, no, commit, abort };
chan votes = [2] of { mtype };
mtype voted[2] = open_, decision = open_, done[2] = open_;

ltl decided { <> (done[0] != open_ && done[1] != open_) }
ltl agreed { <>[] (done[0] == done[1]) }
ltl commit_needs_yes { [] (decision == commit -> voted[0] == yes && voted[1] == yes) }
ltl always_commit { <> (decision == commit) }
ltl yes_means_commit { [] (voted[0] == yes -> <> (decision == commit)) }

active [2] proctype participant() {
  if
  :: voted[_pid] = yes
  :: voted[_pid] = no
  fi;
  votes!voted[_pid];
  decision != open_ -> done[_pid] = decision
}

active proctype coordinator() {
  mtype first, second;

  votes?first;
  votes?second;
  if
  :: first == yes && second == yes -> decision = commit
  :: else -> decision = abort
  fi
}
