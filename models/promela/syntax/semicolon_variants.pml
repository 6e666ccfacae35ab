//@ verdict: holds
//@ errors: 0
//@ states: 8
//@ transitions: 8
// Semicolons after braces, fi and od, and doubled separators after declarations.
byte x;;
byte y;

active proctype main() {
  { x = 1 };
  atomic { x = 2 };
  if
  :: x == 2
  fi;
  do
  :: break
  od;
  y = x;
  assert(y == 2)
};
