//@ verdict: holds
//@ errors: 0
//@ states: 5
//@ transitions: 5
// A block in braces as the first statement takes part with its own first statement.
byte x, y;

active proctype main() {
  if
  :: { x == 0; y = 1 }
  :: { x == 1; y = 2 }
  fi;
  assert(y == 1)
}
