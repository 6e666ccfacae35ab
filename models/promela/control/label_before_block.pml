//@ verdict: holds
//@ errors: 0
//@ states: 19
//@ transitions: 19
// A label may stand before if, do, atomic, d_step and a plain block.
byte x;

active proctype main() {
la: if
  :: x == 0 -> x = 1; goto la
  :: x == 1 -> x = 2
  fi;
lb: do
  :: x == 2 -> x = 3; goto lb
  :: x == 3 -> break
  od;
lc: atomic { x++; x++ }
  if
  :: x == 5 -> goto lc
  :: x == 7
  fi;
ld: d_step { x++; x++ }
le: { x++ }
  if
  :: x == 10 -> goto le
  :: x == 11
  fi;
  assert(x == 11)
}
