//@ verdict: holds
//@ errors: 0
//@ states: 195
//@ transitions: 409
// A counting semaphore that admits two of three.
byte free = 2, inside;

active [3] proctype p() {
  atomic { free > 0 -> free-- };
  inside++;
  assert(inside <= 2);
  inside--;
  free++
}
