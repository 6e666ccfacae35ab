//@ verdict: error
//@ error: again
// An inline that calls itself would expand for ever.
byte x;

inline again(n) {
  x = n;
  again(n)
}

active proctype main() { again(1) }
