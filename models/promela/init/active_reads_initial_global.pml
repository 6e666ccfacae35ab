//@ verdict: holds
//@ errors: 0
//@ states: 7
//@ transitions: 9
// An active process exists from the start; its locals see the initial globals even
// though another process changes them at once.
byte g = 5;

active proctype changer() {
  g = 6
}

active proctype reader() {
  byte seen = g;
  assert(seen == 5)
}
