//@ verdict: holds
//@ errors: 0
//@ states: 3
//@ transitions: 3
//@ unreached: 10, 11, 12
// A proctype which no process runs.
byte x;

proctype idle() {
  x = 5;
  x = 6
}

init {
  x = 1
}
