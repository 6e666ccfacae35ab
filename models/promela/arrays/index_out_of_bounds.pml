//@ verdict: violated
//@ violation: runtime error
//@ spin: no - SPIN counts this one write twice, as its code evaluates the index twice
// Index 3 of an array of three elements does not exist.  SPIN reports "assertion
// violated - invalid array index" with an error count of two.
byte a[3];
byte i = 2;

active proctype main() {
  i++;
  a[i] = 1
}
