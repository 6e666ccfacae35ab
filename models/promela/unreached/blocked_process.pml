//@ verdict: violated
//@ unreached: ?
// A process stuck at its second statement.
byte x;

active proctype main() {
  x = 1;
  x == 2;
  x = 3
}
