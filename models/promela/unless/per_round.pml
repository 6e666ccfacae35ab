//@ verdict: holds
//@ errors: 0
//@ states: 12
//@ transitions: 12
// The escape ends the current round of the loop only, and the loop goes on.
byte n, escapes;

active proctype main() {
  do
  :: n < 4 ->
     { n++; n++ } unless { n == 3 -> escapes++; n = 4 }
  :: n >= 4 -> break
  od;
  assert(n == 4 && escapes == 1)
}
