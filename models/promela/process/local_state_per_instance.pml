//@ verdict: holds
//@ errors: 0
//@ states: 21
//@ transitions: 33
// Two identical processes with local counters: 4 x 4 interleaved positions and the
// final removals.
active [2] proctype p() {
  byte i;
  i++;
  i++;
  i++
}
