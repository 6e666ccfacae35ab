//@ verdict: holds
//@ errors: 0
//@ states: 7
//@ transitions: 7
// An unless statement as the body of an option; the escape guard is not executable
// while x is 0 and cannot be used to enter the option.
byte x;

active proctype main() {
  if
  :: x == 0 -> { x = 1; x = 2 } unless { x == 1 -> x = 5 }
  :: x == 9 -> assert(false)
  fi;
  assert(x == 5)
}
