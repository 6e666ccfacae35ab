//@ verdict: holds
//@ errors: 0
//@ states: 7
//@ transitions: 7
// The end of a process is a step, too: while the clause is false the finished process
// cannot be removed, and the search stops there.  That is still a valid end state, for
// all processes have reached their closing brace.
bool gate = true;

active proctype opener() {
  gate = true
}

active proctype p() provided (gate) {
  gate = false
}
