//@ verdict: holds
//@ errors: 0
//@ states: 24
//@ transitions: 107
// A toy of the MSI protocol with a bus that makes every request atomic: a modified line is the
// only copy.
mtype = { invalid, shared, modified };
mtype line[2] = invalid;

active [2] proctype cache() {
  byte me = _pid, other = 1 - _pid;
  do
  :: d_step {
       line[me] == invalid ->
       if
       :: line[other] == modified -> line[other] = shared
       :: else
       fi;
       line[me] = shared
     }
  :: d_step { line[me] != modified -> line[other] = invalid; line[me] = modified }
  :: d_step { line[me] != invalid -> line[me] = invalid }
  od
}

active proctype check() {
  assert(!(line[0] == modified && line[1] != invalid));
  assert(!(line[1] == modified && line[0] != invalid))
}
