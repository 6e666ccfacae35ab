//@ verdict: holds
//@ errors: 0
//@ states: 8
//@ transitions: 9
// Equal priorities interleave freely; the low process comes last.
byte n;

active [2] proctype p() priority 4 {
  n++
}

active proctype low() priority 2 {
  assert(n == 2)
}
