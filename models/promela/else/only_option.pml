//@ verdict: holds
//@ errors: 0
//@ states: 5
//@ transitions: 5
// A selection whose only option is else: always executable.
byte x;

active proctype main() {
  if
  :: else -> x = 1
  fi;
  assert(x == 1)
}
