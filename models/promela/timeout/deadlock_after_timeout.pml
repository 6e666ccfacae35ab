//@ verdict: violated
//@ errors: 1
//@ states: 2
//@ transitions: 2
//@ violation: invalid end state
// The timeout is passed, but then the process waits for something that never comes.
bool never_set;

active proctype main() {
  timeout;
  never_set
}
