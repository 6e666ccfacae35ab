//@ verdict: holds
//@ errors: 0
//@ states: 13
//@ transitions: 18
// pc_value(pid) is the number of the control state of a process.  The numbers are
// internal, but two different positions never share one.
active proctype walker() {
  skip;
  skip
}

active proctype main() {
  byte before;
  atomic {
    before = pc_value(0);
    assert(before == pc_value(0))
  }
}
