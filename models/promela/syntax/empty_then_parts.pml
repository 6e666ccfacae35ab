//@ verdict: holds
//@ errors: 0
//@ states: 9
//@ transitions: 9
// Options that consist of a guard only.
byte x;

active proctype main() {
  if
  :: x == 0
  :: x == 1
  fi;
  do
  :: x < 2 -> x++
  :: x == 2 -> break
  od;
  if :: true fi
}
