//@ verdict: holds
//@ errors: 0
//@ states: 9
//@ transitions: 9
// break inside a selection leaves the loop around the selection.
active proctype main() {
  byte n;
  do
  :: n++;
     if
     :: n == 3 -> break
     :: n != 3
     fi
  od;
  assert(n == 3)
}
