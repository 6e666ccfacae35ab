//@ verdict: violated
//@ errors: 1
//@ states: 2
//@ transitions: 2
//@ violation: invalid end state
// The process blocks in the middle of the sequence, where the label does not reach.
byte x;

active proctype p() {
end:
  atomic { x = 1; x == 2 -> x = 3 }
}
