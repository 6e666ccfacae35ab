//@ verdict: holds
//@ errors: 0
//@ states: 1
//@ transitions: 1
// The label stands before an atomic sequence whose first statement blocks.
byte x;

active proctype p() {
end:
  atomic { x == 2 -> x = 3 }
}
