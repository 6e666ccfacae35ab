//@ verdict: holds
// The label stands before an atomic sequence whose first statement blocks.
byte x;

active proctype p() {
end:
  atomic { x == 2 -> x = 3 }
}
