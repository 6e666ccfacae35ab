//@ verdict: violated
//@ errors: 2
//@ states: 24
//@ transitions: 37
// The variable is needed only if the sequence is interrupted.
bit g;

active proctype main() {
  byte x;
  if
  :: x = 1
  :: x = 2
  fi;
  { x = x; (false) } unless { (g == 1) };
  assert(x == 1)
}

active proctype other() {
  g = 1
}
