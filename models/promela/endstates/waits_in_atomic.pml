//@ verdict: violated
// The process blocks in the middle of the sequence, where the label does not reach.
byte x;

active proctype p() {
end:
  atomic { x = 1; x == 2 -> x = 3 }
}
