//@ verdict: holds
//@ errors: 0
//@ states: 11
//@ transitions: 11
// A semicolon may be left out after a closing brace, fi and od, and one too many may stand
// before a closing brace, od, fi or ::.
byte x;

active proctype main() {
  { x = 1 }
  atomic { x = 2; }
  d_step { x = 3 }
  if
  :: x == 3 -> x = 4;
  :: else -> skip;
  fi
  do
  :: x == 4 -> x = 5;
  :: x == 5 -> break;
  od
  assert(x == 5);
}
