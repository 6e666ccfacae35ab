//@ verdict: holds
//@ errors: 0
//@ states: 9
//@ transitions: 9
// Several labels may name the same statement, one after the other.
byte x;

active proctype main() {
  goto second;
first: second: third:
  x++;
  if
  :: x == 1 -> goto third
  :: x == 2 -> goto first
  :: x > 2
  fi;
  assert(x == 3)
}
