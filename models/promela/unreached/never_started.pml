//@ verdict: holds
//@ unreached: ?
// A proctype which nobody runs.
byte x;

proctype idle() {
  x = 5;
  x = 6
}

init {
  x = 1
}
