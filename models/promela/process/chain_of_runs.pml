//@ verdict: holds
//@ errors: 0
//@ states: 17
//@ transitions: 17
// A child is started with the pid of its parent as a parameter.
pid parent_of[4];

proctype c(pid parent) {
  parent_of[_pid] = parent;
  if
  :: _pid < 3 -> run c(_pid)
  :: else -> skip
  fi
}

init {
  run c(_pid);
  (_nr_pr == 1);
  assert(parent_of[1] == 0 && parent_of[2] == 1 && parent_of[3] == 2)
}
