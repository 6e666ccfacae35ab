//@ verdict: holds
//@ errors: 0
//@ states: 17
//@ transitions: 21
// An inline call may be the first statement of an option; its first statement is
// then the guard.
bool busy;

inline acquire() {
  atomic { !busy -> busy = true }
}

active [2] proctype p() {
  if
  :: acquire()
  fi;
  assert(busy);
  busy = false
}
