//@ verdict: holds
//@ errors: 0
//@ states: 18
//@ transitions: 18
// for (i in a) runs the index through all of the array.
byte a[3] = { 5, 6, 7 };

active proctype main() {
  byte i, s;
  for (i in a) {
    s = s + a[i];
    a[i] = i
  }
  assert(s == 18);
  assert(a[0] == 0 && a[1] == 1 && a[2] == 2)
}
