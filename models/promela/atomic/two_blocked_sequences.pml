//@ verdict: holds
//@ errors: 0
//@ states: 9
//@ transitions: 10
// Both processes block in the middle of their sequences and free one another in turn.
byte a, b;

active proctype p() {
  atomic { a = 1; b == 1; a = 2; b == 2; a = 3 }
}

active proctype q() {
  atomic { a == 1; b = 1; a == 2; b = 2 }
}
