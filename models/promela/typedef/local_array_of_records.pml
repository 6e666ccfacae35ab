//@ verdict: holds
//@ errors: 0
//@ states: 21
//@ transitions: 33
// Records local to a process are part of that process: each of the two instances
// counts in its own copy.
typedef cell { byte n };

active [2] proctype worker() {
  cell c[2];
  byte i = _pid;
  c[i].n++;
  c[i].n++;
  assert(c[i].n == 2 && c[1 - i].n == 0)
}
