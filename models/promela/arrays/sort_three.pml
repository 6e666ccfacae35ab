//@ verdict: holds
//@ errors: 0
//@ states: 33
//@ transitions: 34
// Any order of swapping neighbours that are out of place ends in the sorted array;
// several runs meet in the same states.
byte a[3] = { 3, 2, 1 };

active proctype main() {
  byte t;
  do
  :: a[0] > a[1] -> t = a[0]; a[0] = a[1]; a[1] = t; t = 0
  :: a[1] > a[2] -> t = a[1]; a[1] = a[2]; a[2] = t; t = 0
  :: a[0] <= a[1] && a[1] <= a[2] -> break
  od;
  assert(a[0] == 1 && a[1] == 2 && a[2] == 3)
}
