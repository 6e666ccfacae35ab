//@ verdict: violated
//@ errors: 1
//@ states: 2
//@ transitions: 2
//@ violation: invalid end state
//@ unreached: 13, 14
// A process stuck at its second statement.
byte x;

active proctype main() {
  x = 1;
  x == 2;
  x = 3
}
