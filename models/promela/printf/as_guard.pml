//@ verdict: holds
//@ errors: 0
//@ states: 9
//@ transitions: 9
// printf is always executable, so it may be the guard of an option.
byte n;

active proctype main() {
  if
  :: printf("first\n") -> n = 1
  :: printf("second\n") -> n = 2
  fi;
  assert(n == 1 || n == 2)
}
