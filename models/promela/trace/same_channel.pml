//@ verdict: holds
//@ errors: 0
//@ spin: no - it reports the choice as an error
// Two variables hold the same channel, so one message is an event of both branches.
chan c = [2] of { byte };
chan d;

trace {
  if
  :: c!1; c!2
  :: d!1; d!3
  fi
}

init {
  d = c;
  c!1; c!3
}
