//@ verdict: holds
//@ errors: 0
//@ states: 85
//@ transitions: 193
// active [3] starts three instances with pids 0, 1 and 2 before anything else happens.
byte seen[3];

active [3] proctype p() {
  assert(_pid < 3);
  seen[_pid]++;
  assert(seen[_pid] == 1)
}
